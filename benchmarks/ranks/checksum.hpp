// SPDX-License-Identifier: Apache-2.0
// Checksums of results that ranks share out: equal for any number of ranks if all bits are.
#pragma once
#include <shoal/ranks/ghost_points.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/communication/rank_group.hpp"

namespace shoal::benchmarks {

/// A word that depends on all bits of two words.
inline std::uint64_t mixed(std::uint64_t number, std::uint64_t bits) {
  std::uint64_t word = (number + 1) * 0x9e3779b97f4a7c15ULL ^ (bits + 0x632be59bd9b4e019ULL) * 0xff51afd7ed558ccdULL;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
  return word ^ (word >> 31);
}

/// Sum over the elements of a word from the number and the bits of each.
/// @param first  number of the first element among those of all ranks
template <class Real>
std::uint64_t checksum(const Queue& queue, View<const Real> values, std::int64_t first) {
  using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;
  const std::vector<Real> host = to_host(queue, values);
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < host.size(); ++i)
    sum += mixed(static_cast<std::uint64_t>(first) + i, std::bit_cast<Bits>(host[i]));
  return sum;
}

/// The same of the rows of a list: of the number of each point with the number of each neighbor, over all ranks.
/// @param first  number of the first own point
template <class Real>
std::uint64_t checksum_of_rows(const Queue& queue, const GhostPoints<Real>& ghosts, const Neighbors<Real>& neighbors,
                               std::int64_t first) {
  const std::vector<std::int64_t> number = to_host(queue, ghosts.number());
  const std::vector<std::int64_t> offsets = to_host(queue, neighbors.offsets());
  const View<const std::int32_t> indices = neighbors.indices();
  constexpr std::int64_t rows_at_a_time = 1 << 22;
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  std::uint64_t sum = 0;
  for (std::int64_t begin = 0; begin < rows; begin += rows_at_a_time) {
    const std::int64_t end = std::min(rows, begin + rows_at_a_time);
    const std::int64_t before = offsets[static_cast<std::size_t>(begin)];
    const View<const std::int32_t> part(indices.data + before, offsets[static_cast<std::size_t>(end)] - before,
                                        indices.device);
    const std::vector<std::int32_t> sources = to_host(queue, part);
#pragma omp parallel for reduction(+ : sum)
    for (std::int64_t row = begin; row < end; ++row)
      for (std::int64_t k = offsets[static_cast<std::size_t>(row)]; k < offsets[static_cast<std::size_t>(row) + 1]; ++k)
        sum += mixed(static_cast<std::uint64_t>(first + row),
                     static_cast<std::uint64_t>(
                         number[static_cast<std::size_t>(sources[static_cast<std::size_t>(k - before)])]));
  }
  return sum;
}

/// Sum of the checksums of all ranks.
inline std::uint64_t checksum_of_all(const Communicator& ranks, std::uint64_t checksum_of_rank) {
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(ranks.size()));
  ranks.group().all_gather(&checksum_of_rank, sizeof checksum_of_rank, sums.data());
  std::uint64_t sum = 0;
  for (const std::uint64_t part : sums) sum += part;
  return sum;
}

}  // namespace shoal::benchmarks
