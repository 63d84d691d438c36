// SPDX-License-Identifier: Apache-2.0
// Values of the host that all ranks need of each other. Calls of all ranks.
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/communication/rank_group.hpp"

namespace shoal {

/// Largest of the values of all ranks, each 0 or more; NaN if one is.
inline double largest_of_ranks(const Communicator& ranks, double value) {
  if (ranks.size() == 1) return value;
  std::array<std::uint64_t, 1> word{std::bit_cast<std::uint64_t>(value) & ~(std::uint64_t{1} << 63)};
  ranks.group().all_max(word);
  return std::bit_cast<double>(word[0]);
}

/// Smallest of the values of all ranks, each 0 or more.
inline double smallest_of_ranks(const Communicator& ranks, double value) {
  if (ranks.size() == 1) return value;
  std::array<std::uint64_t, 1> word{~std::bit_cast<std::uint64_t>(value)};
  ranks.group().all_max(word);
  return std::bit_cast<double>(~word[0]);
}

/// Values of all ranks, one behind the other in the order of ranks.
/// @param counts  [ranks] number of values of each rank
template <class Value>
std::vector<Value> gathered_on_all(const Communicator& ranks, std::vector<Value> part,
                                   const std::vector<std::int64_t>& counts) {
  static_assert(std::is_trivially_copyable_v<Value>);
  if (ranks.size() == 1) return part;
  const auto most = static_cast<std::size_t>(*std::max_element(counts.begin(), counts.end()));
  part.resize(most);
  std::vector<Value> padded(counts.size() * most), values;
  ranks.group().all_gather(part.data(), most * sizeof(Value), padded.data());
  for (std::size_t rank = 0; rank < counts.size(); ++rank) {
    const auto first = padded.begin() + static_cast<std::ptrdiff_t>(rank * most);
    values.insert(values.end(), first, first + counts[rank]);
  }
  return values;
}

}  // namespace shoal
