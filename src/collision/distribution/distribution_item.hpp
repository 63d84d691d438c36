// SPDX-License-Identifier: Apache-2.0
// Contribution of one node of a distribution to sums over the nodes, and quantities that follow from the sums.
#pragma once
#include <shoal/collision.hpp>
#include <shoal/item/host_device.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "collision/distribution/positive_definite_item.hpp"
#include "collision/setup/support_item.hpp"

namespace shoal::collision {

/// Velocities of the nodes of a grid, for host and device.
struct NodeVelocities {
  int n;
  double center[3];
  double half_width;
  double spacing;

  explicit NodeVelocities(const VelocityGrid& grid)
      : n(grid.nodes),
        center{grid.center[0], grid.center[1], grid.center[2]},
        half_width(grid.half_width),
        spacing(grid.spacing()) {}

  /// Velocity component of the nodes with index i along an axis.
  SHOAL_HD double velocity(int axis, int i) const { return center[axis] - half_width + (i + 0.5) * spacing; }
  SHOAL_HD std::int64_t count() const { return static_cast<std::int64_t>(n) * n * n; }
  SHOAL_HD double volume() const { return spacing * spacing * spacing; }
};

/// Collision invariants (1, v, v²).
/// @param phi  [5] overwritten
SHOAL_HD void invariants(const double* v, double* phi) {
  phi[0] = 1;
  for (int axis = 0; axis < 3; ++axis) phi[axis + 1] = v[axis];
  phi[4] = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/// @name Terms of sums: add(i, cell, v, sums) adds the contribution of node i, counted over all cells, with velocity v
/// to the `count` sums of its cell.
/// @{

/// Terms f, v f.
template <class Real>
struct LowMoments {
  static constexpr int count = 4;
  const Real* f;

  SHOAL_HD void add(std::int64_t i, std::int64_t, const double* v, double* sums) const {
    const double value = f[i];
    sums[0] += value;
    for (int axis = 0; axis < 3; ++axis) sums[axis + 1] += value * v[axis];
  }
};

/// Terms c c f (xx, yy, zz, xy, xz, yz), then c c²/2 f, with c = v − u and u from the low moments.
template <class Real>
struct HighMoments {
  static constexpr int count = 9;
  const Real* f;
  const double* low;  ///< [cells][4] sums of LowMoments

  SHOAL_HD void add(std::int64_t i, std::int64_t cell, const double* v, double* sums) const {
    const double value = f[i];
    const double* cell_low = low + 4 * cell;
    double c[3];
    for (int axis = 0; axis < 3; ++axis) c[axis] = v[axis] - cell_low[axis + 1] / cell_low[0];
    const double c2 = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int axis = 0; axis < 3; ++axis) {
      sums[axis] += value * c[axis] * c[axis];
      sums[axis + 6] += value * c[axis] * c2 / 2;
    }
    sums[3] += value * c[0] * c[1];
    sums[4] += value * c[0] * c[2];
    sums[5] += value * c[1] * c[2];
  }
};

/// Terms c² f, c⁴ f, ..., c¹⁰ f of one cell, with c = v − u.
template <class Real>
struct EvenTerms {
  static constexpr int count = 5;
  const Real* f;
  double velocity[3];  ///< u

  SHOAL_HD void add(std::int64_t i, std::int64_t, const double* v, double* sums) const {
    double c2 = 0;
    for (int axis = 0; axis < 3; ++axis) c2 += (v[axis] - velocity[axis]) * (v[axis] - velocity[axis]);
    double term = f[i];
    for (int k = 0; k < count; ++k) sums[k] += term *= c2;
  }
};

/// Term −weight ln f, 0 where f is 0.
template <class Real>
struct EntropyTerm {
  static constexpr int count = 1;
  const Real* f;
  const Real* weight;  ///< null: f itself

  SHOAL_HD void add(std::int64_t i, std::int64_t, const double*, double* sums) const {
    const double value = f[i];
    if (value != 0) sums[0] -= (weight != nullptr ? static_cast<double>(weight[i]) : value) * std::log(value);
  }
};

/// Terms (1, v, v²) q, then |q|, |v q|, v² |q|.
template <class Real>
struct DefectTerms {
  static constexpr int count = 8;
  const Real* q;

