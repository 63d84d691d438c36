// SPDX-License-Identifier: Apache-2.0
// Constants of `cells` that decide speed, not results; docs/performance/cells.md has the measurements.
#pragma once
#include <cstdint>

namespace shoal::cells::tuning {

/// `auto` selects `serial` for fewer CPU threads and fewer points: two threads do not make up for the second pass of
/// `counting` while the offsets of cells are in the cache.
constexpr int auto_min_threads = 4;
constexpr std::int64_t auto_min_points = 6'000'000;

/// `counting` on the CPU: greatest number of runs of cells in its first level.
constexpr std::int64_t max_runs = 1024;

/// `counting` on CUDA: greatest number of points of a cell that one thread per point sorts; a block sorts fuller cells.
constexpr std::int64_t max_points_by_threads = 512;

/// `resort`: sorts anew if more than one of this many points changed its cell.
constexpr std::int64_t points_per_mover = 32;

}  // namespace shoal::cells::tuning
