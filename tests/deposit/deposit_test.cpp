// SPDX-License-Identifier: Apache-2.0
#include "deposit/deposit_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;

INSTANTIATE_TEST_SUITE_P(AllMethods, EveryDepositMethod, testing::ValuesIn(methods("deposit")), method_test_name);

const DepositGrid two_by_one = Grid{2, {0, 0, 0}, {1, 2, 1}, {2, 1, 1}, {}};  // nodes at x = 0, 1, 2 and y = 0, 2

TEST_P(EveryDepositMethod, FourParticlesByHandIn2D) {
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(1.0, 0.0, 0);   // on node 1
  points.add(0.5, 1.0, 0);   // the middle of cell 0
  points.add(2.0, 0.5, 0);   // on the upper end: 3/4 to node 2, 1/4 to node 5
  points.add(1.25, 2.0, 0);  // on the upper end: 3/4 to node 4, 1/4 to node 5
  const std::vector<double> values = {100, 8, 40, 400};
  EXPECT_EQ(deposited(queue(), two_by_one, options(), points, values), (std::vector<double>{2, 102, 30, 2, 302, 110}));
}

TEST_P(EveryDepositMethod, NodeCenterFaceAndEdgeByHandIn3D) {
  const DepositGrid grid = Grid{3, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {}};
  Distribution<float> points{"by hand", {}, {}, {}};
  points.add(0.5, 0.5, 0.5);   // the center
  points.add(1, 1, 1);         // a node
  points.add(0.5, 0.5, 0);     // a face
  points.add(0, 0.25, 1);      // an edge
  points.add(0.25, 0.5, 0.5);  // anywhere
  const std::vector<float> values = {8, 100, 4, 400, 32};
  EXPECT_EQ(
      deposited(queue(), grid, options(), points, values),
      (std::vector<float>{1 + 1 + 6, 1 + 1 + 2, 1 + 1 + 6, 1 + 1 + 2, 1 + 6 + 300, 1 + 2, 1 + 6 + 100, 1 + 100 + 2}));
}

TEST_P(EveryDepositMethod, APeriodicAxisOfOneCellGivesBothSharesToItsNode) {
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {true, false, false}};
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(0.25, 0.5, 0);
  points.add(-7.5, 1.0, 0);  // eight periods away
  EXPECT_EQ(deposited(queue(), grid, options(), points, {2.0, 5.0}), (std::vector<double>{1, 6}));
}

TEST_P(EveryDepositMethod, PeriodicNodesTakeFromBothEnds) {
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {4, 1, 1}, {true, true, false}};
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(3.75, 0, 0);   // last cell: 1/4 to node 3, 3/4 to node 0
  points.add(4.0, 0, 0);    // a whole period: node 0
  points.add(-0.25, 0, 0);  // as 3.75
  EXPECT_EQ(deposited(queue(), grid, options(), points, {4.0, 10.0, 8.0}), (std::vector<double>{19, 0, 0, 3}));
}

TEST_P(EveryDepositMethod, StretchedAxesByHand) {
  DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {}};
  grid.stretch(0, {0, 1, 5});
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(2, 0, 0);  // a quarter into the cell from 1 to 5
  points.add(5, 1, 0);
  points.add(0.5, 1, 0);
  EXPECT_EQ(deposited(queue(), grid, options(), points, {4.0, 7.0, 2.0}), (std::vector<double>{0, 3, 1, 1, 1, 7}));
}

