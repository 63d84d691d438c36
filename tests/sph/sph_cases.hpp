// SPDX-License-Identifier: Apache-2.0
// Small cases that several tests run.
#pragma once
#include <shoal/sph.hpp>

#include <cmath>
#include <random>

#include "sph/physics/boundaries/boundaries.hpp"

namespace shoal::testing_support {

inline constexpr sph::Integrator integrators[] = {sph::Integrator::tvd_rk3, sph::Integrator::symplectic,
                                                  sph::Integrator::verlet};

inline sph::Material water(double sound_speed = 50) {
  sph::Material material;
  material.name = "water";
  material.density = 1000;
  material.sound_speed = sound_speed;
  return material;
}

/// A box of water at rest in free space, columns x rows (x layers) particles with a spacing of 1 cm.
inline sph::Case block_of_water(int columns, int rows, int layers = 0) {
  sph::Case simulation;
  simulation.dimensions = layers > 0 ? 3 : 2;
  simulation.spacing = 0.01;
  simulation.materials = {water()};
  simulation.bodies = {{"water", {{0, 0, 0}, {0.01 * columns, 0.01 * rows, 0.01 * layers}}, {}, {}}};
  simulation.scheme.time_step = sph::TimeStep::fixed;
  simulation.scheme.dt = 1e-4;
  return simulation;
}

/// 600 particles of water at rest on 1200 of a solid floor, 20 columns of both.
inline sph::Case water_on_a_thick_floor(sph::Walls walls) {
  sph::Case simulation = block_of_water(20, 30);
  simulation.walls = {{"floor", {{0, -0.6, 0}, {0.2, 0, 0}}, {}, 60, ""}};
  simulation.walls[0].solid = true;
  simulation.scheme.walls = walls;
  simulation.domain = sph::Box{{-0.05, -0.65, 0}, {0.25, 0.4, 0}};
  return simulation;
}

/// The paper's dam break at refinement k: 6,462, 22,899 and 85,773 particles for k = 1, 2, 4.
inline sph::Case dam_break(int k) {
  sph::Case simulation;
  simulation.spacing = 0.02 / k;
  simulation.materials = {water()};
  simulation.bodies = {{"water", {{0, 0, 0}, {(100 * k + 1) * 0.02 / k, (50 * k + 1) * 0.02 / k, 0}}, {}, {}}};
  simulation.walls = {{"tank", {{0, 0, 0}, {5.38, (80 * k + 1) * 0.02 / k, 0}}, {sph::Side::top}, 3, ""}};
  simulation.domain = sph::Box{{-0.2, -0.2, 0}, {5.6, 4, 0}};
  simulation.scheme.time_step = sph::TimeStep::fixed;
  simulation.scheme.dt = 4e-4 / k;
  simulation.scheme.gravity = {0, -9.81, 0};
  return simulation;
}

/// Case that uses every term of the general model.
inline sph::Case general_case(sph::Integrator integrator, sph::Walls walls, sph::Kernel kernel,
                              sph::DensityDiffusion diffusion) {
  sph::Case simulation = block_of_water(24, 20);
  simulation.materials.push_back(water(40));
  simulation.materials[1].name = "oil";
  simulation.materials[1].density = 800;
  for (sph::Material& material : simulation.materials) material.kinematic_viscosity = 1e-3;
  simulation.bodies.push_back({"oil", {{0, 0.2, 0}, {0.24, 0.26, 0}}, {}, {}});
  simulation.walls = {
      {"tank", {{0, 0, 0}, {0.24, 0.4, 0}}, {sph::Side::top, sph::Side::left, sph::Side::right}, 3, ""}};
  simulation.walls[0].motion.kind = MotionKind::oscillation;
  simulation.walls[0].motion.amplitude = {0.002, 0.001, 0};
  simulation.walls[0].motion.frequency = 30;
  simulation.domain = sph::Box{{0, -0.05, 0}, {0.24, 0.6, 0}};
  simulation.heat = {{{0.1, 0.1, 0}, 0.03, 50}};
  simulation.heat[0].length = 1e-3;
  sph::Scheme& scheme = simulation.scheme;
  scheme.periodic = {sph::Axis::x};
  scheme.integrator = integrator;
  scheme.walls = walls;
  scheme.kernel = kernel;
  scheme.density_diffusion = diffusion;
  scheme.gravity = {0, -9.81, 0};
  scheme.laminar_viscosity = scheme.energy = true;
  scheme.quadratic_viscosity = 0.5;
  scheme.shifting.coefficient = 2;
  if (sph::has_pressure(walls)) scheme.wall_flow = sph::WallFlow::no_slip;
  return simulation;
}

/// State with random fluid velocities up to 1 m/s, density changes up to 1 % and displacements up to a tenth of a spacing.
inline sph::Snapshot disturbed(sph::Snapshot state, const sph::Case& simulation, std::int64_t units_a_spacing) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> pick(-1, 1);
  for (std::size_t i = 0; i < state.id.size(); ++i) {
    if (state.tag[i] & 0x80) continue;
    for (int axis = 0; axis < simulation.dimensions; ++axis) {
      state.velocity[axis][i] = static_cast<float>(pick(random));
      state.coordinate[axis][i] += 2 * std::llround(pick(random) * 0.05 * static_cast<double>(units_a_spacing));
    }
    state.density_deviation[i] = static_cast<float>(10 * pick(random));
    state.pressure_over_density2[i] = static_cast<float>(state.density_deviation[i] * 2500 / 1e6);
  }
  return state;
}

}  // namespace shoal::testing_support
