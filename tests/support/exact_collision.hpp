// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision.hpp>

#include <cmath>
#include <numbers>
#include <vector>

namespace shoal::testing_support {

/// Evaluates a function of velocity at the nodes of a grid.
template <class Real, class Function>
std::vector<Real> at_nodes(const VelocityGrid& grid, Function function) {
  std::vector<Real> values;
  for (int z = 0; z < grid.nodes; ++z)
    for (int y = 0; y < grid.nodes; ++y)
      for (int x = 0; x < grid.nodes; ++x)
        values.push_back(static_cast<Real>(function(grid.velocity(0, x), grid.velocity(1, y), grid.velocity(2, z))));
  return values;
}

inline double gaussian(double c2, double temperature) {
  return std::exp(-c2 / (2 * temperature)) / std::pow(2 * std::numbers::pi * temperature, 1.5);
}

/// Exact solution of Bobylev (1975) and Krook and Wu (1976) for Maxwell molecules with n = 1, k T / m = 1 and
/// collision frequency 1: relaxation of an isotropic gas. K is 3/5 where f(0) = 0, then 1 − (2/5) exp(−t/6).
struct Bkw {
  double k = 0.66153;

  static Bkw at(double time) { return {1 - 0.4 * std::exp(-time / 6)}; }

  double f(double v2) const { return gaussian(v2, k) * ((5 * k - 3) / (2 * k) + (1 - k) * v2 / (2 * k * k)); }
  /// Rate ∂f/∂t = Q(f, f).
  double rate(double v2) const {
    const double x = v2 / k;
    return (1 - k) * (1 - k) / (6 * k * k) * gaussian(v2, k) * (x * x / 4 - 5 * x / 2 + 15. / 4);
  }
  /// Moment <v^(2s)> / (2s + 1)!!.
  double moment(int s) const { return std::pow(k, s - 1) * (s - (s - 1) * k); }

  template <class Real>
  std::vector<Real> on(const VelocityGrid& grid) const {
    return at_nodes<Real>(grid, [&](double x, double y, double z) { return f(x * x + y * y + z * z); });
  }
  template <class Real>
  std::vector<Real> rate_on(const VelocityGrid& grid) const {
    return at_nodes<Real>(grid, [&](double x, double y, double z) { return rate(x * x + y * y + z * z); });
  }
};

/// Two interpenetrating beams with n = 1 and mean velocity 0. For isotropic Maxwell molecules the stress decays as
/// d/dt <v_i v_j − δ_ij v²/3> = −(ν/2) <v_i v_j − δ_ij v²/3>, for any distribution.
struct BeamPair {
  double u[3] = {0.96, 0.72, 0};
  double temperature = 0.6;

  double f(double x, double y, double z) const {
    const double first = (x - u[0]) * (x - u[0]) + (y - u[1]) * (y - u[1]) + (z - u[2]) * (z - u[2]);
    const double second = (x + u[0]) * (x + u[0]) + (y + u[1]) * (y + u[1]) + (z + u[2]) * (z + u[2]);
    return (gaussian(first, temperature) + gaussian(second, temperature)) / 2;
  }
  /// Deviator <v_i v_j − δ_ij v²/3>.
  double deviator(int i, int j) const {
    const double u2 = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    return u[i] * u[j] - (i == j ? u2 / 3 : 0);
  }
  template <class Real>
  std::vector<Real> on(const VelocityGrid& grid) const {
    return at_nodes<Real>(grid, [&](double x, double y, double z) { return f(x, y, z); });
  }
};

/// Integral ∫ φ(v) values dv over a grid.
template <class Real, class Function>
double integral(const VelocityGrid& grid, const std::vector<Real>& values, Function phi) {
  const std::vector<double> weight = at_nodes<double>(grid, phi);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += weight[i] * static_cast<double>(values[i]);
  return sum * std::pow(grid.spacing(), 3);
}

/// Largest difference over the largest absolute value of `exact`.
template <class Real>
double relative_difference(const std::vector<Real>& values, const std::vector<Real>& exact) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    difference = std::max(difference, std::abs(static_cast<double>(values[i]) - static_cast<double>(exact[i])));
    size = std::max(size, std::abs(static_cast<double>(exact[i])));
  }
  return difference / size;
}

}  // namespace shoal::testing_support
