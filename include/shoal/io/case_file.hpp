// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/overrides.hpp>
#include <shoal/sph/case.hpp>

#include <filesystem>
#include <string>
#include <string_view>

/// Case files, fields, probes, restarts and the loop that runs a case. Host only.
namespace shoal::io {

/// Reads a case file of kind = "sph". The format is TOML, all values are in SI units; docs/case_file.md lists every
/// key.
///
/// @param overrides  values are TOML; a single word may omit its quotes
/// @return  case with default values filled in; `text` is that case as TOML, which reads back to the same case
/// @throws Error  the file cannot be read, a syntax error, an unknown key, a wrong type, an unknown name, a missing
///                key, a value out of its range, or contradictory values; the message begins with file and line
sph::Case read_case(const std::filesystem::path& file, const Overrides& overrides = {});

/// Reads a case from text, as read_case() does from a file. `name` is the file name in messages.
sph::Case parse_case(std::string_view text, std::string_view name, const Overrides& overrides = {});

/// Returns a case as TOML text with every value and, as comments, its unit. parse_case() reads it back to the same
/// case.
std::string case_text(const sph::Case& simulation);

}  // namespace shoal::io
