// SPDX-License-Identifier: Apache-2.0
#include <shoal/deposit/current.hpp>

#include "deposit/deposit_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;

struct Move {
  Distribution<double> before, after;
  std::vector<double> charge;
};

using Axes = std::vector<std::vector<double>>;

Axes axes_of(const Distribution<double>& points, int dimensions) {
  Axes axes{points.x, points.y, points.z};
  axes.resize(dimensions);
  return axes;
}

Axes current_of(const Grid& grid, double time_step, const Move& move) {
  const Axes before = axes_of(move.before, grid.dimensions), after = axes_of(move.after, grid.dimensions);
  Axes current(grid.dimensions, std::vector<double>(grid.node_count(), 7));
  const std::vector<View<const double>> starts(before.begin(), before.end()), ends(after.begin(), after.end());
  const std::vector<View<double>> out(current.begin(), current.end());
  deposit_current(Queue::cpu(1), grid, time_step, starts, ends, move.charge, out);
  return current;
}

Grid periodic_grid(int dimensions) {
  return {dimensions, {-1, 2, 0.5}, {0.25, 0.5, 0.125}, {5, 4, dimensions == 3 ? 6 : 1}, {true, true, dimensions == 3}};
}

/// Particles all over the grid, which move by up to a cell in each direction, across faces and the period.
Move random_move(const Grid& grid, std::int64_t n) {
  Move move{uniform<double>(n, 3), uniform<double>(n, 4), values_of<double>(n)};
  const auto place = [&](int axis, std::vector<double>& start, std::vector<double>& end) {
    for (std::int64_t p = 0; p < n; ++p) {
      start[p] = grid.origin[axis] + start[p] * grid.spacing[axis] * grid.cells[axis];
      end[p] = start[p] + (2 * end[p] - 1) * 0.999 * grid.spacing[axis];
    }
  };
  place(0, move.before.x, move.after.x);
  place(1, move.before.y, move.after.y);
  place(2, move.before.z, move.after.z);
  return move;
}

class CurrentOfDimensions : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Dimensions, CurrentOfDimensions, ::testing::Values(2, 3));

TEST_P(CurrentOfDimensions, ConservesTheChargeOfEveryNode) {
  const Grid grid = periodic_grid(GetParam());
  const double time_step = 0.5;
  const Move move = random_move(grid, 500);
  const Axes current = current_of(grid, time_step, move);
  const std::vector<double> before = serial(DepositGrid(grid), {}, move.before, move.charge);
  const std::vector<double> after = serial(DepositGrid(grid), {}, move.after, move.charge);
  std::int64_t distance = 1;
  std::vector<double> divergence(grid.node_count());
  for (int axis = 0; axis < grid.dimensions; distance *= grid.cells[axis++])
    for (std::int64_t node = 0; node < grid.node_count(); ++node) {
      const bool is_first = node / distance % grid.cells[axis] == 0;
      const std::int64_t previous = node + (is_first ? distance * grid.cells[axis] : 0) - distance;
      divergence[node] += current[axis][node] - current[axis][previous];
    }
  double largest = 0;
  for (std::int64_t node = 0; node < grid.node_count(); ++node) {
    EXPECT_NEAR((after[node] - before[node]) / time_step + divergence[node], 0, 1e-12) << "node " << node;
    largest = std::max(largest, std::abs(divergence[node]));
  }
  EXPECT_GT(largest, 0.1);
}

TEST_P(CurrentOfDimensions, AddsUpToChargeTimesVelocity) {
  const Grid grid = periodic_grid(GetParam());
  const Move move = random_move(grid, 200);
  const Axes current = current_of(grid, 0.5, move);
  const Axes before = axes_of(move.before, grid.dimensions), after = axes_of(move.after, grid.dimensions);
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    double sum = 0, expected = 0;
    for (const double value : current[axis]) sum += value * grid.spacing[axis];
    for (std::size_t p = 0; p < move.charge.size(); ++p)
      expected += move.charge[p] * (after[axis][p] - before[axis][p]) / 0.5;
    EXPECT_NEAR(sum, expected, 1e-11) << "axis " << axis;
  }
}

Move one_particle(std::array<double, 2> start, std::array<double, 2> end) {
  Move move{{"before", {}, {}, {}}, {"after", {}, {}, {}}, {8}};
  move.before.add(start[0], start[1], 0);
  move.after.add(end[0], end[1], 0);
  return move;
}

const Grid square{2, {0, 0, 0}, {1, 1, 1}, {4, 4, 1}, {true, true, false}};

TEST(Current, OfAParticleThatCrossesANodeByHand) {
  // Path from x = 0.75 to 1.5 at y = 0.25, in 2 s: rate 4 A; 1/4 of the charge leaves node 0, 1/2 arrives at node 2.
  const Axes current = current_of(square, 2, one_particle({0.75, 0.25}, {1.5, 0.25}));
  std::vector<double> along_x(16, 0);
  along_x[0] = 0.75, along_x[1] = 1.5;
  along_x[4] = 0.25, along_x[5] = 0.5;
  EXPECT_EQ(current[0], along_x);
  EXPECT_EQ(current[1], std::vector<double>(16, 0));
}

TEST(Current, RefusesBadInput) {
  const Move good = one_particle({0.5, 0.5}, {0.75, 0.5});
  const auto message = [](const Grid& grid, double time_step, const Move& move) {
    return message_of([&] { current_of(grid, time_step, move); });
  };
  EXPECT_EQ(message(square, 1, good), "no error");
  EXPECT_EQ(message(square, 0, good), "deposit: the time step is 0 s, expected a positive number.");
  EXPECT_EQ(message(square, 1, one_particle({0.5, 0.5}, {0.5, 2})),
            "deposit: particle 0 moves from 0.5 to 2 m along axis 1, expected at most a cell, 1 m. Take a smaller time "
            "step, and do not wrap positions after the step.");
  EXPECT_EQ(
      message(square, 1, one_particle({0.5, std::nan("")}, {0.5, 0.5})),
      "deposit: particle 0 moves from nan to 0.5 m along axis 1, expected at most a cell, 1 m. Take a smaller time "
      "step, and do not wrap positions after the step.");
  EXPECT_EQ(message(square, std::nan(""), good), "deposit: the time step is nan s, expected a positive number.");
  Grid open = square;
  open.periodic[1] = false;
  EXPECT_EQ(message(open, 1, good), "deposit: axis 1 of the grid is open, but the current needs periodic axes.");
  Move charged = good;
  charged.charge[0] = std::nan("");
  EXPECT_EQ(message(square, 1, charged), "deposit: the charge of particle 0 is nan, expected a finite number.");
  charged.charge = {1, 2};
  EXPECT_NE(message(square, 1, charged), "no error");
  Grid cube = square;
  cube.dimensions = 3, cube.periodic[2] = true;
  std::vector<double> x{0.5}, out(16);
  const std::vector<View<const double>> two{x, x};
  const std::vector<View<double>> currents{out, out};
  EXPECT_EQ(message_of([&] { deposit_current(Queue::cpu(1), cube, 1, two, two, x, currents); }),
            "deposit: 2 coordinates before the step, 2 after it and 2 currents, expected one of each for the 3 axes of "
            "the grid.");
}

}  // namespace
}  // namespace shoal
