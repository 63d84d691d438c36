// SPDX-License-Identifier: Apache-2.0
// Two gases of one cell: their common equilibrium, and the system of a projection that conserves the mass of each, and
// momentum and energy of both together.
#pragma once
#include "collision/distribution/distribution_item.hpp"

namespace shoal::collision {

/// Shares of the molecules of two gases in the mass of a pair of unlike molecules, for host and device.
struct MassShares {
  double share[2];
};

/// Gives two gases the velocity and temperature that collisions bring them to: total momentum and energy stay.
///
///     u = Σ a n u / Σ a n,   a T = Σ a n (3 T + |u_gas − u|²) / (3 Σ n)
///
/// with the mass share a of each gas and T = k T / m. A gas without density takes those of the other.
SHOAL_HD void equalize(const MassShares& shares, GasState& first, GasState& second) {
  GasState* gases[2] = {&first, &second};
  double mass = 0, number = 0, momentum[3] = {}, energy = 0;
  for (int k = 0; k < 2; ++k) {
    const GasState& gas = *gases[k];
    if (!(gas.density > 0)) continue;
    number += gas.density;
    mass += shares.share[k] * gas.density;
    for (int axis = 0; axis < 3; ++axis) momentum[axis] += shares.share[k] * gas.density * gas.velocity[axis];
  }
  for (int k = 0; k < 2; ++k) {
    const GasState& gas = *gases[k];
    if (!(gas.density > 0)) continue;
    double square = 3 * gas.temperature;
    for (int axis = 0; axis < 3; ++axis) {
      const double c = gas.velocity[axis] - momentum[axis] / mass;
      square += c * c;
    }
    energy += shares.share[k] * gas.density * square;
  }
  for (int k = 0; k < 2; ++k) {
    for (int axis = 0; axis < 3; ++axis) gases[k]->velocity[axis] = momentum[axis] / mass;
    gases[k]->temperature = energy / (3 * number * shares.share[k]);
  }
}

/// Solves the system of two gases for the changes α + a (b·v + c v²) of each, with its mass share a, one α for each gas, and
/// b and c of both, which bring the mass of each, and momentum and energy of both together, to zero. The solutions replace the
/// right sides of both systems; they are 0 where there is no gas.
/// @param first, second  sums of ProjectionTerms of each gas
SHOAL_HD void solve_pair(const MassShares& shares, double* first, double* second) {
  double* systems[2] = {first, second};
  constexpr int count = 6;  // unknowns: both α, b, c
  double matrix[count * count] = {}, solution[count] = {};
  for (int k = 0; k < 2; ++k) {
    const double *sums = systems[k], share = shares.share[k];
    const auto unknown = [k](int invariant) { return invariant == 0 ? k : invariant + 1; };
    const auto factor = [share](int invariant) { return invariant == 0 ? 1 : share; };
    for (int a = 0; a < 5; ++a) {
      for (int b = 0; b < 5; ++b) matrix[unknown(a) * count + unknown(b)] += factor(a) * factor(b) * sums[a * 5 + b];
      solution[unknown(a)] += factor(a) * sums[25 + a];
    }
    if (!(sums[0] > 0)) matrix[k * count + k] = 1, solution[k] = 0;  // a gas without density stays so
  }
  const bool solved = solve_positive_definite(matrix, solution, count);
  for (int k = 0; k < 2; ++k)
    for (int a = 0; a < 5; ++a)
      systems[k][25 + a] = !solved ? 0 : a == 0 ? solution[k] : shares.share[k] * solution[a + 1];
}

}  // namespace shoal::collision
