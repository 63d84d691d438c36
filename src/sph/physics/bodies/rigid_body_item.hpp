// SPDX-License-Identifier: Apache-2.0
// Motion of a rigid body through the stages of an integrator, in double precision on every device.
//
//     dX/dt = V,   dV/dt = F/M + g,   dL/dt = T,   ω = J⁻¹ L,   J = R I Rᵀ
//
// The state keeps L, not ω, so that a body without moment T keeps its angular momentum to the last bit. A locked axis
// takes part in none of these: its components of V and L stay, and J is restricted to the free axes.
#pragma once
#include <shoal/sph/rigid_body.hpp>

#include <bit>
#include <cmath>

#include "core/motion_item.hpp"
#include "core/vector3_item.hpp"
#include "sph/physics/steps/integrator_item.hpp"

namespace shoal::sph {

/// Unit quaternion, real part first.
struct Quaternion {
  double part[4];
};

/// The members of RigidBodyState as types that have functions on every device.
struct BodyState {
  Vector3 center;
  Vector3 velocity;
  Quaternion rotation;
  Vector3 angular_momentum;
  Vector3 previous_velocity;
  Vector3 previous_angular_momentum;
};
static_assert(sizeof(BodyState) == sizeof(RigidBodyState));

inline BodyState to_body_state(const RigidBodyState& state) { return std::bit_cast<BodyState>(state); }
inline RigidBodyState to_rigid_body_state(const BodyState& state) { return std::bit_cast<RigidBodyState>(state); }

/// Force on a body, and its moment about the center of mass.
struct BodyLoad {
  Vector3 force;   ///< N
  Vector3 moment;  ///< N m
};

/// Control of a body by a program.
struct BodyControl {
  bool is_driven = false;  ///< it moves with the velocities below, whatever acts on it
  Vector3 velocity{};      ///< m/s, of the center of mass
  Vector3 rate{};          ///< rad/s
  BodyLoad push{};         ///< beside the loads by the fluid, springs and contact
};

struct BodyParameters {
  int movement = 0;                    ///< index of its wall among the moving ones
  double mass = 0;                     ///< kg
  Vector3 center{};                    ///< m from the origin of the lattice, before it moved
  Vector3 origin{};                    ///< m, origin of the lattice
  Matrix3 inertia{};                   ///< kg m² about the center, before it turned
  Vector3 gravity{};                   ///< m/s²
  bool shifts[3] = {}, turns[3] = {};  ///< free axes
  BodyState start{};
  BodyControl control{};
};

/// A body after a stage.
struct BodyStage {
  BodyState state;
  Vector3 turn;  ///< rotation vector since the start of the step
};

/// Index of the body with this index among the moving walls; −1: there is none.
SHOAL_HD int body_of(const BodyParameters* bodies, int count, int movement) {
  for (int k = 0; k < count; ++k)
    if (bodies[k].movement == movement) return k;
  return -1;
}

SHOAL_HD Matrix3 rotation_matrix(const Quaternion& rotation) {
  const double w = rotation.part[0], x = rotation.part[1], y = rotation.part[2], z = rotation.part[3];
  return {{{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)}},
           {{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)}},
           {{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}}};
}

/// J = R I Rᵀ, restricted to the free axes: a locked one has a row and column of the identity.
SHOAL_HD Matrix3 free_inertia(const BodyParameters& body, const Quaternion& orientation) {
  const Matrix3 rotation = rotation_matrix(orientation);
  Matrix3 inertia{};
  for (int row = 0; row < 3; ++row) {
    const Vector3 turned = product(body.inertia, rotation[row]);
    for (int column = 0; column < 3; ++column)
      inertia[row][column] =
          body.turns[row] && body.turns[column] ? dot(turned, rotation[column]) : static_cast<double>(row == column);
  }
  return inertia;
}

/// ω of a state, rad/s.
SHOAL_HD Vector3 angular_velocity(const BodyParameters& body, const BodyState& state) {
  return solve_symmetric(free_inertia(body, state.rotation), state.angular_momentum);
}

/// L of a body with the orientation of its start, kg m²/s.
SHOAL_HD Vector3 start_momentum(const BodyParameters& body, const Vector3& angular_velocity) {
  return product(free_inertia(body, {{1, 0, 0, 0}}), angular_velocity);
}

/// Vector from the center of mass to a point of the body, m.
/// @param initial  m from the origin of the lattice, before the body moved
SHOAL_HD Vector3 arm(const BodyParameters& body, const BodyState& state, const Vector3& initial) {
  return product(rotation_matrix(state.rotation),
                 {{initial[0] - body.center[0], initial[1] - body.center[1], initial[2] - body.center[2]}});
}

