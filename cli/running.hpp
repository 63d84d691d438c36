// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/run.hpp>
#include <shoal/io/wall_motion.hpp>

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

/// Runs to the end, to an error or to Ctrl-C, and says how it went; gives the exit code.
int run_and_report(sph::Solver& solver, const Queue& queue, const RunningOptions& options,
                   const std::filesystem::path& folder, bool resume);
int run_and_report(const io::wall_motion::Case& simulation, const io::wall_motion::Scene& scene, const Queue& queue,
                   const RunningOptions& options, const std::filesystem::path& folder);

}  // namespace shoal::cli
