// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/neighbors_item.hpp>

#include <algorithm>
#include <cstdint>

#include "core/real.hpp"

// Why no neighbor is lost
//
// Let u be the unit roundoff of Real, r the radius, R the largest |x - lower| of a relevant point, h the edge of a
// cell on this axis, and t = fl(fl(x - lower) * fl(1/h)), whose floor is the number of the cell.
//
// 1. A pair passes the test only if fl(dx*dx) <= fl(r*r), because fma rounds monotonically and the other terms are not
//    negative. So |dx| <= r (1 + 2u), and on an open axis, where dx = fl(x_i - x_j), |x_i - x_j| <= r (1 + 4u). On a
//    periodic axis with period L, dx = fl(fl(x_i - x_j) - n L), whose inner rounding adds 2uR:
//    |x_i - x_j - n L| <= r (1 + 4u) + 2uR.
// 2. Rounding changes t by at most 2uR/h; the rounded factor 1/h is the same for both points, so that
//    |t_i - t_j| <= (|x_i - x_j| (1 + 3u) + 5uR) / h, and as n L / h = n M (1 + 2u) for the M cells of a periodic axis,
//    |t_i - t_j - n M| <= (|x_i - x_j - n L| (1 + 3u) + 8uR) / h.
// 3. Together, |t_i - t_j - n M| is at most 1 if h >= r (1 + 8u) + 11uR. Then floor(t_i)
//    and floor(t_j) + n M differ by at most 1. Moving cells outside the grid to its nearest cell cannot increase this
//    difference. Cells in y and z have such an edge h.
//
// The code uses 16 in place of 8 and 11. The test squares normal numbers only (checked when the plan is made), and h is
// far above the numbers that underflow.
//
// 4. The search skips rows of cells, and shortens rows in x, by distances computed from t. By 2, a pair at distance d
// on
//    this axis is at least d (1 - 3u) - 8uR and at most d (1 + 3u) + 8uR apart in h |t_i - t_j - n M|. The operations
//    on t (a product, a difference, a floor of t -+ w) add less than 8uR. The slack of an axis, 32u (r + R), covers
//    both. The relative errors of squares, sum and root are below the 16u that for_each_run() adds.
namespace shoal::neighbors {

/// Dimensions, periodic bounds and cell limit of a search, known before its points. Plain data for host and device.
template <class Real>
struct SearchSpace {
  int dimensions = 3;
  bool periodic[3] = {};
  double lower[3] = {};  ///< m, lower bounds of the periodic axes
  double upper[3] = {};  ///< m, upper bounds of the periodic axes
  std::int64_t max_cells = 4096;

  /// Returns true if a coordinate is valid: finite on an open axis, at most one period outside on a periodic axis.
  SHOAL_HD bool allows(int axis, Real x) const { return x >= allowed_lower(axis) && x <= allowed_upper(axis); }
  SHOAL_HD Real allowed_lower(int axis) const {
    return periodic[axis] ? static_cast<Real>(lower[axis] - (upper[axis] - lower[axis])) : -max_coordinate;
  }
  SHOAL_HD Real allowed_upper(int axis) const {
    return periodic[axis] ? static_cast<Real>(upper[axis] + (upper[axis] - lower[axis])) : max_coordinate;
  }

 private:
  /// A quarter of the largest number: differences stay finite.
  static constexpr Real max_coordinate = sizeof(Real) == 4 ? Real(0x1.fffffep125) : Real(0x1.fffffffffffffp1021);
};

/// Bounding box of points, m. Without points lower > upper.
template <class Real>
struct Extent {
  static constexpr Real far = sizeof(Real) == 4 ? Real(0x1.fffffep127) : Real(0x1.fffffffffffffp1023);
  Real lower[3] = {far, far, far};
  Real upper[3] = {-far, -far, -far};

  SHOAL_HD void add(const Position<Real>& position) {
    const Real x[3] = {position.x, position.y, position.z};
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = min(lower[axis], x[axis]);
      upper[axis] = max(upper[axis], x[axis]);
    }
  }
  SHOAL_HD void add(const Extent& extent) {
    for (int axis = 0; axis < 3; ++axis) {
      lower[axis] = min(lower[axis], extent.lower[axis]);
      upper[axis] = max(upper[axis], extent.upper[axis]);
    }
  }
};

