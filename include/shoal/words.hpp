// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/error.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace shoal {

/// The words of an enumeration, in the order of its enumerators. Case files, messages and Python use these words.
/// Each enumeration specialises it:
///
///     template <> inline constexpr auto words<Kernel> = std::array<std::string_view, 2>{"cubic_spline",
///     "wendland_c2"};
template <class Enum>
inline constexpr std::array<std::string_view, 0> words{};

/// The word of an enumerator.
template <class Enum>
constexpr std::string_view to_word(Enum value) {
  return words<Enum>[static_cast<std::size_t>(value)];
}

/// "cubic_spline, wendland_c2".
template <class Enum>
std::string list_words() {
  std::string list;
  for (const std::string_view word : words<Enum>) list += (list.empty() ? "" : ", ") + std::string(word);
  return list;
}

/// The enumerator of a word.
/// @throws Error  another word; the message lists those that exist
template <class Enum>
Enum from_word(std::string_view word) {
  for (std::size_t i = 0; i < words<Enum>.size(); ++i)
    if (words<Enum>[i] == word) return static_cast<Enum>(i);
  throw Error("unknown word \"" + std::string(word) + "\"; expected one of " + list_words<Enum>() + ".");
}

}  // namespace shoal
