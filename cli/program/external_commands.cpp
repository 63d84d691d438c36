// SPDX-License-Identifier: Apache-2.0
// Commands that other programs carry out: `shoal report`, `shoal plot`, `shoal movie` and `shoal view` execute the Python
// package, `shoal bench` executes shoal-bench.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <cstring>

#include "commands.hpp"
#include "support/process/installation.hpp"

namespace shoal::cli {

namespace {

using Arguments = std::vector<std::string>;

/// Adds a command whose arguments, --help included, all go to `run`.
void add_external(CLI::App& app, Action& action, const std::string& name, const std::string& description,
                  int (*run)(const std::string& name, const Arguments& arguments)) {
  CLI::App* command = app.add_subcommand(name, description);
  command->prefix_command();
  command->set_help_flag();
  command->callback([&action, command, name, run] {
    action = [name, run, arguments = command->remaining()] { return run(name, arguments); };
  });
}

/// Program of Python that carries out a command of the package. `python3 -m shoal` would search modules in the working
/// directory first, and so execute files that came with the results of someone else.
constexpr const char* python_program =
    "import sys; sys.path[:] = filter(None, sys.path); from shoal.__main__ import main; sys.exit(main())";

/// Executes the command NAME of the Python package. Returns only by an exception.
int run_python(const std::string& name, const Arguments& arguments) {
  const auto package = installed_folder("python", "shoal/report");
  if (!package)
    throw Error(name + ": the Python package that draws was not found: there is no ../share/shoal/python beside the " +
                "folder of this program. Install with cmake --install, or run python3 -m shoal " + name +
                " from an installed package.");
  const char* search = std::getenv("PYTHONPATH");
  const std::string path = package->string() + (search && *search ? std::string(":") + search : "");
  setenv("PYTHONPATH", path.c_str(), 1);
  const char* wanted = std::getenv("SHOAL_PYTHON");
  const std::string python = wanted && *wanted ? wanted : "python3";

  Arguments words = {"-c", python_program, name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const int failure = execute(python, words);
  throw Error(
      fmt::format("{}: cannot run {}: {}. Install Python 3.11 or newer with NumPy and h5py, or let the variable "
                  "SHOAL_PYTHON name one.",
                  name, python, std::strerror(failure)));
}

/// Executes `shoal-bench ARGUMENTS`. Returns only by an exception.
int run_bench(const std::string& name, const Arguments& arguments) {
  const std::string program = sibling_program("shoal-bench");
  const int failure = execute(program, arguments);
  throw Error(
      fmt::format("{}: cannot run {}: {}. The program shoal-bench must be in the folder of shoal or on PATH. "
                  "Configure shoal with -DSHOAL_BENCHMARKS=ON, then build and install it.",
                  name, program, std::strerror(failure)));
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  add_external(app, action, "report", "Write an HTML page about a run into its output folder", run_python);
}

void add_plot(CLI::App& app, Action& action) {
  add_external(app, action, "plot", "Draw PNG pictures of a run from its output folder", run_python);
}

void add_movie(CLI::App& app, Action& action) {
  add_external(app, action, "movie", "Make a movie of a run from its output folder, or its frames", run_python);
}

void add_view(CLI::App& app, Action& action) {
  add_external(app, action, "view", "Show a run in the browser, and follow it while it goes on", run_python);
}

void add_bench(CLI::App& app, Action& action) {
  add_external(app, action, "bench", "Repeat the comparison of a paper on this machine, with shoal-bench", run_bench);
}

}  // namespace shoal::cli
