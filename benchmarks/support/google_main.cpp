// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>
#include <shoal/error.hpp>
#include <shoal/openmp.hpp>

#include <algorithm>
#include <iostream>
#include <string>

#include "support/google.hpp"
#include "support/result_header.hpp"

namespace shoal::benchmarks {

/// Registers the benchmarks of an operation, one for each method and size. Each operation defines it.
void register_benchmarks();

}  // namespace shoal::benchmarks

namespace {

/// Removes an option from the command line. Returns true if it was there.
bool take_option(int& argc, char** argv, const std::string& option) {
  const int count = argc;
  argc = static_cast<int>(std::remove(argv + 1, argv + argc, option) - argv);
  return argc < count;
}

bool writes_file(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc,
                     [](const std::string& word) { return word.starts_with("--benchmark_out="); });
}

}  // namespace

int main(int argc, char** argv) {
  using namespace shoal;
  limit_openmp_spinning(argv);
  const benchmarks::ResultHeader& header = benchmarks::result_header();
  const bool is_dirty_kept = take_option(argc, argv, "--allow-dirty");
  try {
    if (writes_file(argc, argv)) benchmarks::require_clean(header.commit, is_dirty_kept);
  } catch (const Error& error) {
    std::cerr << argv[0] << ": " << error.what() << '\n';
    return 2;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::cuda}) {
    if (!benchmarks::is_available(kind)) continue;
    const Queue queue = benchmarks::queue_for(kind);
    const std::string device = kind == DeviceKind::cpu ? "cpu" : "cuda";
    benchmark::AddCustomContext(device, queue.name());
    benchmark::AddCustomContext(device + "_copy_bandwidth", std::to_string(benchmarks::copy_bandwidth(queue)));
  }
  for (const auto& [name, value] : header.fields())
    if (name != "date") benchmark::AddCustomContext(name, value);  // Google Benchmark writes its own
  benchmarks::register_benchmarks();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
