// SPDX-License-Identifier: Apache-2.0
#include "support/harness.hpp"

#include <omp.h>
#include <shoal/array.hpp>
#include <shoal/io/stopwatch.hpp>

#include <algorithm>
#include <cstring>
#include <map>

namespace shoal::benchmarks {

namespace {

/// Copies with all threads of a CPU queue, or on the GPU.
void copy_once(const Queue& queue, Array<char>& target, const Array<char>& source) {
  if (!queue.on_cpu()) {
    copy_bytes(queue, target.data(), target.device(), source.data(), source.device(),
               static_cast<std::size_t>(target.count()));
    queue.wait();
    return;
  }
#pragma omp parallel num_threads(queue.threads())
  {
    const std::int64_t share = target.count() / omp_get_num_threads();
    const std::int64_t begin = share * omp_get_thread_num();
    std::memcpy(target.data() + begin, source.data() + begin, static_cast<std::size_t>(share));
  }
}

double measure_copy(const Queue& queue) {
  const std::int64_t bytes = queue.on_cpu() ? std::int64_t{1} << 28 : std::int64_t{1} << 31;
  Array<char> target(queue, bytes);
  Array<char> source(queue, bytes);
  fill_bytes(queue, source.data(), 1, static_cast<std::size_t>(bytes));
  copy_once(queue, target, source);
  double shortest = std::numeric_limits<double>::infinity();
  for (int repeat = 0; repeat < 5; ++repeat)
    shortest = std::min(shortest, measure_once([&] { copy_once(queue, target, source); }).seconds);
  return 2.0 * static_cast<double>(bytes) / shortest;
}

}  // namespace

Timing measure(const std::function<void()>& iterate, const MeasureOptions& options) {
  iterate();
  Timing timing;
  const io::Stopwatch watch;
  while (options.continue_after(timing.iterations, timing.seconds)) {
    iterate();
    ++timing.iterations;
    timing.seconds = watch.seconds();
  }
  return timing;
}

Timing measure_once(const std::function<void()>& work) {
  const io::Stopwatch watch;
  work();
  return {1, watch.seconds()};
}

Timing measure_batches(const std::function<void(std::int64_t)>& iterate, const MeasureOptions& options) {
  constexpr std::int64_t warm_up = 2;
  constexpr double shortest_iteration = 1e-7;  // s, which keeps a batch finite
  const double iteration = measure_once([&] { iterate(warm_up); }).seconds / warm_up;
  const double batch_seconds = options.most_seconds > 0 ? options.most_seconds / 10 : 1;
  const auto batch = static_cast<std::int64_t>(batch_seconds / std::max(iteration, shortest_iteration)) + 1;
  Timing timing;
  const io::Stopwatch watch;
  while (options.continue_after(timing.iterations, timing.seconds)) {
    const std::int64_t count = std::min(batch, options.iterations - timing.iterations);
    iterate(count);
    timing.iterations += count;
    timing.seconds = watch.seconds();
  }
  return timing;
}

double copy_bandwidth(const Queue& queue) {
  static std::map<std::string, double> bandwidths;
  const auto [entry, is_new] = bandwidths.try_emplace(queue.name());
  if (is_new) entry->second = measure_copy(queue);
  return entry->second;
}

}  // namespace shoal::benchmarks
