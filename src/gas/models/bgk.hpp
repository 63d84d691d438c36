// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include "gas/physics/maxwellian_item.hpp"

namespace shoal::gas {

/// Model of Bhatnagar, Gross and Krook (1954): ν = p/μ, and the target is the Maxwellian of f. The Prandtl number is 1.
struct Bgk {
  static constexpr GasModel name = GasModel::bgk;
  DiscreteMaxwellian maxwellian;

  /// ν / (p/μ)
  static double frequency_share(double) { return 1; }

  /// @return  false if the velocity grid cannot represent the state
  bool fit(const NodeVelocities& nodes, const VelocityMoments& moments, double) {
    return maxwellian.fit(nodes, moments.density, moments.velocity.data(), moments.temperature);
  }
  /// Target of a row of nodes.
  template <class Visit>
  void row(const NodeVelocities& nodes, int y, int z, Visit visit) const {
    for (int x = 0; x < nodes.n; ++x) visit(x, maxwellian.value(x, y, z));
  }
};

}  // namespace shoal::gas
