// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <string>

// Processes that work on one command: those that mpirun or srun has started, or this one alone.
namespace shoal::cli {

/// Returns true in the process that prints messages: rank 0, or a process without a launcher.
bool is_reporting_process();

/// Ranks that this process belongs to. The first call starts MPI if a launcher has started this process.
const Communicator& ranks();

/// Prints an error and returns the exit code of this process. Ranks that all have the error end with one message and one
/// code; an error of one rank ends all ranks at once, because the others wait for this one.
/// @param message  text to print
/// @param cause    text of the exception, by which ranks recognize the error that all have
int report_error(const std::string& message, const std::string& cause, int exit_code);

/// "4 x cuda:0 NVIDIA H200": device of each rank, for output.
std::string device_of_ranks(const std::string& device);

/// Returns the reason why `command` cannot run as the copies of this program that a launcher has started; empty if it can.
std::string wrong_start(const std::string& command);

/// Replaces this process by `mpirun -n COUNT` of the same command line, unless a launcher has started as many ranks.
/// Returns if this process is one of the ranks.
/// @param count  0 or 1: no launcher is needed
/// @throws Error  a build without MPI, no mpirun, or another number of ranks has been started
void start_ranks(int count);

}  // namespace shoal::cli
