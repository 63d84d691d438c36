// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/current/moved_weights_item.hpp"
#include "deposit/deposit_method.hpp"

namespace shoal::deposit {

/// Particles of deposit_current() and their grid, as kernels take them.
struct MovingParticles {
  int dimensions = 3;
  double origin[3] = {};         ///< m
  double spacing[3] = {};        ///< m
  std::int64_t cells[3] = {};    ///< also the numbers of nodes, since all axes are periodic
  Fields<const double> before;   ///< [n] m, positions before the step by axis
  Fields<const double> after;    ///< [n] m
  Fields<const double> charges;  ///< [n] C, one array
  std::int64_t count = 0;

  std::int64_t node_count() const { return cells[0] * cells[1] * (dimensions > 2 ? cells[2] : 1); }
  SHOAL_HD double charge(std::int64_t p) const { return charges.at(0, p); }

  /// Coordinates in cells from node 0.
  SHOAL_HD double cells_before(int axis, std::int64_t p) const { return in_cells(axis, before.at(axis, p)); }
  SHOAL_HD double cells_after(int axis, std::int64_t p) const { return in_cells(axis, after.at(axis, p)); }

  /// Axis along which a particle moves farther than a cell or is not finite; `dimensions` if its charge is not finite; −1
  /// if it has no fault.
  SHOAL_HD int fault(std::int64_t p) const {
    if (!std::isfinite(charge(p))) return dimensions;
    for (int axis = 0; axis < dimensions; ++axis)
      if (!(std::abs(cells_after(axis, p) - cells_before(axis, p)) <= 1)) return axis;
    return -1;
  }

  /// Writes the weights of a particle along the axes.
  template <class Moved>
  SHOAL_HD void find_weights(std::int64_t p, MovedWeights<Moved::stencil> (&weights)[3]) const {
    weights[0] = moved_weights<Moved>(cells_before(0, p), cells_after(0, p), cells[0], 1);
    weights[1] = moved_weights<Moved>(cells_before(1, p), cells_after(1, p), cells[1], cells[0]);
    weights[2] = dimensions > 2
                     ? moved_weights<Moved>(cells_before(2, p), cells_after(2, p), cells[2], cells[0] * cells[1])
                     : missing_axis<Moved>();
  }

 private:
  SHOAL_HD double in_cells(int axis, double coordinate) const { return (coordinate - origin[axis]) / spacing[axis]; }
};

}  // namespace shoal::deposit
