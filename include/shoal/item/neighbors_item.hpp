// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/arithmetic_item.hpp>
#include <shoal/item/cells_item.hpp>
#include <shoal/item/host_device.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace shoal::neighbors {

/// Position of a point.
template <class Real>
struct Position {
  Real x, y, z;  ///< m; 0 on axes that the space does not have
};

/// Distance test of a pair of points; the formula stands at `Neighbors`.
template <class Real>
struct PairTest {
  Real limit = 0;               ///< m², neighbors have d² < limit; the next number after r·r makes it d² ≤ r·r
  Real period[3] = {};          ///< m, 0 on open axes
  Real inverse_period[3] = {};  ///< 1/m, 0 on open axes

  /// Returns a − b for the nearest image of b.
  /// @tparam periodic  false only if no axis is periodic: the result is the same at less cost
  template <bool periodic>
  SHOAL_HD Position<Real> displacement(const Position<Real>& a, const Position<Real>& b) const {
    return {difference<periodic>(a.x, b.x, 0), difference<periodic>(a.y, b.y, 1), difference<periodic>(a.z, b.z, 2)};
  }

  /// Returns the number of periods by which the nearest image of b is shifted along an axis.
  SHOAL_HD Real shift(Real a, Real b, int axis) const { return periods(a - b, axis); }

  SHOAL_HD static Real squared(const Position<Real>& d) { return std::fma(d.z, d.z, std::fma(d.y, d.y, d.x * d.x)); }

  /// Returns true if d² < within.
  template <bool periodic>
  SHOAL_HD bool near(const Position<Real>& a, const Position<Real>& b, Real within) const {
    return squared(displacement<periodic>(a, b)) < within;
  }

 private:
  template <bool periodic>
  SHOAL_HD Real difference(Real a, Real b, int axis) const {
    const Real d = a - b;
    if constexpr (!periodic) return d;
    return std::fma(-periods(d, axis), period[axis], d);
  }

  SHOAL_HD Real periods(Real difference, int axis) const { return std::rint(difference * inverse_period[axis]); }
};

/// Grid of a search. Two neighbors are at most one cell apart in y and z; in x the distance gives the range of cells.
/// Cells are shorter in x: consecutive cells along x are one run of memory, so shorter cells cost nothing.
template <class Real>
struct SearchGrid {
  CellFormula<Real> cells;
  Real edge[3] = {1, 1, 1};  ///< m
  Real slack[3] = {};        ///< m, bound of the rounding error in the distance of two points within the grid
  Real max_limit = 0;        ///< m², largest limit of any pair
};

/// Point of a sorted set: one load of 16 bytes (float) or two of 16 bytes (double).
template <class Real>
struct alignas(16) PackedPoint {
  Position<Real> position;
  std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t> number;  ///< Number of the point in its set.
};

/// Points sorted by the cells of a search grid, then by number. The index in this order is the sorted index.
///
/// CUDA reads `packed` and `packed_start`, the CPU reads the separate arrays; the unused pointers are null. Each
/// searched array has room for `read_past_end` further elements of any value, so that loops may read in groups.
template <class Real>
struct SortedPoints {
  static constexpr int read_past_end = 8;

  const PackedPoint<Real>* packed = nullptr;
  const std::int32_t* packed_start = nullptr;
  const Real* x = nullptr;
  const Real* y = nullptr;
  const Real* z = nullptr;
  const std::int64_t* cell_start = nullptr;  ///< [cells + 2]; the last cell holds the points outside the grid
  const std::int32_t* order = nullptr;       ///< [count] number of each point in its set
  const Real* limits = nullptr;              ///< m², [count] limit of each point; null: no point has its own
  std::int64_t count = 0;                    ///< Number of points.

  SHOAL_HD PackedPoint<Real> point(std::int64_t k) const {
#ifdef __CUDA_ARCH__
    PackedPoint<Real> p;
    if constexpr (sizeof(Real) == 4) {
      const float4 words = __ldg(reinterpret_cast<const float4*>(packed + k));
      p = {{words.x, words.y, words.z}, __float_as_int(words.w)};
    } else {
      const double2 low = __ldg(reinterpret_cast<const double2*>(packed + k));
      const double2 high = __ldg(reinterpret_cast<const double2*>(packed + k) + 1);
      p = {{low.x, low.y, high.x}, __double_as_longlong(high.y)};
    }
    return p;
#else
    return {{x[k], y[k], z[k]}, order[k]};
#endif
  }
  SHOAL_HD Position<Real> position(std::int64_t k) const { return point(k).position; }

  /// Sorted index of the first point of a cell.
  SHOAL_HD std::int64_t start(std::int64_t cell) const {
#ifdef __CUDA_ARCH__
    return __ldg(packed_start + cell);
#else
    return cell_start[cell];
#endif
  }
};

