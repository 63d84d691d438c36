// SPDX-License-Identifier: Apache-2.0
#include "papers/deposit/deposit_measure.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace shoal::benchmarks {

namespace {

using Nodes = std::vector<std::vector<double>>;

/// Particles on a device in random order, with arrays for their values in cell order and for the nodes.
struct OnDevice {
  Queue queue;
  Grid grid;
  Array<double> x, y, z;
  std::vector<Array<double>> value_arrays, sorted_arrays, node_arrays;
  std::vector<View<const double>> sorted;
  std::vector<View<double>> nodes;

  OnDevice(const Queue& queue_, const DepositParticles& host)
      : queue(queue_),
        grid(host.grid),
        x(to_device(queue, host.x)),
        y(to_device(queue, host.y)),
        z(to_device(queue, host.z)) {
    for (const std::vector<double>& value : host.values) {
      value_arrays.push_back(to_device(queue, value));
      sorted_arrays.emplace_back(queue, host.count());
      node_arrays.emplace_back(queue, grid.node_count());
    }
    sorted.assign(sorted_arrays.begin(), sorted_arrays.end());
    nodes.assign(node_arrays.begin(), node_arrays.end());
  }

  void bin(Deposit<double>& plan) {
    plan.bin(x, y, z);
    queue.wait();
  }
  void reorder(Deposit<double>& plan) {
    for (std::size_t k = 0; k < value_arrays.size(); ++k) plan.reorder(value_arrays[k], sorted_arrays[k]);
    queue.wait();
  }
  /// Bins the particles and reorders their values by cell.
  void sort(Deposit<double>& plan) {
    bin(plan);
    reorder(plan);
    plan.values_are_in_cell_order();
  }
  void deposit(Deposit<double>& plan) {
    plan.to_nodes(sorted, nodes);
    queue.wait();
  }
  Nodes host_nodes() const {
    Nodes host;
    for (const Array<double>& node : node_arrays) host.push_back(to_host(queue, node));
    return host;
  }
};

Timing measure_serial(const DepositParticles& host, Nodes& nodes) {
  OnDevice particles(Queue::cpu(1), host);
  Deposit<double> plan(particles.queue, host.grid, {.method = "serial"});
  particles.sort(plan);
  const Timing timing = measure_once([&] { particles.deposit(plan); });
  nodes = particles.host_nodes();
  return timing;
}

void require_same(const Nodes& nodes, const Nodes& expected) {
  constexpr double tolerance = 1e-9;  // relative to the fullest node: more than rounding, less than one particle
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const double fullest = *std::max_element(expected[k].begin(), expected[k].end());
    for (std::size_t i = 0; i < nodes[k].size(); ++i)
      require(std::abs(nodes[k][i] - expected[k][i]) <= tolerance * fullest, "node ", i, " of value ", k, " is ",
              nodes[k][i], ", expected ", expected[k][i], " as by serial.");
  }
}

Timing measure_method(OnDevice& particles, const std::string& method, const Nodes& expected,
                      const MeasureOptions& options) {
  Deposit<double> plan(particles.queue, particles.grid, {.method = method});
  particles.sort(plan);
  const Timing timing = measure([&] { particles.deposit(plan); }, options);
  require_same(particles.host_nodes(), expected);
  return timing;
}

}  // namespace

std::vector<std::string> measured_methods(DeviceKind device) {
  std::vector<std::string> names;
  for (const MethodInfo& method : methods("deposit"))
    if (method.device == device && method.name != "serial") names.push_back(method.name);
  return names;
}

DepositTimings measure_deposit(const Queue& queue, const DepositParticles& host, const MeasureOptions& options) {
  DepositTimings timings;
  timings.particles = host.count();
  timings.nodes = host.grid.node_count();
  Nodes expected;
  timings.serial = measure_serial(host, expected);
  OnDevice particles(queue, host);
  {
    Deposit<double> plan(queue, host.grid);
    timings.sort = measure([&] { particles.bin(plan); }, options);
    timings.reorder = measure([&] { particles.reorder(plan); }, options);
    timings.cells = io::count_particles(to_host(queue, plan.cell_start()));
  }
  for (const std::string& method : measured_methods(queue.device().kind)) {
    timings.methods.emplace_back();
    try {
      timings.methods.back() = measure_method(particles, method, expected, options);
    } catch (const Error& error) {
      timings.failures.push_back(text(method, " with ", timings.particles, " particles: ", error.what()));
    }
  }
  return timings;
}

}  // namespace shoal::benchmarks
