// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

// The command line as it describes itself, for the manual page and for shells that complete words.
namespace shoal::cli {

struct OptionWords {
  std::vector<std::string> names;  ///< "--out", "-h"; none: a positional
  std::string positional;          ///< "CASE"
  std::string value;               ///< "TEXT"; empty for a flag
  std::string meaning;
};

struct CommandWords {
  std::vector<std::string> path;  ///< {"bench", "deposit"}; empty: shoal itself
  std::string meaning;
  std::vector<OptionWords> options;
  std::vector<std::string> commands;  ///< below this one

  /// "/bench/deposit", "" for shoal itself.
  std::string place() const;
};

/// All commands, each before those below it.
std::vector<CommandWords> describe_commands(const CLI::App& app);

/// The roff text of shoal(1).
std::string manual_page(const CLI::App& app);

/// @param shell  "bash", "zsh" or "fish"
/// @throws BadInput  another one
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace shoal::cli
