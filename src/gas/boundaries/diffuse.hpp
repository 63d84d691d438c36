// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

namespace shoal::gas {

/// Wall that emits a share of the arriving molecules with the Maxwellian of its velocity and temperature, and reflects the
/// others specularly (Maxwell 1879). The emitted density is the ratio of two sums over the nodes, so that no mass is lost.
struct DiffuseWall {
  double accommodation;
  double emitted_density = 0;  ///< Density of the emitted Maxwellian, m⁻³.

  /// @param arriving  sum of |v_x| f over the nodes that leave the gas
  /// @param unit      sum of |v_x| M over the other nodes, M the wall's Maxwellian of density 1
  SHOAL_HD void balance(double arriving, double unit) { emitted_density = accommodation * arriving / unit; }

  /// Value of f at the wall of a node that enters the gas.
  /// @param maxwellian  M
  /// @param reflected   f of the node with the opposite v_x
  SHOAL_HD double entering(double maxwellian, double reflected) const {
    return emitted_density * maxwellian + (1 - accommodation) * reflected;
  }
};

}  // namespace shoal::gas
