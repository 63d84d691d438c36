// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/rigid_body.hpp"

#include <cmath>

#include "core/vector.hpp"

namespace shoal::sph {

namespace {

Vector product(const Matrix& matrix, const Vector& x) {
  return {dot(matrix[0], x), dot(matrix[1], x), dot(matrix[2], x)};
}

/// J = R I Rᵀ, restricted to the free axes: a locked one has a row and column of the identity.
Matrix free_inertia(const BodyParameters& body, const std::array<double, 4>& orientation) {
  const Matrix rotation = rotation_matrix(orientation);
  Matrix inertia{};
  for (std::size_t row = 0; row < 3; ++row) {
    const Vector turned = product(body.inertia, rotation[row]);
    for (std::size_t column = 0; column < 3; ++column)
      inertia[row][column] =
          body.turns[row] && body.turns[column] ? dot(turned, rotation[column]) : static_cast<double>(row == column);
  }
  return inertia;
}

/// Solution of a symmetric 3 by 3 system.
Vector solve(const Matrix& a, const Vector& b) {
  const Matrix adjugate{cross(a[1], a[2]), cross(a[2], a[0]), cross(a[0], a[1])};
  const double determinant = dot(a[0], adjugate[0]);
  Vector x = product(adjugate, b);
  for (double& component : x) component /= determinant;
  return x;
}

/// The orientation after a turn by a rotation vector.
std::array<double, 4> turned(const std::array<double, 4>& q, const Vector& turn) {
  const double angle = std::sqrt(dot(turn, turn));
  const double real = std::cos(angle / 2), scale = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
  const Vector imaginary{scale * turn[0], scale * turn[1], scale * turn[2]}, part{q[1], q[2], q[3]};
  const Vector mixed = cross(imaginary, part);
  std::array<double, 4> result{real * q[0] - dot(imaginary, part)};
  for (std::size_t k = 0; k < 3; ++k) result[k + 1] = real * part[k] + q[0] * imaginary[k] + mixed[k];
  double norm = 0;
  for (const double component : result) norm += component * component;
  for (double& component : result) component /= std::sqrt(norm);
  return result;
}

/// Turn since the start of the step: by the midpoint for symplectic, whose last stage has no later ω.
double turn_along(const StageStep<double>& step, double so_far, double rate, double acceleration) {
  if (step.integrator == Integrator::symplectic) return step.weight * step.dt * rate;
  return step.displacement(so_far, rate, rate, rate, acceleration);
}

}  // namespace

Matrix rotation_matrix(const std::array<double, 4>& q) {
  const auto [w, x, y, z] = q;
  return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

Vector angular_velocity(const BodyParameters& body, const RigidBodyState& state) {
  return solve(free_inertia(body, state.rotation), state.angular_momentum);
}

Vector start_momentum(const BodyParameters& body, const Vector& angular_velocity) {
  return product(free_inertia(body, {1, 0, 0, 0}), angular_velocity);
}

Vector arm(const BodyParameters& body, const RigidBodyState& state, const Vector& initial) {
  return product(rotation_matrix(state.rotation),
                 {initial[0] - body.center[0], initial[1] - body.center[1], initial[2] - body.center[2]});
}

BodyStage advanced(const BodyParameters& body, const StageStep<double>& step, const RigidBodyState& before,
                   const BodyStage& now, const BodyLoad& load) {
  const Vector rate = angular_velocity(body, now.state);
  Vector moment{};
  BodyStage next = now;
  for (std::size_t axis = 0; axis < 3; ++axis) {
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
  const Vector gyration = cross(rate, now.state.angular_momentum);
  Vector drive{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (body.turns[axis]) drive[axis] = moment[axis] - gyration[axis];
  const Vector acceleration = solve(free_inertia(body, now.state.rotation), drive);
  for (std::size_t axis = 0; axis < 3; ++axis)
    next.turn[axis] = turn_along(step, now.turn[axis], rate[axis], acceleration[axis]);
  next.state.rotation = turned(before.rotation, next.turn);
  next.state.previous_velocity = before.velocity;
  next.state.previous_angular_momentum = before.angular_momentum;
  return next;
}

}  // namespace shoal::sph
