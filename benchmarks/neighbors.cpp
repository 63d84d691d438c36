// SPDX-License-Identifier: Apache-2.0
// Full neighbour lists, about 60 neighbours a point where points are uniform: every method, on every device that is
// there.
#include <shoal/neighbors.hpp>

#include <cmath>
#include <numbers>

#include "support/distributions.hpp"
#include "support/measure.hpp"

namespace shoal::benchmarks {
namespace {

using namespace testing_support;

/// The radius in which uniform points in the unit box have 60 neighbours, far from its faces.
double radius_of(std::int64_t n) { return std::cbrt(60.0 / (4.0 / 3.0 * std::numbers::pi * static_cast<double>(n))); }

template <class Real>
void find(benchmark::State& state, const MethodInfo& method, Distribution<Real> (*make)(std::int64_t)) {
  const std::int64_t n = state.range(0);
  const Queue queue = queue_for(method.device);
  const DevicePoints<Real> points(queue, make(n));
  Neighbors<Real> neighbors(queue, radius_of(n), {}, {.method = method.name});
  measure(state, queue, [&] { neighbors.find(points.points()); });
  const double row_length = static_cast<double>(neighbors.indices().count) / static_cast<double>(n);
  // The fewest bytes for a point: coordinates in, offset and indices out.
  report(state, queue, static_cast<double>(n), 3 * sizeof(Real) + sizeof(std::int64_t) + 4 * row_length);
  state.counters["neighbors_each"] = row_length;
}

template <class Real>
struct Named {
  const char* name;
  Distribution<Real> (*make)(std::int64_t);
};

template <class Real>
const Named<Real> distributions[] = {
    {"uniform", [](std::int64_t n) { return uniform<Real>(n); }},
    {"clustered", [](std::int64_t n) { return clustered<Real>(n); }},
    {"sorted", [](std::int64_t n) { return sorted(uniform<Real>(n)); }},
    {"shuffled", [](std::int64_t n) { return shuffled(packed<Real>(n)); }},
};

template <class Real>
void register_rows(const std::string& precision) {
  for (const MethodInfo& method : methods("neighbors")) {
    if (!is_here(method.device)) continue;
    for (const Named<Real>& points : distributions<Real>) {
      const std::string name = benchmark_name("find_" + precision + "_" + points.name, method);
      auto* row = benchmark::RegisterBenchmark(
          name.c_str(), [=](benchmark::State& state) { find<Real>(state, method, points.make); });
      row->UseRealTime()->Unit(benchmark::kMillisecond)->Arg(10'000);
      const bool is_clustered = std::string_view(points.name) == "clustered";  // has far more neighbours
      if (method.name == "serial" || is_clustered) continue;
      row->Arg(100'000);
      if (method.device == DeviceKind::cuda) row->Arg(1'000'000)->Arg(10'000'000);
    }
  }
}

}  // namespace

void register_benchmarks() {
  register_rows<float>("float");
  register_rows<double>("double");
}

}  // namespace shoal::benchmarks
