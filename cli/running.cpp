// SPDX-License-Identifier: Apache-2.0
#include "running.hpp"

#include <unistd.h>

#include <iostream>

#include "commands.hpp"
#include "core/text.hpp"
#include "interrupt.hpp"
#include "terminal.hpp"

namespace shoal::cli {

namespace {

io::ProgressOptions progress_on_stderr() {
  const Terminal terminal = terminal_of(STDERR_FILENO);
  return {&std::cerr, terminal.is_there, terminal.color, terminal.width};
}

}  // namespace

void require_runnable(io::CaseKind kind, const std::filesystem::path& file) {
  require(kind != io::CaseKind::validation, file.string(),
          ": this says what runs are held against. Use: shoal validate ", file.parent_path().string());
}

void add_running_options(CLI::App& command, RunningOptions& options) {
  add_device_options(command, options.device);
  command.add_flag("--quiet", options.quiet, "no progress, no summary");
  command.add_option("--json-log", options.json_log, "write what happens to this file, one JSON object a line");
}

io::RunOptions run_options(const Queue& queue, const RunningOptions& options, const std::filesystem::path& folder) {
  io::RunOptions run;
  run.folder = folder;
  run.device = queue.name();
  run.json_log = options.json_log;
  if (!options.quiet) run.progress = progress_on_stderr();
  run.interrupted = [] { return Interrupt::requested(); };
  return run;
}

int run_and_report(sph::Solver& solver, const Queue& queue, const RunningOptions& options,
                   const std::filesystem::path& folder, bool resume) {
  io::RunOptions run = run_options(queue, options, folder);
  run.resume = resume;
  const Interrupt interrupt;
  const io::RunReport report = io::run(solver, run);
  if (!options.quiet) std::cout << io::summary_text(report) << std::flush;
  if (!report.interrupted) return exit_done;
  std::cerr << "shoal: interrupted; the state of step " << report.last.clock.step << " is in "
            << (folder / "restart.h5").string() << ". Continue with: shoal resume " << folder.string() << '\n';
  return exit_interrupted;
}

}  // namespace shoal::cli
