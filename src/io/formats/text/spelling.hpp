// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// Insertions, deletions, replacements and swaps of neighbors that turn `a` into `b` (optimal string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate nearest to `word`, or nothing when even that one is further than two edits and a third of the word
/// away.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace shoal::io
