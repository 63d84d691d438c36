// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/text.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// Text without leading and trailing spaces and tabs.
std::string_view trimmed(std::string_view text);

/// Text with the letters A to Z in lower case.
std::string lower_case(std::string_view text);

/// Error message for a name that a file does not contain, such as
/// "points.csv: there is no column `mas`; did you mean `mass`? It has x, y, z, mass.".
std::string missing_text(const std::string& file, std::string_view kind, const std::string& name,
                         const std::vector<std::string>& present);

}  // namespace shoal::io
