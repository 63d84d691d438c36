// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <shoal/io/case_kinds.hpp>

#include <string>
#include <vector>

#include "support/arguments/options.hpp"

// Options, progress and messages of `run`, `resume` and `validate`.
namespace shoal::cli {

struct RunningOptions {
  DeviceOptions device;
  int ranks = 0;  ///< number of ranks to start; 0: those that a launcher has started
  bool quiet = false;
  std::string json_log;  ///< file; empty: none
};

/// Adds the option --set, which replaces values of the case file.
void add_set_option(CLI::App& command, std::vector<std::string>& overrides);

void add_running_options(CLI::App& command, RunningOptions& options);

/// Queue of this rank: on one rank open_queue(), on several a device or a share of the cores for each.
Queue open_rank_queue(const DeviceOptions& options);

/// Options of the library for a run into `folder`: progress, log, and the end by Ctrl-C in the scope of an Interrupt.
io::RunOptions run_options(const Queue& queue, const RunningOptions& options, const std::filesystem::path& folder);

/// Runs to the end, to an error or to Ctrl-C, and prints warnings and summary. Returns the exit code.
int run_and_report(io::PreparedRun& run, const io::RunOptions& options, bool quiet);

}  // namespace shoal::cli
