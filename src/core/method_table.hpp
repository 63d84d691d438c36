// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/methods.hpp>

#include <span>
#include <string_view>

#include "core/text.hpp"

namespace shoal {

/// Common part of the entries of all method tables; an operation adds the function to run.
struct MethodEntry {
  std::string_view name;
  DeviceKind device;
  bool deterministic;
  std::string_view source;
};

inline MethodInfo method_info(std::string_view operation, const MethodEntry& entry) {
  return {std::string(operation), std::string(entry.name), entry.device, entry.deterministic,
          std::string(entry.source)};
}

template <class Method>
std::vector<MethodInfo> method_infos(std::string_view operation, std::span<const Method> table) {
  std::vector<MethodInfo> infos;
  for (const Method& method : table) infos.push_back(method_info(operation, method));
  return infos;
}

/// The entry of this name for this device; "auto" selects the first deterministic one.
/// @throws Error  there is no such entry; the message lists the methods of the device
template <class Method>
const Method& find_method(std::string_view operation, std::span<const Method> table, std::string_view name,
                          DeviceKind device) {
  std::vector<std::string> names;
  for (const Method& method : table) {
    if (method.device != device) continue;
    if (name == "auto" ? method.deterministic : method.name == name) return method;
    names.emplace_back(method.name);
  }
  const char* device_name = device == DeviceKind::cpu ? "cpu" : "cuda";
  throw Error(text(operation, ": method `", name, "` is not available on ", device_name, ". This build has on ",
                   device_name, ": ", join(names), "."));
}

}  // namespace shoal
