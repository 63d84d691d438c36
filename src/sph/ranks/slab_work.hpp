// SPDX-License-Identifier: Apache-2.0
// Work of each rank, by which cuts move during a run.
#pragma once
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/communication/rank_group.hpp"

namespace shoal::sph {

/// Work of a rank in a step.
struct SlabWork {
  double seconds = 0;       ///< measured time of its device without waits for other ranks; 0: not measured
  std::int64_t weight = 0;  ///< weight of its particles
};

/// Returns true after the steps of a run at which ranks compare their weights, by which they were cut at the start.
inline bool compares_weights(std::int64_t step_of_run) { return step_of_run % 100 == 0; }

/// Returns true after the steps at which ranks compare their times: soon after the start, too, where these are new.
inline bool compares_times(std::int64_t step_of_run) {
  return compares_weights(step_of_run) || step_of_run == 10 || step_of_run == 20 || step_of_run == 50;
}

/// Returns true in the last steps before a comparison, whose times count.
inline bool measures_work(std::int64_t step_of_run) {
  constexpr std::int64_t measured_steps = 4;
  for (std::int64_t ahead = 0; ahead < measured_steps; ++ahead)
    if (compares_times(step_of_run + ahead)) return true;
  return false;
}

/// Work of every rank, in the order of ranks.
inline std::vector<SlabWork> gather_work(const Communicator& ranks, const SlabWork& work_of_rank) {
  std::vector<SlabWork> work(static_cast<std::size_t>(ranks.size()));
  ranks.group().all_gather(&work_of_rank, sizeof work_of_rank, work.data());
  return work;
}

/// Returns true if all ranks have a time. Then times count, else weights.
inline bool is_timed(std::span<const SlabWork> work) {
  return !work.empty() && std::all_of(work.begin(), work.end(),
                                      [](const SlabWork& rank) { return rank.seconds > 0 && rank.weight > 0; });
}

/// Returns true if one rank has clearly more work than the mean.
inline bool is_uneven(std::span<const SlabWork> work) {
  const bool timed = is_timed(work);
  const double allowed = timed ? 1.01 : 1.02;
  double largest = 0, sum = 0;
  for (const SlabWork& rank : work) {
    const double cost = timed ? rank.seconds : static_cast<double>(rank.weight);
    largest = std::max(largest, cost);
    sum += cost;
  }
  return largest * static_cast<double>(work.size()) > allowed * sum;
}

/// Weights of layers in proportion to the times of the ranks that have them: equal weights may take unequal times, as
/// particles have more neighbors in one slab, or as one device is slower. Without times they stay as they are.
/// @param weight  [layers] is replaced
inline void scale_to_times(std::span<std::int64_t> weight, const Slabs& slabs, std::span<const SlabWork> work) {
  if (!is_timed(work)) return;
  double seconds = 0, sum = 0;
  for (const SlabWork& rank : work) {
    seconds += rank.seconds;
    sum += static_cast<double>(rank.weight);
  }
  constexpr double resolution = 1024;  // of a weight
  for (int rank = 0; rank < slabs.ranks(); ++rank) {
    const SlabWork& share = work[static_cast<std::size_t>(rank)];
    const double factor = resolution * (share.seconds / static_cast<double>(share.weight)) / (seconds / sum);
    for (std::int64_t layer = slabs.first(rank); layer < slabs.end(rank); ++layer) {
      std::int64_t& value = weight[static_cast<std::size_t>(layer)];
      value = std::llround(factor * static_cast<double>(value));
    }
  }
}

}  // namespace shoal::sph
