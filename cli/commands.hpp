// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/error.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

namespace CLI {
class App;
}

// Subcommands: one function each, which adds the command with its options to `app` and sets `action` when the command
// line names it. An action returns the exit code.
namespace shoal::cli {

using Action = std::function<int()>;

void add_run(CLI::App& app, Action& action);
void add_resume(CLI::App& app, Action& action);
void add_check(CLI::App& app, Action& action);
void add_measure(CLI::App& app, Action& action);
void add_validate(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);
void add_movie(CLI::App& app, Action& action);
void add_view(CLI::App& app, Action& action);
void add_neighbors(CLI::App& app, Action& action);
void add_deposit(CLI::App& app, Action& action);
void add_wall_distance(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_methods(CLI::App& app, Action& action);
void add_keys(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_manual(CLI::App& app, Action& action);
void add_completion(CLI::App& app, Action& action);

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;         ///< an error while running
inline constexpr int exit_bad_input = 2;      ///< a bad case or bad arguments
inline constexpr int exit_interrupted = 130;  ///< Ctrl-C or SIGTERM

/// Mistake that the user can correct, found before anything has run.
class BadInput : public Error {
 public:
  explicit BadInput(const std::string& message) : BadInput(message, message) {}
  BadInput(const std::string& message, std::string cause) : Error(message), cause_(std::move(cause)) {}

  /// Text of the exception from which this one was made.
  const std::string& cause() const { return cause_; }

 private:
  std::string cause_;
};

/// Message of an error of the file system: "points.csv: permission denied.".
std::string file_message(const std::filesystem::filesystem_error& error);

/// Returns the result of `work`, and turns each of its Errors and errors of the file system into BadInput.
template <class Work>
auto prepared(Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw BadInput(error.what());
  } catch (const std::filesystem::filesystem_error& error) {
    throw BadInput(file_message(error), error.what());
  }
}

}  // namespace shoal::cli
