// SPDX-License-Identifier: Apache-2.0
// Cases with boxes of finer particles.
#pragma once
#include "sph/sph_cases.hpp"

namespace shoal::testing_support {

inline sph::Refinement finer(double left, double bottom, double right, double top) {
  return {.box = {{left, bottom, 0}, {right, top, 0}}};
}

/// Still water in a tank, 1 m wide and deep, with a spacing of 4 cm.
inline sph::Case still_water(std::vector<sph::Refinement> refinements = {}) {
  sph::Case simulation;
  simulation.spacing = 0.04;
  simulation.smoothing = 1.5;
  simulation.materials = {water()};
  simulation.bodies = {
      {.material = "water", .box = {{0, 0, 0}, {1, 1, 0}}, .pressure = sph::InitialPressure::hydrostatic}};
  simulation.walls = {{.name = "tank", .box = {{0, 0, 0}, {1, 1.2, 0}}, .open = {sph::Side::top}}};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.scheme.artificial_viscosity = 0.05;
  simulation.refinements = std::move(refinements);
  return simulation;
}

/// The same with finer water from the floor to above the surface.
inline sph::Case partly_fine_water() { return still_water({finer(0.4, -0.12, 0.8, 1.2)}); }

/// Water without walls or gravity, 1 m x 1 m and periodic, that flows across a finer box in its middle.
inline sph::Case stream_through_a_box(double spacing = 0.02) {
  sph::Case simulation;
  simulation.spacing = spacing;
  simulation.smoothing = 1.5;
  simulation.materials = {water(20)};
  simulation.bodies = {{.material = "water", .box = {{0, 0, 0}, {1, 1, 0}}, .velocity = {1, 0.3, 0}}};
  simulation.domain = sph::Box{{0, 0, 0}, {1, 1, 0}};
  simulation.scheme.periodic = {sph::Axis::x, sph::Axis::y};
  simulation.refinements = {finer(0.3, 0.3, 0.7, 0.7)};
  return simulation;
}

/// A column of water that falls down, and runs through two boxes, each finer than the one around it.
inline sph::Case collapse_into_boxes() {
  sph::Case simulation;
  simulation.spacing = 0.04;
  simulation.smoothing = 1.5;
  simulation.materials = {water(25)};
  simulation.bodies = {
      {.material = "water", .box = {{0, 0, 0}, {0.8, 0.8, 0}}, .pressure = sph::InitialPressure::hydrostatic}};
  simulation.walls = {{.name = "tank", .box = {{0, 0, 0}, {2, 1.2, 0}}, .open = {sph::Side::top}}};
  simulation.domain = sph::Box{{-0.2, -0.2, 0}, {2.2, 2, 0}};
  simulation.scheme.gravity = {0, -9.81, 0};
  simulation.refinements = {finer(0.6, -0.12, 2.12, 0.8), finer(1.2, -0.12, 2.12, 0.4)};
  return simulation;
}

/// A column of water in 3-D that runs into two dry boxes, each finer than the one around it.
inline sph::Case collapse_in_3d() {
  sph::Case simulation;
  simulation.dimensions = 3;
  simulation.spacing = 0.05;
  simulation.materials = {water(25)};
  simulation.bodies = {
      {.material = "water", .box = {{0, 0, 0}, {0.3, 0.2, 0.3}}, .pressure = sph::InitialPressure::hydrostatic}};
  simulation.walls = {{.name = "tank", .box = {{0, 0, 0}, {0.7, 0.2, 0.5}}, .open = {}}};
  simulation.scheme.gravity = {0, 0, -9.81};
  simulation.scheme.artificial_viscosity = 0.05;
  simulation.domain = sph::Box{{-0.25, -0.25, -0.25}, {0.95, 0.45, 0.75}};
  simulation.refinements = {{.box = {{0.35, -0.15, -0.15}, {0.8, 0.35, 0.35}}},
                            {.box = {{0.5, -0.075, -0.075}, {0.775, 0.275, 0.2}}}};
  return simulation;
}

/// A block of water that falls onto a floor in 3-D, finer beside the floor.
inline sph::Case impact_in_3d() {
  sph::Case simulation = block_of_water(8, 8, 8);
  simulation.scheme = {};
  simulation.scheme.gravity = {0, 0, -9.81};
  simulation.bodies[0].velocity = {0, 0, -1};
  simulation.walls = {{.name = "floor", .box = {{-0.06, -0.06, 0}, {0.14, 0.14, 0.12}}, .open = {sph::Side::top}}};
  simulation.domain = sph::Box{{-0.12, -0.12, -0.06}, {0.2, 0.2, 0.2}};
  simulation.refinements = {{.box = {{-0.1, -0.1, -0.05}, {0.18, 0.18, 0.03}}}};
  return simulation;
}

}  // namespace shoal::testing_support
