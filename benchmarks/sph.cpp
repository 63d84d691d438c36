// SPDX-License-Identifier: Apache-2.0
// Evaluations per second of the dam break at several refinements. An evaluation is one right-hand side of one particle.
#include <shoal/sph.hpp>

#include "sph_control.hpp"
#include "support/google.hpp"
#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

namespace {

sph::Case dam_break(int k, sph::Precision precision, const std::string& method) {
  sph::Case dam = dam_break_case(k);
  dam.precision = precision;
  dam.method = method;
  return dam;
}

/// B per evaluation, smallest possible traffic with all neighbors in the cache: position, density, velocity and pressure
/// term of the particle, now and at the start of the step, and its new values.
double least_bytes(sph::Precision precision) { return precision == sph::Precision::float_ ? 96 : 192; }

void step(benchmark::State& state, const MethodInfo& method, sph::Precision precision) {
  const Queue queue = queue_for(method.device);
  sph::Solver solver(queue, dam_break(static_cast<int>(state.range(0)), precision, method.name));
  const auto particles = static_cast<double>(solver.clock().particles);
  const double step_seconds = particles / (queue.on_cpu() ? 2e6 : 1e9);
  const auto steps = static_cast<std::int64_t>(0.2 / step_seconds) + 1;
  measure(state, queue, [&] { solver.advance_steps(steps); });
  const double stages = 3;
  report(state, queue, stages * particles * static_cast<double>(steps), least_bytes(precision));
  state.counters["particles"] = particles;
}

}  // namespace

void register_benchmarks() {
  for (const MethodInfo& method : methods("sph")) {
    if (!is_available(method.device)) continue;
    for (const sph::Precision precision : {sph::Precision::float_, sph::Precision::double_})
      for (const int k : {1, 2, 4, 28}) {
        if (method.name == "serial" && k > 1) continue;
        if (method.device == DeviceKind::cpu && k > 4) continue;
        const std::string name = benchmark_name("dam_break_" + std::string(to_name(precision)), method);
        benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { step(state, method, precision); })
            ->Arg(k)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
      }
  }
  register_control_benchmarks();
}

}  // namespace shoal::benchmarks