/// As many additions as one of n terms can pass through: those of the canonical sum (docs/theory/deposit.md), or of one
/// that goes through all particles of a cell, or of all cells around a node. In double, n/512 of them leave room for the
/// rounding of `serial`, whose sums are in double too.
template <class Real>
double most_additions(const MethodInfo& method, std::int64_t n) {
  const auto m = static_cast<double>(n);
  if (!is_canonical(method) && method.name != "integer") return m + 8;
  const double in_a_chunk = std::min(64.0, std::ceil(m / 8)) + 3;
  const double of_chunks = sizeof(Real) == 4 ? std::ceil(m / 16'384) + 5 : std::ceil(m / 512) + 1;
  return in_a_chunk + of_chunks + 3;
}

/// Additional error of method `integer`: its unit is at most 2^-59 of the sum of all sizes, and the corner that
/// takes the rest takes up to half a unit for each of the eight.
double unit_error(const MethodInfo& method, std::int64_t n, long double all_sizes) {
  return method.name == "integer" ? 4.5 * static_cast<double>(n * all_sizes) * 0x1p-59 : 0;
}

template <class Real>
void expect_serial(const Queue& queue, const MethodInfo& method) {
  for (const std::int64_t n : {0, 1, 131, 42'793}) {
    const std::vector<Real> values = values_of<Real>(n);
    const double units = unit_error(method, n, total_of(sizes_of(values)));
    const double rounding = error_of_additions<Real>(most_additions<Real>(method, n)) + 2 * roundoff<Real>;
    std::vector<Distribution<Real>> all = every_distribution<Real>(n);
    all.push_back(bed<Real>(n));
    for (const Distribution<Real>& points : all)
      for (const DepositGrid& grid : unit_box_grids()) {
        const std::vector<Real> expected = serial(grid, {}, points, values);
        const std::vector<Real> sizes = serial(grid, {}, points, sizes_of(values));
        const std::vector<Real> result = deposited(queue, grid, {.method = method.name}, points, values);
        ASSERT_EQ(result.size(), expected.size());
        double worst = 0;
        for (std::size_t i = 0; i < result.size(); ++i)
          worst = std::max(worst, std::abs(static_cast<double>(result[i]) - expected[i]) - rounding * sizes[i] - units);
        EXPECT_LE(worst, 0) << points.name << ", n = " << n << ", " << grid.cell_count() << " cells";
      }
  }
}

TEST_P(EveryDepositMethod, AgreesWithSerialInFloat) { expect_serial<float>(queue(), GetParam()); }
TEST_P(EveryDepositMethod, AgreesWithSerialInDouble) { expect_serial<double>(queue(), GetParam()); }

TEST_P(EveryDepositMethod, KeepsTheTotal) {
  const std::vector<double> values = values_of<double>(42'793);
  for (const DepositGrid& grid : unit_box_grids()) {
    const auto nodes = deposited(queue(), grid, options(), uniform<double>(42'793), values);
    EXPECT_NEAR(static_cast<double>(total_of(nodes)), static_cast<double>(total_of(values)),
                static_cast<double>(total_of(sizes_of(values))) * 100 * roundoff<double>);
  }
}

TEST_P(EveryDepositMethod, GivesTheSameBitsForEveryNumberOfThreads) {
  if (GetParam().device != DeviceKind::cpu || !GetParam().deterministic) GTEST_SKIP() << "not promised";
  const std::vector<float> values = values_of<float>(42'793);
  for (const Distribution<float>& points : {clustered<float>(42'793), one_hot<float>(42'793)}) {
    const DepositGrid grid = unit_box_grids()[1];
    const auto expected = deposited(Queue::cpu(1), grid, options(), points, values);
    for (const int threads : {2, 3, 16})
      EXPECT_TRUE(deposited(Queue::cpu(threads), grid, options(), points, values) == expected)
          << points.name << ", " << threads << " threads";
  }
}

TEST_P(EveryDepositMethod, ManyStridedValuesInOneCallAreThoseOfManyCalls) {
  const Queue on = queue();
  const Distribution<double> points = uniform<double>(1311);
  const DepositGrid grid = unit_box_grids()[0];
  Deposit<double> deposit(on, grid, options());
  const DevicePoints<double> device(on, points);
  bin(deposit, device);
  const std::vector<double> interleaved = values_of<double>(16 * 1311);
  const Array<double> values = to_device(on, interleaved);
  for (const std::size_t count : {2, 3, 16}) {
    Array<double> nodes(on, 16 * grid.node_count());
    std::vector<View<const double>> value_views;
    std::vector<View<double>> node_views;
    for (std::size_t k = 0; k < count; ++k) {
      value_views.emplace_back(values.data() + k, 1311, on.device(), 16);
      node_views.emplace_back(nodes.data() + k, grid.node_count(), on.device(), 16);
    }
    deposit.to_nodes(value_views, node_views);
    const std::vector<double> together = to_host(on, nodes);
    for (std::size_t k = 0; k < count; ++k) {
      std::vector<double> single(1311), found(together.size() / 16);
      for (std::size_t i = 0; i < single.size(); ++i) single[i] = interleaved[16 * i + k];
      for (std::size_t i = 0; i < found.size(); ++i) found[i] = together[16 * i + k];
      SCOPED_TRACE(k);
      expect_the_same(GetParam(), 1311, found, to_nodes(on, deposit, single),
                      serial(grid, {}, points, sizes_of(single)));
    }
  }
}

TEST_P(EveryDepositMethod, MovesParticlesWithoutNewMemoryAndForgetsTheOldPlaces) {
  const Queue on = queue();
  const DepositGrid grid = unit_box_grids()[0];
  Deposit<float> deposit(on, grid, options());
  const Distribution<float> moved = clustered<float>(42'793);
  const std::vector<float> values = values_of<float>(42'793);
  DevicePoints<float> device(on, uniform<float>(42'793));
  bin(deposit, device);
  to_nodes(on, deposit, values);
  const void* before[] = {deposit.cell_start().data, deposit.order().data};
  device.copy_from(on, moved);
  bin(deposit, device);
  const void* after[] = {deposit.cell_start().data, deposit.order().data};
  EXPECT_TRUE(std::equal(before, before + 2, after));
  expect_the_same(GetParam(), 42'793, to_nodes(on, deposit, values), deposited(on, grid, options(), moved, values),
                  serial(grid, {}, moved, sizes_of(values)));
}

TEST_P(EveryDepositMethod, SortedAndReorderedParticlesGiveTheBitsOfTheirOwnOrder) {
  const Queue on = queue();
  const Distribution<double> points = clustered<double>(4279);
  const std::vector<double> values = values_of<double>(4279);
  const DepositGrid grid = unit_box_grids()[0];
  Deposit<double> deposit(on, grid, options());
  const DevicePoints<double> device(on, points);
  bin(deposit, device);
  const std::vector<double> expected = to_nodes(on, deposit, values);
  Array<double> x(on, 4279), y(on, 4279), z(on, 4279), sorted_values(on, 4279);
  deposit.reorder(device.x, x);
  deposit.reorder(device.y, y);
  deposit.reorder(device.z, z);
  deposit.reorder(to_device(on, values), sorted_values);
  const std::vector<double> sizes = serial(grid, {}, points, sizes_of(values));
  deposit.values_are_in_cell_order();
  expect_the_same(GetParam(), 4279, to_nodes(on, deposit, to_host(on, sorted_values)), expected, sizes);
  deposit.bin_sorted(x, y, z);
  EXPECT_TRUE(deposit.order().empty());
  expect_the_same(GetParam(), 4279, to_nodes(on, deposit, to_host(on, sorted_values)), expected, sizes);
}

TEST_P(EveryDepositMethod, TakesValuesInTheOrderOfCellsAtAnyAddress) {
  const Queue on = queue();
  const Distribution<float> points = uniform<float>(4279);
  const std::vector<float> values = values_of<float>(4279 + 3);
  const DepositGrid grid = unit_box_grids()[0];
  Deposit<float> deposit(on, grid, options());
  const DevicePoints<float> device(on, points);
  bin(deposit, device);
  deposit.values_are_in_cell_order();
  const Array<float> device_values = to_device(on, values);
  Array<float> nodes(on, grid.node_count());
  for (const int first : {1, 2, 3}) {
    const std::vector<float> part(values.begin() + first, values.begin() + first + 4279);
    const std::vector<float> expected = to_nodes(on, deposit, part);
    deposit.to_nodes(View<const float>(device_values.data() + first, 4279, on.device()), nodes);
    expect_the_same(GetParam(), 4279, to_host(on, nodes), expected, to_nodes(on, deposit, sizes_of(part)));
  }
}

TEST_P(EveryDepositMethod, ClampsToTheEndsAndSkipsWhatIsOutside) {
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(-INFINITY, 0, 0);
  points.add(3, 5, 0);
  points.add(1, 1, 0);
  points.add(1, INFINITY, 0);
  const std::vector<double> values = {1, 2, 4, 8};
  DepositOptions how = options();
  how.outside = DepositOutside::clamp;
  EXPECT_EQ(deposited(queue(), two_by_one, how, points, values), (std::vector<double>{1, 2, 0, 0, 10, 2}));
  how.outside = DepositOutside::skip;
  points.x[0] = std::nan("");
  const Queue on = queue();
  Deposit<double> deposit(on, two_by_one, how);
  const DevicePoints<double> device(on, points);
  bin(deposit, device);
  EXPECT_EQ(to_nodes(on, deposit, values), (std::vector<double>{0, 2, 0, 0, 2, 0}));
  EXPECT_EQ(deposit.skipped(), 3);
  EXPECT_EQ(deposit.lost(to_device(on, values)), 11);
}

TEST(DepositLanes, SumsOfParticlesOutOfOrderEndWithAnError_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Queue on = Queue::cuda(0);
  const Distribution<double> points = clustered<double>(42'793);
  const Array<double> values = to_device(on, values_of<double>(42'793));
  const DevicePoints<double> device(on, points);
  for (const DepositGrid& grid : unit_box_grids()) {
    if (grid.grid.dimensions == 2) continue;
    Deposit<double> deposit(on, grid, {.method = "lanes"});
    Array<double> nodes(on, grid.node_count());
    const auto transfer = [&] {
      deposit.bin_sorted(device.x, device.y, device.z);
      deposit.to_nodes(values, nodes);
      on.wait();
    };
    EXPECT_THROW(transfer(), Error) << grid.cell_count() << " cells";
    bin(deposit, device);
    EXPECT_TRUE(to_nodes(on, deposit, values_of<double>(42'793)) ==
                deposited(on, grid, {.method = "lanes"}, points, values_of<double>(42'793)));
  }
}

TEST(DepositPaper, ItsSpeculationsGiveTheBitsOfCorners_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const Queue on = Queue::cuda(0);
  const Distribution<float> points = clustered<float>(42'793);
  const std::vector<float> values = values_of<float>(42'793);
  for (const DepositGrid& grid : unit_box_grids()) {
    const auto expected = deposited(on, grid, {.method = "corners"}, points, values);
    for (const char* name : {"corners_shuffle", "corners_wide"})
      EXPECT_TRUE(deposited(on, grid, {.method = name}, points, values) == expected) << name;
  }
}

TEST(Deposit, AutoIsADeterministicMethod) {
  const Deposit<float> deposit(Queue::cpu(), two_by_one);
  EXPECT_TRUE(deposit.method().deterministic);
  EXPECT_EQ(deposit.method().name, "sorted");
}

}  // namespace
}  // namespace shoal
