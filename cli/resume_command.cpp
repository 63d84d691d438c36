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
  std::filesystem::path case_file;  ///< that must be the run's; empty: none
  RunningOptions running;
};

/// The case of a restart, with another end if the user wants one.
sph::Case case_of(const io::Restart& restart, const std::filesystem::path& file, const std::optional<double>& until) {
  std::vector<std::string> overrides;
  if (until) overrides.push_back(fmt::format("run.duration={}", *until));
  return io::parse_case(restart.case_text, file.string() + " (its case)", overrides);
}

/// Holds the case of a restart against that in the run's folder, which people may have edited, and that of --case.
void require_same_cases(const io::Restart& restart, const Options& options) {
  for (const std::filesystem::path& file : {options.folder / "case.toml", options.case_file})
    if (!file.empty() && (file == options.case_file || std::filesystem::exists(file)))
      io::require_same_case(restart.case_text, io::read_case(file).text, file.string());
}

int resume(const Options& options) {
  const std::filesystem::path file = options.folder / "restart.h5";
  const io::Restart restart = preparing([&] { return io::read_restart(file); });
  const sph::Case simulation = preparing([&] {
    require_same_cases(restart, options);
    return case_of(restart, file, options.until);
  });
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
  command->add_option("--case", options->case_file, "case file that the run must have begun with");
  add_running_options(*command, options->running);
  command->callback([&chosen, options] { chosen = [options] { return resume(*options); }; });
}

}  // namespace shoal::cli
