// SPDX-License-Identifier: Apache-2.0
// Sizes of problems that several measurements share.
#pragma once
#include <shoal/collision.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "collision/setup/collision_setup.hpp"

namespace shoal::benchmarks {

constexpr double neighbors_per_point = 60;  ///< number far from the faces of the box
constexpr double unit_sphere = 4.0 / 3.0 * std::numbers::pi;

/// Radius that gives n uniform points in a unit cube so many neighbors.
inline double radius_of_uniform(std::int64_t n) {
  return std::cbrt(neighbors_per_point / (unit_sphere * static_cast<double>(n)));
}

/// Velocity grid for BKW. Fourier approaches need room for their cutoff.
inline VelocityGrid velocity_grid(CollisionApproach approach, int nodes) {
  return {nodes, collision::is_fourier(approach) ? 7.725 : 5.5, {}};
}

}  // namespace shoal::benchmarks
