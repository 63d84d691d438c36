// SPDX-License-Identifier: Apache-2.0
// Particle values to nodes and back, by every method on every device of this machine. About 14 particles per cell, one for
// `sparse`. Shapes other than linear ones and the current of moving particles are measured for uniform and clustered ones.
#include <shoal/deposit.hpp>
#include <shoal/deposit/current.hpp>

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

  Particles(const MethodInfo& method, const Distribution<Real>& host, int value_count, double per_cell = 14,
            DepositShape shape = DepositShape::cic)
      : queue(queue_for(method.device)),
        grid(Grid::fill(3, {0, 0, 0}, {1, 1, 1}, std::cbrt(per_cell / static_cast<double>(host.count())))),
        points(queue, host),
        deposit(queue, grid, {.method = method.name, .shape = shape}) {
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

/// Returns true if a method has shapes other than `cic`.
bool has_shapes(const MethodInfo& method) {
  try {
    Deposit<Real>(queue_for(method.device), Grid{2, {}, {1, 1, 1}, {1, 1, 1}, {}},
                  {.method = method.name, .shape = DepositShape::tsc});
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// Particles that move by a third of a cell along each axis, and their current.
struct Moving {
  Queue queue;
  Grid grid;
  std::vector<Array<double>> before_arrays, after_arrays, current_arrays;
  Array<double> charge;

  Moving(DeviceKind device, std::int64_t n)
      : queue(queue_for(device)),
        grid(Grid::fill(3, {0, 0, 0}, {1, 1, 1}, std::cbrt(14.0 / static_cast<double>(n)), {true, true, true})),
        charge(to_device(queue, uniform<double>(n, 10).x)) {
    const Distribution<double> start = uniform<double>(n);
    for (const std::vector<double>* axis : {&start.x, &start.y, &start.z}) {
      std::vector<double> end = *axis;
      for (double& coordinate : end) coordinate += grid.spacing[0] / 3;
      before_arrays.push_back(to_device(queue, *axis));
      after_arrays.push_back(to_device(queue, end));
      current_arrays.emplace_back(queue, grid.node_count());
    }
  }
  void deposit(DepositShape shape) {
    const std::vector<View<const double>> before(before_arrays.begin(), before_arrays.end()),
        after(after_arrays.begin(), after_arrays.end());
    const std::vector<View<double>> current(current_arrays.begin(), current_arrays.end());
    deposit_current(queue, grid, 1.0, before, after, charge, current, shape);
  }
  /// B per particle, smallest possible traffic.
  double least_bytes() const {
    const auto n = static_cast<double>(charge.count());
    return sizeof(double) * (7 + 3 * static_cast<double>(grid.node_count()) / n);
  }
};

template <class Run>
void add(const std::string& name, const MethodInfo& method, Run run_one) {
  auto* entry = benchmark::RegisterBenchmark(benchmark_name(name, method).c_str(), run_one);
  entry->UseRealTime()->Unit(benchmark::kMicrosecond)->Arg(100'000)->Arg(1'000'000)->Arg(10'000'000);
}

void add_shape_to_nodes(const MethodInfo& method, DepositShape shape) {
  const std::string name = std::string(to_name(shape)) + "_to_nodes_";
  for (const Named& points : {distributions[0], distributions[1]})
    for (const int values : {1, 3})
      add(name + std::to_string(values) + "_" + points.name, method, [=](benchmark::State& state) {
        Particles particles(method, points_of(points, state.range(0)), values, points.per_cell, shape);
        run(state, particles, [&] { particles.deposit.to_nodes(particles.values, particles.nodes); });
      });
}

void add_shape_of_device(const MethodInfo& automatic, DepositShape shape) {
  const std::string name = std::string(to_name(shape));
  add(name + "_interpolate_uniform", automatic, [=](benchmark::State& state) {
    Particles particles(automatic, points_of(distributions[0], state.range(0)), 1, distributions[0].per_cell, shape);
    particles.deposit.to_nodes(particles.values, particles.nodes);
    Array<Real> back(particles.queue, state.range(0));
    run(state, particles, [&] { particles.deposit.interpolate(particles.nodes[0], back); });
  });
}

void add_current(const MethodInfo& automatic, DepositShape shape) {
  add(std::string(to_name(shape)) + "_current_uniform", automatic, [=](benchmark::State& state) {
    Moving moving(automatic.device, state.range(0));
    measure(
        state, moving.queue, [&] { moving.deposit(shape); }, moving.queue.on_cpu() ? 1 : 20);
    report(state, moving.queue, static_cast<double>(state.range(0)), moving.least_bytes());
  });
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
    if (!has_shapes(method)) continue;
    for (const DepositShape shape : {DepositShape::tsc, DepositShape::pcs}) add_shape_to_nodes(method, shape);
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
    for (const DepositShape shape : {DepositShape::tsc, DepositShape::pcs}) add_shape_of_device(automatic, shape);
    for (const DepositShape shape : {DepositShape::cic, DepositShape::tsc, DepositShape::pcs})
      add_current(automatic, shape);
  }
}

}  // namespace shoal::benchmarks
