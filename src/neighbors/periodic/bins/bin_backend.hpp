// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "core/memory/scratch.hpp"
#include "neighbors/periodic/bins/bins_item.hpp"
#include "neighbors/periodic/periodic_backend.hpp"

namespace shoal::neighbors {

/// System whose points are compared with those of the bins around them. Points are on the queue's device.
template <class Real>
struct BinnedSystem {
  cells::PointReader<Real> points{Points<Real>{}};
  int dimensions = 3;
  std::int64_t count = 0;  ///< Number of points.
  SystemCell cell;
  double radius = 0;  ///< m
  Real limit = 0;     ///< m², pairs have d² < limit
  ImageRule rule;
  View<std::int64_t> offsets;  ///< [points + 1] out, first pair of each point

  SHOAL_HD Position<Real> position(std::int64_t i) const {
    return {points.at_x(i), points.at_y(i, dimensions), points.at_z(i, dimensions)};
  }

  /// Place of a point along the vectors of the cell.
  SHOAL_HD FixedPeriods place(const Position<Real>& x) const {
    return fixed_periods(cell, {static_cast<double>(x.x), static_cast<double>(x.y), static_cast<double>(x.z)});
  }
};

/// Points in the order of their bins, and the periods of all points, in arrays on the queue's device.
template <class Real>
struct BinnedPoints {
  std::int64_t* start = nullptr;                  ///< [bins + 1] first sorted point of each bin
  std::int32_t* number = nullptr;                 ///< [points] number of each sorted point
  Real *x = nullptr, *y = nullptr, *z = nullptr;  ///< [points] m, in sorted order
  std::int32_t* sorted_periods[3] = {};           ///< [points] periods, in sorted order
  std::int32_t* periods[3] = {};                  ///< [points] periods, by number

  /// @param past_end  elements that a search reads past the end of sorted arrays
  BinnedPoints(ScratchFrame& frame, std::int64_t points, std::int64_t bins, std::int64_t past_end)
      : start(frame.array<std::int64_t>(bins + 1).data), number(frame.array<std::int32_t>(points + past_end).data) {
    for (Real** column : {&x, &y, &z}) *column = frame.array<Real>(points + past_end).data;
    for (int k = 0; k < 3; ++k) {
      sorted_periods[k] = frame.array<std::int32_t>(points + past_end).data;
      periods[k] = frame.array<std::int32_t>(points).data;
    }
  }

  SHOAL_HD Position<Real> position(std::int64_t k) const { return {x[k], y[k], z[k]}; }

  /// Stores point i as sorted point k.
  SHOAL_HD void store(std::int64_t k, std::int64_t i, const Position<Real>& position, const FixedPeriods& place) const {
    number[k] = static_cast<std::int32_t>(i);
    x[k] = position.x;
    y[k] = position.y;
    z[k] = position.z;
    for (int axis = 0; axis < 3; ++axis) sorted_periods[axis][k] = periods[axis][i] = whole_periods(place.along[axis]);
  }
};

/// Computes the vector of a pair of point i, whose j and periods are given, if the list has it; its shift in any case.
template <class Real>
SHOAL_HD void complete_pair(const BinnedSystem<Real>& system, const BinnedPoints<Real>& sorted, const BinGrid& grid,
                            const ImageTest<Real>& test, std::int64_t i, const Position<Real>& position,
                            bool has_vectors, ImagePair<Real>& pair) {
  for (int k = 0; k < 3 && !grid.equal_periods; ++k) pair.shift[k] += sorted.periods[k][i] - sorted.periods[k][pair.j];
  if (!has_vectors) return;
  pair.displacement = test.displacement(position, system.position(pair.j), pair.shift);
  pair.squared = PairTest<Real>::squared(pair.displacement);
}

/// Makes room for a number of pairs.
template <class Real>
using MakeRoom = std::function<PairOutputs<Real>(std::int64_t pairs)>;

/// Device-dependent part of a search in bins.
template <class Real>
struct BinBackend {
  std::int64_t least_points, most_points;  ///< Smaller and larger systems are searched in another way.
  /// Finds the pairs. Returns false if the system is not for this search. Waits for the number of pairs.
  bool (*find)(Scratch& scratch, const BinnedSystem<Real>& system, const MakeRoom<Real>& make_room);

  static const BinBackend cpu, cuda;
};

}  // namespace shoal::neighbors
