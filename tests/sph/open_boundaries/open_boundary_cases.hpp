// SPDX-License-Identifier: Apache-2.0
// Streams through open boundaries.
#pragma once
#include <shoal/sph.hpp>

#include <utility>

#include "sph/sph_cases.hpp"

namespace shoal::testing_support {

using namespace sph;

inline constexpr double inflow_speed = 2;

/// 40 x 10 particles in free space that move to the right at 2 m/s, the first and the last five columns in boxes.
inline Case free_stream(Integrator integrator = Integrator::symplectic) {
  Case simulation = block_of_water(40, 10);
  simulation.bodies[0].velocity = {inflow_speed, 0, 0};
  simulation.domain = Box{{-0.1, -0.1, 0}, {0.5, 0.2, 0}};
  simulation.scheme.integrator = integrator;
  simulation.scheme.dt = integrator == Integrator::verlet ? 2e-5 : 1e-4;
  simulation.open_boundaries = {
      {.name = "inlet", .box = {{0, 0, 0}, {0.05, 0.1, 0}}, .fluid = Side::right, .velocity = inflow_speed},
      {.name = "outlet", .box = {{0.35, 0, 0}, {0.4, 0.1, 0}}, .fluid = Side::left, .pressure = 0.0}};
  return simulation;
}

/// The same with a column of faster water ahead, so that pressures and velocities change.
inline Case disturbed_stream(Integrator integrator = Integrator::symplectic) {
  Case simulation = free_stream(integrator);
  simulation.bodies[0].strain_rate = {3, -2, 0};
  simulation.open_boundaries[0].profile = VelocityProfile::parabolic;
  simulation.open_boundaries[0].ramp = 0.01;
  simulation.open_boundaries[1].pressure = {};
  return simulation;
}

/// 20 x 10 particles that fall onto a bed on their way to an outlet, and push others through its faces of particles.
inline Case stream_over_a_bed() {
  Case simulation = block_of_water(20, 10);
  simulation.bodies[0].velocity = {inflow_speed, -0.5, 0};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.scheme.time_step = TimeStep::cfl;
  simulation.domain = Box{{-0.1, -0.2, 0}, {0.6, 0.3, 0}};
  simulation.walls = {{.name = "channel", .box = {{0, 0, 0}, {0.4, 0.2, 0}}, .open = {Side::right, Side::top}}};
  simulation.open_boundaries = {{.name = "outlet", .box = {{0.25, 0, 0}, {0.4, 0.2, 0}}, .fluid = Side::left}};
  return simulation;
}

/// 30 x 6 x 6 particles in free space that move along y, the first and the last five layers in boxes.
inline Case stream_in_3d() {
  Case simulation = block_of_water(6, 30, 6);
  simulation.bodies[0].velocity = {0, inflow_speed, 0};
  simulation.bodies[0].strain_rate = {0, 2, -1};
  simulation.domain = Box{{-0.1, -0.1, -0.1}, {0.16, 0.4, 0.16}};
  simulation.open_boundaries = {{.name = "inlet",
                                 .box = {{0, 0, 0}, {0.06, 0.05, 0.06}},
                                 .fluid = Side::back,
                                 .velocity = inflow_speed,
                                 .profile = VelocityProfile::parabolic},
                                {.name = "outlet", .box = {{0, 0.25, 0}, {0.06, 0.3, 0.06}}, .fluid = Side::front}};
  return simulation;
}

/// A stream in 1-D, 40 particles long.
inline Case stream_in_1d() {
  Case simulation = free_stream();
  simulation.dimensions = 1;
  simulation.bodies[0].strain_rate = {3, 0, 0};
  return simulation;
}

/// A case in 2-D with its first two axes exchanged.
inline Case turned_upward(Case simulation) {
  const auto turn = [](Vector& vector) { std::swap(vector[0], vector[1]); };
  const auto turn_box = [&](Box& box) { turn(box.from), turn(box.to); };
  for (Body& body : simulation.bodies) turn_box(body.box), turn(body.velocity), turn(body.strain_rate);
  for (OpenBoundary& boundary : simulation.open_boundaries) {
    turn_box(boundary.box);
    boundary.fluid = boundary.fluid == Side::right ? Side::top : Side::bottom;
  }
  if (simulation.domain) turn_box(*simulation.domain);
  turn(simulation.scheme.gravity);
  return simulation;
}

/// The block between two outlets through which fluid returns, in a field that turns its flow back. Without pressure it falls
/// freely: v = 1 − 20 t.
inline Case turning_stream() {
  Case simulation = free_stream();
  simulation.bodies[0].velocity = {1, 0, 0};
  simulation.scheme.gravity = {-20, 0, 0};
  for (OpenBoundary& boundary : simulation.open_boundaries) {
    boundary.velocity = {};
    boundary.pressure = 0.0;
    boundary.returns = true;
  }
  return simulation;
}

}  // namespace shoal::testing_support
