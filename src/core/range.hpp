// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <shoal/item/host_device.hpp>

namespace shoal {

/// Items begin, begin + 1, ..., end - 1.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  SHOAL_HD std::int64_t count() const { return end - begin; }
};

/// Part `part` of n items, cut into `parts` ranges whose lengths differ by at most one.
inline Range part_range(std::int64_t n, std::int64_t part, std::int64_t parts) {
  const std::int64_t length = n / parts;
  const std::int64_t longer = n % parts;  // number of parts with one more item
  const auto start = [&](std::int64_t p) { return p * length + (p < longer ? p : longer); };
  return {start(part), start(part + 1)};
}

/// Items of one task of host work. Fewer items stay on one thread, because it costs more to wake another.
inline constexpr std::int64_t host_task_size = 1024;

/// Number of threads for n items of host work, at most `threads`.
inline int threads_for(std::int64_t n, int threads) {
  const std::int64_t tasks = n / host_task_size;
  return tasks < 1 ? 1 : tasks < threads ? static_cast<int>(tasks) : threads;
}

}  // namespace shoal
