// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include "gas/physics/maxwellian_item.hpp"
#include "gas/physics/moments_item.hpp"
#include "gas/physics/polynomial_item.hpp"

namespace shoal::gas {

/// Model of Shakhov (1968): ν = p/μ, and the target is the Maxwellian of f times a polynomial that gives it the heat flux
/// (1 − Pr) q. The target can be negative where the heat flux is large.
///
/// The polynomial is 1 and a combination of 1, c, c² and c c² whose sums over the nodes vanish, but for the heat flux. That
/// of the discrete Maxwellian, which the sums give on coarse grids, is not relaxed, so that equilibrium stays.
struct Shakhov {
  static constexpr GasModel name = GasModel::shakhov;
  static constexpr int count = 8, first_odd = 5;
  MaxwellianShape shape;
  double coefficient[count];

  static double frequency_share(double) { return 1; }

  template <class Team>
  SHOAL_HD bool fit(const Team& team, const NodeVelocities& nodes, const CellState& state, double prandtl,
                    DiscreteMaxwellian& table) {
    constexpr BasisPolynomial basis[count] = {{1, {{0, 0, 0}}},
                                              {1, {{1, 0, 0}}},
                                              {1, {{0, 1, 0}}},
                                              {1, {{0, 0, 1}}},
                                              {3, {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}},
                                              {3, {{3, 0, 0}, {1, 2, 0}, {1, 0, 2}}},
                                              {3, {{2, 1, 0}, {0, 3, 0}, {0, 1, 2}}},
                                              {3, {{2, 0, 1}, {0, 2, 1}, {0, 0, 3}}}};
    if (!shape.fit(team, nodes, state.density, state.velocity, state.temperature)) return false;
    table.fill(team, nodes, shape);
    const auto sums = shape.template moments<7>(team, nodes);
    const double scale = nodes.volume() * shape.thermal * shape.thermal * shape.thermal;
    for (int a = 0; a < count; ++a) {
      coefficient[a] = 0;
      if (a < first_odd) continue;
      double maxwellian_flux = 0;
      for (const Monomial& term : basis[a].term) maxwellian_flux += sums(term.x, term.y, term.z);
      const double flux = 2 * state.heat_flux[a - first_odd] / scale;
      coefficient[a] = (1 - prandtl) * (flux - maxwellian_flux);
    }
    return solve_moments<count>(basis, sums, coefficient);
  }

  SHOAL_HD double target(const NodeVelocities& nodes, const DiscreteMaxwellian& table, int x, int y, int z) const {
    const double cy = shape.scaled(nodes, 1, y), cz = shape.scaled(nodes, 2, z);
    const double* a = coefficient;
    const double cx = shape.scaled(nodes, 0, x), c2 = cx * cx + cy * cy + cz * cz;
    const double odd = cx * (a[1] + a[5] * c2) + cy * (a[2] + a[6] * c2) + cz * (a[3] + a[7] * c2);
    return table.value(x, y, z) * (1 + a[0] + a[4] * c2 + odd);
  }
};

}  // namespace shoal::gas
