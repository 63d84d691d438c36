// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <shoal/error.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "support/harness.hpp"

// Commands of shoal-bench: one function each, which adds the command with its options to `app` and sets `action` to its
// measurement when the command line names it.
namespace shoal::benchmarks {

using Action = std::function<void()>;

void add_collision(CLI::App& app, Action& action);
void add_deposit(CLI::App& app, Action& action);
void add_neighbors(CLI::App& app, Action& action);
void add_sph(CLI::App& app, Action& action);
void add_wall_distance(CLI::App& app, Action& action);

/// Mistake that the user can correct, found before anything was measured.
class BadInput : public Error {
 public:
  using Error::Error;
};

/// Returns the result of `work`, and turns each of its Errors into BadInput.
template <class Work>
auto prepared(Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw BadInput(error.what());
  }
}

/// Options that all commands have.
struct BenchOptions {
  bool paper = false;
  std::string device = "best";
  MeasureOptions each;        ///< limits of one measurement
  std::int64_t largest = 0;   ///< size of the largest problem
  std::filesystem::path out;  ///< folder for files; empty: none
  bool allow_dirty = false;   ///< true: write files also for sources that differ from their commit
};

/// @param iterations,largest,files  descriptions of these options
void add_bench_options(CLI::App& command, BenchOptions& options, const char* iterations, const char* largest,
                       const char* files);

/// @param command  name of the command, for messages
/// @param least    smallest allowed value of --largest
/// @param unit     objects that --largest counts, such as "particles"
/// @throws Error  no --paper, a number out of its range, or files for sources that differ from their commit
void require_valid(const BenchOptions& options, const char* command, std::int64_t least, const char* unit);

/// Makes the folder for the files, if there is one.
/// @throws Error  the folder cannot be made
void make_folder(const std::filesystem::path& folder);

}  // namespace shoal::benchmarks