  SHOAL_HD void add(std::int64_t i, std::int64_t, const double* v, double* sums) const {
    const double value = q[i], size = value < 0 ? -value : value;
    double phi[5];
    invariants(v, phi);
    for (int k = 0; k < 5; ++k) sums[k] += value * phi[k];
    sums[5] += size;
    sums[6] += size * std::sqrt(phi[4]);
    sums[7] += size * phi[4];
  }
};

/// Terms f in the outermost layer of the support and beyond it, then f everywhere.
template <class Real>
struct EdgeTerms {
  static constexpr int count = 2;
  const Real* f;
  VelocitySupport support;

  SHOAL_HD void add(std::int64_t i, std::int64_t, const double*, double* sums) const {
    const double value = f[i];
    const int n = support.n, last = n - 1;
    const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n), z = static_cast<int>(i / n / n % n);
    const int u[3] = {support.coordinate(x), support.coordinate(y), support.coordinate(z)};
    const bool outer = support.is_box() ? x == 0 || y == 0 || z == 0 || x == last || y == last || z == last
                                        : support.dot(u, u) > (n - 2) * (n - 2);
    if (outer) sums[0] += value;
    sums[1] += value;
  }
};

/// Linear system for the change of q that brings its mass, momentum and energy to zero: a 5 × 5 matrix, then the right
/// side.
template <class Real>
struct ProjectionTerms {
  static constexpr int count = 30;
  NodeVelocities nodes;
  VelocitySupport support;
  const Real* q;
  const Real* weight;  ///< null: 1

  /// Invariants in units of the half width, so that the system is well scaled.
  SHOAL_HD void scaled_invariants(const double* v, double* phi) const {
    double w[3];
    for (int axis = 0; axis < 3; ++axis) w[axis] = (v[axis] - nodes.center[axis]) / nodes.half_width;
    invariants(w, phi);
  }
  SHOAL_HD double weight_at(std::int64_t i) const {
    if (!support.has(i)) return 0;
    return weight != nullptr ? static_cast<double>(weight[i]) : 1;
  }

  SHOAL_HD void add(std::int64_t i, std::int64_t, const double* v, double* sums) const {
    double phi[5];
    scaled_invariants(v, phi);
    const double w = weight_at(i);
    for (int a = 0; a < 5; ++a) {
      for (int b = 0; b < 5; ++b) sums[a * 5 + b] += w * phi[a] * phi[b];
      sums[25 + a] -= static_cast<double>(q[i]) * phi[a];
    }
  }
  /// Solves a cell's system in place. The solution replaces the right side; it is 0 where there is no gas.
  SHOAL_HD void solve(double* system) const {
    if (solve_positive_definite(system, system + 25, 5)) return;
    for (int k = 0; k < 5; ++k) system[25 + k] = 0;
  }
  /// Change of q at a node.
  /// @param solved  system after solve()
  SHOAL_HD double change(std::int64_t i, const double* v, const double* solved) const {
    double phi[5], sum = 0;
    scaled_invariants(v, phi);
    for (int k = 0; k < 5; ++k) sum += solved[25 + k] * phi[k];
    return weight_at(i) * sum;
  }
};

/// @}

/// Density, mean velocity and temperature of a gas, and its Maxwellian.
struct GasState {
  double density;
  double velocity[3];
  double temperature;

  /// @param low   [4] sums of LowMoments
  /// @param high  [9] sums of HighMoments
  SHOAL_HD static GasState from_moments(const double* low, const double* high) {
    return {low[0], {low[1] / low[0], low[2] / low[0], low[3] / low[0]}, (high[0] + high[1] + high[2]) / (3 * low[0])};
  }
  SHOAL_HD bool is_gas() const { return density > 0 && temperature > 0; }

  /// Maxwellian M(v).
  SHOAL_HD double maxwellian(const double* v) const {
    double c2 = 0;
    for (int axis = 0; axis < 3; ++axis) c2 += (v[axis] - velocity[axis]) * (v[axis] - velocity[axis]);
    return density / std::pow(2 * std::numbers::pi * temperature, 1.5) * std::exp(-c2 / (2 * temperature));
  }

  /// Factor of the product M M₁ of a pair that depends on one component of the pair's center, for density 1:
  /// M M₁ = exp(−(c² + c₁²) / 2T) / (2π T)³ with c² + c₁² = 2 |center − u|² + |V|²/2.
  SHOAL_HD double center_factor(int axis, double center) const {
    const double c = center - velocity[axis];
    return std::exp(-c * c / temperature) / (2 * std::numbers::pi * temperature);
  }
  /// Factor of M M₁ that depends on the distance |V| of the pair.
  SHOAL_HD double distance_factor(double distance2) const { return std::exp(-distance2 / (4 * temperature)); }
};

}  // namespace shoal::collision
