// SPDX-License-Identifier: Apache-2.0
// Launches of a step, with their times in a profile.
#pragma once
#include "core/cuda/launch.cuh"
#include "sph/stepping/cuda/hit_queue.cuh"
#include "sph/stepping/cuda/launches/kernel_clock.cuh"

namespace shoal::sph {

/// Queue of a part of a step.
struct Lane {
  const Queue& queue;
  bool is_chained;       ///< kernels form a chain: no wait for another queue is between them
  KernelClock* kernels;  ///< null unless a profile is taken

  /// Launches a kernel over n items; a profile measures its time.
  template <int threads = search_threads, class... Parameters, class... Arguments>
  void run(const char* name, std::int64_t n, void (*kernel)(Parameters...), const Arguments&... arguments) const {
    if (kernels) kernels->start(name);
    if (is_chained)
      launch_chained<threads>(queue, n, kernel, arguments...);
    else
      launch<threads>(queue, n, kernel, arguments...);
    if (kernels) kernels->stop(kernel, threads);
  }
};

}  // namespace shoal::sph
