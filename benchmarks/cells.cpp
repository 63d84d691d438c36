// SPDX-License-Identifier: Apache-2.0
// Binning of points, about 14 per cell, by every method on every device of this machine.
#include <shoal/cells.hpp>

#include <cmath>

#include "support/distributions.hpp"
#include "support/google.hpp"
#include "support/kept.hpp"

namespace shoal::benchmarks {
namespace {

using namespace testing_support;
using Real = float;

/// B per point, smallest possible traffic: coordinates in; cell, order and a share of the offsets out.
double least_bytes(std::int64_t points, std::int64_t cells) {
  const double offsets = sizeof(std::int64_t) * static_cast<double>(cells) / static_cast<double>(points);
  return 3 * sizeof(Real) + sizeof(std::uint32_t) + sizeof(std::int32_t) + offsets;
}

void bin(benchmark::State& state, const MethodInfo& method, Distribution<Real> (*make)(std::int64_t)) {
  const std::int64_t n = state.range(0);
  const Grid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, std::cbrt(14.0 / static_cast<double>(n)));
  const Queue queue = queue_for(method.device);
  const DevicePoints<Real> points(queue, kept(std::pair(make, n), [&] { return make(n); }));
  Cells<Real> cells(queue, grid, {.method = method.name});
  const int batch = queue.on_cpu() ? 1 : 20;
  measure(
      state, queue, [&] { cells.bin(points.x, points.y, points.z); }, batch);
  report(state, queue, static_cast<double>(n), least_bytes(n, grid.cell_count()));
}

/// Distribution of points.
struct Points {
  const char* name;
  Distribution<Real> (*make)(std::int64_t);
};

const Points distributions[] = {
    {"uniform", [](std::int64_t n) { return uniform<Real>(n); }},
    {"clustered", [](std::int64_t n) { return clustered<Real>(n); }},
    {"sorted", [](std::int64_t n) { return sorted(uniform<Real>(n)); }},
    {"shuffled", [](std::int64_t n) { return shuffled(packed<Real>(n)); }},
    {"one_hot", [](std::int64_t n) { return one_hot<Real>(n); }},
};

}  // namespace

void register_benchmarks() {
  for (const MethodInfo& method : methods("cells")) {
    if (!is_available(method.device)) continue;
    for (const Points& points : distributions) {
      const std::string name = benchmark_name("bin_" + std::string(points.name), method);
      auto* entry =
          benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { bin(state, method, points.make); });
      entry->UseRealTime()->Unit(benchmark::kMicrosecond)->Arg(100'000)->Arg(1'000'000);
      if (method.device == DeviceKind::cuda) entry->Arg(10'000'000);
    }
  }
}

}  // namespace shoal::benchmarks
