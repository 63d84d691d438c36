// SPDX-License-Identifier: Apache-2.0
// Particle values to nodes and back, by every method on every device of this machine. About 14 particles per cell, one for
// `sparse`.
#include <shoal/deposit.hpp>

#include <cmath>
#include <utility>
#include <vector>

#include "support/distributions.hpp"
#include "support/google.hpp"
#include "support/kept.hpp"

namespace shoal::benchmarks {
namespace {

using namespace testing_support;
using Real = float;

/// Distribution of particles.
struct Named {
  const char* name;
  Distribution<Real> (*make)(std::int64_t);
  double per_cell = 14;
};

const Named distributions[] = {
    {"uniform", [](std::int64_t n) { return uniform<Real>(n); }},
    {"clustered", [](std::int64_t n) { return clustered<Real>(n); }},
    {"sorted", [](std::int64_t n) { return sorted(uniform<Real>(n)); }},
    {"one_hot", [](std::int64_t n) { return one_hot<Real>(n); }},
    {"bed", [](std::int64_t n) { return bed<Real>(n); }},
    {"sparse", [](std::int64_t n) { return uniform<Real>(n); }, 1},
};

const Distribution<Real>& points_of(const Named& named, std::int64_t n) {
  return kept(std::pair(named.make, n), [&] { return named.make(n); });
}

/// Values of n particles: [3][n].
const std::vector<std::vector<Real>>& values_of(std::int64_t n) {
  return kept(n, [&] {
    std::vector<std::vector<Real>> values;
    for (const unsigned seed : {10u, 11u, 12u}) values.push_back(uniform<Real>(n, seed).x);
    return values;
  });
}

/// Binned particles with K values each, and arrays for their nodes.
struct Particles {
  Queue queue;
  Grid grid;
  DevicePoints<Real> points;
  Deposit<Real> deposit;
  std::vector<Array<Real>> value_arrays, node_arrays;
  std::vector<View<const Real>> values;
  std::vector<View<Real>> nodes;

  Particles(const MethodInfo& method, const Distribution<Real>& host, int value_count, double per_cell = 14)
      : queue(queue_for(method.device)),
        grid(Grid::fill(3, {0, 0, 0}, {1, 1, 1}, std::cbrt(per_cell / static_cast<double>(host.count())))),
        points(queue, host),
        deposit(queue, grid, {.method = method.name}) {
    for (int k = 0; k < value_count; ++k) {
      value_arrays.push_back(to_device(queue, values_of(host.count())[static_cast<std::size_t>(k)]));
      node_arrays.emplace_back(queue, grid.node_count());
    }
    for (int k = 0; k < value_count; ++k) {
      values.push_back(value_arrays[static_cast<std::size_t>(k)]);
      nodes.push_back(node_arrays[static_cast<std::size_t>(k)]);
    }
    deposit.bin(points.x, points.y, points.z);
  }
};

/// B per particle, smallest possible traffic: coordinates and values in, a share of the nodes out.
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

template <class Run>
void add(const std::string& name, const MethodInfo& method, Run run_one) {
  auto* entry = benchmark::RegisterBenchmark(benchmark_name(name, method).c_str(), run_one);
  entry->UseRealTime()->Unit(benchmark::kMicrosecond)->Arg(100'000)->Arg(1'000'000);
  if (method.device == DeviceKind::cuda) entry->Arg(10'000'000);
}

}  // namespace

void register_benchmarks() {
  for (const MethodInfo& method : methods("deposit")) {
    if (!is_available(method.device)) continue;
    for (const Named& points : distributions)
      for (const int values : {1, 3})
        add("to_nodes_" + std::to_string(values) + "_" + points.name, method, [=](benchmark::State& state) {
          Particles particles(method, points_of(points, state.range(0)), values, points.per_cell);
          run(state, particles, [&] { particles.deposit.to_nodes(particles.values, particles.nodes); });
        });
  }
  for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::cuda}) {
    if (!is_available(kind)) continue;
    const MethodInfo automatic{"deposit", "auto", kind, true, "shoal"};
    add("bin_uniform", automatic, [=](benchmark::State& state) {
      Particles particles(automatic, points_of(distributions[0], state.range(0)), 1);
      run(state, particles, [&] { particles.deposit.bin(particles.points.x, particles.points.y, particles.points.z); });
    });
    add("interpolate_uniform", automatic, [=](benchmark::State& state) {
      Particles particles(automatic, points_of(distributions[0], state.range(0)), 1);
      particles.deposit.to_nodes(particles.values, particles.nodes);
      Array<Real> back(particles.queue, state.range(0));
      run(state, particles, [&] { particles.deposit.interpolate(particles.nodes[0], back); });
    });
  }
}

}  // namespace shoal::benchmarks
