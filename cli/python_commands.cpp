// SPDX-License-Identifier: Apache-2.0
// `shoal report` and `shoal plot`: the Python package does the work; these find it and a Python to run it.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "commands.hpp"
#include "own_folder.hpp"

namespace shoal::cli {

namespace {

/// Becomes `python3 -m shoal NAME ARGUMENTS`; returns only by an exception.
int become_python(const std::string& name, const std::vector<std::string>& arguments) {
  const std::optional<std::filesystem::path> package = own_folder({"share/shoal/python", "python"}, "shoal/report");
  if (!package)
    throw Error(name + ": the Python package that draws was not found: there is no share/shoal/python beside " +
                "this program. Install with cmake --install, or run python3 -m shoal " + name +
                " from an installed package.");
  const char* search = std::getenv("PYTHONPATH");
  const std::string path = package->string() + (search && *search ? std::string(":") + search : "");
  setenv("PYTHONPATH", path.c_str(), 1);
  const char* chosen = std::getenv("SHOAL_PYTHON");
  const std::string python = chosen && *chosen ? chosen : "python3";

  std::vector<std::string> words = {python, "-m", "shoal", name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(python.c_str(), pointers.data());
  throw Error(name + ": cannot run " + python + ": " + std::strerror(errno) +
              ". Install Python 3.10 or newer with NumPy and h5py, or let the variable SHOAL_PYTHON name one.");
}

void add_python_command(CLI::App& app, Chosen& chosen, const std::string& name, const std::string& what) {
  CLI::App* command = app.add_subcommand(name, what);
  command->prefix_command();  // all that follows is for Python to understand, --help too
  command->set_help_flag();
  command->callback([&chosen, command, name] {
    chosen = [name, arguments = command->remaining()] { return become_python(name, arguments); };
  });
}

}  // namespace

void add_report(CLI::App& app, Chosen& chosen) {
  add_python_command(app, chosen, "report", "Make one HTML file to look at from the output folder of a run");
}

void add_plot(CLI::App& app, Chosen& chosen) {
  add_python_command(app, chosen, "plot", "Draw PNGs from the output folder of a run");
}

}  // namespace shoal::cli
