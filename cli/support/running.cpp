// SPDX-License-Identifier: Apache-2.0
#include "support/running.hpp"

#include <unistd.h>

#include <iostream>

#include "commands.hpp"
#include "support/interrupt.hpp"
#include "support/output.hpp"

namespace shoal::cli {

namespace {

io::ProgressOptions progress_on_stderr() {
  const Terminal target = terminal(STDERR_FILENO);
  return {&std::cerr, target.is_terminal, target.color, target.width};
}

void print_warning(const Warning& warning) { std::cerr << "warning: " << warning.text() << std::endl; }

}  // namespace

void add_running_options(CLI::App& command, RunningOptions& options) {
  add_device_options(command, options.device);
  command.add_flag("--quiet", options.quiet, "print no progress and no summary");
  command.add_option("--json-log", options.json_log, "write the log of the run to this file, one JSON object per line");
}

io::RunOptions run_options(const Queue& queue, const RunningOptions& options, const std::filesystem::path& folder) {
  io::RunOptions run;
  run.folder = folder;
  run.device = queue.name();
  run.json_log = options.json_log;
  if (!options.quiet) run.progress = progress_on_stderr();
  run.on_warning = print_warning;
  run.interrupted = [] { return Interrupt::requested(); };
  return run;
}

int run_and_report(io::PreparedRun& run, const io::RunOptions& options, bool quiet) {
  for (const Warning& warning : run.warnings()) print_warning(warning);
  const Interrupt interrupt;
  const io::RunOutcome outcome = run.run(options);
  if (!quiet) std::cout << outcome.summary << std::flush;
  if (!outcome.interrupted) return exit_done;
  std::cerr << "shoal: interrupted; " << outcome.interruption << '\n';
  return exit_interrupted;
}

}  // namespace shoal::cli
