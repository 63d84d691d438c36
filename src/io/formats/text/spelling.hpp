// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// Number of insertions, deletions, replacements and swaps of adjacent characters that turn `a` into `b` (optimal
/// string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// Candidate nearest to `word`; nothing if its edit distance exceeds both two and a third of the length of the word.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace shoal::io
