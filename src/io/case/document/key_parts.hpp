// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace shoal::io {

/// Largest number of parts of a dotted key such as scheme.cfl. Each part is a table within another, which the parser
/// visits recursively.
inline constexpr std::size_t most_key_parts = 8;

/// Checks the dotted keys of a TOML text before it is parsed.
/// @param name  name of the text in the message
/// @throws Error  a key has more than `most_key_parts` parts; the message has the line
void require_short_keys(std::string_view source, const std::string& name);

}  // namespace shoal::io
