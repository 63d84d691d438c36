// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// Tuning constants of the operation that more than one file, or the choice of a launch size, depends on.
/// docs/performance/neighbors.md has the measurements.
namespace shoal::neighbors::tuning {

constexpr int max_survey_blocks = 1024;
constexpr int start_blocks = 16;   ///< Maximum number of blocks per multiprocessor that compute cell starts.
constexpr int start_chunk = 1024;  ///< Cells of a block at a time, if the grid has enough cells for all blocks.

constexpr int tile_blocks = 4;          ///< Blocks per multiprocessor that the method `tiles` aims at.
constexpr int row_list_blocks = 16;     ///< Blocks per multiprocessor for lists of rows whose length the host lacks.
constexpr int displacement_blocks = 4;  ///< Maximum number of blocks per multiprocessor; each warp ends in an atomic.

/// Minimum number of destinations for which a GPU thread searches two of them: fewer would leave threads idle.
constexpr std::int64_t min_points_for_pairs = 1 << 18;

/// Maximum number of points that one block of a GPU sorts. Lists with so few rows are made by kernels that keep several
/// threads busy with each row.
constexpr std::int64_t few_points = 15 * 1024;
constexpr std::int64_t few_points_cells = 8 * few_points;  ///< Maximum number of cells into which one block sorts.

constexpr std::int64_t cpu_rows = 512;            ///< Destinations of a CPU thread at a time in loops over neighbors.
constexpr std::int64_t cpu_candidate_rows = 256;  ///< Destinations of a CPU thread at a time in loops over candidates.

}  // namespace shoal::neighbors::tuning
