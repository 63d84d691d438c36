// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/arithmetic_item.hpp>
#include <shoal/item/cells_item.hpp>
#include <shoal/item/host_device.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace shoal {

template <class Real>
struct Position {
  Real x, y, z;  ///< m; 0 on axes that the space does not have
};

/// Whether two points are neighbors. See `Neighbors` for the formula.
template <class Real>
struct PairTest {
  Real limit = 0;               ///< m², neighbors have d² < limit; the next number after r·r makes it d² ≤ r·r
  Real period[3] = {};          ///< m, 0 on open axes
  Real inverse_period[3] = {};  ///< 1/m, 0 on open axes

  /// a − b, of the nearest image. `periodic` is false if no axis is; the result is the same, at less cost.
  template <bool periodic>
  SHOAL_HD Position<Real> displacement(const Position<Real>& a, const Position<Real>& b) const {
    return {difference<periodic>(a.x, b.x, 0), difference<periodic>(a.y, b.y, 1), difference<periodic>(a.z, b.z, 2)};
  }

  SHOAL_HD static Real squared(const Position<Real>& d) { return std::fma(d.z, d.z, std::fma(d.y, d.y, d.x * d.x)); }

  template <bool periodic>
  SHOAL_HD bool near(const Position<Real>& a, const Position<Real>& b, Real within) const {
    return squared(displacement<periodic>(a, b)) < within;
  }

 private:
  template <bool periodic>
  SHOAL_HD Real difference(Real a, Real b, int axis) const {
    const Real d = a - b;
    if constexpr (!periodic) return d;
    return std::fma(-std::rint(d * inverse_period[axis]), period[axis], d);
  }
};

/// Cells to search in: two neighbors are at most one cell apart in y and z, and as far in x as their distance says.
/// x is cut finer, which costs nothing where cells that follow each other in x are one run of memory.
template <class Real>
struct SearchGrid {
  CellFormula<Real> cells;
  Real edge[3] = {1, 1, 1};  ///< m
  Real slack[3] = {};        ///< m, by how much the places of two points in the grid may be wrong, added up
  Real largest_limit = 0;    ///< m², no pair has a larger one
};

/// A point of a sorted set: one load of 16 (float) or two of 16 bytes (double).
template <class Real>
struct alignas(16) PackedPoint {
  Position<Real> at;
  std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t> number;  ///< in its own set
};

/// Points sorted by the cells of a search grid, then by number.
///
/// CUDA reads `packed` and `packed_start`, the CPU the separate arrays; the others are null. Arrays that are searched
/// have room for `read_past_end` more elements, whose values do not matter, so that loops may take several at a time.
template <class Real>
struct SortedPoints {
  static constexpr int read_past_end = 8;

  const PackedPoint<Real>* packed = nullptr;
  const std::int32_t* packed_start = nullptr;
  const Real* x = nullptr;
  const Real* y = nullptr;
  const Real* z = nullptr;
  const std::int64_t* cell_start = nullptr;  ///< [cells + 2], the last cell is for points that have none
  const std::int32_t* order = nullptr;       ///< the number of each point in its own set
  const Real* limits = nullptr;              ///< m², of each point, sorted with them; null: none
  std::int64_t count = 0;

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
  SHOAL_HD Position<Real> at(std::int64_t k) const { return point(k).at; }

  /// Where the points of a cell begin.
  SHOAL_HD std::int64_t start(std::int64_t cell) const {
#ifdef __CUDA_ARCH__
    return __ldg(packed_start + cell);
#else
    return cell_start[cell];
#endif
  }
};

/// The cells next to a point along y or z, and how near they can be.
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

  SHOAL_HD int count() const { return count_; }
  /// Cell k of count().
  SHOAL_HD std::int32_t cell(int k) const { return first_ + k < cells_ ? first_ + k : first_ + k - cells_; }
  /// m², at most the squared distance of the point to any point in cell k.
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
  int skipped_ = 0;  ///< 1 where there is no cell below
  Real squared_below_ = 0;
  Real squared_above_ = 0;
};

/// Calls look(begin, end) for each run of cells [begin, end), neighbors in memory, that together hold every point
/// within √limit of the points `at`. No cell comes twice. The order is fixed: by z and y around the points, then by the
/// number of the cell along x. So a cell more or less at an end, which rounding may decide, changes no order of
/// neighbors.
/// @tparam count  of points, 1 or 2; two are in one cell of y and z, and the grid is not periodic in x
SHOAL_CALLS_ARGUMENT
template <int count, class Real, class Look>
SHOAL_HD void for_each_run(const SearchGrid<Real>& grid, const Position<Real> (&at)[count], const Real (&limit)[count],
                           Look&& look) {
  static_assert(count <= 2, "how near cells are in y and z is known of the first and the last point only");
  // Also covers the error of fast_sqrt(), of less than four roundings.
  constexpr Real roundings = 16 * (sizeof(Real) == 4 ? Real(0x1p-24) : Real(0x1p-53));
  const CellAxis<Real>& along = grid.cells.axes[0];
  const std::int32_t cells_x = along.cells;
  const std::int32_t cells_y = grid.cells.axes[1].cells;
  const Real slack = grid.slack[0] * along.inverse_spacing;
  const Real stretch = along.inverse_spacing * (1 + roundings);
  const AxisReach<Real> reach_y(grid, 1, at[0].y);
  const AxisReach<Real> reach_z(grid, 2, at[0].z);
  const AxisReach<Real> last_y(grid, 1, at[count - 1].y);
  const AxisReach<Real> last_z(grid, 2, at[count - 1].z);
  for (int iz = 0; iz < reach_z.count(); ++iz) {
    for (int iy = 0; iy < reach_y.count(); ++iy) {
      Real from = 0;
      Real to = 0;
      bool is_near = false;
      for (int p = 0; p < count; ++p) {
        const Real apart = p == 0 ? reach_z.squared_distance(iz) + reach_y.squared_distance(iy)
                                  : last_z.squared_distance(iz) + last_y.squared_distance(iy);
        const Real left = limit[p] * (1 + roundings) - apart;
        const Real t = (at[p].x - along.lower) * along.inverse_spacing;
        const Real reach = fast_sqrt(left > 0 ? left : Real(0)) * stretch + slack;
        from = p == 0 || t - reach < from ? t - reach : from;
        to = p == 0 || t + reach > to ? t + reach : to;
        is_near = is_near || left >= 0;
      }
      if (!is_near) continue;
      const std::int32_t row = (reach_z.cell(iz) * cells_y + reach_y.cell(iy)) * cells_x;
      if (!along.periodic) {
        look(row + along.nearest(from), row + along.nearest(to) + 1);
        continue;
      }
      const Real low = std::floor(from);
      const Real cells = std::floor(to) - low + 1;
      if (!(cells < static_cast<Real>(cells_x))) {
        look(row, row + cells_x);
        continue;
      }
      const std::int32_t first = along.wrapped(low);
      const std::int32_t end = first + static_cast<std::int32_t>(cells);
      if (end > cells_x) look(row, row + end - cells_x);
      look(row + first, row + (end < cells_x ? end : cells_x));
    }
  }
}

