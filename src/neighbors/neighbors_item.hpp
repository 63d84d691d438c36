// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>

#include "cells/cells_item.hpp"
#include "core/host_device.hpp"

namespace shoal {

template <class Real>
struct Position {
  Real x, y, z;  ///< m; z = 0 in two dimensions
};

/// Whether two points are neighbours. See `Neighbors` for the formula.
template <class Real>
struct PairTest {
  Real limit = 0;               ///< m², neighbours have d² < limit; the next number after r·r makes it d² ≤ r·r
  Real period[3] = {};          ///< m, 0 on open axes
  Real inverse_period[3] = {};  ///< 1/m, 0 on open axes

  /// `periodic` is false if no axis is; the result is the same, at less cost.
  template <bool periodic>
  SHOAL_HD bool near(const Position<Real>& a, const Position<Real>& b) const {
    const Real dx = difference<periodic>(a.x, b.x, 0);
    const Real dy = difference<periodic>(a.y, b.y, 1);
    const Real dz = difference<periodic>(a.z, b.z, 2);
    return std::fma(dz, dz, std::fma(dy, dy, dx * dx)) < limit;
  }

 private:
  template <bool periodic>
  SHOAL_HD Real difference(Real a, Real b, int axis) const {
    const Real d = a - b;
    if constexpr (!periodic) return d;
    return std::fma(-std::rint(d * inverse_period[axis]), period[axis], d);
  }
};

/// Cells `first`, first + 1, ... of one axis, wrapped at its end.
struct CellReach {
  std::int32_t first;
  std::int32_t count;
};

/// The cells of one axis next to a cell, each once.
template <class Real>
SHOAL_HD CellReach reach_of(const CellAxis<Real>& axis, std::int32_t cell) {
  if (axis.periodic) {
    if (axis.cells < 3) return {0, axis.cells};
    return {cell == 0 ? axis.cells - 1 : cell - 1, 3};
  }
  const std::int32_t first = cell > 0 ? cell - 1 : 0;
  const std::int32_t last = cell + 1 < axis.cells ? cell + 1 : cell;
  return {first, last - first + 1};
}

/// Cells begin, begin + 1, ..., end - 1, whose points are neighbours in memory.
struct CellRun {
  std::int64_t begin;
  std::int64_t end;
};

/// The cells around a point, as runs of cells along x: a run for each of the up to nine (y, z), and a second one where
/// the reach wraps around a periodic x axis.
template <class Real>
class Stencil {
 public:
  SHOAL_HD Stencil(const CellFormula<Real>& formula, const Position<Real>& at)
      : cells_x_(formula.axes[0].cells),
        cells_y_(formula.axes[1].cells),
        cells_z_(formula.axes[2].cells),
        x_(reach_of(formula.axes[0], formula.axes[0].cell(at.x))),
        y_(reach_of(formula.axes[1], formula.axes[1].cell(at.y))),
        z_(formula.dimensions == 3 ? reach_of(formula.axes[2], formula.axes[2].cell(at.z)) : CellReach{0, 1}) {}

  SHOAL_HD int runs() const { return x_.first + x_.count > cells_x_ ? 18 : 9; }

  /// Run k of runs(); may be empty.
  SHOAL_HD CellRun run(int k) const {
    const int iy = k % 3;
    const int iz = k / 3 % 3;
    if (iy >= y_.count || iz >= z_.count) return {0, 0};
    const std::int32_t y = y_.first + iy < cells_y_ ? y_.first + iy : y_.first + iy - cells_y_;
    const std::int32_t z = z_.first + iz < cells_z_ ? z_.first + iz : z_.first + iz - cells_z_;
    const std::int64_t row = (static_cast<std::int64_t>(z) * cells_y_ + y) * cells_x_;
    const std::int32_t end = x_.first + x_.count;
    if (k >= 9) return {row, row + end - cells_x_};
    return {row + x_.first, row + (end < cells_x_ ? end : cells_x_)};
  }

 private:
  std::int32_t cells_x_, cells_y_, cells_z_;
  CellReach x_, y_, z_;
};

}  // namespace shoal
