// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <string_view>

namespace shoal::io {

/// Reads all of `word` as a number, as in 1, -1.5e-3, +2, nan, inf; false if it is none, or one that T cannot hold.
template <class T>
bool read_number(std::string_view word, T& number) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
  return failed == std::errc{} && end == word.data() + word.size();
}

}  // namespace shoal::io
