// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

#include <cmath>
#include <limits>

namespace shoal::gas {

/// Collision frequency of the molecules of a cell,
///
///     ν(v) = rate (|v − u|² + 3 T)^(power/2)
///
/// Models have power 0. For molecules with |V| σ_T ~ |V|^power this is the smallest bound of ∫ f(v₁) |V| σ_T dv₁ that
/// density, velocity and temperature give, by Jensen's inequality: 1.09 times the frequency of hard spheres at v = u, and
/// less than that for faster molecules. Nodes outside of the ball of velocities that collide have ν = 0: a sweep then takes
/// their molecules along the whole line, where a ν would hold them back in each cell.
struct NodeFrequency {
  double rate = 0;
  double velocity[3] = {};                                       ///< u, m/s
  double square = 1;                                             ///< 3 T, m²/s²
  double power = 0;                                              ///< 0 to 1
  double center[3] = {};                                         ///< m/s, of the ball
  double ball_square = std::numeric_limits<double>::infinity();  ///< m²/s², radius² of the ball

  SHOAL_HD double at(double x, double y, double z) const {
    const double bx = x - center[0], by = y - center[1], bz = z - center[2];
    if (bx * bx + by * by + bz * bz > ball_square) return 0;
    return bound_at(x, y, z);
  }

  /// The same without the ball.
  SHOAL_HD double bound_at(double x, double y, double z) const {
    if (power == 0) return rate;
    const double cx = x - velocity[0], cy = y - velocity[1], cz = z - velocity[2];
    const double mean_square = cx * cx + cy * cy + cz * cz + square;
    return rate * (power == 1 ? std::sqrt(mean_square) : std::pow(mean_square, power / 2));
  }
};

}  // namespace shoal::gas
