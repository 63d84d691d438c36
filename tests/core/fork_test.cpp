// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <shoal/device.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

#include "core/primitives/primitives.hpp"

namespace shoal {
namespace {

std::int64_t sum_of_numbers(std::int64_t count) {
  const Queue queue = Queue::cpu(3);
  Scratch scratch(queue);
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), std::int64_t{1});
  Array<std::int64_t> sum(queue, 1);
  reduce<std::int64_t>(scratch, Reduction::sum, View<const std::int64_t>(numbers), sum);
  return to_host(queue, sum).front();
}

TEST(Fork, LeavesParentAndChildAbleToCompute) {
  constexpr std::int64_t count = 300'000;
  constexpr std::int64_t expected = count * (count + 1) / 2;
  ASSERT_EQ(sum_of_numbers(count), expected);
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // ends a child that waits forever
    ::_exit(sum_of_numbers(count) == expected ? 0 : 1);
  }
  EXPECT_EQ(sum_of_numbers(count), expected);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace shoal
