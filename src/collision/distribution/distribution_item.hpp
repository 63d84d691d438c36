// SPDX-License-Identifier: Apache-2.0
// What one node of a distribution adds to sums over the nodes, and what sums say.
#pragma once
#include <shoal/collision.hpp>
#include <shoal/item/host_device.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "collision/distribution/positive_definite_item.hpp"
#include "collision/setup/support_item.hpp"

namespace shoal {

/// Where the nodes of a grid are, for host and device.
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

  SHOAL_HD double at(int axis, int i) const { return center[axis] - half_width + (i + 0.5) * spacing; }
  SHOAL_HD std::int64_t count() const { return static_cast<std::int64_t>(n) * n * n; }
  SHOAL_HD double volume() const { return spacing * spacing * spacing; }
};

/// (1, v, v²) in `phi`.
SHOAL_HD void invariants(const double* v, double* phi) {
  phi[0] = 1;
  for (int axis = 0; axis < 3; ++axis) phi[axis + 1] = v[axis];
  phi[4] = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/// @name Terms: add(i, cell, v, sums) adds what node i, counted over all cells, of velocity v, brings to its cell's
/// sums.
/// @{

/// f, v f
template <class Real>
struct LowMoments {
  static constexpr int count = 4;
  const Real* f;

  SHOAL_HD void add(std::int64_t i, std::int64_t, const double* v, double* sums) const {
    const double here = f[i];
    sums[0] += here;
    for (int axis = 0; axis < 3; ++axis) sums[axis + 1] += here * v[axis];
  }
};

/// c c f: xx, yy, zz, xy, xz, yz; then c c²/2 f; c = v − u with u from low moments.
template <class Real>
struct HighMoments {
  static constexpr int count = 9;
  const Real* f;
  const double* low;  ///< [cells][4]

  SHOAL_HD void add(std::int64_t i, std::int64_t cell, const double* v, double* sums) const {
    const double here = f[i];
    const double* of_cell = low + 4 * cell;
    double c[3];
    for (int axis = 0; axis < 3; ++axis) c[axis] = v[axis] - of_cell[axis + 1] / of_cell[0];
    const double c2 = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int axis = 0; axis < 3; ++axis) {
      sums[axis] += here * c[axis] * c[axis];
      sums[axis + 6] += here * c[axis] * c2 / 2;
    }
    sums[3] += here * c[0] * c[1];
    sums[4] += here * c[0] * c[2];
    sums[5] += here * c[1] * c[2];
  }
};

/// c², c⁴, ..., c¹⁰ times f of a cell, c = v − u.
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

/// −weight ln f; null for weight: f itself. Where f is 0 nothing is added.
template <class Real>
struct EntropyTerm {
  static constexpr int count = 1;
  const Real* f;
  const Real* weight;

  SHOAL_HD void add(std::int64_t i, std::int64_t, const double*, double* sums) const {
    const double here = f[i];
    if (here != 0) sums[0] -= (weight != nullptr ? static_cast<double>(weight[i]) : here) * std::log(here);
  }
};

/// (1, v, v²) q, and |q|, |v q|, v² |q|.
template <class Real>
struct DefectTerms {
  static constexpr int count = 8;
  const Real* q;

  SHOAL_HD void add(std::int64_t i, std::int64_t, const double* v, double* sums) const {
    const double here = q[i], size = here < 0 ? -here : here;
    double phi[5];
    invariants(v, phi);
    for (int k = 0; k < 5; ++k) sums[k] += here * phi[k];
    sums[5] += size;
    sums[6] += size * std::sqrt(phi[4]);
    sums[7] += size * phi[4];
  }
};

/// f in the outermost layer of nodes that take part, and beyond it; and everywhere.
template <class Real>
struct EdgeTerms {
  static constexpr int count = 2;
  const Real* f;
  VelocitySupport support;

  SHOAL_HD void add(std::int64_t i, std::int64_t, const double*, double* sums) const {
    const double here = f[i];
    const int n = support.n, last = n - 1;
    const int x = static_cast<int>(i % n), y = static_cast<int>(i / n % n), z = static_cast<int>(i / n / n % n);
    const int u[3] = {support.at(x), support.at(y), support.at(z)};
    const bool outer = support.is_box() ? x == 0 || y == 0 || z == 0 || x == last || y == last || z == last
                                        : support.dot(u, u) > (n - 2) * (n - 2);
    if (outer) sums[0] += here;
    sums[1] += here;
  }
};

/// The system for the change that brings mass, momentum and energy of q to zero: five by five, then five right sides.
template <class Real>
struct ProjectionTerms {
  static constexpr int count = 30;
  NodeVelocities nodes;
  VelocitySupport support;
  const Real* q;
  const Real* weight;  ///< null: 1

  /// In units of the box, so that the system is well scaled.
  SHOAL_HD void scaled(const double* v, double* phi) const {
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
    scaled(v, phi);
    const double w = weight_at(i);
    for (int a = 0; a < 5; ++a) {
      for (int b = 0; b < 5; ++b) sums[a * 5 + b] += w * phi[a] * phi[b];
      sums[25 + a] -= static_cast<double>(q[i]) * phi[a];
    }
  }
  /// Solves a cell's system in place: the solution is in its last five numbers; zeros where there is no gas.
  SHOAL_HD void solve(double* system) const {
    if (solve_positive_definite(system, system + 25, 5)) return;
    for (int k = 0; k < 5; ++k) system[25 + k] = 0;
  }
  /// What is added to q, with a system that was solved.
  SHOAL_HD double change(std::int64_t i, const double* v, const double* solved) const {
    double phi[5], sum = 0;
    scaled(v, phi);
    for (int k = 0; k < 5; ++k) sum += solved[25 + k] * phi[k];
    return weight_at(i) * sum;
  }
};

/// @}

/// The Maxwellian of a gas.
struct GasState {
  double density;
  double velocity[3];
  double temperature;

  /// From sums of low and high moments.
  SHOAL_HD static GasState of(const double* low, const double* high) {
    return {low[0], {low[1] / low[0], low[2] / low[0], low[3] / low[0]}, (high[0] + high[1] + high[2]) / (3 * low[0])};
  }
  SHOAL_HD bool is_gas() const { return density > 0 && temperature > 0; }

  SHOAL_HD double at(const double* v) const {
    double c2 = 0;
    for (int axis = 0; axis < 3; ++axis) c2 += (v[axis] - velocity[axis]) * (v[axis] - velocity[axis]);
    return density / std::pow(2 * std::numbers::pi * temperature, 1.5) * std::exp(-c2 / (2 * temperature));
  }

  /// Its share along an axis of the product M M₁ for density 1 of pairs with the center at c, relative to u:
  /// M M₁ = exp(−(c² + c₁²) / 2T) / (2π T)³ with c² + c₁² = 2 |center − u|² + |V|²/2.
  SHOAL_HD double pair_share(int axis, double center) const {
    const double c = center - velocity[axis];
    return std::exp(-c * c / temperature) / (2 * std::numbers::pi * temperature);
  }
  /// The share of the distance between them.
  SHOAL_HD double distance_share(double distance2) const { return std::exp(-distance2 / (4 * temperature)); }
};

}  // namespace shoal
