// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

#include <string>
#include <vector>

// Description of the command line, from which the manual page and the completion scripts are made.
namespace shoal::cli {

/// Values that a shell can offer for an option or an argument.
struct OfferedValues {
  std::vector<std::string> words;
  std::string command = {};  ///< command that prints further values, one a line; empty: none

  bool empty() const { return words.empty() && command.empty(); }
};

/// Notes the values that a shell can offer for an option or a positional argument.
void offer(const CLI::Option* option, OfferedValues values);

struct OptionDescription {
  std::vector<std::string> names;  ///< "--out", "-h"; empty: a positional argument
  std::string positional;          ///< "CASE"
  std::string value;               ///< "TEXT"; empty: a flag
  std::string meaning;
  OfferedValues values;
};

struct CommandDescription {
  std::string name;  ///< "run"; empty: shoal itself
  std::string meaning;
  std::vector<OptionDescription> options;
};

/// Descriptions of shoal itself and of its commands.
std::vector<CommandDescription> describe(const CLI::App& app);

}  // namespace shoal::cli
