// SPDX-License-Identifier: Apache-2.0
#include "running.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "commands.hpp"
#include "interrupt.hpp"

namespace shoal::cli {

namespace {

io::ProgressOptions progress_on_stderr() {
  io::ProgressOptions options;
  options.out = &std::cerr;
  options.terminal = ::isatty(STDERR_FILENO) == 1;
  const char* no_colour = std::getenv("NO_COLOR");
  options.colour = options.terminal && !(no_colour && *no_colour);
  winsize size{};
  if (options.terminal && ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0) options.width = size.ws_col;
  return options;
}

}  // namespace

void add_running_options(CLI::App& command, RunningOptions& options) {
  command.add_option("--device", options.device, "cpu, cuda, cuda:1, or best: a GPU if there is one")
      ->capture_default_str();
  command.add_option("--threads", options.threads, "CPU threads; 0: one a core")->capture_default_str();
  command.add_flag("--quiet", options.quiet, "no progress, no summary");
  command.add_option("--json-log", options.json_log, "write what happens to this file, one JSON object a line");
}

Queue open_queue(const RunningOptions& options) {
  const bool takes_cpu = options.device == "cpu" || (options.device == "best" && cuda_device_count() == 0);
  if (takes_cpu) return Queue::cpu(options.threads);
  if (options.threads != 0)
    throw Error("--threads is for the CPU, and the device is \"" + options.device + "\"; add --device cpu.");
  return Queue::parse(options.device);
}

int run_and_report(sph::Solver& solver, const Queue& queue, const RunningOptions& options,
                   const std::filesystem::path& folder, bool resume) {
  io::RunOptions run;
  run.folder = folder;
  run.resume = resume;
  run.device = queue.name();
  run.json_log = options.json_log;
  if (!options.quiet) run.progress = progress_on_stderr();
  const Interrupt interrupt;
  run.interrupted = [] { return Interrupt::requested(); };
  const io::RunReport report = io::run(solver, run);
  if (!options.quiet) std::cout << io::summary_text(report) << std::flush;
  if (!report.interrupted) return exit_done;
  std::cerr << "shoal: interrupted; the state of step " << report.last.clock.step << " is in "
            << (folder / "restart.h5").string() << ". Continue with: shoal resume " << folder.string() << '\n';
  return exit_interrupted;
}

}  // namespace shoal::cli
