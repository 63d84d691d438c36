// SPDX-License-Identifier: Apache-2.0
// Steps of an impact of water on a box with levels of refinement, beside those with the finest spacing everywhere.
#include <shoal/sph.hpp>

#include <chrono>
#include <map>

#include "support/google.hpp"
#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

namespace {

/// Seconds for a second of the uniform impacts, by spacing.
std::map<std::int64_t, double>& uniform_costs() {
  static std::map<std::int64_t, double> costs;
  return costs;
}

void impact(benchmark::State& state, bool is_refined) {
  const Queue queue = queue_for(DeviceKind::cuda);
  const double tenth_of_mm = 1e-4, impact_time = 0.2;
  sph::Solver solver(queue, impact_case(static_cast<double>(state.range(0)) * tenth_of_mm, is_refined));
  solver.advance_to(impact_time);
  const sph::Clock before = solver.clock();
  const auto start = std::chrono::steady_clock::now();
  measure(state, queue, [&] { solver.advance_steps(100); });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const sph::Clock after = solver.clock();
  const auto steps = static_cast<double>(after.step - before.step), particles = static_cast<double>(after.particles);
  const double stages = 3, bytes = 96;
  report(state, queue, stages * particles * 100, bytes);
  state.counters["particles"] = particles;
  state.counters["step_ms"] = 1e3 * seconds / steps;
  const double cost = seconds / (after.time - before.time);
  double& uniform = uniform_costs()[state.range(0)];
  if (!is_refined) uniform = cost;
  if (uniform > 0) state.counters["share_of_uniform"] = cost / uniform;
}

}  // namespace

void register_benchmarks() {
  if (!is_available(DeviceKind::cuda)) return;
  for (const int spacing : {100, 50})  // of 0.1 mm
    for (const bool is_refined : {false, true})
      benchmark::RegisterBenchmark(is_refined ? "impact_refined_3d/auto/cuda" : "impact_uniform_3d/auto/cuda",
                                   [=](benchmark::State& state) { impact(state, is_refined); })
          ->Arg(spacing)
          ->Iterations(3)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
}

}  // namespace shoal::benchmarks
