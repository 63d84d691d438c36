// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/shape.hpp>

#include <string>
#include <vector>

namespace shoal::sph {

/// A wall that moves by gravity and by the forces of the fluid. Its mass is spread evenly over its particles, each a
/// square or cube of the spacing, from which its center of mass and its inertia follow. Without Case::contact it passes
/// through other walls.
struct RigidBody {
  std::string wall{};                 ///< name of the wall
  double mass = 0;                    ///< kg; 2-D: kg/m
  Vector velocity{};                  ///< m/s, of the center of mass at t = 0
  Vector angular_velocity{};          ///< degrees/s at t = 0; along z in 2-D
  std::vector<Axis> locked_shifts{};  ///< axes along which the center of mass keeps its place
  std::vector<Axis> locked_turns{};   ///< axes about which the body does not turn
};

/// State of a rigid body between two steps.
struct RigidBodyState {
  Vector center{};                             ///< m, center of mass
  Vector velocity{};                           ///< m/s, of the center of mass
  std::array<double, 4> rotation{1, 0, 0, 0};  ///< unit quaternion, real part first: from the start to now
  Vector angular_momentum{};                   ///< kg m²/s about the center of mass (2-D: kg m/s)
  /// @name At the start of the previous step, for verlet
  /// @{
  Vector previous_velocity{};
  Vector previous_angular_momentum{};
  /// @}
};

}  // namespace shoal::sph
