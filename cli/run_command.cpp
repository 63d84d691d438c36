// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/case_file.hpp>
#include <shoal/io/relaxation.hpp>
#include <shoal/io/wall_motion.hpp>

#include <iostream>

#include "commands.hpp"
#include "interrupt.hpp"
#include "running.hpp"

namespace shoal::cli {

namespace {

struct Options {
  std::filesystem::path file;
  std::vector<std::string> overrides;
  std::filesystem::path out;
  bool force = false;
  RunningOptions running;
};

/// out/NAME, where NAME is the folder of a file called case.toml, and the file's own name otherwise.
std::filesystem::path default_folder(const std::filesystem::path& file) {
  const bool named_by_folder = file.filename() == "case.toml";
  const std::filesystem::path folder = std::filesystem::absolute(file).lexically_normal().parent_path();
  return std::filesystem::path("out") / (named_by_folder ? folder.filename() : file.stem());
}

int run_sph(const Options& options, const Queue& queue, const std::filesystem::path& folder) {
  sph::Solver solver = preparing([&] {
    const sph::Case simulation = io::read_case(options.file, options.overrides);
    sph::Solver made(queue, simulation);
    io::prepare_output(folder, simulation, options.force);
    return made;
  });
  return run_and_report(solver, queue, options.running, folder, false);
}

int run_wall_motion(const Options& options, const Queue& queue, const std::filesystem::path& folder) {
  namespace walls = io::wall_motion;
  const walls::Case simulation = preparing([&] { return walls::read_case(options.file, options.overrides); });
  const walls::Scene scene = preparing([&] { return walls::make_scene(simulation); });
  WallDistance plan = preparing([&] { return walls::open_plan(queue, simulation, scene); });
  preparing([&] { walls::prepare_output(folder, options.force); });
  const io::RunOptions run = run_options(queue, options.running, folder);
  const Interrupt interrupt;
  const walls::Report report = walls::run(queue, plan, simulation, scene, run);
  if (!options.running.quiet) std::cout << walls::summary_text(report) << std::flush;
  if (!report.interrupted) return exit_done;
  std::cerr << "shoal: interrupted; the output has all states up to t = " << report.time << " s.\n";
  return exit_interrupted;
}

int run_relaxation(const Options& options, const Queue& queue, const std::filesystem::path& folder) {
  namespace relaxation = io::relaxation;
  const relaxation::Case simulation = preparing([&] { return relaxation::read_case(options.file, options.overrides); });
  relaxation::Gas gas = preparing([&] { return relaxation::open_gas(queue, simulation); });
  preparing([&] { relaxation::prepare_output(folder, options.force); });
  for (const std::string& warning : relaxation::warnings(gas)) std::cerr << "warning: " << warning << '\n';
  const io::RunOptions run = run_options(queue, options.running, folder);
  const Interrupt interrupt;
  const relaxation::Report report = relaxation::run(gas, queue, simulation, run);
  if (!options.running.quiet) std::cout << relaxation::summary_text(report) << std::flush;
  if (!report.interrupted) return exit_done;
  std::cerr << "shoal: interrupted; the output has all rows up to t = " << report.time
            << " s, and the distribution then in distribution.npy.\n";
  return exit_interrupted;
}

int run_case(const Options& options) {
  const std::filesystem::path folder = options.out.empty() ? default_folder(options.file) : options.out;
  const Queue queue = preparing([&] { return open_queue(options.running.device); });
  const io::CaseKind kind = preparing([&] { return io::case_kind(options.file, options.overrides); });
  if (kind == io::CaseKind::sph) return run_sph(options, queue, folder);
  if (kind == io::CaseKind::wall_distance) return run_wall_motion(options, queue, folder);
  preparing([&] { require_runnable(kind, options.file); });
  return run_relaxation(options, queue, folder);
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("run", "Run a case file to its end");
  command->add_option("CASE", options->file, "case file (TOML); `shoal keys` lists what it may say")->required();
  command->add_option("--set", options->overrides, "key=value: takes the place of the file's, as in scheme.cfl=0.4")
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "folder for the output; default: out/<folder of case.toml>");
  command->add_flag("--force", options->force, "replace the output of an earlier run in that folder");
  add_running_options(*command, options->running);
  command->callback([&chosen, options] { chosen = [options] { return run_case(*options); }; });
}

}  // namespace shoal::cli
