// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>
#include <shoal/io/case_file.hpp>
#include <shoal/io/relaxation.hpp>
#include <shoal/io/wall_motion.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "commands.hpp"
#include "core/text.hpp"
#include "running.hpp"

namespace shoal::cli {

namespace {

struct Options {
  std::filesystem::path file;
  std::vector<std::string> overrides;
};

/// The longest step that the sound speed allows, or the fixed one, s.
double expected_step(const sph::Case& simulation) {
  const sph::Scheme& scheme = simulation.scheme;
  if (scheme.time_step == sph::TimeStep::fixed) return scheme.dt;
  double fastest = 0;
  for (const sph::Material& material : simulation.materials) fastest = std::max(fastest, material.sound_speed);
  return scheme.courant_number() * simulation.smoothing * simulation.spacing / fastest;
}

double peak_memory_in_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

int check_sph(const Options& options) {
  const sph::Case simulation = preparing([&] { return io::read_case(options.file, options.overrides); });
  const sph::Solver solver = preparing([&] { return sph::Solver(Queue::cpu(), simulation); });
  const sph::Fields fields = solver.fields();
  const auto walls = std::count(fields.wall.begin(), fields.wall.end(), 1);
  const auto particles = static_cast<std::int64_t>(fields.id.size());
  const double step = expected_step(simulation);
  const bool fixed = simulation.scheme.time_step == sph::TimeStep::fixed;
  std::cout << fmt::format("{}: this case can run\n", options.file.string());
  if (!simulation.title.empty()) std::cout << fmt::format("  title      {}\n", simulation.title);
  std::cout << fmt::format("  particles  {}: {} fluid, {} wall; {} dimensions\n", particles, particles - walls, walls,
                           simulation.dimensions);
  std::cout << fmt::format("  steps      {} {:.0f} of {:.3g} s to {:.6g} s\n", fixed ? "exactly" : "about",
                           std::ceil(simulation.duration / step - 0.5), step, simulation.duration);
  std::cout << fmt::format("  memory     {:.0f} MB, as built here on the CPU\n", peak_memory_in_mb());
  return exit_done;
}

int check_wall_motion(const Options& options) {
  namespace walls = io::wall_motion;
  const walls::Case simulation = preparing([&] { return walls::read_case(options.file, options.overrides); });
  const walls::Scene scene = preparing([&] { return walls::make_scene(simulation); });
  const WallDistance plan = preparing([&] { return walls::open_plan(Queue::cpu(), simulation, scene); });
  std::cout << fmt::format("{}: this case can run\n", options.file.string());
  if (!simulation.title.empty()) std::cout << fmt::format("  title      {}\n", simulation.title);
  std::cout << fmt::format("  points     {} {}; {} dimensions\n", scene.points.count(), to_name(simulation.mesh.points),
                           simulation.dimensions);
  std::cout << fmt::format("  walls      {} with {} faces; {} bodies\n", join(scene.walls.wall_names),
                           plan.face_count(), scene.bodies.size());
  std::cout << fmt::format("  updates    {} to {:.6g} s\n", walls::update_count(simulation), simulation.duration);
  return exit_done;
}

int check_relaxation(const Options& options) {
  namespace relaxation = io::relaxation;
  const relaxation::Case simulation = preparing([&] { return relaxation::read_case(options.file, options.overrides); });
  relaxation::Gas gas = preparing([&] { return relaxation::open_gas(Queue::cpu(), simulation); });
  const double bound = relaxation::step_bound(gas);
  const double step = simulation.scheme.step > 0 ? simulation.scheme.step : simulation.scheme.step_share * bound;
  std::cout << fmt::format("{}: this case can run\n", options.file.string());
  if (!simulation.title.empty()) std::cout << fmt::format("  title      {}\n", simulation.title);
  for (const std::string& warning : relaxation::warnings(gas)) std::cout << fmt::format("  warning    {}\n", warning);
  std::cout << fmt::format("  nodes      {} in {}^3; {}\n", simulation.grid.node_count(), simulation.grid.nodes,
                           to_name(simulation.collision.approach));
  std::cout << fmt::format("  steps      about {:.0f} of {:.3g} s to {:.6g} s; the bound is {:.3g} s\n",
                           std::ceil(simulation.duration / step), step, simulation.duration, bound);
  return exit_done;
}

int check(const Options& options) {
  const io::CaseKind kind = preparing([&] { return io::case_kind(options.file, options.overrides); });
  if (kind == io::CaseKind::sph) return check_sph(options);
  preparing([&] { require_runnable(kind, options.file); });
  return kind == io::CaseKind::wall_distance ? check_wall_motion(options) : check_relaxation(options);
}

}  // namespace

void add_check(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Read a case file, say what is wrong with it or what it would run");
  command->add_option("CASE", options->file, "case file (TOML)")->required();
  command->add_option("--set", options->overrides, "key=value: takes the place of the file's")->allow_extra_args(false);
  command->callback([&chosen, options] { chosen = [options] { return check(*options); }; });
}

}  // namespace shoal::cli
