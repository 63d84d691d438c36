// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <shoal/openmp.hpp>
#include <shoal/version.hpp>

#include <string>

#include "support/google.hpp"

namespace shoal::benchmarks {

/// Registers the benchmarks of an operation, one for each method and size. Each operation defines it.
void register_benchmarks();

}  // namespace shoal::benchmarks

int main(int argc, char** argv) {
  using namespace shoal;
  limit_openmp_spinning(argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::cuda}) {
    if (!benchmarks::is_available(kind)) continue;
    const Queue queue = benchmarks::queue_for(kind);
    const std::string device = kind == DeviceKind::cpu ? "cpu" : "cuda";
    benchmark::AddCustomContext(device, queue.name());
    benchmark::AddCustomContext(device + "_copy_bandwidth", std::to_string(benchmarks::copy_bandwidth(queue)));
  }
  benchmark::AddCustomContext("compiler", std::string(compiler()));
  benchmark::AddCustomContext("commit", std::string(commit()));
  benchmarks::register_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
