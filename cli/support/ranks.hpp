// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

// Processes that work on one command: those that mpirun or srun has started, or this one alone.
namespace shoal::cli {

/// Returns true in the process that prints messages before the ranks have met: rank 0, or a process without a launcher.
bool is_reporting_process();

/// Returns the reason why `command` cannot run as the copies of this program that a launcher has started; empty if it can.
std::string wrong_start(const std::string& command);

/// Replaces this process by `mpirun -n COUNT` of the same command line, unless a launcher has started as many ranks.
/// Returns if this process is one of the ranks.
/// @param count  0 or 1: no launcher is needed
/// @throws Error  a build without MPI, no mpirun, or another number of ranks has been started
void start_ranks(int count);

}  // namespace shoal::cli
