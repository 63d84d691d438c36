// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/methods.hpp>

#include <span>
#include <string_view>

#include "core/text.hpp"

namespace shoal {

/// What every row of every operation's table starts with; an operation adds the function to run.
struct MethodEntry {
  std::string_view name;
  DeviceKind device;
  bool deterministic;
  std::string_view source;
};

inline MethodInfo method_info(std::string_view operation, const MethodEntry& row) {
  return {std::string(operation), std::string(row.name), row.device, row.deterministic, std::string(row.source)};
}

template <class Method>
std::vector<MethodInfo> method_infos(std::string_view operation, std::span<const Method> rows) {
  std::vector<MethodInfo> infos;
  for (const Method& row : rows) infos.push_back(method_info(operation, row));
  return infos;
}

/// The row of this name on this device; "auto" takes the first deterministic one.
/// @throws Error  there is none; the message lists those of the device
template <class Method>
const Method& find_method(std::string_view operation, std::span<const Method> rows, std::string_view name,
                          DeviceKind device) {
  std::vector<std::string> names;
  for (const Method& row : rows) {
    if (row.device != device) continue;
    if (name == "auto" ? row.deterministic : row.name == name) return row;
    names.emplace_back(row.name);
  }
  const char* where = device == DeviceKind::cpu ? "cpu" : "cuda";
  throw Error(text(operation, ": method `", name, "` is not available on ", where, ". This build has on ", where, ": ",
                   join(names), "."));
}

}  // namespace shoal
