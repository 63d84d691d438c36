// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/resource.h>
#include <shoal/io/case_file.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>

#include "commands.hpp"

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
  return scheme.cfl * simulation.smoothing * simulation.spacing / fastest;
}

double peak_memory_in_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

int check(const Options& options) {
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

}  // namespace

void add_check(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", "Read a case file, say what is wrong with it or what it would run");
  command->add_option("CASE", options->file, "case file (TOML)")->required();
  command->add_option("--set", options->overrides, "key=value: takes the place of the file's")->allow_extra_args(false);
  command->callback([&chosen, options] { chosen = [options] { return check(*options); }; });
}

}  // namespace shoal::cli
