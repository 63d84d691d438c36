// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

#include <algorithm>
#include <cstdint>

#include "core/real.hpp"

// Why no neighbor is lost
//
// Let u be the unit roundoff of Real, r the radius, R the largest |x - lower| of a point that matters, h the edge of a
// cell on this axis, and t = fl(fl(x - lower) * fl(1/h)), whose floor is the number of the cell.
//
// 1. A pair passes the test only if fl(dx*dx) <= fl(r*r), because fma rounds monotonically and the other terms are not
//    negative. So |dx| <= r (1 + 2u), and on an open axis, where dx = fl(x_i - x_j), |x_i - x_j| <= r (1 + 4u). On a
//    periodic axis with period L, dx = fl(fl(x_i - x_j) - n L), whose inner rounding adds 2uR:
//    |x_i - x_j - n L| <= r (1 + 4u) + 2uR.
// 2. Rounding moves t by at most 2uR/h, of which 1/h, the same factor for both points, makes a part of the distance:
//    |t_i - t_j| <= (|x_i - x_j| (1 + 3u) + 5uR) / h, and as n L / h = n M (1 + 2u) for the M cells of a periodic axis,
//    |t_i - t_j - n M| <= (|x_i - x_j - n L| (1 + 3u) + 8uR) / h.
// 3. Together: at most 1 if h >= r (1 + 8u) + 11uR. Then floor(t_i) and floor(t_j) + n M differ by at most 1, and
//    moving cells outside the grid to its nearest cell cannot increase that. y and z have such cells.
//
// We take 16 instead of 8 and 11. The test squares numbers that are normal (checked when the plan is made), and h is
// far above the numbers that underflow.
//
// 4. Rows of cells are left out, and rows are cut short in x, by the distances that the places t say. By 2, a pair at
//    distance d on this axis is at least d (1 - 3u) - 8uR and at most d (1 + 3u) + 8uR apart in h |t_i - t_j - n M|,
//    and what is computed from t (a product, a difference, a floor of t -+ w) adds less than 8uR more. The slack of an
//    axis, 32u (r + R), covers both; the relative errors of squares, sum and root are below the 16u that for_each_run()
//    adds.
namespace shoal {

/// What is known of a search before its points are seen. Plain data for host and device.
template <class Real>
struct SearchSpace {
  int dimensions = 3;
  bool periodic[3] = {};
  double lower[3] = {};  ///< m, of periodic axes
  double upper[3] = {};
  std::int64_t most_cells = 4096;

  /// Whether a point may be there: anywhere on an open axis, at most one period outside on a periodic one.
  SHOAL_HD bool allows(int axis, Real x) const { return x >= allowed_lower(axis) && x <= allowed_upper(axis); }
  SHOAL_HD Real allowed_lower(int axis) const {
    return periodic[axis] ? static_cast<Real>(lower[axis] - (upper[axis] - lower[axis])) : -most_real;
  }
  SHOAL_HD Real allowed_upper(int axis) const {
    return periodic[axis] ? static_cast<Real>(upper[axis] + (upper[axis] - lower[axis])) : most_real;
  }

 private:
  /// A quarter of the largest number, so that differences stay finite.
  static constexpr Real most_real = sizeof(Real) == 4 ? Real(0x1.fffffep125) : Real(0x1.fffffffffffffp1021);
};

/// The smallest box around points, m; of no points: lower > upper.
template <class Real>
struct Extent {
  static constexpr Real far = sizeof(Real) == 4 ? Real(0x1.fffffep127) : Real(0x1.fffffffffffffp1023);
  Real lower[3] = {far, far, far};
  Real upper[3] = {-far, -far, -far};

  SHOAL_HD void add(const Position<Real>& at) {
    const Real x[3] = {at.x, at.y, at.z};
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = min(lower[axis], x[axis]);
      upper[axis] = max(upper[axis], x[axis]);
    }
  }
  SHOAL_HD void add(const Extent& other) {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = min(lower[axis], other.lower[axis]);
      upper[axis] = max(upper[axis], other.upper[axis]);
    }
  }
};

