// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <benchmark/benchmark.h>
#include <shoal/methods.hpp>

#include <string>

#include "support/harness.hpp"

namespace shoal::benchmarks {

/// "<subject>/<method>/<device>", to which Google Benchmark adds the size; tools/result_files.py reads the parts.
inline std::string benchmark_name(const std::string& subject, const MethodInfo& method) {
  return subject + "/" + method.name + "/" + (method.device == DeviceKind::cpu ? "cpu" : "cuda");
}

/// Times `work` until the queue is done, after one run to warm up.
/// @param batch  number of runs between two waits, so that launches overlap; the time is that of one run
template <class Work>
void measure(benchmark::State& state, const Queue& queue, Work work, int batch = 1) {
  work();
  queue.wait();
  while (state.KeepRunningBatch(batch)) {
    for (int repeat = 0; repeat < batch; ++repeat) work();
    queue.wait();
  }
}

/// Reports items per second, and their share of the memory ceiling if an item moves at least `bytes_per_item` bytes.
inline void report(benchmark::State& state, const Queue& queue, double items_per_iteration, double bytes_per_item) {
  const double items = items_per_iteration * static_cast<double>(state.iterations());
  state.counters["items"] = benchmark::Counter(items, benchmark::Counter::kIsRate);
  state.counters["ceiling_share"] =
      benchmark::Counter(items * bytes_per_item / copy_bandwidth(queue), benchmark::Counter::kIsRate);
}

}  // namespace shoal::benchmarks
