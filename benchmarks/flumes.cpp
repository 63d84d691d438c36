// SPDX-License-Identifier: Apache-2.0
// Steps of SPH in a flume of water with open ends, with a floating body and with an absorbing paddle, beside a closed one.
#include <shoal/sph.hpp>

#include <chrono>
#include <map>
#include <string>
#include <tuple>

#include "support/google.hpp"
#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

namespace {

/// A flume, and the plain one with the same walls, which comes before it.
struct Entry {
  FlumePart part;
  const char* name;
  FlumePart plain;
};
constexpr Entry entries[] = {{FlumePart::nothing, "plain", FlumePart::nothing},
                             {FlumePart::open_ends, "open", FlumePart::nothing},
                             {FlumePart::absorbing_paddle, "paddle", FlumePart::nothing},
                             {FlumePart::dynamic_walls, "plain_dynamic", FlumePart::dynamic_walls},
                             {FlumePart::floating_body, "body", FlumePart::dynamic_walls}};

/// Evaluations per second of plain flumes, by device, walls and dimensions.
std::map<std::tuple<DeviceKind, FlumePart, int>, double>& plain_speeds() {
  static std::map<std::tuple<DeviceKind, FlumePart, int>, double> speeds;
  return speeds;
}

void flume(benchmark::State& state, DeviceKind device, int dimensions, const Entry& entry) {
  const Queue queue = queue_for(device);
  sph::Solver solver(queue, flume_case(state.range(0), dimensions, entry.part));
  const auto particles = static_cast<double>(solver.clock().particles);
  const double speed = queue.on_cpu() ? 2e6 : dimensions == 2 ? 3e9 : 1e9;  // steps of a particle per second, about
  const auto steps = static_cast<std::int64_t>(0.2 * speed / particles) + 1;
  const auto start = std::chrono::steady_clock::now();
  std::int64_t runs = 0;
  measure(state, queue, [&] {
    solver.advance_steps(steps);
    ++runs;
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double stages = 3, evaluations = stages * particles * static_cast<double>(steps);
  const double bytes = 96;
  report(state, queue, evaluations, bytes);
  state.counters["particles"] = particles;
  double& plain = plain_speeds()[{device, entry.plain, dimensions}];
  const double rate = evaluations * static_cast<double>(runs) / seconds;
  if (entry.part == entry.plain) plain = rate;
  if (plain > 0) state.counters["share_of_plain"] = rate / plain;
}

}  // namespace

void register_benchmarks() {
  const auto add = [](DeviceKind device, int dimensions, std::int64_t particles) {
    if (!is_available(device)) return;
    for (const Entry& entry : entries) {
      const std::string name = std::string("flume_") + entry.name + "_" + std::to_string(dimensions) + "d/auto" +
                               (device == DeviceKind::cpu ? "/cpu" : "/cuda");
      benchmark::RegisterBenchmark(name.c_str(),
                                   [=](benchmark::State& state) { flume(state, device, dimensions, entry); })
          ->Arg(particles)
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    }
  };
  for (const int dimensions : {2, 3}) {
    add(DeviceKind::cpu, dimensions, 10'000);
    add(DeviceKind::cuda, dimensions, 1'000'000);
  }
}

}  // namespace shoal::benchmarks
