// SPDX-License-Identifier: Apache-2.0
#include <shoal/deposit/current.hpp>

#include <algorithm>

#include "core/text.hpp"
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

std::vector<Array<double>> on_device(const Queue& queue, const Axes& axes) {
  std::vector<Array<double>> arrays;
  for (const std::vector<double>& axis : axes) arrays.push_back(to_device(queue, axis));
  return arrays;
}

Axes current_on(const Queue& queue, const Grid& grid, double time_step, const Move& move,
                DepositShape shape = DepositShape::cic) {
  const std::vector<Array<double>> before = on_device(queue, axes_of(move.before, grid.dimensions)),
                                   after = on_device(queue, axes_of(move.after, grid.dimensions));
  std::vector<Array<double>> current =
      on_device(queue, Axes(grid.dimensions, std::vector<double>(grid.node_count(), 7)));
  const std::vector<View<const double>> starts(before.begin(), before.end()), ends(after.begin(), after.end());
  const std::vector<View<double>> out(current.begin(), current.end());
  deposit_current(queue, grid, time_step, starts, ends, to_device(queue, move.charge), out, shape);
  Axes on_host;
  for (const Array<double>& axis : current) on_host.push_back(to_host(queue, axis));
  return on_host;
}

Axes current_of(const Grid& grid, double time_step, const Move& move, DepositShape shape = DepositShape::cic,
                int threads = 1) {
  return current_on(Queue::cpu(threads), grid, time_step, move, shape);
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

struct ShapeInDimensions {
  DepositShape shape;
  int dimensions;
  DeviceKind device;
};

DeviceKind device_kind(const ShapeInDimensions& parameter) { return parameter.device; }

std::vector<ShapeInDimensions> every_shape_in_every_dimension() {
  std::vector<ShapeInDimensions> parameters;
  for (const DepositShape shape : {DepositShape::cic, DepositShape::tsc, DepositShape::pcs})
    for (const int dimensions : {2, 3})
      for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::cuda})
        parameters.push_back({shape, dimensions, device});
  return parameters;
}

class CurrentOfShapes : public TestOnDevice<ShapeInDimensions> {
 protected:
  Grid grid() const { return periodic_grid(GetParam().dimensions); }
  DepositShape shape() const { return GetParam().shape; }
};
INSTANTIATE_TEST_SUITE_P(AllShapes, CurrentOfShapes, ::testing::ValuesIn(every_shape_in_every_dimension()),
                         [](const ::testing::TestParamInfo<ShapeInDimensions>& test) {
                           return text(to_name(test.param.shape), "_", test.param.dimensions, "d_",
                                       device_word(test.param.device));
                         });

/// Sum of the currents that leave each node.
std::vector<double> divergence_of(const Grid& grid, const Axes& current) {
  std::int64_t distance = 1;
  std::vector<double> divergence(grid.node_count());
  for (int axis = 0; axis < grid.dimensions; distance *= grid.cells[axis++])
    for (std::int64_t node = 0; node < grid.node_count(); ++node) {
      const bool is_first = node / distance % grid.cells[axis] == 0;
      const std::int64_t previous = node + (is_first ? distance * grid.cells[axis] : 0) - distance;
      divergence[node] += current[axis][node] - current[axis][previous];
    }
  return divergence;
}

void expect_charge_kept(const Queue& queue, const Grid& grid, DepositShape shape, const Move& move) {
  const double time_step = 0.5;
  const std::vector<double> divergence = divergence_of(grid, current_on(queue, grid, time_step, move, shape));
  const std::vector<double> before = serial(DepositGrid(grid), {.shape = shape}, move.before, move.charge);
  const std::vector<double> after = serial(DepositGrid(grid), {.shape = shape}, move.after, move.charge);
  double largest = 0;
  for (std::int64_t node = 0; node < grid.node_count(); ++node) {
    EXPECT_NEAR((after[node] - before[node]) / time_step + divergence[node], 0, 1e-12) << "node " << node;
    largest = std::max(largest, std::abs(divergence[node]));
  }
  EXPECT_GT(largest, 0.1);
}

