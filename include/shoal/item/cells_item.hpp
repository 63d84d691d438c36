// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/grid.hpp>
#include <shoal/item/host_device.hpp>

#include <cmath>
#include <cstdint>

namespace shoal::cells {

/// Formula of the cell of a coordinate on one axis.
template <class Real>
struct CellAxis {
  Real lower = 0;            ///< m, lower bound of cell 0
  Real inverse_spacing = 1;  ///< 1/m
  std::int32_t cells = 1;
  bool periodic = false;
  Real allowed_lower = 0;  ///< m, lower end of the closed interval of coordinates that have a cell
  Real allowed_upper = 0;  ///< m, upper end

  /// Returns true if x has a cell; false for NaN.
  SHOAL_HD bool allows(Real x) const { return x >= allowed_lower && x <= allowed_upper; }

  /// floor((x - lower) * inverse_spacing), wrapped on a periodic axis, else moved to the nearest cell.
  SHOAL_HD std::int32_t cell(Real x) const {
    const Real t = (x - lower) * inverse_spacing;
    if (periodic && !(t >= 0 && t < static_cast<Real>(cells))) return wrapped(std::floor(t));
    return nearest(t);
  }

  /// The cell of x on an axis that is not periodic, without branches.
  SHOAL_HD std::int32_t cell_on_open_axis(Real x) const { return nearest((x - lower) * inverse_spacing); }

  /// The cell nearest to position t, in units of cells.
  SHOAL_HD std::int32_t nearest(Real t) const {
#ifdef __CUDA_ARCH__
    const int cell = sizeof(Real) == 4 ? __float2int_rz(t) : __double2int_rz(t);  // out of range: the nearest integer
    return ::min(::max(cell, 0), cells - 1);
#else
    constexpr Real most = sizeof(Real) == 4 ? Real(2147483520) : Real(2147483647);  // the largest that fits 32 bits
    const Real above = t > 0 ? t : Real(0);                                         // 0 for NaN
    const auto cell = static_cast<std::int32_t>(above < most ? above : most);       // truncation is floor from 0 on
    return cell < cells ? cell : cells - 1;
#endif
  }

  /// The cell of integer position t on a periodic axis.
  SHOAL_HD std::int32_t wrapped(Real t) const {
    const std::int64_t remainder = static_cast<std::int64_t>(t) % cells;
    return static_cast<std::int32_t>(remainder < 0 ? remainder + cells : remainder);
  }
};

/// Formula of the cell of a point.
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
    if (dimensions > 1 && !axes[1].allows(y)) return 1;
    if (dimensions > 2 && !axes[2].allows(z)) return 2;
    return dimensions;
  }

  /// The number of the cell of a point without fault, x fastest.
  SHOAL_HD std::uint32_t cell(Real x, Real y, Real z) const {
    return number(axes[0].cell(x), dimensions > 1 ? axes[1].cell(y) : 0, dimensions > 2 ? axes[2].cell(z) : 0);
  }

  SHOAL_HD std::uint32_t number(std::int32_t ix, std::int32_t iy, std::int32_t iz) const {
    const auto row =
        static_cast<std::uint32_t>(iz) * static_cast<std::uint32_t>(axes[1].cells) + static_cast<std::uint32_t>(iy);
    return row * static_cast<std::uint32_t>(axes[0].cells) + static_cast<std::uint32_t>(ix);
  }

  SHOAL_HD bool periodic() const { return axes[0].periodic || axes[1].periodic || axes[2].periodic; }
};

}  // namespace shoal::cells

namespace shoal {
using cells::CellAxis;
using cells::CellFormula;
}  // namespace shoal
