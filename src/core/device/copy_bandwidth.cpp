// SPDX-License-Identifier: Apache-2.0
#include "core/device/copy_bandwidth.hpp"

#include <omp.h>
#include <shoal/array.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>

namespace shoal {

namespace {

/// memcpy with all threads of a CPU queue, copy_bytes on CUDA.
void copy_once(const Queue& queue, Array<char>& to, const Array<char>& from) {
  if (!queue.on_cpu()) {
    copy_bytes(queue, to.data(), to.device(), from.data(), from.device(), static_cast<std::size_t>(to.count()));
    queue.wait();
    return;
  }
#pragma omp parallel num_threads(queue.threads())
  {
    const std::int64_t share = to.count() / omp_get_num_threads();
    const std::int64_t begin = share * omp_get_thread_num();
    std::memcpy(to.data() + begin, from.data() + begin, static_cast<std::size_t>(share));
  }
}

double measure(const Queue& queue) {
  using Clock = std::chrono::steady_clock;
  const std::int64_t bytes = queue.on_cpu() ? std::int64_t{1} << 28 : std::int64_t{1} << 31;
  Array<char> to(queue, bytes);
  Array<char> from(queue, bytes);
  fill_bytes(queue, from.data(), 1, static_cast<std::size_t>(bytes));
  copy_once(queue, to, from);
  double shortest = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Clock::time_point start = Clock::now();
    copy_once(queue, to, from);
    shortest = std::min(shortest, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return 2.0 * static_cast<double>(bytes) / shortest;
}

}  // namespace

double copy_bandwidth(const Queue& queue) {
  static std::map<std::string, double> measured;
  const auto [entry, is_new] = measured.try_emplace(queue.name());
  if (is_new) entry->second = measure(queue);
  return entry->second;
}

}  // namespace shoal
