// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include <cmath>

#include "gas/physics/maxwellian_item.hpp"
#include "gas/physics/moments_item.hpp"
#include "gas/physics/polynomial_item.hpp"

namespace shoal::gas {

/// Ellipsoidal statistical model of Holway (1966): ν = Pr p/μ, and the target is the Gaussian of tensor
/// Λ = T/Pr I + (1 − 1/Pr) P/n. Λ is positive for 2/3 <= Pr <= 1.
///
/// The Gaussian is the discrete Maxwellian times the exponential of a quadratic form of c, times a combination of 1, c and
/// c c that gives its sums over the nodes the density, the velocity and n Λ. On a velocity grid that suits the state the
/// combination is 1 to the error of the sums. In equilibrium both factors are 1.
struct EsBgk {
  static constexpr GasModel name = GasModel::es_bgk;
  static constexpr int count = 10, degree = 4;
  MaxwellianShape shape;
  double form[6];             ///< (Λ/T)⁻¹ − I: xx, yy, zz, xy, xz, yz
  double coefficient[count];  ///< Factors of 1, x, y, z, xx, yy, zz, xy, xz, yz

  static double frequency_share(double prandtl) { return prandtl; }

  template <class Team>
  SHOAL_HD bool fit(const Team& team, const NodeVelocities& nodes, const CellState& state, double prandtl,
                    DiscreteMaxwellian& table) {
    constexpr BasisPolynomial basis[count] = {{1, {{0, 0, 0}}}, {1, {{1, 0, 0}}}, {1, {{0, 1, 0}}}, {1, {{0, 0, 1}}},
                                              {1, {{2, 0, 0}}}, {1, {{0, 2, 0}}}, {1, {{0, 0, 2}}}, {1, {{1, 1, 0}}},
                                              {1, {{1, 0, 1}}}, {1, {{0, 1, 1}}}};
    if (!shape.fit(team, nodes, state.density, state.velocity, state.temperature)) return false;
    table.fill(team, nodes, shape);
    const auto sums = shape.template moments<3>(team, nodes);
    const double n = state.density / nodes.volume(), pressure = state.density * state.temperature;
    double tensor[6], change[6];  // tensor of the sums of the target, and its difference from that of the Maxwellian
    for (int k = 0; k < 6; ++k) {
      const Monomial& square = basis[k + 4].term[0];
      const double equilibrium = k < 3 ? sums(square.x, square.y, square.z) / n : 0;
      change[k] = (1 - 1 / prandtl) * (state.stress[k] / pressure - equilibrium);
      tensor[k] = equilibrium + change[k];
    }
    if (!set_form(change)) return false;

    double sum[degree + 1][degree + 1][degree + 1] = {};
    for (int row = team.first(); row < nodes.n * nodes.n; row += team.stride())
      add_row(nodes, table, row % nodes.n, row / nodes.n, sum);
    team.sum(sum[0][0], (degree + 1) * (degree + 1) * (degree + 1));
    for (int a = 0; a < count; ++a) coefficient[a] = a == 0 ? n : a < 4 ? 0 : n * tensor[a - 4];
    return solve_moments<count>(
        basis, [&](int x, int y, int z) { return sum[x][y][z]; }, coefficient);
  }

  SHOAL_HD double target(const NodeVelocities& nodes, const DiscreteMaxwellian& table, int x, int y, int z) const {
    const double cy = shape.scaled(nodes, 1, y), cz = shape.scaled(nodes, 2, z);
    const double* a = coefficient;
    const double constant = a[0] + cy * (a[2] + cy * a[5] + cz * a[9]) + cz * (a[3] + cz * a[6]);
    const double linear = a[1] + cy * a[7] + cz * a[8];
    const double cx = shape.scaled(nodes, 0, x);
    return table.value(x, y, z) * factor(cx, cy, cz) * (constant + cx * (linear + cx * a[4]));
  }

 private:
  /// Gaussian / Maxwellian
  SHOAL_HD double factor(double x, double y, double z) const {
    const double* m = form;
    return std::exp(-(m[0] * x * x + m[1] * y * y + m[2] * z * z) / 2 - m[3] * x * y - m[4] * x * z - m[5] * y * z);
  }

  /// Sets the form from Λ/T − I, with (I + D)⁻¹ − I = −(I + D)⁻¹ D. Returns false if Λ is not positive.
  SHOAL_HD bool set_form(const double* d) {
    const double t[6] = {1 + d[0], 1 + d[1], 1 + d[2], d[3], d[4], d[5]};
    const double xx = t[1] * t[2] - t[5] * t[5], xy = t[4] * t[5] - t[3] * t[2], xz = t[3] * t[5] - t[1] * t[4];
    const double yy = t[0] * t[2] - t[4] * t[4], zz = t[0] * t[1] - t[3] * t[3], yz = t[3] * t[4] - t[0] * t[5];
    const double determinant = t[0] * xx + t[3] * xy + t[4] * xz;
    form[0] = -(xx * d[0] + xy * d[3] + xz * d[4]) / determinant;
    form[1] = -(xy * d[3] + yy * d[1] + yz * d[5]) / determinant;
    form[2] = -(xz * d[4] + yz * d[5] + zz * d[2]) / determinant;
    form[3] = -(xx * d[3] + xy * d[1] + xz * d[5]) / determinant;
    form[4] = -(xx * d[4] + xy * d[5] + xz * d[2]) / determinant;
    form[5] = -(xy * d[4] + yy * d[5] + yz * d[2]) / determinant;
    return t[0] > 0 && zz > 0 && determinant > 0;
  }

  SHOAL_HD void add_row(const NodeVelocities& nodes, const DiscreteMaxwellian& table, int y, int z,
                        double (&sum)[degree + 1][degree + 1][degree + 1]) const {
    const double cy = shape.scaled(nodes, 1, y), cz = shape.scaled(nodes, 2, z);
    double row[degree + 1] = {};
    for (int x = 0; x < nodes.n; ++x) {
      const double cx = shape.scaled(nodes, 0, x);
      double term = table.value(x, y, z) * factor(cx, cy, cz);
      for (int k = 0; k <= degree; ++k, term *= cx) row[k] += term;
    }
    double power_z = 1;
    for (int k = 0; k <= degree; ++k, power_z *= cz) {
      double power = power_z;
      for (int j = 0; j + k <= degree; ++j, power *= cy)
        for (int i = 0; i + j + k <= degree; ++i) sum[i][j][k] += row[i] * power;
    }
  }
};

}  // namespace shoal::gas
