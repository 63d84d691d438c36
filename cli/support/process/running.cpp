// SPDX-License-Identifier: Apache-2.0
#include "support/process/running.hpp"

#include <unistd.h>
#include <shoal/io/text.hpp>
#ifdef SHOAL_WITH_MPI
#include <shoal/mpi.hpp>
#endif

#include <iostream>
#include <set>

#include "commands.hpp"
#include "support/arguments/description.hpp"
#include "support/output.hpp"
#include "support/process/interrupt.hpp"
#include "support/process/ranks.hpp"

namespace shoal::cli {

namespace {

io::ProgressOptions progress_on_stderr() {
  const Terminal target = terminal(STDERR_FILENO);
  return {&std::cerr, target.is_terminal, target.color, target.width};
}

void print_warning(const Warning& warning) { std::cerr << "warning: " << io::printable(warning.text()) << std::endl; }

constexpr int most_ranks = 1'000'000;

/// Returns true if files of a kind are run by `shoal run`.
bool is_run(const std::string& name) {
  for (const io::CaseKind* kind : io::case_kinds())
    if (kind->name == name) return kind->open != nullptr;
  return false;
}

/// Keys of case files as --set has them: "run.duration=". Names and numbers that only a file knows end with their dot.
std::vector<std::string> keys_to_set() {
  std::set<std::string> keys;
  for (const io::KeyInfo& key : io::case_keys()) {
    if (!is_run(key.kind) || key.name == "kind") continue;
    const std::size_t first = key.section.find_first_not_of('['), end = key.section.find_first_of("].", first);
    const std::string section = key.section.empty() ? "" : key.section.substr(first, end - first) + ".";
    const bool is_named = key.section.find(".NAME") != std::string::npos;
    const bool is_list = key.section.starts_with("[[");
    keys.insert(is_named ? section : section + (is_list ? "0." : "") + key.name + "=");
  }
  return {keys.begin(), keys.end()};
}

}  // namespace

void add_set_option(CLI::App& command, std::vector<std::string>& overrides) {
  CLI::Option* option =
      command
          .add_option("--set", overrides,
                      "key=value: replaces a value of the file, as in scheme.cfl=0.4; may be repeated")
          ->allow_extra_args(false);
  offer(option, {keys_to_set()});
}

void add_running_options(CLI::App& command, RunningOptions& options) {
  add_device_options(command, options.device);
  command
      .add_option("--ranks", options.ranks,
                  "number of processes that share the case, each with a GPU or a part of the cores; starts mpirun")
      ->check(CLI::Range(1, most_ranks));
  command.add_flag("--quiet", options.quiet, "print no progress and no summary");
  command.add_option("--json-log", options.json_log, "write the log of the run to this file, one JSON object per line");
}

Queue open_rank_queue(const DeviceOptions& options) {
#ifdef SHOAL_WITH_MPI
  if (ranks().size() > 1) return mpi::queue(ranks(), options.device, options.threads);
#endif
  return open_queue(options);
}

io::RunOptions run_options(const Queue& queue, const RunningOptions& options, const std::filesystem::path& folder) {
  io::RunOptions run;
  run.folder = folder;
  run.ranks = ranks();
  run.device = device_of_ranks(queue.name());
  run.json_log = options.json_log;
  if (!options.quiet) run.progress = progress_on_stderr();
  run.on_warning = print_warning;
  run.interrupted = [] { return Interrupt::requested(); };
  return run;
}

int run_and_report(io::PreparedRun& run, const io::RunOptions& options, bool quiet) {
  for (const Warning& warning : run.warnings())
    if (is_reporting_process()) print_warning(warning);
  const Interrupt interrupt;
  const io::RunOutcome outcome = run.run(options);
  if (!quiet && is_reporting_process()) std::cout << io::printable(outcome.summary) << std::flush;
  if (!outcome.interrupted) return exit_done;
  if (is_reporting_process()) std::cerr << "shoal: interrupted; " << io::printable(outcome.interruption) << '\n';
  return exit_interrupted;
}

}  // namespace shoal::cli