/// Returns the maximum number of cells of a grid over `sources` points. The number is the same on all devices, because
/// the grid determines the order of visits.
inline std::int64_t max_cells_for(std::int64_t sources) {
  return std::clamp<std::int64_t>(8 * sources, 4096, 2147483646);
}

/// Extent and cell edges along one axis, computed before the number of cells is chosen.
template <class Real>
struct SearchAxis {
  double origin = 0;    ///< m
  double length = 0;    ///< m, length of the sources' bounding box, or the period
  double min_edge = 1;  ///< m, smallest edge in y and z by the argument above
  double slack = 0;     ///< m, see SearchGrid
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
    // Points are at most one period outside the box; destinations with neighbors are at most one radius outside.
    const double max_offset = periodic ? 2 * length : length + 2 * radius;
    constexpr double roundoff = sizeof(Real) == 4 ? 0x1p-24 : 0x1p-53;
    min_edge = radius + 16 * roundoff * (radius + max_offset);
    slack = 32 * roundoff * (radius + max_offset);
  }

  SHOAL_HD std::int64_t cells(double factor) const {
    const double whole = std::floor(length / (factor * min_edge));
    const auto bounded = static_cast<std::int64_t>(whole < 1e15 ? whole : 1e15);
    return periodic ? (bounded > 1 ? bounded : 1) : bounded + 1;
  }
};

/// Makes the finest useful grid: edges of one radius in y and z, and of a quarter radius in x. If the grid had too many
/// cells, edges grow, first in x, by steps. Where they grew on all axes, edges in x then shrink until the cells fill the
/// room.
/// @param max_limit  m², square of the largest radius
template <class Real>
SHOAL_HD SearchGrid<Real> make_search_grid(const SearchSpace<Real>& space, Real max_limit,
                                           const Extent<Real>& sources) {
  // If all radii are invalid, or there is no point, any grid is correct.
  const double radius =
      max_limit > 0 ? std::sqrt(static_cast<double>(max_limit)) * (1 + (sizeof(Real) == 4 ? 0x1p-23 : 0x1p-52)) : 1.0;
  SearchAxis<Real> axes[3];
  for (int axis = 0; axis < space.dimensions; ++axis) axes[axis] = SearchAxis<Real>(space, axis, radius, sources);
  constexpr double finest_x = 0.25;
  double factors[3] = {finest_x, 1, 1};
  const auto total = [&] {
    double product = 1;
    for (int axis = 0; axis < space.dimensions; ++axis) product *= static_cast<double>(axes[axis].cells(factors[axis]));
    return product;
  };
  while (total() > static_cast<double>(space.max_cells)) {
    const bool fine = factors[0] < 1;
    for (int axis = 0; axis < (fine ? 1 : 3); ++axis) factors[axis] *= fine ? 2 : 1.25;
  }
  const double columns = static_cast<double>(axes[0].cells(factors[0]));
  const double most_columns = std::floor(static_cast<double>(space.max_cells) / (total() / columns));
  if (most_columns > columns && factors[1] > 1) {
    // Half a column keeps rounding from making one too many or too few; an open axis has a column of less than an edge.
    const double edges = most_columns + (axes[0].periodic ? 0.5 : -0.5);
    const double filling = axes[0].length / (axes[0].min_edge * edges);
    factors[0] = filling > finest_x ? filling : finest_x;
  }

  SearchGrid<Real> grid;
  grid.max_limit = max_limit;
  grid.cells.dimensions = space.dimensions;
  for (int axis = 0; axis < space.dimensions; ++axis) {
    const SearchAxis<Real>& search_axis = axes[axis];
    CellAxis<Real>& along = grid.cells.axes[axis];
    along.cells = static_cast<std::int32_t>(search_axis.cells(factors[axis]));
    along.periodic = search_axis.periodic;
    along.lower = static_cast<Real>(search_axis.origin);
    const double edge = search_axis.periodic ? search_axis.length / along.cells : factors[axis] * search_axis.min_edge;
    along.inverse_spacing = static_cast<Real>(1 / edge);
    along.allowed_lower = space.allowed_lower(axis);
    along.allowed_upper = space.allowed_upper(axis);
    grid.edge[axis] = static_cast<Real>(edge);
    grid.slack[axis] = static_cast<Real>(search_axis.slack);
  }
  return grid;
}

}  // namespace shoal::neighbors
