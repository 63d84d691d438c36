// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

#include "neighbors/periodic/images_item.hpp"

namespace shoal::neighbors {

/// Test of a pair of points in a periodic cell; the formula stands at `PeriodicNeighbors`.
template <class Real>
struct ImageTest {
  Real vectors[3][3];  ///< m, vectors of the cell; 0 for open directions

  SHOAL_HD explicit ImageTest(const SystemCell& cell) {
    for (int k = 0; k < 3; ++k)
      for (int axis = 0; axis < 3; ++axis) vectors[k][axis] = static_cast<Real>(cell.vectors[k][axis]);
  }

  /// Returns the vector from point i to the image of point j with the given shift.
  SHOAL_HD Position<Real> displacement(const Position<Real>& i, const Position<Real>& j,
                                       const std::int32_t (&shift)[3]) const {
    // Most pairs have no shift, and std::fma can be a call.
    if ((shift[0] | shift[1] | shift[2]) == 0) return {j.x - i.x, j.y - i.y, j.z - i.z};
    return shifted_displacement(i, j, shift);
  }

  /// Returns the same without a branch, for loops that compute several pairs at once.
  SHOAL_HD Position<Real> shifted_displacement(const Position<Real>& i, const Position<Real>& j,
                                               const std::int32_t (&shift)[3]) const {
    return {component(j.x - i.x, shift, 0), component(j.y - i.y, shift, 1), component(j.z - i.z, shift, 2)};
  }

 private:
  SHOAL_HD Real component(Real difference, const std::int32_t (&shift)[3], int axis) const {
    Real sum = difference;
    for (int k = 0; k < 3; ++k) sum = std::fma(static_cast<Real>(shift[k]), vectors[k][axis], sum);
    return sum;
  }
};

/// Adds a point to an extent, which becomes infinite if the point is not valid.
template <class Real>
SHOAL_HD void add_point(const SystemCell& cell, const Position<Real>& x, PeriodExtent& extent) {
  constexpr double largest_valid = sizeof(Real) == 4 ? 0x1.fffffep125 : 0x1.fffffffffffffp1021;
  const double coordinates[3] = {static_cast<double>(x.x), static_cast<double>(x.y), static_cast<double>(x.z)};
  for (int k = 0; k < 3; ++k) {
    const double size = std::abs(coordinates[k]);
    extent.largest = size <= largest_valid ? max(extent.largest, size) : PeriodExtent::far;
    const double periods = std::floor(periods_along(cell, k, coordinates));
    extent.least_periods[k] = min(extent.least_periods[k], periods);
    extent.most_periods[k] = max(extent.most_periods[k], periods);
  }
}

/// Pairs that a list wants, whatever their distance.
struct ImageRule {
  bool include_self = false;
  bool half = false;

  SHOAL_HD bool wants(std::int64_t i, std::int64_t j, const std::int32_t (&shift)[3]) const {
    const std::int32_t first = shift[0] != 0 ? shift[0] : shift[1] != 0 ? shift[1] : shift[2];
    if (i == j && first == 0) return include_self;
    return !half || j > i || (j == i && first > 0);
  }
};

/// Pair of a point i with an image of a point j.
template <class Real>
struct ImagePair {
  std::int64_t j;
  std::int32_t shift[3];        ///< S
  Position<Real> displacement;  ///< m, D
  Real squared;                 ///< m², d²
};

/// Arrays of a list of pairs, on the queue's device; null if the options do not enable them.
template <class Real>
struct PairOutputs {
  std::int64_t count = 0;  ///< Number of pairs.
  std::int64_t* edge_index = nullptr;
  std::int32_t* shifts = nullptr;
  Real* distances = nullptr;      ///< m
  Real* displacements = nullptr;  ///< m

  /// Returns true if the list has vectors or distances.
  SHOAL_HD bool has_vectors() const { return distances != nullptr || displacements != nullptr; }

  /// Writes pair p.
  SHOAL_HD void write(std::int64_t p, std::int64_t i, const ImagePair<Real>& pair) const {
    edge_index[p] = i;
    edge_index[count + p] = pair.j;
    for (int k = 0; k < 3; ++k) shifts[3 * p + k] = pair.shift[k];
    if (distances != nullptr) distances[p] = std::sqrt(pair.squared);
    if (displacements == nullptr) return;
    displacements[3 * p] = pair.displacement.x;
    displacements[3 * p + 1] = pair.displacement.y;
    displacements[3 * p + 2] = pair.displacement.z;
  }
};

}  // namespace shoal::neighbors
