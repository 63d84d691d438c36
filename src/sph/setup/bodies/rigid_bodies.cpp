// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/bodies/rigid_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sph/require_number.hpp"
#include "sph/setup/wall_movement.hpp"

namespace shoal::sph {

namespace {

/// Calls visit(x) for the initial positions of a wall's particles, m from the origin of the lattice.
template <class Visit>
void for_each_particle(const Filling& filling, const IdRange& ids, const Lattice& lattice, const Visit& visit) {
  for (std::int64_t plane = 0; plane < filling.planes(); ++plane)
    if (filling.first(plane) >= ids.first && filling.first(plane) < ids.end)
      filling.for_each(plane, [&](const StartParticle& particle) {
        Vector3 x{};
        for (int axis = 0; axis < 3; ++axis)
          x[axis] = lattice.unit * static_cast<double>(particle.coordinate[static_cast<std::size_t>(axis)]);
        visit(x);
      });
}

/// Sets center and inertia from the particles.
void add_inertia(const Case& simulation, const Filling& filling, const IdRange& ids, const Lattice& lattice,
                 BodyParameters& body) {
  const auto count = static_cast<double>(ids.end - ids.first);
  for_each_particle(filling, ids, lattice, [&](const Vector3& x) {
    for (int axis = 0; axis < 3; ++axis) body.center[axis] += x[axis] / count;
  });
  const double share = body.mass / count;
  for_each_particle(filling, ids, lattice, [&](const Vector3& x) {
    Vector3 second{};  // second moments of a particle about the center, m²
    for (int axis = 0; axis < 3; ++axis) {
      const double r = x[axis] - body.center[axis];
      second[axis] = r * r;
      if (axis < simulation.dimensions) second[axis] += simulation.spacing * simulation.spacing / 12;
    }
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column)
        body.inertia[row][column] +=
            share * (row == column ? second[(row + 1) % 3] + second[(row + 2) % 3]
                                   : -(x[row] - body.center[row]) * (x[column] - body.center[column]));
  });
}

bool has(const std::vector<Axis>& axes, int axis) {
  return std::find(axes.begin(), axes.end(), static_cast<Axis>(axis)) != axes.end();
}

/// Returns true if the center of mass moves along an axis.
bool shifts_along(const Case& simulation, const RigidBody& body, int axis) {
  return axis < simulation.dimensions && !has(body.locked_shifts, axis);
}

/// Returns true if the body turns about an axis: about z alone in 2-D.
bool turns_about(const Case& simulation, const RigidBody& body, int axis) {
  return (simulation.dimensions == 3 || axis == 2) && !has(body.locked_turns, axis);
}

void set_start(const Case& simulation, const RigidBody& given, BodyParameters& body) {
  Vector3 spin = to_vector3(given.angular_velocity);
  for (int axis = 0; axis < 3; ++axis) {
    body.shifts[axis] = shifts_along(simulation, given, axis);
    body.turns[axis] = turns_about(simulation, given, axis);
    body.start.center[axis] = body.origin[axis] + body.center[axis];
    spin[axis] = spin[axis] * std::numbers::pi / 180;
  }
  body.start.velocity = to_vector3(given.velocity);
  body.start.rotation = {{1, 0, 0, 0}};
  body.start.angular_momentum = start_momentum(body, spin);
  body.start.previous_velocity = body.start.velocity;
  body.start.previous_angular_momentum = body.start.angular_momentum;
}

/// Requires that a body moves along and about free axes alone.
void check_velocities(const Case& simulation, const RigidBody& body) {
  const auto require_free = [](double component, bool is_free, int axis, const char* key, const char* unit) {
    require(std::isfinite(component) && (is_free || component == 0), "sph: rigid_body.", key, " has the component ",
            component, unit, " along ", to_name(static_cast<Axis>(axis)), ", expected ",
            is_free ? "a finite number." : "0: the axis is locked.");
  };
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    require_free(body.velocity[k], shifts_along(simulation, body, axis), axis, "velocity", " m/s");
    require_free(body.angular_velocity[k], turns_about(simulation, body, axis), axis, "angular_velocity", " degrees/s");
  }
}

}  // namespace

std::vector<BodyParameters> make_rigid_bodies(const Case& simulation, const Filling& filling, const Lattice& lattice) {
  std::vector<BodyParameters> bodies;
  for (const RigidBody& given : simulation.rigid_bodies) {
    const std::size_t wall = wall_named(simulation, given.wall, "rigid_body");
    BodyParameters body;
    for (std::size_t k = 0; k < wall; ++k) body.movement += moves(simulation, simulation.walls[k]);
    body.mass = given.mass;
    body.gravity = to_vector3(simulation.scheme.gravity);
    std::copy_n(lattice.origin, 3, body.origin.component);
    const IdRange ids = filling.part_ids().of_wall(wall);
    require(ids.end > ids.first, "sph: the wall \"", given.wall,
            "\" of a rigid body has no particles. Make it thicker than the spacing.");
    add_inertia(simulation, filling, ids, lattice, body);
    set_start(simulation, given, body);
    bodies.push_back(body);
  }
  return bodies;
}

void check_rigid_bodies(const Case& simulation) {
  for (std::size_t k = 0; k < simulation.rigid_bodies.size(); ++k) {
    const RigidBody& body = simulation.rigid_bodies[k];
    require(simulation.dimensions > 1, "sph: the case has a rigid body, which needs 2 or 3 dimensions.");
    const Wall& wall = simulation.walls[wall_named(simulation, body.wall, "rigid_body")];
    require(motions_of(simulation, wall, 0).empty(), "sph: the wall \"", body.wall,
            "\" is a rigid body and has a motion, of which each decides where it goes. Remove one.");
    for (std::size_t earlier = 0; earlier < k; ++earlier)
      require(simulation.rigid_bodies[earlier].wall != body.wall, "sph: the wall \"", body.wall,
              "\" is a rigid body twice. Remove one.");
    require(simulation.scheme.walls == Walls::dynamic, "sph: scheme.walls = \"", to_name(simulation.scheme.walls),
            "\" carries no rigid body. Set scheme.walls = \"dynamic\".");
    require_positive(body.mass, "rigid_body.mass", simulation.dimensions == 2 ? " kg/m" : " kg");
    check_velocities(simulation, body);
  }
}

}  // namespace shoal::sph