/// Cells adjacent to a point along y or z, with lower bounds of their distances.
template <class Real>
class AxisReach {
 public:
  SHOAL_HD AxisReach(const SearchGrid<Real>& grid, int axis, Real x) : cells_(grid.cells.axes[axis].cells) {
    const CellAxis<Real>& along = grid.cells.axes[axis];
    if (along.periodic && cells_ < 3) {
      count_ = cells_;
      return;
    }
    const Real t = (x - along.lower) * along.inverse_spacing;
    const std::int32_t cell = along.cell(x);
    const Real inside = along.periodic ? t - std::floor(t) : t - static_cast<Real>(cell);
    squared_below_ = squared_distance(inside, grid, axis);
    squared_above_ = squared_distance(1 - inside, grid, axis);
    skipped_ = !along.periodic && cell == 0 ? 1 : 0;
    first_ = cell - 1 + skipped_;
    if (first_ < 0) first_ += cells_;
    count_ = 3 - skipped_ - (!along.periodic && cell == cells_ - 1 ? 1 : 0);
  }

  /// Number of cells on this axis, 1 to 3.
  SHOAL_HD int count() const { return count_; }
  /// Cell k of count().
  SHOAL_HD std::int32_t cell(int k) const { return first_ + k < cells_ ? first_ + k : first_ + k - cells_; }
  /// Lower bound, m², of the squared distance to any point in cell k.
  SHOAL_HD Real squared_distance(int k) const {
    const int side = k + skipped_;
    return side == 0 ? squared_below_ : side == 2 ? squared_above_ : Real(0);
  }

 private:
  SHOAL_HD static Real squared_distance(Real cells_away, const SearchGrid<Real>& grid, int axis) {
    const Real d = cells_away * grid.edge[axis] - grid.slack[axis];
    return d > 0 ? d * d : Real(0);
  }

  std::int32_t cells_;
  std::int32_t first_ = 0;
  int count_ = 1;
  int skipped_ = 0;  ///< 1 if there is no cell below, else 0
  Real squared_below_ = 0;
  Real squared_above_ = 0;
};

/// Calls visit(begin, end) for runs of cells [begin, end), consecutive in memory, that together hold every point within
/// √limit of the given positions. No cell occurs twice.
///
/// The order is fixed: by z and y around the positions, then by the number of the cell along x. Rounding may add or
/// remove a cell at the end of a run, which does not change the order of neighbors.
/// @tparam count  number of positions, 1 or 2; two share a cell in y and z, and the grid is open in x
SHOAL_CALLS_ARGUMENT
template <int count, class Real, class Visit>
SHOAL_HD void for_each_run(const SearchGrid<Real>& grid, const Position<Real> (&position)[count],
                           const Real (&limit)[count], Visit&& visit) {
  static_assert(count <= 2, "distances to cells in y and z are computed for the first and the last position only");
  // This margin includes the error of fast_sqrt(), which is below four roundings.
  constexpr Real roundings = 16 * (sizeof(Real) == 4 ? Real(0x1p-24) : Real(0x1p-53));
  const CellAxis<Real>& along = grid.cells.axes[0];
  const std::int32_t cells_x = along.cells;
  const std::int32_t cells_y = grid.cells.axes[1].cells;
  const Real slack = grid.slack[0] * along.inverse_spacing;
  const Real stretch = along.inverse_spacing * (1 + roundings);
  const AxisReach<Real> reach_y(grid, 1, position[0].y);
  const AxisReach<Real> reach_z(grid, 2, position[0].z);
  const AxisReach<Real> last_y(grid, 1, position[count - 1].y);
  const AxisReach<Real> last_z(grid, 2, position[count - 1].z);
  for (int iz = 0; iz < reach_z.count(); ++iz) {
    for (int iy = 0; iy < reach_y.count(); ++iy) {
      Real lower = 0;
      Real upper = 0;
      bool is_near = false;
      for (int p = 0; p < count; ++p) {
        const Real separation = p == 0 ? reach_z.squared_distance(iz) + reach_y.squared_distance(iy)
                                       : last_z.squared_distance(iz) + last_y.squared_distance(iy);
        const Real remaining = limit[p] * (1 + roundings) - separation;
        const Real t = (position[p].x - along.lower) * along.inverse_spacing;
        const Real reach = fast_sqrt(remaining > 0 ? remaining : Real(0)) * stretch + slack;
        lower = p == 0 || t - reach < lower ? t - reach : lower;
        upper = p == 0 || t + reach > upper ? t + reach : upper;
        is_near = is_near || remaining >= 0;
      }
      if (!is_near) continue;
      const std::int32_t cell_row = (reach_z.cell(iz) * cells_y + reach_y.cell(iy)) * cells_x;
      if (!along.periodic) {
        visit(cell_row + along.nearest(lower), cell_row + along.nearest(upper) + 1);
        continue;
      }
      const Real first_column = std::floor(lower);
      const Real cells = std::floor(upper) - first_column + 1;
      if (!(cells < static_cast<Real>(cells_x))) {
        visit(cell_row, cell_row + cells_x);
        continue;
      }
      const std::int32_t first = along.wrapped(first_column);
      const std::int32_t end = first + static_cast<std::int32_t>(cells);
      if (end > cells_x) visit(cell_row, cell_row + end - cells_x);
      visit(cell_row + first, cell_row + (end < cells_x ? end : cells_x));
    }
  }
}

