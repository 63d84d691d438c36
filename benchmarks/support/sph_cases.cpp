// SPDX-License-Identifier: Apache-2.0
#include "support/sph_cases.hpp"

#include <cmath>

#include "core/text.hpp"

namespace shoal::benchmarks {

using namespace sph;

namespace {

Material water() {
  Material material;
  material.name = "water";
  material.density = 1000;
  material.sound_speed = 50;
  return material;
}

}  // namespace

Case dam_break_case(int k) {
  require(k >= 1, "sph: a dam break of refinement ", k, ", expected at least 1.");
  const double spacing = 0.02 / k;
  Case dam;
  dam.title = text("Dam break, spacing ", spacing, " m");
  dam.spacing = spacing;
  dam.most_density_deviation = 300;
  dam.duration = 4;
  dam.materials = {water()};
  dam.bodies = {{.material = "water", .box = {.from = {0, 0}, .to = {2 + spacing, 1 + spacing}}}};
  dam.walls = {{.name = "tank", .box = {.from = {0, 0}, .to = {5.38, 1.6 + spacing}}, .open = {Side::top}}};
  dam.domain = Box{{-0.2, -0.2, 0}, {5.6, 4, 0}};
  dam.scheme.time_step = TimeStep::fixed;
  dam.scheme.dt = 4e-4 / k;
  dam.scheme.gravity = {0, -9.81};
  return dam;
}

Case pressure_wave_case(int n) {
  require(n >= 3, "sph: a pressure wave of ", n, " x ", n, " particles, expected at least 3.");
  const double spacing = 0.1 / (n - 1), half = 0.05 + spacing / 2;
  Case wave;
  wave.title = text("Pressure wave, spacing ", spacing, " m");
  wave.spacing = spacing;
  wave.smoothing = 1.245;
  wave.duration = 1e-4;
  Material mercury;
  mercury.name = "mercury";
  mercury.density = 13540;
  mercury.sound_speed = 1490;
  mercury.equation_of_state = EquationOfState::polynomial;
  mercury.compression = {30.06e9, 93.0e9, 161.8e9};
  mercury.tension = {30.06e9, 0};
  mercury.energy = {1.96, 1.96};
  wave.materials = {mercury};
  wave.bodies = {{.material = "mercury", .box = {.from = {-half, -half}, .to = {half, half}}}};
  wave.domain = Box{{-0.06, -0.06, 0}, {0.06, 0.06, 0}};
  wave.heat = {{.at = {}, .radius = 0.004, .energy = 376.8}};
  wave.scheme.time_step = TimeStep::fixed;
  wave.scheme.dt = wave.duration / (2.0 * (n - 1));
  wave.scheme.kernel = Kernel::cubic_spline;
  wave.scheme.density_diffusion = DensityDiffusion::none;
  wave.scheme.artificial_viscosity = 0.2;
  wave.scheme.energy = true;
  return wave;
}

Case with_paper_scheme(Case simulation) {
  simulation.smoothing = 1.117;  // 1.8 r, where 4/3 π r³ = spacing³
  simulation.scheme.kernel = Kernel::cubic_spline;
  simulation.scheme.density_diffusion = DensityDiffusion::ferrari;
  simulation.scheme.artificial_viscosity = 0.03;
  simulation.scheme.walls = Walls::repulsive;
  return simulation;
}

Case column_case(std::int64_t particles, int dimensions) {
  require(dimensions == 2 || dimensions == 3, "sph: a column in ", dimensions, " dimensions, expected 2 or 3.");
  require(particles >= 100, "sph: a column of ", particles, " particles, expected at least 100.");
  // Particles of fluid and walls for H/spacing = m: 2 m² and 3 layers around 4 m × 1.5 m; in 3-D 2 m³, and five sides.
  const auto with_walls = [dimensions](double m) {
    const double layers = 3;
    return dimensions == 2 ? 2 * m * m + layers * 7 * m : 2 * m * m * m + layers * (4 + 2 * 6 + 2 * 1.5) * m * m;
  };
  double m = 2;
  while (with_walls(m + 1) <= static_cast<double>(particles)) ++m;
  const double spacing = 1 / m;
  const int up = dimensions - 1;
  Case column = dam_break_case(1);
  column.title = text("Column of water, ", dimensions, "-D");
  column.dimensions = dimensions;
  column.spacing = spacing;
  Vector water_to{2, 1, 1}, tank_to{4, 1, 1};
  tank_to[static_cast<std::size_t>(up)] = 1.5;
  column.bodies[0].box = {{}, water_to};
  column.walls[0].box = {{}, tank_to};
  const double margin = 4 * spacing;  // room for the walls only: measurements take the first steps
  column.domain = Box{{-margin, -margin, -margin}, {tank_to[0] + margin, tank_to[1] + margin, tank_to[2] + margin}};
  column.scheme.gravity = {};
  column.scheme.gravity[static_cast<std::size_t>(up)] = -9.81;
  column.scheme.dt = 0.02 * spacing;
  return column;
}

namespace {

constexpr double flume_length = 4, flume_height = 1.5;  // m

/// A box of the flume from one height to another over a part of its length.
Box flume_box(int dimensions, double begin, double end, double bottom, double top) {
  Box box{{begin, 0, 0}, {end, 1, 1}};
  const auto up = static_cast<std::size_t>(dimensions - 1);
  box.from[up] = bottom;
  box.to[up] = top;
  return box;
}

void add_open_ends(Case& flume) {
  const int dimensions = flume.dimensions;
  const double depth = 6 * flume.spacing;  // more than the support of the kernel
  flume.bodies[0].velocity = {1, 0, 0};
  flume.walls[0].open.insert(flume.walls[0].open.end(), {Side::left, Side::right});
  flume.open_boundaries = {
      {.name = "inlet", .box = flume_box(dimensions, 0, depth, 0, 1), .fluid = Side::right, .velocity = 1},
      {.name = "outlet",
       .box = flume_box(dimensions, flume_length - depth, flume_length, 0, 1),
       .fluid = Side::left,
       .water_level = 1}};
}

void add_floating_body(Case& flume) {
  Wall box;
  box.name = "box";
  box.box = flume_box(flume.dimensions, 1.75, 2.25, 1, 1.25);
  box.solid = true;
  if (flume.dimensions == 3) box.box.from[1] = 0.25, box.box.to[1] = 0.75;
  flume.walls.push_back(box);
  const double volume = flume.dimensions == 2 ? 0.125 : 0.0625;
  flume.rigid_bodies = {{.wall = "box", .mass = 500 * volume}};
}

void add_absorbing_paddle(Case& flume) {
  Wall paddle;
  paddle.name = "paddle";
  paddle.box = flume_box(flume.dimensions, -3 * flume.spacing, 0, 0, flume_height);
  paddle.solid = true;
  flume.walls[0].box.from[0] = -0.2;  // the paddle moves in it
  flume.walls[0].open.push_back(Side::left);
  flume.walls.push_back(paddle);
  flume.wavemakers = {
      {.wall = "paddle", .depth = 1, .period = 1.4, .height = 0.05, .absorption_gauge = Vector{0.2, 0, 0}}};
  if (flume.dimensions == 3) (*flume.wavemakers[0].absorption_gauge)[1] = 0.5;
}

}  // namespace

Case flume_case(std::int64_t particles, int dimensions, FlumePart part) {
  require(dimensions == 2 || dimensions == 3, "sph: a flume in ", dimensions, " dimensions, expected 2 or 3.");
  require(particles >= 1000, "sph: a flume of ", particles, " particles, expected at least 1000.");
  const double along = std::floor(std::pow(static_cast<double>(particles) / flume_length, 1.0 / dimensions));
  Case flume = dam_break_case(1);
  flume.title = text("Flume of water, ", dimensions, "-D");
  flume.dimensions = dimensions;
  flume.spacing = 1 / along;
  flume.bodies[0].box = flume_box(dimensions, 0, flume_length, 0, 1);
  flume.bodies[0].pressure = InitialPressure::hydrostatic;
  flume.walls[0].box = flume_box(dimensions, 0, flume_length, 0, flume_height);
  const double margin = 0.5;
  flume.domain = flume_box(dimensions, -margin, flume_length + margin, -margin, flume_height + margin);
  if (dimensions == 3) flume.domain->from[1] = -margin, flume.domain->to[1] = 1 + margin;
  flume.scheme.gravity = {};
  flume.scheme.gravity[static_cast<std::size_t>(dimensions - 1)] = -9.81;
  flume.scheme.dt = 0.02 * flume.spacing;
  if (part == FlumePart::dynamic_walls || part == FlumePart::floating_body) flume.scheme.walls = Walls::dynamic;
  if (part == FlumePart::open_ends) add_open_ends(flume);
  if (part == FlumePart::floating_body) add_floating_body(flume);
  if (part == FlumePart::absorbing_paddle) add_absorbing_paddle(flume);
  return flume;
}

Case impact_case(double spacing, bool is_refined) {
  Case impact;
  impact.title = text("Impact of water on a box, ", is_refined ? "refined to " : "", spacing, " m");
  impact.dimensions = 3;
  impact.spacing = is_refined ? 4 * spacing : spacing;
  impact.materials = {water()};
  impact.materials[0].sound_speed = 40;
  impact.bodies = {{.material = "water", .box = {{1.112, 0, 0}, {2.392, 1, 0.56}}, .velocity = {-2, 0, 0}}};
  impact.bodies[0].pressure = InitialPressure::hydrostatic;
  impact.walls = {{.name = "tank", .box = {{0, 0, 0}, {3.22, 1, 1.3}}, .open = {}},
                  {.name = "box", .box = {{0.6635, 0.2985, 0}, {0.8245, 0.7015, 0.161}}, .open = {}, .solid = true}};
  impact.domain = Box{{-0.4, -0.4, -0.4}, {3.62, 1.4, 1.7}};
  impact.scheme.gravity = {0, 0, -9.81};
  impact.scheme.artificial_viscosity = 0.05;
  if (is_refined)
    impact.refinements = {{.box = {{0.472, 0.12, -0.16}, {1.072, 0.88, 0.4}}},
                          {.box = {{0.632, 0.24, -0.08}, {0.912, 0.76, 0.24}}}};
  return impact;
}

}  // namespace shoal::benchmarks
