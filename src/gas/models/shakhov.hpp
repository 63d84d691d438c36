// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include "gas/physics/maxwellian_item.hpp"
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
  DiscreteMaxwellian maxwellian;
  double coefficient[count];

  static double frequency_share(double) { return 1; }

  bool fit(const NodeVelocities& nodes, const VelocityMoments& moments, double prandtl) {
    static constexpr BasisPolynomial basis[count] = {{1, {{0, 0, 0}}},
                                                     {1, {{1, 0, 0}}},
                                                     {1, {{0, 1, 0}}},
                                                     {1, {{0, 0, 1}}},
                                                     {3, {{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}},
                                                     {3, {{3, 0, 0}, {1, 2, 0}, {1, 0, 2}}},
                                                     {3, {{2, 1, 0}, {0, 3, 0}, {0, 1, 2}}},
                                                     {3, {{2, 0, 1}, {0, 2, 1}, {0, 0, 3}}}};
    if (!maxwellian.fit(nodes, moments.density, moments.velocity.data(), moments.temperature)) return false;
    const auto sums = maxwellian.moments<7>(nodes);
    const double scale = nodes.volume() * maxwellian.thermal * maxwellian.thermal * maxwellian.thermal;
    for (int a = 0; a < count; ++a) {
      coefficient[a] = 0;
      if (a < first_odd) continue;
      double maxwellian_flux = 0;
      for (const Monomial& term : basis[a].term) maxwellian_flux += sums(term.x, term.y, term.z);
      const double flux = 2 * moments.heat_flux[static_cast<std::size_t>(a - first_odd)] / scale;
      coefficient[a] = (1 - prandtl) * (flux - maxwellian_flux);
    }
    return solve_moments<count>(basis, sums, coefficient);
  }

  template <class Visit>
  void row(const NodeVelocities& nodes, int y, int z, Visit visit) const {
    const double cy = maxwellian.scaled(nodes, 1, y), cz = maxwellian.scaled(nodes, 2, z);
    const double* a = coefficient;
    for (int x = 0; x < nodes.n; ++x) {
      const double cx = maxwellian.scaled(nodes, 0, x), c2 = cx * cx + cy * cy + cz * cz;
      const double odd = cx * (a[1] + a[5] * c2) + cy * (a[2] + a[6] * c2) + cz * (a[3] + a[7] * c2);
      visit(x, maxwellian.value(x, y, z) * (1 + a[0] + a[4] * c2 + odd));
    }
  }
};

}  // namespace shoal::gas
