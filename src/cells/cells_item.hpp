// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/grid.hpp>

#include <cmath>
#include <cstdint>

#include "core/host_device.hpp"

namespace shoal {

/// The cell of a coordinate on one axis.
template <class Real>
struct CellAxis {
  Real lower = 0;            ///< m, where cell 0 begins
  Real inverse_spacing = 1;  ///< 1/m
  std::int32_t cells = 1;
  bool periodic = false;
  Real allowed_lower = 0;  ///< m, coordinates outside this closed interval have no cell
  Real allowed_upper = 0;  ///< m

  /// False for NaN, too.
  SHOAL_HD bool allows(Real x) const { return x >= allowed_lower && x <= allowed_upper; }

  /// floor((x - lower) * inverse_spacing), wrapped on a periodic axis, else moved to the nearest cell.
  SHOAL_HD std::int32_t cell(Real x) const {
    const Real t = (x - lower) * inverse_spacing;
    if (periodic && !(t >= 0 && t < static_cast<Real>(cells))) return wrapped(t);
    if (!(t > 0)) return 0;
    if (t >= static_cast<Real>(cells)) return cells - 1;
    const auto cell = static_cast<std::int32_t>(t);  // truncates, which is the floor of a positive number
    return cell < cells ? cell : cells - 1;          // static_cast<float>(cells) may have been rounded up
  }

 private:
  SHOAL_HD std::int32_t wrapped(Real t) const {
    const std::int64_t remainder = static_cast<std::int64_t>(std::floor(t)) % cells;
    return static_cast<std::int32_t>(remainder < 0 ? remainder + cells : remainder);
  }
};

/// The cell of a point.
template <class Real>
struct CellFormula {
  CellAxis<Real> axes[3];
  int dimensions = 3;

  SHOAL_HD std::uint32_t cell_count() const {
    return static_cast<std::uint32_t>(axes[0].cells) * static_cast<std::uint32_t>(axes[1].cells) *
           static_cast<std::uint32_t>(axes[2].cells);
  }

  /// The first axis on which the point has no cell; `dimensions` if it has one.
  SHOAL_HD int fault(Real x, Real y, Real z) const {
    if (!axes[0].allows(x)) return 0;
    if (!axes[1].allows(y)) return 1;
    if (dimensions == 3 && !axes[2].allows(z)) return 2;
    return dimensions;
  }

  /// The number of the cell of a point without fault, x fastest.
  SHOAL_HD std::uint32_t cell(Real x, Real y, Real z) const {
    const auto ix = static_cast<std::uint32_t>(axes[0].cell(x));
    const auto iy = static_cast<std::uint32_t>(axes[1].cell(y));
    const std::uint32_t iz = dimensions == 3 ? static_cast<std::uint32_t>(axes[2].cell(z)) : 0u;
    return (iz * static_cast<std::uint32_t>(axes[1].cells) + iy) * static_cast<std::uint32_t>(axes[0].cells) + ix;
  }
};

}  // namespace shoal
