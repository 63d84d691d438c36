// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/text.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// Number of insertions, deletions, replacements and swaps of adjacent characters that turn `a` into `b` (optimal
/// string alignment).
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace shoal::io
