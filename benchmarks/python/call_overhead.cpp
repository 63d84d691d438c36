// SPDX-License-Identifier: Apache-2.0
// Calls of call_overhead.py in C++, on the points that it writes to standard input. Prints the shortest time of each call
// in microseconds as JSON.
#include <shoal/cells.hpp>
#include <shoal/deposit.hpp>
#include <shoal/neighbors.hpp>
#include <shoal/wall_distance.hpp>
#include "wall_distance/cases/wall_cases.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <vector>

#include "support/harness.hpp"

namespace {

constexpr int points = 1000;

template <class Call>
double least_microseconds(Call call) {
  constexpr int calls = 10, rounds = 300;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const shoal::benchmarks::Timing timing = shoal::benchmarks::measure_once([&] {
      for (int i = 0; i < calls; ++i) call();
    });
    least = std::min(least, 1e6 * timing.seconds / calls);
  }
  return least;
}

}  // namespace

int main() {
  using shoal::View;
  std::vector<double> table(3 * points), values(points, 1);  // one point after the other
  if (std::fread(table.data(), sizeof(double), table.size(), stdin) != table.size()) {
    std::fprintf(stderr, "error: expected %d points of 3 doubles on standard input.\n", points);
    return 1;
  }
  const auto axis = [&](int a) { return View<const double>(table.data() + a, points, {}, 3); };

  const shoal::Queue queue = shoal::Queue::cpu(1);
  const shoal::Grid grid = shoal::Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.2);
  shoal::Cells<double> cells(queue, grid);
  shoal::Neighbors<double> neighbors(queue, 0.1);
  shoal::Deposit<double> deposit(queue, grid);
  std::vector<double> nodes(static_cast<std::size_t>(grid.node_count())), sorted(points);
  const View<const double> value(values), node(nodes);
  shoal::WallDistance walls(queue, shoal::wall_distance::naca0012_case(129, 33).mesh);
  std::vector<double> distance(points);
  std::vector<std::int64_t> face(points);
  std::vector<std::int32_t> wall(points);

  const auto print = [&](const char* name, auto call, const char* end) {
    std::printf("\"%s\": %.3f%s\n", name, least_microseconds([&] {
                  call();
                  queue.wait();
                }),
                end);
  };
  std::printf("{");
  print(
      "cells.bin", [&] { cells.bin(axis(0), axis(1), axis(2)); }, ",");
  print(
      "cells.reorder", [&] { cells.reorder(value, View<double>(sorted)); }, ",");
  print(
      "neighbors.find",
      [&] {
        neighbors.find({axis(0), axis(1), axis(2)});
      },
      ",");
  print(
      "deposit.bin", [&] { deposit.bin(axis(0), axis(1), axis(2)); }, ",");
  print(
      "deposit.to_nodes", [&] { deposit.to_nodes(value, View<double>(nodes)); }, ",");
  print(
      "deposit.interpolate", [&] { deposit.interpolate(node, View<double>(sorted)); }, ",");
  print(
      "wall_distance.find", [&] { walls.find(axis(0), axis(1), {.distance = distance, .face = face, .wall = wall}); },
      "");
  std::printf("}\n");
}
