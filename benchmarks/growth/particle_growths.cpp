// SPDX-License-Identifier: Apache-2.0
#include <shoal/cells.hpp>
#include <shoal/deposit.hpp>
#include <shoal/neighbors.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include "growth/growth.hpp"
#include "support/problems.hpp"
#include "support/random_values.hpp"
#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

namespace {

using Real = float;

/// Edge of the cells of a unit cube that hold so many of n points.
double edge_of_cells(double points_per_cell, std::int64_t n) {
  return std::cbrt(points_per_cell / static_cast<double>(n));
}

Grid unit_grid(double points_per_cell, std::int64_t n) {
  return Grid::fill(3, {0, 0, 0}, {1, 1, 1}, edge_of_cells(points_per_cell, n));
}

/// Points in the unit cube, in no order.
struct RandomPoints {
  Array<Real> x, y, z;

  RandomPoints(const Queue& queue, std::int64_t n)
      : x(random_values<Real>(queue, n, 0)), y(random_values<Real>(queue, n, 1)), z(random_values<Real>(queue, n, 2)) {}
  Points<Real> points() const { return {x, y, z}; }
};

Work bin_cells(const Queue& queue, std::int64_t n) {
  struct Problem {
    RandomPoints points;
    Cells<Real> cells;
  };
  auto problem = std::make_shared<Problem>(RandomPoints(queue, n), Cells<Real>(queue, unit_grid(8, n)));
  return [queue, problem] {
    problem->cells.bin(problem->points.x, problem->points.y, problem->points.z);
    queue.wait();
  };
}

struct NeighborSearch {
  RandomPoints points;
  Neighbors<Real> neighbors;

  NeighborSearch(const Queue& queue, std::int64_t n) : points(queue, n), neighbors(queue, radius_of_uniform(n)) {}
};

Work find_neighbors(const Queue& queue, std::int64_t n) {
  return [queue, problem = std::make_shared<NeighborSearch>(queue, n)] {
    problem->neighbors.find(problem->points.points());
    queue.wait();
  };
}

Work sum_over_neighbors(const Queue& queue, std::int64_t n) {
  struct Problem : NeighborSearch {
    Array<Real> weights, sums;
    Problem(const Queue& queue_, std::int64_t count)
        : NeighborSearch(queue_, count), weights(random_values<Real>(queue_, count, 3)), sums(queue_, count) {}
  };
  return [queue, problem = std::make_shared<Problem>(queue, n)] {
    problem->neighbors.prepare(problem->points.points());
    problem->neighbors.sum(problem->weights, problem->sums);
    queue.wait();
  };
}

Work deposit_values(const Queue& queue, std::int64_t n) {
  struct Problem {
    RandomPoints points;
    Array<Real> value;
    Deposit<Real> deposit;
    Array<Real> nodes;

    Problem(const Queue& queue_, std::int64_t count, const Grid& grid)
        : points(queue_, count),
          value(random_values<Real>(queue_, count, 3)),
          deposit(queue_, grid),
          nodes(queue_, grid.node_count()) {}
  };
  return [queue, problem = std::make_shared<Problem>(queue, n, unit_grid(14, n))] {
    problem->deposit.bin(problem->points.x, problem->points.y, problem->points.z);
    problem->deposit.to_nodes(problem->value, problem->nodes);
    queue.wait();
  };
}

template <int dimensions>
Work step_sph(const Queue& queue, std::int64_t n) {
  sph::Case simulation = column_case(n, dimensions);
  simulation.precision = sph::Precision::float_;
  return [solver = std::make_shared<sph::Solver>(queue, simulation)] { solver->advance_steps(1); };
}

}  // namespace

std::vector<Growth> particle_growths() {
  return {{"cells", "bin", "points", 1000, bin_cells},
          {"neighbors", "find", "points", 1000, find_neighbors},
          {"neighbors", "prepare and sum", "points", 1000, sum_over_neighbors},
          {"deposit", "bin and to_nodes", "particles", 1000, deposit_values},
          {"sph", "step in 2-D", "particles", 1000, step_sph<2>},
          {"sph", "step in 3-D", "particles", 4000, step_sph<3>}};
}

}  // namespace shoal::benchmarks
