// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <shoal/item/host_device.hpp>

namespace shoal::sorted_keys {

/// Number of keys below `key`, which must be in [low, high]. If the keys are not sorted, the result is some number in
/// [low, high].
SHOAL_HD std::int64_t count_below(const std::uint32_t* sorted, std::int64_t low, std::int64_t high, std::int64_t key) {
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace shoal::sorted_keys
