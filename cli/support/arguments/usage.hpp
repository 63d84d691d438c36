// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

#include <string>

// Errors in command lines, and the exit codes that commands share.
namespace shoal::cli {

/// Meaning of each exit code, on one line.
std::string exit_codes();

/// Adds a check to all options: an empty value, as an unset variable of a script gives, is an error.
void refuse_empty_values(CLI::App& app);

/// Message for a command line that was refused. It names an unknown command or option, and the nearest known one.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

}  // namespace shoal::cli
