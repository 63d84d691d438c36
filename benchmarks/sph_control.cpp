// SPDX-License-Identifier: Apache-2.0
// Steps of the dam break under the control of a program, to compare with plain ones.
#include <shoal/sph.hpp>

#include <numeric>
#include <vector>

#include "sph_control.hpp"
#include "support/google.hpp"
#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

namespace {

/// Work of a program in a step.
enum class Program { nothing, callback, position, held_acceleration, new_acceleration, changed_particles };

struct ProgramName {
  Program program;
  const char* name;
};
constexpr ProgramName programs[] = {{Program::nothing, "plain"},
                                    {Program::callback, "callback"},
                                    {Program::position, "position"},
                                    {Program::held_acceleration, "held_acceleration"},
                                    {Program::new_acceleration, "new_acceleration"},
                                    {Program::changed_particles, "changed_particles"}};

/// Adds a row of particles above the tank, and removes it.
bool change(sph::Particles& present) {
  constexpr std::int64_t count = 16;
  std::vector<float> x, y(count, 3.0F), zero(count);
  for (std::int64_t k = 0; k < count; ++k) x.push_back(0.04F * static_cast<float>(k));
  const Queue& queue = present.queue();
  const Array<float> along = to_device(queue, x), above = to_device(queue, y), still = to_device(queue, zero);
  std::vector<std::int64_t> ids(count);
  std::iota(ids.begin(), ids.end(), present.add({{along, above}, {still, still}}));
  return present.remove(to_device(queue, ids)) == count;
}

/// Microseconds a step.
void control(benchmark::State& state, DeviceKind device, Program program) {
  const Queue queue = queue_for(device);
  sph::Solver solver(queue, dam_break_case(static_cast<int>(state.range(0))));
  const auto particles = static_cast<std::size_t>(solver.particles().count());
  const Array<float> acceleration = to_device(queue, std::vector<float>(particles, 1e-6F));
  const auto set = [&](sph::Particles& present) {
    present.set(sph::Quantity::acceleration, {acceleration, acceleration});
    return true;
  };
  if (program == Program::callback) solver.on_step([](sph::Particles&) { return true; });
  if (program == Program::position)
    solver.on_step([](sph::Particles& present) { return present.position().count() > 0; });
  if (program == Program::new_acceleration) solver.on_step(set);
  if (program == Program::changed_particles) solver.on_step(change);
  if (program == Program::held_acceleration) {
    sph::Particles present = solver.particles();
    set(present);
  }
  const double step_seconds = static_cast<double>(particles) / (queue.on_cpu() ? 2e6 : 1e9);
  const auto steps = static_cast<std::int64_t>(0.1 / step_seconds) + 1;
  measure(state, queue, [&] { solver.advance_steps(steps); });
  state.counters["particles"] = static_cast<double>(particles);
  state.counters["steps"] = static_cast<double>(steps);
}

}  // namespace

void register_control_benchmarks() {
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::cuda}) {
    if (!is_available(device)) continue;
    for (const ProgramName& entry : programs)
      for (const int k : {1, 4, 16}) {
        if (device == DeviceKind::cpu && k > 4) continue;
        const std::string name =
            std::string("control_") + entry.name + (device == DeviceKind::cpu ? "/auto/cpu" : "/auto/cuda");
        benchmark::RegisterBenchmark(name.c_str(),
                                     [=](benchmark::State& state) { control(state, device, entry.program); })
            ->Arg(k)
            ->UseRealTime()
            ->Unit(benchmark::kMillisecond);
      }
  }
}

}  // namespace shoal::benchmarks
