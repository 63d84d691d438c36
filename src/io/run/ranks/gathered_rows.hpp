// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "io/run/ranks/first_rank.hpp"

namespace shoal::io {

/// Returns on rank 0 the rows of all ranks, one behind the other in the order of ranks, and nothing on other ranks. For
/// states that fit into the memory of rank 0; RankRows has those that do not. All ranks call it.
/// @param part  rows of this rank; there may be none
/// @throws Error  on all ranks: rank 0 has not enough memory
template <class Row>
std::vector<Row> gathered_rows(const Communicator& ranks, std::vector<Row> part) {
  static_assert(std::is_trivially_copyable_v<Row>);
  if (ranks.size() == 1) return part;
  const auto rows = static_cast<std::int64_t>(part.size());
  std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks.size()));
  ranks.group().all_gather(&rows, sizeof rows, counts.data());
  std::vector<Row> whole;
  on_first_rank(ranks, [&] {
    whole.resize(static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})));
  });
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  if (ranks.rank() == 0) {
    Row* next = std::copy(part.begin(), part.end(), whole.data());
    for (int rank = 1; rank < ranks.size(); ++rank) {
      const std::int64_t count = counts[static_cast<std::size_t>(rank)];
      if (count > 0) receives.push_back({next, static_cast<std::size_t>(count) * sizeof(Row), rank});
      next += count;
    }
  } else if (rows > 0) {
    sends.push_back({part.data(), part.size() * sizeof(Row), 0});
  }
  ranks.group().exchange(sends, receives);
  return whole;
}

/// Returns on each rank its part of the rows that rank 0 has, in the order of ranks: the inverse of the function above. All ranks
/// call it.
/// @param whole  rows of all ranks on rank 0, as many as all have together; not used on other ranks
/// @param rows   number of rows of this rank
/// @throws Error  on all ranks: a rank has not enough memory
template <class Row>
std::vector<Row> scattered_rows(const Communicator& ranks, const std::vector<Row>& whole, std::int64_t rows) {
  static_assert(std::is_trivially_copyable_v<Row>);
  if (ranks.size() == 1) return whole;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks.size()));
  ranks.group().all_gather(&rows, sizeof rows, counts.data());
  std::vector<Row> part;
  ranks.agree([&] { part.resize(static_cast<std::size_t>(rows)); });
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  if (ranks.rank() == 0) {
    const Row* next = whole.data();
    std::copy_n(next, rows, part.begin());
    for (int rank = 1; rank < ranks.size(); ++rank) {
      next += counts[static_cast<std::size_t>(rank - 1)];
      sends.push_back({next, static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]) * sizeof(Row), rank});
    }
  } else {
    receives.push_back({part.data(), part.size() * sizeof(Row), 0});
  }
  ranks.group().exchange(sends, receives);
  return part;
}

}  // namespace shoal::io
