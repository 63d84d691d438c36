// SPDX-License-Identifier: Apache-2.0
// Sort of one row of a list on the CPU: the position of an entry is the number of smaller entries.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>

#include <shoal/item/host_device.hpp>

namespace shoal::neighbors {

/// Numbers whose ranks are found at a time, in vectors.
struct RankBlock {
  static constexpr int vectors = 4, lanes = 8;
  using Vector = std::int32_t __attribute__((vector_size(lanes * sizeof(std::int32_t))));
  static constexpr std::int64_t count = vectors * lanes;
};

/// Copies distinct numbers in ascending order.
/// @param numbers  [count + RankBlock::count]
SHOAL_HD void copy_sorted(const std::int32_t* numbers, std::int64_t count, std::int32_t* sorted) {
  constexpr std::int64_t max_ranked = 256;
  if (count > max_ranked) {
    std::copy_n(numbers, count, sorted);
    std::sort(sorted, sorted + count);
    return;
  }
  for (std::int64_t block = 0; block < count; block += RankBlock::count) {
    RankBlock::Vector value[RankBlock::vectors], rank[RankBlock::vectors] = {};
    std::memcpy(value, numbers + block, sizeof value);
    for (std::int64_t j = 0; j < count; ++j)
      for (int v = 0; v < RankBlock::vectors; ++v) rank[v] -= numbers[j] < value[v];  // true is -1
    const std::int64_t length = std::min(RankBlock::count, count - block);
    for (std::int64_t i = 0; i < length; ++i)
      sorted[rank[i / RankBlock::lanes][i % RankBlock::lanes]] = numbers[block + i];
  }
}

}  // namespace shoal::neighbors
