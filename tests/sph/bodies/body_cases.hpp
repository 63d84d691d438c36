// SPDX-License-Identifier: Apache-2.0
// Cases with rigid bodies.
#pragma once
#include <shoal/sph.hpp>

#include "sph/sph_cases.hpp"

namespace shoal::testing_support {

using namespace sph;

/// A step, s, at which the integrator is stable with a sound speed of 50 m/s.
inline double stable_step(Integrator integrator) { return integrator == Integrator::verlet ? 2e-5 : 1e-4; }

/// A block of water, and a box of 6 x 4 particles to its right that moves toward it and turns.
inline Case box_beside_water(Integrator integrator = Integrator::symplectic) {
  Case simulation = block_of_water(12, 10);
  simulation.walls = {{"box", {{0.12, 0.02, 0}, {0.18, 0.06, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  simulation.rigid_bodies = {{.wall = "box", .mass = 1.2, .velocity = {-1, 0.5, 0}, .angular_velocity = {0, 0, 300}}};
  simulation.domain = Box{{-0.5, -0.5, 0}, {0.7, 0.7, 0}};
  simulation.scheme.walls = Walls::dynamic;
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = stable_step(integrator);
  simulation.scheme.artificial_viscosity = 0.1;
  return simulation;
}

/// The same with a second box, which is above the water and falls on it, and a wall at rest between them.
inline Case two_boxes_beside_water(Integrator integrator = Integrator::symplectic) {
  Case simulation = box_beside_water(integrator);
  simulation.walls.push_back({"post", {{0.13, 0.11, 0}, {0.16, 0.2, 0}}, {}, 3, ""});
  simulation.walls.push_back({"lid", {{0.02, 0.1, 0}, {0.1, 0.13, 0}}, {}, 3, ""});
  for (Wall& wall : simulation.walls) wall.solid = true;
  simulation.rigid_bodies.push_back(
      {.wall = "lid", .mass = 2.5, .velocity = {0, -0.8, 0}, .angular_velocity = {0, 0, -100}});
  return simulation;
}

}  // namespace shoal::testing_support
