// SPDX-License-Identifier: Apache-2.0
#include <shoal/collision.hpp>
#include <shoal/wall_distance.hpp>

#include <bit>
#include <memory>

#include "growth/growth.hpp"
#include "support/dented_sphere.hpp"
#include "support/exact_collision.hpp"
#include "support/problems.hpp"
#include "support/random_values.hpp"

namespace shoal::benchmarks {

namespace {

using testing_support::dented_sphere_with;

Work build_walls(const Queue& queue, std::int64_t faces) {
  struct Problem {
    WallMesh mesh;
    std::unique_ptr<WallDistance> plan;
  };
  const auto problem = std::make_shared<Problem>(dented_sphere_with(faces));
  return [queue, problem] {
    problem->plan = std::make_unique<WallDistance>(queue, problem->mesh);
    queue.wait();
  };
}

Work find_distances(const Queue& queue, std::int64_t n) {
  struct Problem {
    WallDistance walls;
    Array<double> x, y, z, distance;

    Problem(const Queue& queue_, std::int64_t count)
        : walls(queue_, dented_sphere_with(100'000)),
          x(random_values<double>(queue_, count, 0, -1, 2)),
          y(random_values<double>(queue_, count, 1, -1, 2)),
          z(random_values<double>(queue_, count, 2, -1, 2)),
          distance(queue_, count) {}
  };
  return [queue, problem = std::make_shared<Problem>(queue, n)] {
    problem->walls.find(problem->x, problem->y, problem->z, {.distance = problem->distance});
    queue.wait();
  };
}

/// The Maxwell molecules of BKW, in a number of cells.
template <CollisionApproach approach>
struct Gas {
  Collision<double> plan;
  Array<double> f, q;

  Gas(const Queue& queue, int nodes, std::int64_t cells)
      : plan(queue, velocity_grid(approach, nodes), {.rate = 1}, {.approach = approach}),
        f(to_device(queue, repeated(testing_support::Bkw{}.on<double>(velocity_grid(approach, nodes)), cells))),
        q(queue, f.count()) {}

  static std::vector<double> repeated(const std::vector<double>& f_of_cell, std::int64_t cells) {
    std::vector<double> values;
    values.reserve(f_of_cell.size() * static_cast<std::size_t>(cells));
    for (std::int64_t cell = 0; cell < cells; ++cell) values.insert(values.end(), f_of_cell.begin(), f_of_cell.end());
    return values;
  }
};

template <CollisionApproach approach>
Work evaluate(const Queue& queue, int nodes, std::int64_t cells) {
  return [queue, gas = std::make_shared<Gas<approach>>(queue, nodes, cells)] {
    gas->plan.evaluate(gas->f, gas->q);
    queue.wait();
  };
}

template <CollisionApproach approach>
Work evaluate_one_cell(const Queue& queue, std::int64_t nodes) {
  return evaluate<approach>(queue, static_cast<int>(nodes), 1);
}
Work evaluate_cells(const Queue& queue, std::int64_t cells) {
  return evaluate<CollisionApproach::spectral>(queue, 16, cells);
}

/// 8, 12, 16, 24, 32, 48 and so on.
std::int64_t next_nodes(std::int64_t nodes) {
  return std::has_single_bit(static_cast<std::uint64_t>(nodes)) ? nodes + nodes / 2 : nodes + nodes / 3;
}

}  // namespace

std::vector<Growth> grid_growths() {
  using Approach = CollisionApproach;
  return {
      {"wall_distance", "build", "faces", 1000, build_walls},
      {"wall_distance", "find", "points", 1000, find_distances},
      {"collision", "spectral", "nodes along an axis", 8, evaluate_one_cell<Approach::spectral>, next_nodes},
      {"collision", "conservative", "nodes along an axis", 8, evaluate_one_cell<Approach::conservative>, next_nodes},
      {"collision", "spectral on 16^3 nodes", "cells", 1, evaluate_cells}};
}

}  // namespace shoal::benchmarks
