// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include "gas/physics/maxwellian_item.hpp"
#include "gas/physics/moments_item.hpp"

namespace shoal::gas {

/// Model of Bhatnagar, Gross and Krook (1954): ν = p/μ, and the target is the Maxwellian of f. The Prandtl number is 1.
struct Bgk {
  static constexpr GasModel name = GasModel::bgk;
  MaxwellianShape shape;

  /// ν / (p/μ)
  static double frequency_share(double) { return 1; }

  /// @param table  overwritten with the Maxwellian of the state
  /// @return       false if the velocity grid cannot represent the state
  template <class Team>
  SHOAL_HD bool fit(const Team& team, const NodeVelocities& nodes, const CellState& state, double,
                    DiscreteMaxwellian& table) {
    if (!shape.fit(team, nodes, state.density, state.velocity, state.temperature)) return false;
    table.fill(team, nodes, shape);
    return true;
  }
  /// Target at a node.
  SHOAL_HD double target(const NodeVelocities&, const DiscreteMaxwellian& table, int x, int y, int z) const {
    return table.value(x, y, z);
  }
};

}  // namespace shoal::gas
