// SPDX-License-Identifier: Apache-2.0
// Constants of `deposit` that decide speed, not results; docs/performance/deposit.md has the measurements.
#pragma once
#include <cstdint>

namespace shoal::deposit::tuning {

/// @name CPU methods
/// @{
/// Runs of cells per thread, so that threads can share the rest of the work when one is late.
constexpr int runs_per_thread = 16;

/// `sorted`: greatest number of chunks of a cell that one thread adds; all threads share fuller cells.
constexpr std::int64_t max_chunks_of_thread = 16;

/// `sorted`: greatest number of particles of a cell whose corners, not particles, fill the vector.
constexpr std::int64_t max_few_particles = 4;
/// @}

/// @name Shapes `tsc` and `pcs`
/// @{
/// `sorted`: greatest number of particles of a cell that add to the nodes' sums directly, not to a copy of them.
constexpr std::int64_t max_direct_particles = 2;
/// @}

/// @name `lanes`
/// @{
/// B of the slots that batches of particles are copied to. More warps fit on a multiprocessor with small slots, but a slot
/// should hold the particles of the cells that a warp adds at once.
constexpr int small_slot_bytes = 3072;
constexpr int slot_bytes = 6144;

/// Warps take tiles of nodes in grids of at least this many cells. A smaller grid has too few tiles.
constexpr std::int64_t min_cells_for_tiles = std::int64_t{1} << 20;

/// Warps take tiles of nodes below this average number of particles per cell.
constexpr std::int64_t tiles_below = 2;

/// Blocks per multiprocessor for lists whose length the host does not know.
constexpr int list_blocks_per_multiprocessor = 8;

/// Threads per multiprocessor that search for full cells.
constexpr int list_threads_per_multiprocessor = 2048;
/// @}

/// @name `integer` on CUDA
/// @{
/// Nodes read the particles themselves below this average number of particles per cell.
constexpr std::int64_t sparse_below = 3;

/// Greatest number of particles of a cell that nodes read.
constexpr std::int64_t max_read_by_nodes = 4;

/// Blocks per multiprocessor of the kernels that measure the sizes of the values.
constexpr std::int64_t survey_blocks_per_multiprocessor = 8;
/// @}

/// @name Nodes to particles on CUDA
/// @{
/// A group of lanes reads the nodes of a whole cell from this average number of particles per cell on.
constexpr std::int64_t by_cells_from = 4;

/// Greatest number of particles of such a cell; the threads of fuller cells read nodes themselves.
constexpr std::int64_t max_by_cells = 512;
/// @}

}  // namespace shoal::deposit::tuning
