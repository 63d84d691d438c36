// SPDX-License-Identifier: Apache-2.0
#include "io/case/document/key_parts.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace shoal::io {

namespace {

/// Position after the text in quotes that begins at `begin`. A text in single quotes has no escapes. A text in three
/// quotes may have several lines; any other ends with its line at the latest.
std::size_t end_of_quotes(std::string_view source, std::size_t begin) {
  const char quote = source[begin];
  const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
  const bool has_lines = source.substr(begin).starts_with(three);
  const std::string_view close = has_lines ? three : three.substr(0, 1);
  for (std::size_t i = begin + close.size(); i < source.size(); ++i) {
    if (!has_lines && source[i] == '\n') return i;
    if (source.substr(i).starts_with(close)) return i + close.size();
    if (quote == '"' && source[i] == '\\') ++i;
  }
  return source.size();
}

}  // namespace

void require_short_keys(std::string_view source, const std::string& name) {
  constexpr std::string_view separators = "\n=,[]{}";
  std::size_t line = 1, parts = 1;
  for (std::size_t i = 0; i < source.size();) {
    const char c = source[i];
    std::size_t next = i + 1;
    if (c == '#') next = std::min(source.size(), source.find('\n', i));
    if (c == '"' || c == '\'') next = end_of_quotes(source, i);
    if (separators.find(c) != std::string_view::npos) parts = 1;
    if (c == '.') ++parts;
    require(parts <= most_key_parts, name, ":", line, ": a key has more than ", most_key_parts,
            " parts with dots between them. Keys of cases have at most 4.");
    line += static_cast<std::size_t>(std::count(source.begin() + static_cast<std::ptrdiff_t>(i),
                                                source.begin() + static_cast<std::ptrdiff_t>(next), '\n'));
    i = next;
  }
}

}  // namespace shoal::io
