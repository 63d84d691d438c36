// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include <shoal/item/host_device.hpp>

namespace shoal::sorted_keys {

/// Number of keys below `key`, when it is known to be from `low` to `high`; some number from there if keys are not in
/// order.
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
