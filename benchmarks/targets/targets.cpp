// SPDX-License-Identifier: Apache-2.0
// Work with a target of its own that the benchmarks of the operations leave out: lists in the order of visits, deposits in
// double of particles in the order of cells, binning in double, one particle in a cell, collisions in a ball, plans of walls
// with signs, and points near a rough surface.
#include <fmt/format.h>
#include <shoal/collision.hpp>
#include <shoal/deposit.hpp>
#include <shoal/neighbors.hpp>
#include <shoal/wall_distance.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>

#include "papers/result_csv.hpp"
#include "support/exact_collision.hpp"
#include "support/harness.hpp"
#include "support/problems.hpp"
#include "support/program.hpp"
#include "support/random_values.hpp"
#include "support/wall_distance_problems.hpp"

namespace shoal::benchmarks {

namespace {

/// Does the work once, without waiting for it. It keeps plan and arrays.
using Work = std::function<void()>;

struct Target {
  std::string operation;
  std::string work;
  std::int64_t size;  ///< points, particles, faces, or nodes along an axis
  std::string precision;
  Work (*make)(const Queue& queue, std::int64_t size);
};

/// Random points in the unit cube.
template <class Real>
struct Cloud {
  Array<Real> x, y, z;

  Cloud(const Queue& queue, std::int64_t n)
      : x(random_values<Real>(queue, n, 0)), y(random_values<Real>(queue, n, 1)), z(random_values<Real>(queue, n, 2)) {}
  Points<Real> points() const { return {x, y, z}; }
};

Work update_in_visit_order(const Queue& queue, std::int64_t n) {
  struct Problem {
    Cloud<float> cloud;
    Neighbors<float> neighbors;
  };
  const auto problem = std::make_shared<Problem>(
      Problem{Cloud<float>(queue, n), Neighbors<float>(queue, radius_of_uniform(n), {}, {.order = RowOrder::visit})});
  problem->neighbors.find(problem->cloud.points());
  return [problem] { problem->neighbors.update(problem->cloud.points()); };
}

/// Particles in a grid, with values.
template <class Real>
struct Particles {
  Cloud<Real> cloud;
  Grid grid;
  Deposit<Real> deposit;
  std::vector<Array<Real>> values, nodes;

  /// @param cells  number of cells along each axis
  Particles(const Queue& queue, std::int64_t n, std::int64_t cells, int value_count)
      : cloud(queue, n), grid{3, {0, 0, 0}, edges(cells), {cells, cells, cells}, {}}, deposit(queue, grid) {
    for (int k = 0; k < value_count; ++k) {
      values.push_back(random_values<Real>(queue, n, static_cast<std::uint64_t>(3 + k)));
      nodes.emplace_back(queue, grid.node_count());
    }
    bin();
  }
  void bin() { deposit.bin(cloud.x, cloud.y, cloud.z); }
  void to_nodes() {
    deposit.to_nodes(std::vector<View<const Real>>(values.begin(), values.end()),
                     std::vector<View<Real>>(nodes.begin(), nodes.end()));
  }

