// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/case_file.hpp>
#include <shoal/io/restart.hpp>

#include <iostream>
#include <optional>

#include "commands.hpp"
#include "running.hpp"

namespace shoal::cli {

namespace {

struct Options {
  std::filesystem::path folder;
  std::optional<double> until;
  RunningOptions running;
};

/// The case of a restart, with another end if the user wants one.
sph::Case case_of(const io::Restart& restart, const std::filesystem::path& file, const std::optional<double>& until) {
  std::vector<std::string> overrides;
  if (until) overrides.push_back(fmt::format("run.duration={}", *until));
  return io::parse_case(restart.case_text, file.string() + " (its case)", overrides);
}

int resume(const Options& options) {
  const std::filesystem::path file = options.folder / "restart.h5";
  const io::Restart restart = preparing([&] { return io::read_restart(file); });
  const sph::Case simulation = preparing([&] { return case_of(restart, file, options.until); });
  const double last_step = restart.snapshot.clock.dt;
  if (restart.snapshot.clock.time >= simulation.duration - last_step / 2) {
    std::cout << "This run is at its end already: t = " << restart.snapshot.clock.time << " s of "
              << simulation.duration << " s. To go on, give a later --until.\n";
    return exit_done;
  }
  const Queue queue = preparing([&] { return open_queue(options.running.device); });
  sph::Solver solver = preparing([&] { return sph::Solver(queue, simulation, restart.snapshot); });
  return run_and_report(solver, queue, options.running, options.folder, true);
}

}  // namespace

void add_resume(CLI::App& app, Chosen& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("resume", "Continue a run from the restart in its output folder");
  command->add_option("DIR", options->folder, "output folder of the run")->required();
  command->add_option("--until", options->until, "run to this time, s, instead of the case's duration");
  add_running_options(*command, options->running);
  command->callback([&chosen, options] { chosen = [options] { return resume(*options); }; });
}

}  // namespace shoal::cli
