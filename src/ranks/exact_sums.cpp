// SPDX-License-Identifier: Apache-2.0
#include "ranks/exact_sums.hpp"

namespace shoal {

void run_tasks(int threads, std::int64_t tasks, const std::function<void(std::int64_t)>& work) {
  const auto workers = static_cast<int>(std::clamp<std::int64_t>(tasks, 1, threads));
#pragma omp parallel for schedule(dynamic) num_threads(workers)
  for (std::int64_t task = 0; task < tasks; ++task) work(task);
}

}  // namespace shoal
