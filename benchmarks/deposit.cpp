// SPDX-License-Identifier: Apache-2.0
// Particle values to nodes and back, with about 14 particles a cell, or one where they are sparse: every method, on
// every device that is there.
#include <shoal/deposit.hpp>

#include <cmath>

#include "support/distributions.hpp"
#include "support/measure.hpp"

namespace shoal::benchmarks {
namespace {

using namespace testing_support;
using Real = float;

/// A set of binned particles, K values each, and their nodes.
struct Particles {
  Queue queue;
  Grid grid;
  DevicePoints<Real> points;
  Deposit<Real> deposit;
  std::vector<Array<Real>> value_arrays, node_arrays;
  std::vector<View<const Real>> values;
  std::vector<View<Real>> nodes;

  Particles(const MethodInfo& method, const Distribution<Real>& from, int value_count, double in_a_cell = 14)
      : queue(queue_for(method.device)),
        grid(Grid::fill(3, {0, 0, 0}, {1, 1, 1}, std::cbrt(in_a_cell / static_cast<double>(from.count())))),
        points(queue, from),
        deposit(queue, grid, {.method = method.name}) {
    for (int k = 0; k < value_count; ++k) {
      value_arrays.push_back(to_device(queue, uniform<Real>(from.count(), static_cast<unsigned>(10 + k)).x));
      node_arrays.emplace_back(queue, grid.node_count());
    }
    for (int k = 0; k < value_count; ++k) {
      values.push_back(value_arrays[static_cast<std::size_t>(k)]);
      nodes.push_back(node_arrays[static_cast<std::size_t>(k)]);
    }
    deposit.bin(points.x, points.y, points.z);
  }
};

/// The fewest bytes for a particle: its place and values in, and its share of the nodes out.
double least_bytes(const Particles& particles) {
  const auto n = static_cast<double>(particles.points.x.count());
  const auto k = static_cast<double>(particles.values.size());
  return sizeof(Real) * (3 + k + k * static_cast<double>(particles.grid.node_count()) / n);
}

template <class Work>
void run(benchmark::State& state, Particles& particles, Work work) {
  measure(state, particles.queue, work, particles.queue.on_cpu() ? 1 : 20);
  report(state, particles.queue, static_cast<double>(particles.points.x.count()), least_bytes(particles));
}

struct Named {
  const char* name;
  Distribution<Real> (*make)(std::int64_t);
  double in_a_cell = 14;
};

const Named distributions[] = {
    {"uniform", [](std::int64_t n) { return uniform<Real>(n); }},
    {"clustered", [](std::int64_t n) { return clustered<Real>(n); }},
    {"sorted", [](std::int64_t n) { return sorted(uniform<Real>(n)); }},
    {"one_hot", [](std::int64_t n) { return one_hot<Real>(n); }},
    {"bed", [](std::int64_t n) { return bed<Real>(n); }},
    {"sparse", [](std::int64_t n) { return uniform<Real>(n); }, 1},
};

template <class Run>
void add(const std::string& name, const MethodInfo& method, Run run_one) {
  auto* row = benchmark::RegisterBenchmark(benchmark_name(name, method).c_str(), run_one);
  row->UseRealTime()->Unit(benchmark::kMicrosecond)->Arg(100'000)->Arg(1'000'000);
  if (method.device == DeviceKind::cuda) row->Arg(10'000'000);
}

}  // namespace

void register_benchmarks() {
  for (const MethodInfo& method : methods("deposit")) {
    if (!is_here(method.device)) continue;
    for (const Named& points : distributions)
      for (const int values : {1, 3})
        add("to_nodes_" + std::to_string(values) + "_" + points.name, method, [=](benchmark::State& state) {
          Particles particles(method, points.make(state.range(0)), values, points.in_a_cell);
          run(state, particles, [&] { particles.deposit.to_nodes(particles.values, particles.nodes); });
        });
  }
  for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::cuda}) {
    if (!is_here(kind)) continue;
    const MethodInfo own{"deposit", "auto", kind, true, "shoal"};
    add("bin_uniform", own, [=](benchmark::State& state) {
      Particles particles(own, uniform<Real>(state.range(0)), 1);
      run(state, particles, [&] { particles.deposit.bin(particles.points.x, particles.points.y, particles.points.z); });
    });
    add("interpolate_uniform", own, [=](benchmark::State& state) {
      Particles particles(own, uniform<Real>(state.range(0)), 1);
      particles.deposit.to_nodes(particles.values, particles.nodes);
      Array<Real> back(particles.queue, state.range(0));
      run(state, particles, [&] { particles.deposit.interpolate(particles.nodes[0], back); });
    });
  }
}

}  // namespace shoal::benchmarks
