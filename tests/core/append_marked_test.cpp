// SPDX-License-Identifier: Apache-2.0
#include "core/primitives/append_marked.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace shoal {
namespace {

/// Expects the marked ones of `count` numbers, appended to an array that has room for them and for a group.
void expect_marked(const std::vector<std::int32_t>& numbers, const std::vector<std::int32_t>& marks,
                   std::size_t count) {
  std::vector<std::int32_t> expected;
  for (std::size_t j = 0; j < count; ++j)
    if (marks[j] != 0) expected.push_back(numbers[j]);
  constexpr std::int32_t untouched = -7;
  const std::size_t room = expected.size() + static_cast<std::size_t>(append_group);
  std::vector<std::int32_t> copies(room + 1, untouched);
  const std::int32_t* const end =
      append_marked(numbers.data(), marks.data(), static_cast<std::int64_t>(count), copies.data());
  ASSERT_EQ(end - copies.data(), std::ssize(expected)) << count;
  EXPECT_EQ(copies[room], untouched) << count;
  copies.resize(expected.size());
  EXPECT_EQ(copies, expected) << count;
}

TEST(AppendMarked, CopiesEveryPatternOfAGroup) {
  const std::vector<std::int32_t> numbers{70, 10, 60, 20, 50, 30, 40, 0, 1, 2, 3, 4, 5, 6, 7, 8};
  for (int pattern = 0; pattern < 256; ++pattern) {
    std::vector<std::int32_t> marks(16, 0);
    for (std::size_t j = 0; j < 8; ++j) marks[j] = pattern >> j & 1;
    expect_marked(numbers, marks, 8);
  }
}

TEST(AppendMarked, CopiesAnyNumberInOrder) {
  std::mt19937 random(1);
  for (std::size_t count = 0; count < 70; ++count) {
    std::vector<std::int32_t> numbers, marks;
    for (std::size_t j = 0; j < count + 8; ++j) {
      numbers.push_back(static_cast<std::int32_t>(random()));
      marks.push_back(j < count ? static_cast<std::int32_t>(random() % 2) : 0);
    }
    expect_marked(numbers, marks, count);
  }
}

}  // namespace
}  // namespace shoal