/// The same for one point.
SHOAL_CALLS_ARGUMENT
template <class Real, class Look>
SHOAL_HD void for_each_run(const SearchGrid<Real>& grid, const Position<Real>& at, Real limit, Look&& look) {
  const Position<Real> points[1] = {at};
  const Real limits[1] = {limit};
  for_each_run<1>(grid, points, limits, look);
}

/// All that decides which pairs are neighbors, over sorted points.
template <class Real>
struct NeighborPairs {
  const SearchGrid<Real>* grid = nullptr;
  PairTest<Real> test;
  SortedPoints<Real> destinations;
  SortedPoints<Real> sources;
  std::int64_t first_destination = 0;  ///< of one set: the number that destination 0 has among the sources
  bool one_set = false;
  bool include_self = false;  ///< of one set
  bool half = false;          ///< of one set: only sources with a larger number

  SHOAL_HD bool excludes_self() const { return one_set && !include_self; }

  SHOAL_HD Real limit_of(std::int64_t k) const {
    return destinations.limits != nullptr ? destinations.limits[k] : test.limit;
  }
  /// No source of destination k has a larger limit.
  SHOAL_HD Real bound_of(Real limit) const { return sources.limits != nullptr ? grid->largest_limit : limit; }

  SHOAL_HD bool has_cell(const Position<Real>& at) const {
    return grid->cells.fault(at.x, at.y, at.z) == grid->cells.dimensions;
  }

  /// Whether the pair of numbers is wanted, however near.
  SHOAL_HD bool wants(std::int64_t destination, std::int64_t source) const {
    if (!one_set) return true;
    const std::int64_t own = destination + first_destination;
    return half ? source > own || (source == own && include_self) : source != own || include_self;
  }
};

/// Visits the neighbors of one destination that are in a run of cells.
template <bool general, class Real, class Use>
struct RunVisit {
  using Number = decltype(PackedPoint<Real>::number);

  const NeighborPairs<Real>& pairs;
  PackedPoint<Real> destination;
  Real limit;
  Number skipped;  ///< number of the source that is the destination itself; -1: none, or wanted
  Use& use;

  SHOAL_CALLS_ARGUMENT
  SHOAL_HD void operator()(std::int32_t first_cell, std::int32_t end_cell) const {
    constexpr int step = 4;  // reads that are under way at the same time
    const auto end = static_cast<std::int32_t>(pairs.sources.start(end_cell));
    for (auto j = static_cast<std::int32_t>(pairs.sources.start(first_cell)); j < end; j += step) {
      PackedPoint<Real> source[step];
      for (int s = 0; s < step; ++s) source[s] = pairs.sources.point(j + s);
      for (int s = 0; s < step; ++s) {
        const Position<Real> d = pairs.test.template displacement<general>(destination.at, source[s].at);
        const Real squared = PairTest<Real>::squared(d);
        Real within = limit;
        if constexpr (general)
          if (pairs.sources.limits != nullptr && pairs.sources.limits[j + s] > within)
            within = pairs.sources.limits[j + s];
        const bool near = squared < within && j + s < end && source[s].number != skipped;
        if (near && (!general || pairs.wants(destination.number, source[s].number)))
          use(j + s, source[s].number, d, squared);
      }
    }
  }
};

/// Calls use(place of the source, number of the source, displacement, squared distance) for each neighbor of the
/// destination at place k of the sorted order, in the fixed order of for_each_run() and then by number.
/// @tparam general  false: no axis is periodic, no source has a limit of its own, and the list is not half
template <bool general, class Real, class Use>
SHOAL_HD void visit_neighbors(const NeighborPairs<Real>& pairs, std::int64_t k, Use& use) {
  using Visit = RunVisit<general, Real, Use>;
  const PackedPoint<Real> destination = pairs.destinations.point(k);
  if (!pairs.has_cell(destination.at)) return;
  const Real limit = pairs.limit_of(k);
  const auto own = static_cast<typename Visit::Number>(destination.number + pairs.first_destination);
  for_each_run(*pairs.grid, destination.at, pairs.bound_of(limit),
               Visit{pairs, destination, limit, pairs.excludes_self() ? own : typename Visit::Number{-1}, use});
}

}  // namespace shoal
