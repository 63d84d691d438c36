// SPDX-License-Identifier: Apache-2.0
// Motion of a rigid body through the stages of an integrator, in double precision on the host.
//
//     dX/dt = V,   dV/dt = F/M + g,   dL/dt = T,   ω = J⁻¹ L,   J = R I Rᵀ
//
// The state keeps L, not ω, so that a body without moment T keeps its angular momentum to the last bit. A locked axis
// takes part in none of these: its components of V and L stay, and J is restricted to the free axes.
#pragma once
#include <shoal/sph/rigid_body.hpp>

#include <vector>

#include "core/motion_item.hpp"
#include "sph/physics/integrator_item.hpp"

namespace shoal::sph {

using Matrix = std::array<Vector, 3>;  ///< rows

struct BodyParameters {
  int movement = 0;                       ///< index of its wall among the moving ones
  double mass = 0;                        ///< kg
  Vector center{};                        ///< m from the origin of the lattice, before it moved
  Vector origin{};                        ///< m, origin of the lattice
  Matrix inertia{};                       ///< kg m² about the center, before it turned
  Vector gravity{};                       ///< m/s²
  std::array<bool, 3> shifts{}, turns{};  ///< free axes
  RigidBodyState start{};
};

/// A particle of a body in the arrays of a step.
struct BodyParticle {
  std::int64_t particle;
  std::size_t body;
};

/// Force on a body, and its moment about the center of mass.
struct BodyLoad {
  Vector force{};   ///< N
  Vector moment{};  ///< N m
};

/// A body after a stage.
struct BodyStage {
  RigidBodyState state;
  Vector turn{};  ///< rotation vector since the start of the step

  BodyStage(const RigidBodyState& state_) : state(state_) {}
};

/// Index of the body with this index among the moving walls; −1: there is none.
inline int body_of(const std::vector<BodyParameters>& bodies, int movement) {
  for (std::size_t k = 0; k < bodies.size(); ++k)
    if (bodies[k].movement == movement) return static_cast<int>(k);
  return -1;
}

/// Rotation matrix of a unit quaternion.
Matrix rotation_matrix(const std::array<double, 4>& q);

/// ω of a state, rad/s.
Vector angular_velocity(const BodyParameters& body, const RigidBodyState& state);

/// L of a body with the orientation of its start, kg m²/s.
Vector start_momentum(const BodyParameters& body, const Vector& angular_velocity);

/// Vector from the center of mass to a point of the body, m.
/// @param initial  m from the origin of the lattice, before the body moved
Vector arm(const BodyParameters& body, const RigidBodyState& state, const Vector& initial);

/// A body after a stage. Its turn in a step is one rotation, by the vector that the integrator makes of ω: of second
/// order in dt.
/// @param before  at the start of the step
/// @param now     at the start of the stage
BodyStage advanced(const BodyParameters& body, const StageStep<double>& step, const RigidBodyState& before,
                   const BodyStage& now, const BodyLoad& load);

/// Position and velocity as maps of initial positions. The acceleration is 0, because no treatment of walls that carries
/// bodies asks for it.
template <int dimensions>
motion::Pose<dimensions> pose_of(const BodyParameters& body, const RigidBodyState& state) {
  const Matrix rotation = rotation_matrix(state.rotation);
  const Vector w = angular_velocity(body, state);
  const Matrix spin{{{0, -w[2], w[1]}, {w[2], 0, -w[0]}, {-w[1], w[0], 0}}};
  motion::Pose<dimensions> pose{};
  for (int row = 0; row < dimensions; ++row) {
    pose.position.shift[row] = state.center[row] - body.origin[row];
    pose.velocity.shift[row] = state.velocity[row];
    for (int column = 0; column < dimensions; ++column) {
      double rate = 0;
      for (int k = 0; k < 3; ++k) rate += spin[row][k] * rotation[k][column];
      pose.position.matrix[row][column] = rotation[row][column];
      pose.velocity.matrix[row][column] = rate;
      pose.position.shift[row] -= rotation[row][column] * body.center[column];
      pose.velocity.shift[row] -= rate * body.center[column];
    }
  }
  return pose;
}

}  // namespace shoal::sph