TEST_P(CurrentOfShapes, ConservesTheChargeOfEveryNode) {
  expect_charge_kept(queue(), grid(), shape(), random_move(grid(), 500));
}

TEST_P(CurrentOfShapes, ConservesTheChargeOfEveryNodeOfShortAxes) {
  for (const std::int64_t cells : {1, 2, 3}) {
    Grid short_grid = grid();
    short_grid.cells[1] = cells;
    expect_charge_kept(queue(), short_grid, shape(), random_move(short_grid, 500));
  }
}

TEST_P(CurrentOfShapes, ConservesChargeForMovesOfExactlyACellFromNodesAndMiddles) {
  Grid unit_cells = grid();
  unit_cells.origin = {0, 0, 0};
  unit_cells.spacing = {1, 1, 1};
  Move move{{"before", {}, {}, {}}, {"after", {}, {}, {}}, {}};
  for (const double start : {0.0, 0.5, std::nextafter(0.5, 0.0), std::nextafter(1.0, 0.0), 0.25, 0.75})
    for (const double step : {-1.0, 0.0, 1.0}) {
      move.before.add(start, 1 + start, 2 + start);
      move.after.add(start + step, 1 + start - step, 2 + start + step);
      move.charge.push_back(1);
    }
  expect_charge_kept(queue(), unit_cells, shape(), move);
}

TEST_P(CurrentOfShapes, AddsUpToChargeTimesVelocity) {
  const Grid grid = this->grid();
  const Move move = random_move(grid, 200);
  const Axes current = current_on(queue(), grid, 0.5, move, shape());
  const Axes before = axes_of(move.before, grid.dimensions), after = axes_of(move.after, grid.dimensions);
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    double sum = 0, expected = 0;
    for (const double value : current[axis]) sum += value * grid.spacing[axis];
    for (std::size_t p = 0; p < move.charge.size(); ++p)
      expected += move.charge[p] * (after[axis][p] - before[axis][p]) / 0.5;
    EXPECT_NEAR(sum, expected, 1e-11) << "axis " << axis;
  }
}

TEST_P(CurrentOfShapes, HasTheSameBitsForEveryNumberOfThreads) {
  if (GetParam().device == DeviceKind::cuda) GTEST_SKIP() << "a test of threads";
  for (const std::int64_t cells : {1, 2, 13, 40}) {
    Grid grid = this->grid();
    grid.cells[GetParam().dimensions - 1] = cells;
    const Move move = random_move(grid, 3000);
    const Axes expected = current_of(grid, 0.5, move, shape());
    for (const int threads : {2, 3, 4, 16})
      EXPECT_TRUE(current_of(grid, 0.5, move, shape(), threads) == expected)
          << cells << " cells, " << threads << " threads";
  }
}

TEST_P(CurrentOfShapes, IsThatOfTheCpuToRounding) {
  for (const std::int64_t cells : {1, 2, 13, 40}) {
    Grid grid = this->grid();
    grid.cells[0] = cells;
    const Move move = random_move(grid, 3000);
    const Axes current = current_on(queue(), grid, 0.5, move, shape()), expected = current_of(grid, 0.5, move, shape());
    for (int axis = 0; axis < grid.dimensions; ++axis)
      for (std::size_t edge = 0; edge < current[axis].size(); ++edge)
        ASSERT_NEAR(current[axis][edge], expected[axis][edge], 1e-11) << "axis " << axis << ", edge " << edge;
  }
}

