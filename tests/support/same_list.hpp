// SPDX-License-Identifier: Apache-2.0
// Matcher for lists in compressed rows that reports the first row that differs.
#pragma once
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace shoal::testing_support {

/// Row i of a list with `offsets` and `indices`; empty if the offsets do not fit the indices.
template <class List>
std::span<const std::int32_t> row_of(const List& list, std::size_t i) {
  const std::int64_t begin = list.offsets[i];
  const std::int64_t end = list.offsets[i + 1];
  if (begin < 0 || begin > end || end > static_cast<std::int64_t>(list.indices.size())) return {};
  return std::span(list.indices).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

/// Text of the first row that differs between two lists with `offsets` and `indices`; empty if they are equal.
template <class Actual, class Expected>
std::string first_different_row(const Actual& list, const Expected& expected) {
  if (list.offsets == expected.offsets && list.indices == expected.indices) return "";
  if (list.offsets.size() != expected.offsets.size())
    return "which has " + std::to_string(list.offsets.size()) + " offsets, expected " +
           std::to_string(expected.offsets.size());
  for (std::size_t i = 0; i + 1 < expected.offsets.size(); ++i) {
    const auto row = row_of(list, i);
    const auto expected_row = row_of(expected, i);
    if (!std::equal(row.begin(), row.end(), expected_row.begin(), expected_row.end()))
      return "whose row " + std::to_string(i) + " is " + testing::PrintToString(row) + ", expected " +
             testing::PrintToString(expected_row);
  }
  return "which has " + std::to_string(list.indices.size()) + " indices, expected " +
         std::to_string(expected.indices.size());
}

/// Text of the first difference of two arrays of a list; empty if they are equal.
template <class T>
std::string first_different_entry(const char* name, const std::vector<T>& array, const std::vector<T>& expected) {
  if (array == expected) return "";
  if (array.size() != expected.size())
    return std::string("whose ") + name + " have " + std::to_string(array.size()) + " entries, expected " +
           std::to_string(expected.size());
  const auto entry =
      static_cast<std::size_t>(std::mismatch(array.begin(), array.end(), expected.begin()).first - array.begin());
  return std::string("whose ") + name + "[" + std::to_string(entry) + "] is " + testing::PrintToString(array[entry]) +
         ", expected " + testing::PrintToString(expected[entry]);
}

/// Text of the first difference of two lists. A list with further arrays overloads this function.
template <class Actual, class Expected>
std::string first_difference(const Actual& list, const Expected& expected) {
  return first_different_row(list, expected);
}

/// Matches a list with the same offsets, indices and further arrays as `expected`.
MATCHER_P(SameList, expected, "is the expected list") {
  const std::string difference = first_difference(arg, expected);
  *result_listener << difference;
  return difference.empty();
}

}  // namespace shoal::testing_support