/// The orientation after a turn by a rotation vector.
SHOAL_HD Quaternion turned(const Quaternion& rotation, const Vector3& turn) {
  const double* const q = rotation.part;
  const double angle = std::sqrt(dot(turn, turn));
  const double real = std::cos(angle / 2), scale = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
  const Vector3 imaginary{{scale * turn[0], scale * turn[1], scale * turn[2]}}, part{{q[1], q[2], q[3]}};
  const Vector3 mixed = cross(imaginary, part);
  Quaternion result{{real * q[0] - dot(imaginary, part)}};
  for (int k = 0; k < 3; ++k) result.part[k + 1] = real * part[k] + q[0] * imaginary[k] + mixed[k];
  double norm = 0;
  for (const double component : result.part) norm += component * component;
  for (double& component : result.part) component /= std::sqrt(norm);
  return result;
}

/// Turn since the start of the step: by the midpoint for symplectic, whose last stage has no later ω.
SHOAL_HD double turn_along(const StageStep<double>& step, double so_far, double rate, double acceleration) {
  if (step.integrator == Integrator::symplectic) return step.weight * step.dt * rate;
  return step.displacement(so_far, rate, rate, rate, acceleration);
}

/// A body after a stage. Its turn in a step is one rotation, by the vector that the integrator makes of ω: of second
/// order in dt.
/// @param before  at the start of the step
/// @param now     at the start of the stage
SHOAL_HD BodyStage advanced(const BodyParameters& body, const StageStep<double>& step, const BodyState& before,
                            const BodyStage& now, const BodyLoad& load) {
  const Vector3 rate = angular_velocity(body, now.state);
  Vector3 moment{};
  BodyStage next = now;
  for (int axis = 0; axis < 3; ++axis) {
    if (body.turns[axis]) moment[axis] = load.moment[axis];
    next.state.angular_momentum[axis] =
        step.blend(before.angular_momentum[axis], before.previous_angular_momentum[axis],
                   now.state.angular_momentum[axis], moment[axis]);
    if (!body.shifts[axis]) continue;
    const double acceleration = load.force[axis] / body.mass + body.gravity[axis];
    const double velocity =
        step.blend(before.velocity[axis], before.previous_velocity[axis], now.state.velocity[axis], acceleration);
    next.state.velocity[axis] = velocity;
    next.state.center[axis] =
        before.center[axis] + step.displacement(now.state.center[axis] - before.center[axis], before.velocity[axis],
                                                now.state.velocity[axis], velocity, acceleration);
  }
  // dω/dt = J⁻¹ (T − ω × L): the part that the turning of the body has in it.
  const Vector3 gyration = cross(rate, now.state.angular_momentum);
  Vector3 drive{};
  for (int axis = 0; axis < 3; ++axis)
    if (body.turns[axis]) drive[axis] = moment[axis] - gyration[axis];
  const Vector3 acceleration = solve_symmetric(free_inertia(body, now.state.rotation), drive);
  for (int axis = 0; axis < 3; ++axis)
    next.turn[axis] = turn_along(step, now.turn[axis], rate[axis], acceleration[axis]);
  next.state.rotation = turned(before.rotation, next.turn);
  next.state.previous_velocity = before.velocity;
  next.state.previous_angular_momentum = before.angular_momentum;
  return next;
}

/// A driven body after a stage. Its angular momentum follows its rate.
/// @param before  at the start of the step
/// @param now     at the start of the stage
SHOAL_HD BodyStage driven(const BodyParameters& body, const StageStep<double>& step, const BodyState& before,
                          const BodyStage& now) {
  const Vector3 &velocity = body.control.velocity, &rate = body.control.rate;
  BodyStage next = now;
  for (int axis = 0; axis < 3; ++axis) {
    const double so_far = now.state.center[axis] - before.center[axis];
    next.state.center[axis] =
        before.center[axis] + step.displacement(so_far, velocity[axis], velocity[axis], velocity[axis], 0);
    next.turn[axis] = turn_along(step, now.turn[axis], rate[axis], 0);
  }
  next.state.velocity = velocity;
  next.state.rotation = turned(before.rotation, next.turn);
  next.state.angular_momentum = product(free_inertia(body, next.state.rotation), rate);
  next.state.previous_velocity = before.velocity;
  next.state.previous_angular_momentum = before.angular_momentum;
  return next;
}

/// A body after a stage, as its control has it.
SHOAL_HD BodyStage moved(const BodyParameters& body, const StageStep<double>& step, const BodyState& before,
                         const BodyStage& now, BodyLoad load) {
  if (body.control.is_driven) return driven(body, step, before, now);
  for (int axis = 0; axis < 3; ++axis) {
    load.force[axis] += body.control.push.force[axis];
    load.moment[axis] += body.control.push.moment[axis];
  }
  return advanced(body, step, before, now, load);
}

/// Position and velocity as maps of initial positions. The acceleration is 0, because no treatment of walls that carries
/// bodies asks for it.
template <int dimensions>
SHOAL_HD motion::Pose<dimensions> pose_of(const BodyParameters& body, const BodyState& state) {
  const Matrix3 rotation = rotation_matrix(state.rotation);
  const Vector3 w = angular_velocity(body, state);
  const Matrix3 spin{{{{0, -w[2], w[1]}}, {{w[2], 0, -w[0]}}, {{-w[1], w[0], 0}}}};
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
