// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/checks/expected_flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/physics/equations_of_state/equations_of_state.hpp"
#include "sph/setup/filling/part_bounds.hpp"
#include "sph/setup/wall_movement.hpp"

namespace shoal::sph {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Smallest and largest potential energy −g·x, J/kg.
struct PotentialRange {
  double low = infinity, high = -infinity;
};

/// Range in a box. Axes along which the box has no end do not count.
PotentialRange potential_in(const Box& box, const Scheme& scheme, int dimensions) {
  PotentialRange range{0, 0};
  for (int axis = 0; axis < dimensions; ++axis) {
    const double first = -scheme.gravity[axis] * box.from[axis], second = -scheme.gravity[axis] * box.to[axis];
    if (!std::isfinite(first) || !std::isfinite(second)) continue;
    range.low += std::min(first, second);
    range.high += std::max(first, second);
  }
  return range;
}

bool has_no_particles(const Body& body) { return body.particles && body.particles->position.empty(); }

/// Largest speed of a velocity that grows linearly with position, in a box.
double largest_speed(const Body& body, const Vector& velocity, const Box& box, int dimensions) {
  double squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    const double rate = body.strain_rate[axis];
    const double first = velocity[axis] + (rate == 0 ? 0 : rate * box.from[axis]);
    const double second = velocity[axis] + (rate == 0 ? 0 : rate * box.to[axis]);
    squared += std::max(first * first, second * second);
  }
  return std::sqrt(squared);
}

double largest_speed(const Body& body, const Case& simulation) {
  if (has_no_particles(body)) return 0;
  double most = 0;
  if (body.particles && !body.particles->velocity.empty()) {
    const ParticleList& list = *body.particles;
    for (std::size_t i = 0; i < std::min(list.position.size(), list.velocity.size()); ++i)
      most = std::max(
          most, largest_speed(body, list.velocity[i], {list.position[i], list.position[i]}, simulation.dimensions));
  } else {
    most = largest_speed(body, body.velocity, bounds_of(body, simulation), simulation.dimensions);
  }
  return most + std::abs(body.vortices.speed);
}

double largest_speed(const Wall& wall, const Case& simulation) {
  if (!moves(simulation, wall)) return 0;
  const Box box = inner_bounds(wall.box, wall.shape, simulation);
  double speed = 0;
  for (const Motion& motion : motions_of(simulation, wall, simulation.duration)) {
    double squared = 0;
    for (int axis = 0; axis < simulation.dimensions; ++axis) {
      const double distance =
          std::max(std::abs(box.from[axis] - motion.about[axis]), std::abs(box.to[axis] - motion.about[axis]));
      if (std::isfinite(distance)) squared += distance * distance;
    }
    speed += motion.max_speed(std::sqrt(squared));
  }
  return speed;
}

double largest_density(const Case& simulation) {
  double largest = 0;
  for (const Body& body : simulation.bodies)
    for (const Material& material : simulation.materials)
      if (material.name == body.material) largest = std::max(largest, material.density);
  return largest;
}

}  // namespace

double gravity_head(const Case& simulation) {
  const int dimensions = simulation.dimensions;
  PotentialRange fluid;
  for (const Body& body : simulation.bodies) {
    if (has_no_particles(body)) continue;
    const PotentialRange range = potential_in(bounds_of(body, simulation), simulation.scheme, dimensions);
    fluid = {std::min(fluid.low, range.low), std::max(fluid.high, range.high)};
  }
  double lowest = fluid.low;
  for (const Wall& wall : simulation.walls) {
    const PotentialRange range =
        potential_in(inner_bounds(wall.box, wall.shape, simulation), simulation.scheme, dimensions);
    lowest = std::min(lowest, wall.solid ? range.high : range.low);
  }
  return std::max(0.0, fluid.high - lowest);
}

double largest_given_speed(const Case& simulation) {
  double most = largest_inflow_speed(simulation);
  for (const Body& body : simulation.bodies) most = std::max(most, largest_speed(body, simulation));
  for (const Wall& wall : simulation.walls) most = std::max(most, largest_speed(wall, simulation));
  return most;
}

double expected_speed(const Case& simulation) {
  return std::max(std::sqrt(gravity_head(simulation)), largest_given_speed(simulation));
}

bool has_numerical_sound_speed(const Case& simulation, const Material& material) {
  return !simulation.scheme.energy && EquationsOfState<double>::visit(material.equation_of_state, [&]<class Equation> {
    return Equation::has_constant_sound_speed;
  });
}

double suitable_sound_speed(const Case& simulation, const Material& material) {
  return 10 * expected_speed(simulation) * std::sqrt(std::max(1.0, largest_density(simulation) / material.density));
}

void choose_sound_speeds(Case& simulation) {
  check_motions(simulation);  // speeds of walls follow from them
  for (Material& material : simulation.materials) {
    if (material.sound_speed != 0 || !(material.density > 0)) continue;
    const std::vector<EquationOfState> kinds = equations_of_state_with("sound_speed");
    if (std::find(kinds.begin(), kinds.end(), material.equation_of_state) == kinds.end()) continue;
    const std::string key = text("`material.", material.name, ".sound_speed`");
    require(has_numerical_sound_speed(simulation, material), "missing key ", key,
            " (number, m/s): it is chosen for tait and linear without scheme.energy only. Give it.");
    const double speed = suitable_sound_speed(simulation, material);
    require(speed > 0 && std::isfinite(speed), "missing key ", key,
            " (number, m/s): it cannot be chosen, since the case has neither gravity nor a speed at the start. Give "
            "ten times the largest speed that you expect.");
    material.sound_speed = speed;
    material.sound_speed_is_chosen = true;
  }
}

}  // namespace shoal::sph
