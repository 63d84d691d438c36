// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

#include "core/memory/mirrored_array.hpp"
#include "core/memory/scratch.hpp"
#include "neighbors/periodic/direct/direct_backend.hpp"
#include "neighbors/periodic/system_cell.hpp"

namespace shoal::neighbors {

/// Search that compares all points of a system with each other, each with the shifts that can bring the two points near.
/// It needs no images, no grid and no sorting: the pairs of a point come in the order of the list.
template <class Real>
class DirectSearch {
 public:
  explicit DirectSearch(const Queue& queue);

  /// Returns true if systems are so small that this search is the faster one.
  bool suits(std::span<const std::int64_t> starts) const;

  /// Computes the first pair of each point. Returns the number of pairs; nothing if a system has a fault, or if its shifts
  /// are too many or too inexact. Waits for the queue.
  /// @param points   checked views on the queue's device
  /// @param offsets  [points + 1] on the queue's device
  std::optional<std::int64_t> count(Scratch& scratch, const Points<Real>& points, double radius, Real limit,
                                    const ImageRule& rule, std::span<const std::int64_t> starts,
                                    std::span<const PeriodicCell> cells, View<std::int64_t> offsets);

  /// Writes the pairs after count(), in the order of the queue.
  void write(const PairOutputs<Real>& outputs);

  std::int64_t bytes() const {
    return starts_.bytes() + vectors_.bytes() + blocks_.bytes() + cells_.bytes() + margins_.bytes() + summary_.bytes();
  }

 private:
  const DirectBackend<Real>& steps() const { return backend<DirectBackend<Real>>(queue_); }
  void assign_systems(std::int64_t points, std::span<const std::int64_t> starts, std::span<const PeriodicCell> cells);

  Queue queue_;
  std::vector<SystemBlock> host_blocks_;
  std::vector<CellVectors> host_vectors_;
  MirroredArray<std::int64_t> starts_;
  MirroredArray<CellVectors> vectors_;
  MirroredArray<SystemBlock> blocks_;
  Array<SystemCell> cells_;
  Array<FixedPeriods> margins_;
  Array<DirectSummary> summary_;
  DirectSystems<Real> systems_;
};

}  // namespace shoal::neighbors
