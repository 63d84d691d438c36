// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include "deposit/deposit_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;

const DepositGrid unit = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.13, {true, false, false});

class Integer : public MethodTest {};

std::vector<MethodInfo> integer_methods() {
  std::vector<MethodInfo> entries = methods("deposit");
  std::erase_if(entries, [](const MethodInfo& method) { return method.name != "integer"; });
  return entries;
}
INSTANTIATE_TEST_SUITE_P(AllDevices, Integer, testing::ValuesIn(integer_methods()), method_test_name);

/// Cells of all kinds: full ones, all particles in one, and one or two particles in each.
template <class Real>
std::vector<Distribution<Real>> fillings() {
  return {clustered<Real>(42'793), one_hot<Real>(42'793), uniform<Real>(42'793), uniform<Real>(500)};
}

template <class Real>
void expect_same_bits_shuffled(const Queue& queue) {
  for (const Distribution<Real>& points : fillings<Real>()) {
    const std::vector<Real> values = values_of<Real>(points.count());
    const auto expected = deposited(queue, unit, {.method = "integer"}, points, values);
    std::vector<std::size_t> rank(values.size());
    std::iota(rank.begin(), rank.end(), std::size_t{0});
    std::shuffle(rank.begin(), rank.end(), std::mt19937_64(9));
    std::vector<Real> moved;
    for (const std::size_t i : rank) moved.push_back(values[i]);
    EXPECT_TRUE(deposited(queue, unit, {.method = "integer"}, reordered(points, "shuffled", rank), moved) == expected)
        << points.name << ", n = " << points.count();
  }
}

TEST_P(Integer, ShufflingChangesNoBitInFloat) { expect_same_bits_shuffled<float>(queue()); }
TEST_P(Integer, ShufflingChangesNoBitInDouble) { expect_same_bits_shuffled<double>(queue()); }

template <class Real>
void expect_bits_of_one_thread(const Queue& queue) {
  for (const std::int64_t n : {0, 1, 131, 42'793}) {
    const std::vector<Real> values = values_of<Real>(n);
    for (const Distribution<Real>& points : every_distribution<Real>(n))
      for (const DepositGrid& grid : unit_box_grids())
        EXPECT_TRUE(deposited(queue, grid, {.method = "integer"}, points, values) ==
                    deposited(Queue::cpu(1), grid, {.method = "integer"}, points, values))
            << points.name << ", n = " << n << ", " << grid.cell_count() << " cells";
  }
}

TEST_P(Integer, EveryDeviceHasTheBitsOfOneThreadInFloat) { expect_bits_of_one_thread<float>(queue()); }
TEST_P(Integer, EveryDeviceHasTheBitsOfOneThreadInDouble) { expect_bits_of_one_thread<double>(queue()); }

TEST_P(Integer, EveryDeviceHasTheSameBitsWithBlockedCellsAndRanges) {
  DepositGrid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.2);
  grid.blocked.assign(125, 0);
  for (const std::size_t cell : {0, 1, 5, 6, 25, 26, 30, 31, 60, 61}) grid.blocked[cell] = 1;
  for (const std::int64_t n : {131, 42'793})
    for (const DepositBlocked blocked : {DepositBlocked::drop, DepositBlocked::redistribute})
      for (const std::vector<double>& ranges : {std::vector<double>{}, std::vector<double>{1e5}}) {
        Distribution<double> points = uniform<double>(n);
        for (std::size_t i = 0; i < points.x.size(); ++i)  // none in cell 0, which has no open node but one
          if (points.x[i] < 0.2 && points.y[i] < 0.2 && points.z[i] < 0.2) points.x[i] = 0.5;
        const DepositOptions options{.method = "integer", .blocked = blocked, .ranges = ranges};
        const std::vector<double> values = values_of<double>(n);
        EXPECT_TRUE(deposited(queue(), grid, options, points, values) ==
                    deposited(Queue::cpu(1), grid, options, points, values))
            << "n = " << n << ", " << to_name(blocked) << ", " << ranges.size() << " ranges";
      }
}

TEST_P(Integer, EachValueHasAUnitOfItsOwn) {
  const Queue on = queue();
  const Distribution<double> points = uniform<double>(4279);
  Deposit<double> deposit(on, unit, {.method = "integer"});
  const DevicePoints<double> device(on, points);
  bin(deposit, device);
  std::vector<std::vector<double>> values;
  std::vector<Array<double>> from, to;
  std::vector<View<const double>> inputs;
  std::vector<View<double>> outputs;
  for (const double size : {1.0, 1e-200, 1e250, 0.0, 3e7, 1e-3}) {
    values.push_back(values_of<double>(4279));
    for (double& value : values.back()) value *= size;
    from.push_back(to_device(on, values.back()));
    to.emplace_back(on, unit.node_count());
    inputs.push_back(from.back().view());
    outputs.push_back(to.back().view());
  }
  deposit.to_nodes(inputs, outputs);
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_TRUE(to_host(on, to[k]) == deposited(Queue::cpu(1), unit, {.method = "integer"}, points, values[k])) << k;
}

TEST_P(Integer, TheTotalIsExact) {
  const Distribution<double> points = uniform<double>(4279);
  std::vector<double> values = values_of<double>(4279);
  for (double& value : values) value = std::rint(value * 1000);
  // A unit of 2^(50 - 61): the numbers below are whole multiples of it that double holds.
  const auto nodes = deposited(queue(), unit, {.method = "integer", .ranges = {0x1p50}}, points, values);
  EXPECT_EQ(total_of(nodes), total_of(values));
  for (const double node : nodes) ASSERT_EQ(std::rint(node * 0x1p11), node * 0x1p11);
}

TEST_P(Integer, TheDroppedPartIsExactToo) {
  DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {3, 1, 1}, {}};
  grid.blocked = {1, 1, 0};
  DepositGrid open = grid;
  open.blocked.clear();
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(1.1, 0.3, 0);
  const DepositOptions options{.method = "integer", .blocked = DepositBlocked::drop, .ranges = {8}};
  const auto dropped_nodes = deposited(queue(), grid, options, points, {0.7});
  const auto open_nodes = deposited(queue(), open, options, points, {0.7});
  for (const std::size_t node : {2, 6}) EXPECT_EQ(dropped_nodes[node], open_nodes[node]);
  for (const std::size_t node : {1, 5}) EXPECT_EQ(dropped_nodes[node], 0);
}

TEST_P(Integer, HoldsTheExtremesOfItsTypes) {
  const Distribution<double> points = uniform<double>(131);
  for (const double size : {1e-280, 1e300}) {
    std::vector<double> values(131, size);
    const auto nodes = deposited(queue(), unit, {.method = "integer"}, points, values);
    EXPECT_NEAR(static_cast<double>(total_of(nodes) / size), 131, 1e-12);
  }
  EXPECT_EQ(total_of(deposited(queue(), unit, {.method = "integer"}, points, std::vector<double>(131, 0))), 0);
}

std::string message_of_values(const Queue& queue, const std::vector<double>& ranges,
                              const std::vector<double>& values) {
  const Distribution<double> points = uniform<double>(static_cast<std::int64_t>(values.size()));
  return message_of([&] { deposited(queue, unit, {.method = "integer", .ranges = ranges}, points, values); });
}

TEST_P(Integer, MoreThanTheRangeIsAnError) {
  EXPECT_EQ(message_of_values(queue(), {6}, {1, -2, 3}), "no error");
  EXPECT_EQ(message_of_values(queue(), {5.9}, {1, -2, 3}),
            "deposit: the absolute values of value 0 add up to more than its range, 5.9. Enlarge the ranges or leave "
            "them out.");
  EXPECT_EQ(message_of_values(queue(), {1}, {1e300, -1e300}).substr(0, 74),
            "deposit: the absolute values of value 0 add up to more than its range, 1. ");
}

TEST_P(Integer, EverySizeCountsOnce) {
  for (const Distribution<double>& points : fillings<double>()) {
    const auto n = static_cast<double>(points.count());
    const std::vector<double> values(points.x.size(), -1);
    const auto message = [&](double range) {
      return message_of([&] { deposited(queue(), unit, {.method = "integer", .ranges = {range}}, points, values); });
    };
    EXPECT_EQ(message(n), "no error") << points.name;
    EXPECT_EQ(message(n - 1).substr(0, 68), "deposit: the absolute values of value 0 add up to more than its rang")
        << points.name;
  }
}

TEST_P(Integer, TheFirstValueThatIsNotFiniteIsNamed) {
  for (const Distribution<double>& points : fillings<double>()) {
    std::vector<double> values(points.x.size(), 1);
    values[values.size() - 7] = INFINITY;
    values[values.size() / 2] = std::nan("");
    EXPECT_EQ(message_of([&] { deposited(queue(), unit, {.method = "integer"}, points, values); }),
              "deposit: value 0 of particle " + std::to_string(values.size() / 2) +
                  " is not finite; method `integer` adds finite values only. Repair it or use another method.")
        << points.name;
  }
}

TEST_P(Integer, ValuesThatAreNotFiniteAreErrors) {
  EXPECT_EQ(message_of_values(queue(), {}, {1, 2, std::nan(""), INFINITY}),
            "deposit: value 0 of particle 2 is not finite; method `integer` adds finite values only. Repair it or use "
            "another "
            "method.");
  EXPECT_EQ(message_of_values(queue(), {4}, {1, -INFINITY}).substr(0, 47),
            "deposit: value 0 of particle 1 is not finite; m");
}

TEST_P(Integer, WantsARangeForEachValue) {
  const Queue on = queue();
  Deposit<double> deposit(on, unit, {.method = "integer", .ranges = {1}});
  const DevicePoints<double> points(on, uniform<double>(3));
  bin(deposit, points);
  const std::vector<View<const double>> values(2, points.x.view());
  Array<double> nodes(on, unit.node_count());
  const std::vector<View<double>> out(2, nodes.view());
  EXPECT_EQ(message_of([&] { deposit.to_nodes(values, out); }),
            "deposit: 2 values, but 1 ranges; expected one for each value, or none.");
}

}  // namespace
}  // namespace shoal
