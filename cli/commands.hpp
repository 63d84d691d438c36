// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/error.hpp>

#include <CLI/CLI.hpp>
#include <functional>

// The subcommands: one function each, that adds the command and its options to `app`, and puts what to do into
// `chosen` when the command line asks for it. What it returns is the exit code.
namespace shoal::cli {

using Chosen = std::function<int()>;

void add_run(CLI::App& app, Chosen& chosen);
void add_resume(CLI::App& app, Chosen& chosen);
void add_check(CLI::App& app, Chosen& chosen);
void add_info(CLI::App& app, Chosen& chosen);
void add_methods(CLI::App& app, Chosen& chosen);
void add_keys(CLI::App& app, Chosen& chosen);
void add_validate(CLI::App& app, Chosen& chosen);
void add_manual(CLI::App& app, Chosen& chosen);
void add_completion(CLI::App& app, Chosen& chosen);
void add_neighbors(CLI::App& app, Chosen& chosen);
void add_deposit(CLI::App& app, Chosen& chosen);
void add_wall_distance(CLI::App& app, Chosen& chosen);
void add_report(CLI::App& app, Chosen& chosen);
void add_plot(CLI::App& app, Chosen& chosen);
void add_bench(CLI::App& app, Chosen& chosen);
void add_bench_collision(CLI::App& bench, Chosen& chosen);
void add_bench_sph(CLI::App& bench, Chosen& chosen);
void add_bench_neighbors(CLI::App& bench, Chosen& chosen);
void add_bench_deposit(CLI::App& bench, Chosen& chosen);
void add_bench_wall_distance(CLI::App& bench, Chosen& chosen);

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;         ///< an error while running
inline constexpr int exit_bad_input = 2;      ///< a bad case or bad arguments
inline constexpr int exit_interrupted = 130;  ///< by Ctrl-C or SIGTERM

/// What the user can put right before anything has run.
class BadInput : public Error {
 public:
  using Error::Error;
};

/// The value of `work`, any Error of which is bad input.
template <class Work>
auto preparing(Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw BadInput(error.what());
  }
}

}  // namespace shoal::cli