/// Overload for one position.
SHOAL_CALLS_ARGUMENT
template <class Real, class Visit>
SHOAL_HD void for_each_run(const SearchGrid<Real>& grid, const Position<Real>& position, Real limit, Visit&& visit) {
  const Position<Real> positions[1] = {position};
  const Real limits[1] = {limit};
  for_each_run<1>(grid, positions, limits, visit);
}

/// Pairs of point numbers that a list wants, whatever their distance.
struct PairRule {
  std::int64_t first_destination = 0;  ///< Within one set: number of destination 0 among the sources.
  bool one_set = false;                ///< Destinations and sources belong to one set.
  bool include_self = false;           ///< Within one set: a point is its own neighbor.
  bool half = false;                   ///< Within one set: only sources with a larger number are listed.

  SHOAL_HD bool excludes_self() const { return one_set && !include_self; }

  SHOAL_HD bool wants(std::int64_t destination, std::int64_t source) const {
    if (!one_set) return true;
    const std::int64_t self = destination + first_destination;
    return half ? source > self || (source == self && include_self) : source != self || include_self;
  }
};

/// Pairs of neighbors over sorted points: grid, distance test and rule.
template <class Real>
struct NeighborPairs {
  const SearchGrid<Real>* grid = nullptr;
  PairTest<Real> test;
  SortedPoints<Real> destinations;
  SortedPoints<Real> sources;
  PairRule rule;

  /// Limit, m², of the destination with sorted index k.
  SHOAL_HD Real limit_of(std::int64_t k) const {
    return destinations.limits != nullptr ? destinations.limits[k] : test.limit;
  }
  /// Upper bound, m², of the limits of all pairs of a destination whose own limit is given.
  SHOAL_HD Real bound_of(Real limit) const { return sources.limits != nullptr ? grid->max_limit : limit; }

  SHOAL_HD bool has_cell(const Position<Real>& position) const {
    return grid->cells.fault(position.x, position.y, position.z) == grid->cells.dimensions;
  }
};

/// Visits the neighbors of one destination in a run of cells.
template <bool general, class Real, class Use>
struct RunVisit {
  using Number = decltype(PackedPoint<Real>::number);

  const NeighborPairs<Real>& pairs;
  PackedPoint<Real> destination;
  Real limit;      ///< m², limit of the destination.
  Number skipped;  ///< Number of the source that is the destination itself; -1 if no source is skipped.
  Use& use;

  SHOAL_CALLS_ARGUMENT
  SHOAL_HD void operator()(std::int32_t first_cell, std::int32_t end_cell) const {
    constexpr int step = 4;  // loads in flight
    const auto end = static_cast<std::int32_t>(pairs.sources.start(end_cell));
    for (auto j = static_cast<std::int32_t>(pairs.sources.start(first_cell)); j < end; j += step) {
      PackedPoint<Real> source[step];
      for (int s = 0; s < step; ++s) source[s] = pairs.sources.point(j + s);
      for (int s = 0; s < step; ++s) {
        const Position<Real> d = pairs.test.template displacement<general>(destination.position, source[s].position);
        const Real squared = PairTest<Real>::squared(d);
        Real within = limit;
        if constexpr (general)
          if (pairs.sources.limits != nullptr && pairs.sources.limits[j + s] > within)
            within = pairs.sources.limits[j + s];
        const bool near = squared < within && j + s < end && source[s].number != skipped;
        if (near && (!general || pairs.rule.wants(destination.number, source[s].number)))
          use(j + s, source[s].number, d, squared);
      }
    }
  }
};

/// Calls use(sorted index of the source, number of the source, displacement, squared distance) for each neighbor of the
/// destination with sorted index k, in the fixed order of for_each_run() and then by number.
/// @tparam general  false only if no axis is periodic, no source has its own limit, and the list is not half
template <bool general, class Real, class Use>
SHOAL_HD void visit_neighbors(const NeighborPairs<Real>& pairs, std::int64_t k, Use& use) {
  using Visit = RunVisit<general, Real, Use>;
  const PackedPoint<Real> destination = pairs.destinations.point(k);
  if (!pairs.has_cell(destination.position)) return;
  const Real limit = pairs.limit_of(k);
  const auto self = static_cast<typename Visit::Number>(destination.number + pairs.rule.first_destination);
  for_each_run(*pairs.grid, destination.position, pairs.bound_of(limit),
               Visit{pairs, destination, limit, pairs.rule.excludes_self() ? self : typename Visit::Number{-1}, use});
}

}  // namespace shoal::neighbors

namespace shoal {
using neighbors::Position;
}  // namespace shoal
