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
  double inverse_share = 0;  ///< share of inverse_collision_factor(); 0: no inverse collisions
  double inverse_most = 20;  ///< largest inverse_collision_factor()

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

/// Smallest f after an iteration / f before it, or without acceleration, where there are inverse collisions: they are
/// discontinuous where f becomes 0.
inline constexpr double least_share_with_inverse_collisions = 0.1;

/// Factor of ν of sweeps at a node where inverse collisions take gas from it, from the six neighbors in velocity:
///
///     min(1 + share Σ max(0, f(neighbor) / f − 1), most)
///
/// An inverse collision takes the share w of Π f^w from a node of its stencil, so that the loss there changes with f as w² Π / f. Where
/// neighbors have far more gas, that is far above the collision frequency. With a smaller ν f would jump between little and much
/// in each iteration.
/// @param f  f of the cell at the node (x, y, z); that of neighbors is read
template <class Real>
SHOAL_HD Real inverse_collision_factor(Real share, Real most, const Real* f, int x, int y, int z, int n) {
  const Real center = *f;
  Real sum = 0;
  const auto add = [&](Real neighbor) {
    if (neighbor > center) sum += share * (neighbor - center);
  };
  if (x > 0) add(f[-1]);
  if (x + 1 < n) add(f[1]);
  if (y > 0) add(f[-n]);
  if (y + 1 < n) add(f[n]);
  if (z > 0) add(f[-n * n]);
  if (z + 1 < n) add(f[n * n]);
  return sum < (most - 1) * center ? 1 + sum / center : most;  // f may be 0
}

}  // namespace shoal::gas
