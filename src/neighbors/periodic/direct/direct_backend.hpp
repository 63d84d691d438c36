// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "neighbors/periodic/direct/shifts_item.hpp"
#include "neighbors/periodic/periodic_backend.hpp"

namespace shoal::neighbors {

/// Number of pairs of a direct search, and whether it has one.
struct DirectSummary {
  std::int32_t needs_general = 0;  ///< 1 if a system is not for this search; then there are no pairs.
  std::int64_t pairs = 0;          ///< Number of pairs of all points.
};

/// Points of several systems, all of which are compared with each other, in arrays on the queue's device.
template <class Real>
struct DirectSystems {
  cells::PointReader<Real> points{Points<Real>{}};
  int dimensions = 3;
  View<const std::int64_t> starts;        ///< [systems + 1]
  View<const CellVectors> vectors;        ///< [systems], or [1] for one cell that all systems have
  View<const SystemBlock> blocks;         ///< Parts of the points.
  SystemCell* cells = nullptr;            ///< [systems] out
  FixedPeriods* margins = nullptr;        ///< [systems] out
  std::int32_t* needs_general = nullptr;  ///< [1] out, 1 if a system is not for this search
  double radius = 0;                      ///< m
  Real limit = 0;                         ///< m², pairs have d² < limit
  ImageRule rule;
  std::int64_t* offsets = nullptr;  ///< [points + 1] number of pairs of each point, then its first pair
  PairOutputs<Real> outputs;

  SHOAL_HD std::int64_t system_count() const { return starts.count - 1; }
  SHOAL_HD Range system(std::int64_t s) const { return {starts.data[s], starts.data[s + 1]}; }

  SHOAL_HD Position<Real> position(std::int64_t i) const {
    return {points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)};
  }

  /// Inverts the cell of a system. Returns false if the cell has a fault.
  SHOAL_HD bool make_cell(std::int64_t s) const {
    return invert_cell(vectors.data[vectors.count == 1 ? 0 : s], cells[s]) == no_cell_fault;
  }

  /// Place of a point along the vectors of its cell.
  SHOAL_HD FixedPeriods periods(const SystemCell& cell, const Position<Real>& x) const {
    return fixed_periods(cell, {static_cast<double>(x.x), static_cast<double>(x.y), static_cast<double>(x.z)});
  }

  /// Computes the vector and the distance of a pair, whose j and shift are given. Returns true if the list has the pair.
  SHOAL_HD bool make_pair(const ImageTest<Real>& test, std::int64_t i, const Position<Real>& position_i,
                          const Position<Real>& position_j, ImagePair<Real>& pair) const {
    pair.displacement = test.displacement(position_i, position_j, pair.shift);
    pair.squared = PairTest<Real>::squared(pair.displacement);
    return pair.squared < limit && rule.wants(i, pair.j, pair.shift);
  }
};

/// Device-dependent steps of a direct search. They do not wait.
template <class Real>
struct DirectBackend {
  double
      most_partners;  ///< A direct search is used if points have at most so many others in their systems, on average.
  /// Maximum number of points of a SystemBlock, for a number of points.
  std::int64_t (*block_points)(const Queue& queue, std::int64_t points);
  /// Makes cells and margins.
  void (*prepare)(const Queue& queue, const DirectSystems<Real>& systems);
  void (*count)(const Queue& queue, const DirectSystems<Real>& systems);
  void (*write)(const Queue& queue, const DirectSystems<Real>& systems);

  static const DirectBackend cpu, cuda;
};

}  // namespace shoal::neighbors
