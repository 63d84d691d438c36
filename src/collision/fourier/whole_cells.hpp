// SPDX-License-Identifier: Apache-2.0
// Many cells on the threads of a CPU. A thread takes whole cells where there are enough of them: all its work is then
// parallel, and it stays in the caches of one core.
#pragma once
#include <omp.h>

#include <cstdint>
#include <vector>

#include "collision/setup/collision_setup.hpp"

namespace shoal::collision {

/// Returns true if threads take whole cells: there are as many cells as threads, and no ranks share the work of a cell.
inline bool are_whole_cells(const CollisionSetup& setup, const Queue& queue, std::int64_t cells) {
  return setup.ranks.size() == 1 && cells >= queue.threads();
}

/// Calls work(cell, memory) for every cell, on all threads.
/// @param make_memory  make_memory() makes the memory of a thread; called by this thread alone
template <class MakeMemory, class Work>
void for_each_whole_cell(const Queue& queue, std::int64_t cells, MakeMemory make_memory, Work work) {
  std::vector<decltype(make_memory())> memory;
  for (int thread = 0; thread < queue.threads(); ++thread) memory.push_back(make_memory());
#pragma omp parallel for num_threads(queue.threads()) schedule(dynamic, 1)
  for (std::int64_t cell = 0; cell < cells; ++cell) work(cell, memory[static_cast<std::size_t>(omp_get_thread_num())]);
}

}  // namespace shoal::collision
