// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/case_kinds.hpp>

#include <CLI/CLI.hpp>
#include <string>

#include "device_options.hpp"

// What `run` and `resume` have in common.
namespace shoal::cli {

struct RunningOptions {
  DeviceOptions device;
  bool quiet = false;
  std::string json_log;
};

void add_running_options(CLI::App& command, RunningOptions& options);

/// For a run into `folder`: progress, log and Ctrl-C as the options have them, while an Interrupt lives.
io::RunOptions run_options(const Queue& queue, const RunningOptions& options, const std::filesystem::path& folder);

/// Runs to the end, to an error or to Ctrl-C, and prints warnings and summary. Returns the exit code.
int run_and_report(io::PreparedRun& run, const io::RunOptions& options, bool quiet);

}  // namespace shoal::cli
