// SPDX-License-Identifier: Apache-2.0
// Discrete Maxwellian: the exponential of 1, v and v² whose sums over the nodes have given moments.
#pragma once
#include <shoal/item/host_device.hpp>

#include <cmath>

#include "collision/distribution/distribution_item.hpp"
#include "core/real.hpp"
#include "gas/physics/team.hpp"

namespace shoal::gas {

using collision::NodeVelocities;

inline constexpr int most_nodes = 128;  ///< Largest VelocityGrid::nodes.

/// Sums over the nodes of an axis, normalized by the first: c^k exp(β c − γ c²), k = 0 to 4.
struct AxisSums {
  double total, mean, second, third, fourth;
};

/// Parameters of a discrete Maxwellian,
///
///     M = amplitude Π_axis exp(β_axis c − γ c²),     c = (v − u) / √T
///
/// a product of one factor for each axis, which makes its sums products of sums over an axis. Its density, velocity and
/// temperature, as sums over the nodes, are the given ones to rounding.
/// Source: Mieussens (2000).
struct MaxwellianShape {
  double velocity[3];  ///< u, m/s
  double thermal;      ///< √T, m/s
  double beta[3];
  double gamma;
  double amplitude;  ///< s³ m⁻⁶

  /// @return  false if the grid has no such Maxwellian: it is too coarse or too small for the state
  template <class Team>
  SHOAL_HD bool fit(const Team& team, const NodeVelocities& nodes, double density, const double* u,
                    double temperature) {
    thermal = std::sqrt(temperature);
    gamma = 0.5;
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = u[axis], beta[axis] = 0;
    AxisSums sums[3];
    constexpr int most_iterations = 50;
    constexpr double rounding = 1e-13;
    double change = 1;
    for (int iteration = 0; !(change < rounding); ++iteration) {
      if (iteration == most_iterations) return false;
      add_axes(team, nodes, sums);
      change = newton_step(sums);
    }
    add_axes(team, nodes, sums);
    amplitude = density / nodes.volume();
    for (int axis = 0; axis < 3; ++axis) amplitude /= sums[axis].total;
    return amplitude > 0 && std::isfinite(amplitude);
  }

  /// c of a node with index i along an axis.
  SHOAL_HD double scaled(const NodeVelocities& nodes, int axis, int i) const {
    return (nodes.velocity(axis, i) - velocity[axis]) / thermal;
  }
  /// Factor of the nodes with index i along an axis; that of the first axis contains the amplitude.
  SHOAL_HD double factor(const NodeVelocities& nodes, int axis, int i) const {
    const double c = scaled(nodes, axis, i);
    return std::exp(c * (beta[axis] - gamma * c)) * (axis == 0 ? amplitude : 1);
  }

  /// Sums over the nodes of c_x^x c_y^y c_z^z M, without the volume of a node.
  template <int Powers>
  struct Moments {
    double power[3][Powers] = {};
    SHOAL_HD double operator()(int x, int y, int z) const { return power[0][x] * power[1][y] * power[2][z]; }
  };
  template <int Powers, class Team>
  SHOAL_HD Moments<Powers> moments(const Team& team, const NodeVelocities& nodes) const {
    Moments<Powers> sums;
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = team.first(); i < nodes.n; i += team.stride()) {
        const double c = scaled(nodes, axis, i);
        double term = factor(nodes, axis, i);
        for (int k = 0; k < Powers; ++k, term *= c) sums.power[axis][k] += term;
      }
      team.sum(sums.power[axis], Powers);
    }
    return sums;
  }

 private:
  template <class Team>
  SHOAL_HD void add_axes(const Team& team, const NodeVelocities& nodes, AxisSums* sums) const {
    double sum[3][5] = {};
    for (int axis = 0; axis < 3; ++axis)
      for (int i = team.first(); i < nodes.n; i += team.stride()) {
        const double c = scaled(nodes, axis, i);
        double term = std::exp(c * (beta[axis] - gamma * c));
        for (int k = 0; k < 5; ++k, term *= c) sum[axis][k] += term;
      }
    team.sum(sum[0], 15);
    for (int axis = 0; axis < 3; ++axis) {
      const double* s = sum[axis];
      sums[axis] = {s[0], s[1] / s[0], s[2] / s[0], s[3] / s[0], s[4] / s[0]};
    }
  }

  /// Newton step for three vanishing means of c and for a sum of 3 of the means of c². Returns the largest change.
  SHOAL_HD double newton_step(const AxisSums* sums) {
    double left = 0, right = 3;
    for (int axis = 0; axis < 3; ++axis) {
      const AxisSums& s = sums[axis];
      const double variance = s.second - s.mean * s.mean, covariance = s.third - s.mean * s.second;
      left += covariance * covariance / variance - (s.fourth - s.second * s.second);
      right += covariance * s.mean / variance - s.second;
    }
    const double gamma_change = right / left;
    double largest = magnitude_of(gamma_change);
    for (int axis = 0; axis < 3; ++axis) {
      const AxisSums& s = sums[axis];
      const double variance = s.second - s.mean * s.mean, covariance = s.third - s.mean * s.second;
      const double beta_change = (covariance * gamma_change - s.mean) / variance;
      beta[axis] += beta_change;
      largest = max(largest, magnitude_of(beta_change));
      if (!(magnitude_of(beta_change) < 1e300)) largest = beta_change;  // NaN does not end the iteration
    }
    gamma += gamma_change;
    return largest;
  }
  SHOAL_HD static double magnitude_of(double value) { return value < 0 ? -value : value; }
};

/// Discrete Maxwellian as a table of its factors.
struct DiscreteMaxwellian {
  double factor[3][most_nodes];  ///< Factor of each node of each axis; the amplitude is part of the first.

  template <class Team>
  SHOAL_HD void fill(const Team& team, const NodeVelocities& nodes, const MaxwellianShape& shape) {
    for (int axis = 0; axis < 3; ++axis)
      for (int i = team.first(); i < nodes.n; i += team.stride()) factor[axis][i] = shape.factor(nodes, axis, i);
    team.sync();
  }
  /// @return  false if the grid has no such Maxwellian
  bool fit(const NodeVelocities& nodes, double density, const double* u, double temperature) {
    MaxwellianShape shape;
    if (!shape.fit(SerialTeam(), nodes, density, u, temperature)) return false;
    fill(SerialTeam(), nodes, shape);
    return true;
  }
  SHOAL_HD double value(int x, int y, int z) const { return factor[0][x] * (factor[1][y] * factor[2][z]); }
};

}  // namespace shoal::gas
