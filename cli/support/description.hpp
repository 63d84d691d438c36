// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

#include <string>
#include <vector>

// Description of the command line, from which the manual page and the completion scripts are made.
namespace shoal::cli {

struct OptionDescription {
  std::vector<std::string> names;  ///< "--out", "-h"; empty: a positional argument
  std::string positional;          ///< "CASE"
  std::string value;               ///< "TEXT"; empty: a flag
  std::string meaning;
};

struct CommandDescription {
  std::string name;  ///< "run"; empty: shoal itself
  std::string meaning;
  std::vector<OptionDescription> options;
};

/// Descriptions of shoal itself and of its commands.
std::vector<CommandDescription> describe(const CLI::App& app);

}  // namespace shoal::cli
