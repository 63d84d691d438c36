// SPDX-License-Identifier: Apache-2.0
// Cases with rigid bodies.
#pragma once
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <utility>

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

/// Expects two bodies to move in 100 steps as with the method `serial`, and not as without what is tested.
/// @param run         solver of a case with the method that is tested
/// @param free        the same without what is tested
/// @param simulation  the case
/// @param change      least difference to the velocities along y of `free`, m/s
inline void expect_bodies_of_serial(Solver run, Solver free, Case simulation, double change) {
  simulation.method = "serial";
  Solver serial(Queue::cpu(1), std::move(simulation));
  for (Solver* solver : {&run, &free, &serial}) solver->advance_steps(100);
  for (std::size_t k = 0; k < 2; ++k) {
    const RigidBodyState body = run.rigid_bodies()[k], expected = serial.rigid_bodies()[k];
    EXPECT_GT(std::abs(body.velocity[1] - free.rigid_bodies()[k].velocity[1]), change) << "no force on the body";
    for (std::size_t axis = 0; axis < 2; ++axis) {
      EXPECT_NEAR(body.velocity[axis], expected.velocity[axis], 1e-9);
      EXPECT_NEAR(body.center[axis], expected.center[axis], 1e-9);
    }
    EXPECT_NEAR(body.angular_momentum[2], expected.angular_momentum[2], 1e-11);
  }
}

}  // namespace shoal::testing_support