/// How many cells a grid over so many sources may have. The same on all devices, because the order of visits follows
/// from the grid.
inline std::int64_t most_cells_for(std::int64_t sources) {
  return std::clamp<std::int64_t>(8 * sources, 4096, 2147483646);
}

/// One axis of a search grid while it is being made.
template <class Real>
struct SearchAxis {
  double origin = 0;
  double length = 0;    ///< of the sources' box, or the period
  double smallest = 1;  ///< edge that the argument above allows in y and z
  double slack = 0;
  bool periodic = false;

  SearchAxis() = default;
  SHOAL_HD SearchAxis(const SearchSpace<Real>& space, int axis, double radius, const Extent<Real>& sources)
      : periodic(space.periodic[axis]) {
    if (periodic) {
      origin = static_cast<Real>(space.lower[axis]);
      length = static_cast<Real>(space.upper[axis] - space.lower[axis]);
    } else if (sources.lower[axis] <= sources.upper[axis]) {
      origin = sources.lower[axis];
      length = static_cast<double>(sources.upper[axis]) - sources.lower[axis];
    }
    // Points are at most one period outside the box; destinations that have neighbors at most a radius.
    const double farthest = periodic ? 2 * length : length + 2 * radius;
    constexpr double roundoff = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
    smallest = radius + 16 * roundoff * (radius + farthest);
    slack = 32 * roundoff * (radius + farthest);
  }

  SHOAL_HD std::int64_t cells(double factor) const {
    const double whole = std::floor(length / (factor * smallest));
    const auto bounded = static_cast<std::int64_t>(whole < 1e15 ? whole : 1e15);
    return periodic ? (bounded > 1 ? bounded : 1) : bounded + 1;
  }
};

/// The finest useful grid: edges of the radius in y and z, and a quarter of it in x; coarser where there would be too
/// many cells, in x first.
/// @param largest_limit  m², square of the largest radius
template <class Real>
SHOAL_HD SearchGrid<Real> make_search_grid(const SearchSpace<Real>& space, Real largest_limit,
                                           const Extent<Real>& sources) {
  // Where all radii are bad, or there is no point, any cells will do.
  const double radius =
      largest_limit > 0 ? std::sqrt(static_cast<double>(largest_limit)) * (1 + (sizeof(Real) == 4 ? 0x1p-23 : 0x1p-52))
                        : 1.0;
  SearchAxis<Real> axes[3];
  for (int axis = 0; axis < space.dimensions; ++axis) axes[axis] = SearchAxis<Real>(space, axis, radius, sources);
  double factors[3] = {0.25, 1, 1};
  const auto total = [&] {
    double product = 1;
    for (int axis = 0; axis < space.dimensions; ++axis) product *= static_cast<double>(axes[axis].cells(factors[axis]));
    return product;
  };
  while (total() > static_cast<double>(space.most_cells)) {
    const bool fine = factors[0] < 1;
    for (int axis = 0; axis < (fine ? 1 : 3); ++axis) factors[axis] *= fine ? 2 : 1.25;
  }

  SearchGrid<Real> grid;
  grid.largest_limit = largest_limit;
  grid.cells.dimensions = space.dimensions;
  for (int axis = 0; axis < space.dimensions; ++axis) {
    const SearchAxis<Real>& from = axes[axis];
    CellAxis<Real>& along = grid.cells.axes[axis];
    along.cells = static_cast<std::int32_t>(from.cells(factors[axis]));
    along.periodic = from.periodic;
    along.lower = static_cast<Real>(from.origin);
    const double edge = from.periodic ? from.length / along.cells : factors[axis] * from.smallest;
    along.inverse_spacing = static_cast<Real>(1 / edge);
    along.allowed_lower = space.allowed_lower(axis);
    along.allowed_upper = space.allowed_upper(axis);
    grid.edge[axis] = static_cast<Real>(edge);
    grid.slack[axis] = static_cast<Real>(from.slack);
  }
  return grid;
}

}  // namespace shoal