TEST_P(CurrentOfShapes, HasTheSameBitsInEveryOrderOnAGpu) {
  if (GetParam().device == DeviceKind::cpu) GTEST_SKIP() << "the CPU adds in the order of particles";
  const Move move = random_move(grid(), 3000);
  Move reversed = move;
  for (Distribution<double>* points : {&reversed.before, &reversed.after})
    for (std::vector<double>* axis : {&points->x, &points->y, &points->z}) std::reverse(axis->begin(), axis->end());
  std::reverse(reversed.charge.begin(), reversed.charge.end());
  const Axes expected = current_on(queue(), grid(), 0.5, move, shape());
  EXPECT_TRUE(current_on(queue(), grid(), 0.5, move, shape()) == expected);
  EXPECT_TRUE(current_on(queue(), grid(), 0.5, reversed, shape()) == expected);
}

TEST_P(CurrentOfShapes, OfNoParticlesIsZero) {
  const Move none{{"none", {}, {}, {}}, {"none", {}, {}, {}}, {}};
  for (const std::vector<double>& along : current_on(queue(), grid(), 1, none, shape()))
    EXPECT_EQ(along, std::vector<double>(along.size(), 0));
}

TEST_P(CurrentOfShapes, NamesTheFirstOfManyFaults) {
  Move move = random_move(grid(), 1000);
  move.after.y[700] += 3;
  move.charge[699] = INFINITY;
  move.after.x[900] = std::nan("");
  EXPECT_EQ(message_of([&] { current_on(queue(), grid(), 1, move, shape()); }),
            "deposit: the charge of particle 699 is inf, expected a finite number.");
  move.charge[699] = 1;
  EXPECT_EQ(message_of([&] { current_on(queue(), grid(), 1, move, shape()); }),
            text("deposit: particle 700 moves from ", move.before.y[700], " to ", move.after.y[700],
                 " m along axis 1, expected at most a cell, 0.5 m. Take a smaller time step, and do not wrap positions "
                 "after the step."));
}

TEST_P(CurrentOfShapes, OfParticlesAtRestIsZero) {
  Move move = random_move(grid(), 100);
  move.after = move.before;
  for (const std::vector<double>& along : current_on(queue(), grid(), 1, move, shape()))
    EXPECT_EQ(along, std::vector<double>(along.size(), 0));
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

TEST(Current, OfTscByHand) {
  // Path from x = 1 to 1.5 at y = 1, in 2 s: rate 4 A. Weights along x change from (1/8, 3/4, 1/8, 0) to (0, 1/2, 1/2, 0).
  const Axes current = current_of(square, 2, one_particle({1, 1}, {1.5, 1}), DepositShape::tsc);
  std::vector<double> along_x(16, 0);
  along_x[0] = 4 * 1.0 / 8 / 8, along_x[1] = 4 * 3.0 / 8 / 8;
  along_x[4] = 4 * 1.0 / 8 * 3 / 4, along_x[5] = 4 * 3.0 / 8 * 3 / 4;
  along_x[8] = along_x[0], along_x[9] = along_x[1];
  EXPECT_EQ(current[0], along_x);
  EXPECT_EQ(current[1], std::vector<double>(16, 0));
}

TEST(Current, OfPcsByHand) {
  // Path from x = 1 to 2 at y = 1, in 2 s: rate 4 A. Weights along x change from (1, 4, 1, 0)/6 to (0, 1, 4, 1)/6.
  const Axes current = current_of(square, 2, one_particle({1, 1}, {2, 1}), DepositShape::pcs);
  const double flow[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6}, row[3] = {1.0 / 6, 4.0 / 6, 1.0 / 6};
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) EXPECT_NEAR(current[0][4 * y + x], 4 * flow[x] * row[y], 1e-15);
  EXPECT_EQ(current[1], std::vector<double>(16, 0));
}

TEST(Current, NamesTheFirstOfManyFaultsOnAnyNumberOfThreads) {
  Move move = random_move(square, 1000);
  move.after.y[700] += 3;
  move.charge[699] = INFINITY;
  move.after.x[900] = std::nan("");
  for (const int threads : {1, 2, 4})
    EXPECT_EQ(message_of([&] { current_of(square, 1, move, DepositShape::tsc, threads); }),
              "deposit: the charge of particle 699 is inf, expected a finite number.");
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
