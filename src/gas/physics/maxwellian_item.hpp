// SPDX-License-Identifier: Apache-2.0
// Discrete Maxwellian: the exponential of 1, v and v² whose sums over the nodes have given moments.
#pragma once
#include <shoal/item/host_device.hpp>

#include <cmath>

#include "collision/distribution/distribution_item.hpp"
#include "core/real.hpp"

namespace shoal::gas {

using collision::NodeVelocities;

inline constexpr int most_nodes = 128;  ///< Largest VelocityGrid::nodes.

/// Sums over the nodes of an axis, normalized by the first: c^k exp(β c − γ c²), k = 0 to 4.
struct AxisSums {
  double total, mean, second, third, fourth;

  SHOAL_HD static AxisSums weighted(const NodeVelocities& nodes, int axis, double velocity, double thermal, double beta,
                                    double gamma) {
    double sum[5] = {};
    for (int i = 0; i < nodes.n; ++i) {
      const double c = (nodes.velocity(axis, i) - velocity) / thermal;
      double term = std::exp(c * (beta - gamma * c));
      for (int k = 0; k < 5; ++k, term *= c) sum[k] += term;
    }
    return {sum[0], sum[1] / sum[0], sum[2] / sum[0], sum[3] / sum[0], sum[4] / sum[0]};
  }
};

/// Discrete Maxwellian as a product of one factor for each axis, which makes its sums products of sums over an axis.
///
///     M = amplitude Π_axis exp(β_axis c − γ c²),     c = (v − u) / √T
///
/// Its density, velocity and temperature, as sums over the nodes, are the given ones to rounding.
/// Source: Mieussens (2000).
struct DiscreteMaxwellian {
  double factor[3][most_nodes];  ///< factor of each node of each axis; the amplitude is part of the first
  double velocity[3];            ///< u, m/s
  double thermal;                ///< √T, m/s

  /// @return  false if the grid has no such Maxwellian: it is too coarse or too small for the state
  SHOAL_HD bool fit(const NodeVelocities& nodes, double density, const double* u, double temperature) {
    thermal = std::sqrt(temperature);
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = u[axis];
    double beta[3] = {}, gamma = 0.5;
    AxisSums sums[3];
    constexpr int most_iterations = 50;
    constexpr double rounding = 1e-13;
    double change = 1;
    for (int iteration = 0; !(change < rounding); ++iteration) {
      if (iteration == most_iterations) return false;
      for (int axis = 0; axis < 3; ++axis)
        sums[axis] = AxisSums::weighted(nodes, axis, u[axis], thermal, beta[axis], gamma);
      change = newton_step(sums, beta, gamma);
    }
    double amplitude = density / nodes.volume();
    for (int axis = 0; axis < 3; ++axis) {
      sums[axis] = AxisSums::weighted(nodes, axis, u[axis], thermal, beta[axis], gamma);
      amplitude /= sums[axis].total;
    }
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < nodes.n; ++i) {
        const double c = scaled(nodes, axis, i);
        factor[axis][i] = std::exp(c * (beta[axis] - gamma * c)) * (axis == 0 ? amplitude : 1);
      }
    return amplitude > 0 && std::isfinite(amplitude);
  }

  /// Sums over the nodes of c_x^x c_y^y c_z^z M, without the volume of a node.
  template <int Powers>
  struct Moments {
    double power[3][Powers] = {};
    SHOAL_HD double operator()(int x, int y, int z) const { return power[0][x] * power[1][y] * power[2][z]; }
  };
  template <int Powers>
  SHOAL_HD Moments<Powers> moments(const NodeVelocities& nodes) const {
    Moments<Powers> sums;
    for (int axis = 0; axis < 3; ++axis)
      for (int i = 0; i < nodes.n; ++i) {
        const double c = scaled(nodes, axis, i);
        double term = factor[axis][i];
        for (int k = 0; k < Powers; ++k, term *= c) sums.power[axis][k] += term;
      }
    return sums;
  }

  SHOAL_HD double value(int x, int y, int z) const { return factor[0][x] * (factor[1][y] * factor[2][z]); }

  /// c of a node with index i along an axis.
  SHOAL_HD double scaled(const NodeVelocities& nodes, int axis, int i) const {
    return (nodes.velocity(axis, i) - velocity[axis]) / thermal;
  }

 private:
  /// Newton step for three vanishing means of c and for a sum of 3 of the means of c². Returns the largest change.
  SHOAL_HD static double newton_step(const AxisSums* sums, double* beta, double& gamma) {
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

}  // namespace shoal::gas
