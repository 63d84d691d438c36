// SPDX-License-Identifier: Apache-2.0
#include "deposit_measure.hpp"

#include <shoal/io/stopwatch.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace shoal::cli {

namespace {

using Nodes = std::vector<std::vector<double>>;

/// The particles on a device in no order, a place for their values in the order of cells, and one for their nodes.
struct OnDevice {
  Queue queue;
  Grid grid;
  Array<double> x, y, z;
  std::vector<Array<double>> value_arrays, sorted_arrays, node_arrays;
  std::vector<View<const double>> sorted;
  std::vector<View<double>> nodes;

  OnDevice(const Queue& on, const DepositProblem& problem)
      : queue(on),
        grid(problem.grid),
        x(to_device(on, problem.x)),
        y(to_device(on, problem.y)),
        z(to_device(on, problem.z)) {
    for (const std::vector<double>& value : problem.values) {
      value_arrays.push_back(to_device(on, value));
      sorted_arrays.emplace_back(on, problem.count());
      node_arrays.emplace_back(on, grid.node_count());
    }
    sorted.assign(sorted_arrays.begin(), sorted_arrays.end());
    nodes.assign(node_arrays.begin(), node_arrays.end());
  }

  /// Bins the particles and brings their values into the order of cells, as the paper's code does with all it has.
  void sort(Deposit<double>& plan) {
    plan.bin(x, y, z);
    for (std::size_t k = 0; k < value_arrays.size(); ++k) plan.reorder(value_arrays[k], sorted_arrays[k]);
    plan.values_are_in_cell_order();
    queue.wait();
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

Timing measure_serial(const DepositProblem& problem, Nodes& nodes) {
  OnDevice particles(Queue::cpu(1), problem);
  Deposit<double> plan(particles.queue, problem.grid, {.method = "serial"});
  particles.sort(plan);
  Timing timing{1, 0};
  io::timed(timing.seconds, [&] { particles.deposit(plan); });
  nodes = particles.host_nodes();
  return timing;
}

void require_same(const Nodes& nodes, const Nodes& expected) {
  constexpr double tolerance = 1e-9;  // of the fullest node: rounding leaves less, a lost particle more
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const double fullest = *std::max_element(expected[k].begin(), expected[k].end());
    for (std::size_t i = 0; i < nodes[k].size(); ++i)
      require(std::abs(nodes[k][i] - expected[k][i]) <= tolerance * fullest, "node ", i, " of value ", k, " is ",
              nodes[k][i], ", and ", expected[k][i], " by serial.");
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
  for (const MethodInfo& row : methods("deposit"))
    if (row.device == device && row.name != "serial") names.push_back(row.name);
  return names;
}

DepositTimings measure_deposit(const Queue& queue, const DepositProblem& problem, const MeasureOptions& options) {
  DepositTimings timings;
  timings.particles = problem.count();
  timings.nodes = problem.grid.node_count();
  Nodes expected;
  timings.serial = measure_serial(problem, expected);
  OnDevice particles(queue, problem);
  {
    Deposit<double> plan(queue, problem.grid);
    timings.sort = measure([&] { particles.sort(plan); }, options);
    timings.cells = count_particles(to_host(queue, plan.cell_start()));
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

}  // namespace shoal::cli
