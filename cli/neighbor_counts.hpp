// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "terminal.hpp"

namespace shoal::cli {

/// Points that have `from` to `to` neighbors.
struct CountBin {
  std::int64_t from = 0, to = 0, points = 0;
};

/// How many neighbors points have.
struct NeighborCounts {
  std::int64_t points = 0, total = 0;
  std::int64_t least = 0, most = 0, without = 0;  ///< of a point; points that have none
  double mean = 0, deviation = 0;                 ///< deviation: standard, over all points (divided by their number)
  std::vector<CountBin> histogram;                ///< at most 20 bins of one width: 1, 2 or 5 times a power of ten
};

/// @param offsets  [points + 1] of a list, in host memory
NeighborCounts count_neighbors(View<const std::int64_t> offsets);

/// A line a bin, with a bar; no line is wider than the terminal (80 columns if that is not known).
std::string histogram_text(const NeighborCounts& counts, const Terminal& terminal);

}  // namespace shoal::cli
