// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/error.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace shoal {

/// Names of the enumerators of an enumeration, in their order. Case files, messages and Python use these names.
/// Each enumeration specializes it:
///
///     template <>
///     inline constexpr auto enumerator_names<Kernel> = std::array<std::string_view, 2>{"cubic_spline", "wendland_c2"};
template <class Enum>
inline constexpr std::array<std::string_view, 0> enumerator_names{};

/// Name of an enumerator.
template <class Enum>
constexpr std::string_view to_name(Enum value) {
  return enumerator_names<Enum>[static_cast<std::size_t>(value)];
}

/// All names, as in "cubic_spline, wendland_c2".
template <class Enum>
std::string list_names() {
  std::string list;
  for (const std::string_view name : enumerator_names<Enum>) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

/// Enumerator with a name.
/// @throws Error  no enumerator has this name; the message lists those that exist
template <class Enum>
Enum from_name(std::string_view name) {
  for (std::size_t i = 0; i < enumerator_names<Enum>.size(); ++i)
    if (enumerator_names<Enum>[i] == name) return static_cast<Enum>(i);
  throw Error("unknown name \"" + std::string(name) + "\"; expected one of " + list_names<Enum>() + ".");
}

}  // namespace shoal
