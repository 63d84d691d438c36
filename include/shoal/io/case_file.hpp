// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph_case.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Case files, fields, probes, restarts and the loop that runs a case. Host only.
namespace shoal::io {

/// Reads a case file of kind = "sph" (TOML, SI units, words; docs/case_file.md lists every key).
///
/// @param overrides  "key=value" with a dotted key: "scheme.cfl=0.4", "run.precision=double", "probe.0.every=0.01".
///                   The value is TOML; a bare word stands for itself as text.
/// @return  the case; `text` is the resolved case as TOML, which reads back to the same case
/// @throws Error  file cannot be read, syntax, unknown key, wrong type, unknown name, missing key, a value out of its
///                range, or a case that makes no sense; the message starts with file and line
sph::Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The same from text; `name` stands for the file in messages.
sph::Case parse_case(std::string_view text, std::string_view name, const std::vector<std::string>& overrides = {});

/// A case as TOML text, every value given, units as comments. parse_case() reads it back to the same case.
std::string case_text(const sph::Case& simulation);

}  // namespace shoal::io