 private:
  static std::array<double, 3> edges(std::int64_t cells) {
    const double edge = 1 / static_cast<double>(cells);
    return {edge, edge, edge};
  }
};

constexpr std::int64_t paper_cells = 69;  ///< along each axis: 328,509 cells, as in the paper of deposit

template <class Real, int value_count>
Work deposit_in_cell_order(const Queue& queue, std::int64_t n) {
  const auto particles = std::make_shared<Particles<Real>>(queue, n, paper_cells, value_count);
  particles->deposit.values_are_in_cell_order();
  return [particles] { particles->to_nodes(); };
}

/// One particle in a cell, on average.
template <class Real, bool in_cell_order>
Work deposit_sparse(const Queue& queue, std::int64_t n) {
  const auto cells = static_cast<std::int64_t>(std::cbrt(static_cast<double>(n)));
  const auto particles = std::make_shared<Particles<Real>>(queue, n, cells, 3);
  if (in_cell_order) particles->deposit.values_are_in_cell_order();
  return [particles] { particles->to_nodes(); };
}

template <class Real>
Work bin(const Queue& queue, std::int64_t n) {
  const auto particles = std::make_shared<Particles<Real>>(queue, n, paper_cells, 0);
  return [particles] { particles->bin(); };
}

template <class Real>
Work collide(const Queue& queue, std::int64_t nodes) {
  struct Gas {
    Collision<Real> plan;
    Array<Real> f, q;
  };
  const VelocityGrid grid = velocity_grid(CollisionApproach::conservative, static_cast<int>(nodes));
  const CollisionOptions options{.approach = CollisionApproach::conservative, .support = CollisionSupport::ball};
  const auto gas = std::make_shared<Gas>(Gas{Collision<Real>(queue, grid, {.rate = 1}, options),
                                             to_device(queue, testing_support::Bkw{}.on<Real>(grid)),
                                             Array<Real>(queue, nodes * nodes * nodes)});
  return [gas] { gas->plan.evaluate(gas->f, gas->q); };
}

/// Builds a plan with signs for a dented sphere in arrays on the device.
Work build_with_signs(const Queue& queue, std::int64_t faces) {
  const auto triangles = std::make_shared<TrianglesOnDevice>(queue, testing_support::dented_sphere_with(faces));
  return [queue, triangles] { WallDistance(queue, triangles->arrays(), {.signs = true}); };
}

/// Distances of ten million boundary-layer points to a rough sphere.
Work find_near_rough_walls(const Queue& queue, std::int64_t faces) {
  struct Problem {
    WallDistance walls;
    Array<double> x, y, z, distance;
    Array<std::int64_t> face;
  };
  constexpr std::int64_t points = 10'000'000;
  const wall_distance::WallCase layer = boundary_layer_over(rough_sphere_with(faces), points, points);
  const auto problem = std::make_shared<Problem>(
      Problem{WallDistance(queue, layer.mesh), to_device(queue, layer.x), to_device(queue, layer.y),
              to_device(queue, layer.z), Array<double>(queue, points), Array<std::int64_t>(queue, points)});
  return [problem] {
    problem->walls.find(problem->x, problem->y, problem->z, {.distance = problem->distance, .face = problem->face});
  };
}

std::vector<Target> targets() {
  constexpr std::int64_t particles = 11'700'000;
  return {
      {"neighbors", "update in the order of visits", 1'000'000, "float", update_in_visit_order},
      {"neighbors", "update in the order of visits", 10'000'000, "float", update_in_visit_order},
      {"deposit", "3 values in the order of cells", particles, "double", deposit_in_cell_order<double, 3>},
      {"deposit", "1 value in the order of cells", particles, "double", deposit_in_cell_order<double, 1>},
      {"deposit", "3 values of sparse particles", 10'000'000, "float", deposit_sparse<float, false>},
      {"deposit", "3 values of sparse particles in the order of cells", 10'000'000, "float",
       deposit_sparse<float, true>},
      {"deposit", "3 values of sparse particles in the order of cells", particles, "double",
       deposit_sparse<double, true>},
      {"deposit", "bin", particles, "double", bin<double>},
      {"deposit", "bin", particles, "float", bin<float>},
      {"collision", "conservative in a ball", 64, "double", collide<double>},
      {"collision", "conservative in a ball", 64, "float", collide<float>},
      {"wall_distance", "plan with signs from device arrays", 104'000, "double", build_with_signs},
      {"wall_distance", "plan with signs from device arrays", 330'000, "double", build_with_signs},
      {"wall_distance", "10 million points near a rough sphere", 104'000, "double", find_near_rough_walls},
      {"wall_distance", "10 million points near a rough sphere", 330'000, "double", find_near_rough_walls},
  };
}

struct Options {
  std::string device = "best";
  std::string only;              ///< Part of the names that are measured; empty: all
  double seconds = 0.2;          ///< s, of a measurement
  std::filesystem::path output;  ///< result file; empty: none
  bool allow_dirty = false;
};

/// ms of a call: the median of five batches.
double milliseconds(const Queue& queue, const Work& work, double seconds) {
  const auto batch = [&](std::int64_t calls) {
    const auto begin = std::chrono::steady_clock::now();
    for (std::int64_t k = 0; k < calls; ++k) work();
    queue.wait();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return passed.count();
  };
  batch(1);
  const auto calls = static_cast<std::int64_t>(std::clamp(seconds / 5 / batch(1), 1.0, 1e4));
  std::array<double, 5> times{};
  for (double& time : times) time = 1e3 * batch(calls) / static_cast<double>(calls);
  std::nth_element(times.begin(), times.begin() + 2, times.end());
  return times[2];
}

void measure_targets(const Options& options) {
  const Queue queue = Queue::parse(options.device);
  std::optional<ResultCsv> csv =
      open_result(options.output, {"operation", "work", "size", "precision", "time [ms]"}, options.allow_dirty);
  for (const Target& target : targets()) {
    const std::string name =
        fmt::format("{}: {}, {}, {}", target.operation, target.work, target.size, target.precision);
    if (name.find(options.only) == std::string::npos) continue;
    const Work work = target.make(queue, target.size);
    const double time = milliseconds(queue, work, options.seconds);
    std::cout << fmt::format("{:<90}{:>12.4g} ms", name, time) << std::endl;
    if (csv) csv->append(target.operation, target.work, target.size, target.precision, time);
  }
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("Measures work with targets that the benchmarks of the operations leave out", "shoal_targets");
  app.add_option("--device", options.device, "cpu, cuda or best");
  app.add_option("--only", options.only, "part of the names of the work that is measured; default: all");
  app.add_option("--seconds", options.seconds, "s, time of a measurement");
  app.add_option("--output", options.output, "result file; empty: none");
  app.add_flag("--allow-dirty", options.allow_dirty, "write a result file of changed sources, which says so");
  CLI11_PARSE(app, argc, argv);
  measure_targets(options);
  return 0;
}

}  // namespace

}  // namespace shoal::benchmarks

int main(int argc, char** argv) {
  return shoal::benchmarks::run_program("shoal_targets", argc, argv, shoal::benchmarks::run);
}
