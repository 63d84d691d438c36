// SPDX-License-Identifier: Apache-2.0
#include "sph/control/body_control.hpp"

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "core/text.hpp"

namespace shoal::sph {

namespace {

/// Requires finite components, and 0 beyond the dimensions.
/// @param is_turn  a vector along an axis of rotation: along z alone in 2-D
void require_vector(const Case& simulation, const Vector& vector, bool is_turn, const char* what, const char* unit) {
  for (int axis = 0; axis < 3; ++axis) {
    const double component = vector[static_cast<std::size_t>(axis)];
    const bool exists = simulation.dimensions == 3 || is_turn == (axis == 2);
    require(std::isfinite(component) && (exists || component == 0), "sph: ", what, " has the component ", component,
            unit, " along ", to_name(static_cast<Axis>(axis)), ", expected ",
            exists ? "a finite number." : "0 in a 2-D case.");
  }
}

}  // namespace

std::size_t rigid_body_named(const Case& simulation, std::string_view wall) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < simulation.rigid_bodies.size(); ++k) {
    if (simulation.rigid_bodies[k].wall == wall) return k;
    names.push_back("\"" + simulation.rigid_bodies[k].wall + "\"");
  }
  throw Error(text("sph: no rigid body is the wall \"", wall, "\"; ",
                   names.empty() ? "the case has none. Add a [[rigid_body]]." : "the case has " + join(names) + "."));
}

void drive(const Case& simulation, const Vector& velocity, const Vector& angular_velocity, BodyControl& control) {
  require_vector(simulation, velocity, false, "the velocity of a driven body", " m/s");
  require_vector(simulation, angular_velocity, true, "the angular velocity of a driven body", " degrees/s");
  control.is_driven = true;
  control.velocity = to_vector3(velocity);
  for (int axis = 0; axis < 3; ++axis)
    control.rate[axis] = angular_velocity[static_cast<std::size_t>(axis)] * std::numbers::pi / 180;
}

void push(const Case& simulation, const Vector& force, const Vector& moment, BodyControl& control) {
  require_vector(simulation, force, false, "the force on a body", " N");
  require_vector(simulation, moment, true, "the moment on a body", " N m");
  control.push = {to_vector3(force), to_vector3(moment)};
}

RigidBodyState driven_state(const BodyParameters& body, const RigidBodyState& state) {
  BodyState driven = to_body_state(state);
  driven.velocity = driven.previous_velocity = body.control.velocity;
  driven.angular_momentum = product(free_inertia(body, driven.rotation), body.control.rate);
  driven.previous_angular_momentum = driven.angular_momentum;
  return to_rigid_body_state(driven);
}

RigidBodyState released_state(const BodyParameters& body, const RigidBodyState& state) {
  BodyState released = to_body_state(state);
  for (int axis = 0; axis < 3; ++axis) {
    if (!body.shifts[axis]) released.velocity[axis] = 0;
    if (!body.turns[axis]) released.angular_momentum[axis] = 0;  // where J has a row of the identity
  }
  released.previous_velocity = released.velocity;
  released.previous_angular_momentum = released.angular_momentum;
  return to_rigid_body_state(released);
}

}  // namespace shoal::sph
