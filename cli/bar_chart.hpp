// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "terminal.hpp"

namespace shoal::cli {

struct Bar {
  std::string label;
  std::int64_t count = 0;
};

/// A heading, and a line a bar with its count; no line is wider than the terminal (80 columns if that is not known).
/// @param of_labels,of_counts  heading
std::string bar_chart(const std::string& of_labels, const std::string& of_counts, const std::vector<Bar>& bars,
                      const Terminal& terminal);

}  // namespace shoal::cli
