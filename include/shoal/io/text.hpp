// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Numbers as readable text, text as numbers, and text for terminals.
namespace shoal::io {

/// Returns a number with a comma between groups of three digits: 85773 as "85,773".
std::string grouped(std::int64_t number);

/// Returns a number with one decimal and a short exponent: 0.0001 as "1.0e-4", with `sign` as "+1.0e-4".
std::string scientific(double number, bool sign = false);

/// Returns a time span as "0:03", "2:13" or "1:02:13"; "-:--" if it is negative or not finite.
/// @param seconds  time span, s
std::string clock_time(double seconds);

/// Text that a terminal can show: control characters other than line ends, and bytes that are not UTF-8, become \\x00.
std::string printable(std::string_view text);

/// Candidate nearest to `word`; nothing if its edit distance exceeds both two and a third of the length of the word.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

/// Reads all of `word` as a number, as in 1, -1.5e-3, +2, nan, inf. Returns false if `word` is not a number or exceeds
/// the range of T.
template <class T>
bool read_number(std::string_view word, T& number) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  const auto [end, failed] = std::from_chars(word.data(), word.data() + word.size(), number);
  return failed == std::errc{} && end == word.data() + word.size();
}

}  // namespace shoal::io
