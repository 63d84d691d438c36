// SPDX-License-Identifier: Apache-2.0
// Deposit with the shapes `tsc` and `pcs`: sums over all particles by distance, totals, bits, refusals.
#include <algorithm>
#include <array>
#include <limits>

#include "deposit/deposit_checks.hpp"
#include "deposit/shapes/shape_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;

class EveryShape : public TestOnDevice<ShapeOfMethod> {
 protected:
  DepositOptions options() const { return {.method = GetParam().method.name, .shape = GetParam().shape}; }
};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryShape, testing::ValuesIn(every_shape_of_every_method()),
                         [](const testing::TestParamInfo<ShapeOfMethod>& test) {
                           return std::string(to_name(test.param.shape)) + "_" + test.param.method.name + "_" +
                                  device_word(test.param.method.device);
                         });

/// B-spline of the shape at a distance in cells.
double spline(DepositShape shape, double distance) {
  const double d = std::abs(distance);
  if (shape == DepositShape::tsc) return d < 0.5 ? 0.75 - d * d : d < 1.5 ? (1.5 - d) * (1.5 - d) / 2 : 0;
  return d < 1 ? (4 - 6 * d * d + 3 * d * d * d) / 6 : d < 2 ? std::pow(2 - d, 3) / 6 : 0;
}

/// Weights of the nodes of an axis by their distances. The node beyond an end is extrapolated from the two at the end.
std::vector<double> weights_along(const Grid& grid, int axis, DepositShape shape, double x) {
  if (axis >= grid.dimensions) return {1};
  const std::int64_t cells = grid.cells[axis];
  std::vector<double> weights(grid.periodic[axis] ? cells : cells + 1, 0.0);
  const double t = (x - grid.origin[axis]) / grid.spacing[axis];
  for (std::int64_t node = -2; node <= cells + 2; ++node) {
    const double weight = spline(shape, t - static_cast<double>(node));
    if (grid.periodic[axis]) {
      if (node > -2 * cells) weights[(node + 2 * cells) % cells] += weight;
      continue;
    }
    const std::int64_t end = std::clamp<std::int64_t>(node, 0, cells);
    weights[end] += node == end ? weight : 2 * weight;
    if (node != end) weights[node < 0 ? 1 : cells - 1] -= weight;
  }
  return weights;
}

template <class Real>
std::vector<double> by_distances(const Grid& grid, DepositShape shape, const Distribution<Real>& points,
                                 const std::vector<Real>& values) {
  std::vector<double> nodes(static_cast<std::size_t>(grid.node_count()), 0);
  for (std::size_t p = 0; p < values.size(); ++p) {
    const std::vector<double> wx = weights_along(grid, 0, shape, points.x[p]),
                              wy = weights_along(grid, 1, shape, points.y[p]),
                              wz = weights_along(grid, 2, shape, points.z[p]);
    for (std::size_t node = 0; node < nodes.size(); ++node)
      nodes[node] +=
          wx[node % wx.size()] * wy[node / wx.size() % wy.size()] * wz[node / wx.size() / wy.size()] * values[p];
  }
  return nodes;
}

template <class Real>
void expect_sums_by_distances(const Queue& queue, const DepositOptions& options) {
  for (const Distribution<Real>& points : {uniform<Real>(131), packed<Real>(125), one_hot<Real>(131)})
    for (const DepositGrid& grid : shape_grids()) {
      if (grid.node_count() > 5000) continue;  // the reference visits every node for every particle
      const std::vector<Real> values = values_of<Real>(points.count());
      const std::vector<Real> result = deposited(queue, grid, options, points, values);
      const std::vector<double> expected = by_distances(grid.grid, options.shape, points, values);
      // Positions are rounded in units of cells, up to 100 of them, and a weight changes by 1 per cell at most.
      const double tolerance = 400 * roundoff<Real> * static_cast<double>(total_of(sizes_of(values)));
      ASSERT_EQ(result.size(), expected.size());
      for (std::size_t i = 0; i < result.size(); ++i) ASSERT_NEAR(result[i], expected[i], tolerance) << i;
    }
}

TEST_P(EveryShape, GivesTheSumsOverAllParticlesByDistanceInFloat) {
  expect_sums_by_distances<float>(queue(), options());
}
TEST_P(EveryShape, GivesTheSumsOverAllParticlesByDistanceInDouble) {
  expect_sums_by_distances<double>(queue(), options());
}

TEST_P(EveryShape, OfOneParticleByHand) {
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {5, 1, 1}, {true, true, false}};
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(4.5, 0.3, 0);  // a periodic axis of one cell has one node, which receives all shares
  const std::vector<double> nodes = deposited(queue(), grid, options(), points, {48.0});
  const std::vector<double> expected = GetParam().shape == DepositShape::tsc ? std::vector<double>{24, 0, 0, 0, 24}
                                                                             : std::vector<double>{23, 1, 0, 1, 23};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(nodes[i], expected[i], 1e-13) << i;
}

TEST_P(EveryShape, KeepsTheTotalAndTheFirstMoment) {
  const Distribution<double> points = uniform<double>(4279);
  const std::vector<double> values = values_of<double>(4279);
  const double tolerance = static_cast<double>(total_of(sizes_of(values))) * 100 * roundoff<double>;
  for (const DepositGrid& grid : shape_grids()) {
    const std::vector<double> nodes = deposited(queue(), grid, options(), points, values);
    EXPECT_NEAR(static_cast<double>(total_of(nodes)), static_cast<double>(total_of(values)), tolerance);
    if (grid.grid.periodic[0]) continue;
    const auto columns = static_cast<std::size_t>(grid.grid.cells[0] + 1);
    double moment = 0, expected = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i)
      moment += nodes[i] * (grid.grid.origin[0] + grid.grid.spacing[0] * static_cast<double>(i % columns));
    for (std::size_t p = 0; p < values.size(); ++p) expected += values[p] * points.x[p];
    EXPECT_NEAR(moment, expected, tolerance);
  }
}

/// Queues on which a method must give the same bits.
std::vector<Queue> queues_on(DeviceKind device) {
  if (device == DeviceKind::cuda) return {Queue::cuda(0), Queue::cuda(0)};
  return {Queue::cpu(1), Queue::cpu(2), Queue::cpu(3), Queue::cpu(4), Queue::cpu(7)};
}

/// `integer` has its own bits, all other methods those of `serial`, whose sums have the same order.
template <class Real>
void expect_bits_of_one_thread(const MethodInfo& method, const DepositOptions& options) {
  DepositOptions on_one_thread = options;
  on_one_thread.method = method.name == "integer" ? "integer" : "serial";
  const std::vector<Real> values = values_of<Real>(4279);
  for (const Distribution<Real>& points : {uniform<Real>(4279), clustered<Real>(4279), one_hot<Real>(4279)})
    for (const DepositGrid& grid : shape_grids()) {
      const std::vector<Real> expected = deposited(Queue::cpu(1), grid, on_one_thread, points, values);
      const std::vector<Real> sizes = deposited(Queue::cpu(1), grid, on_one_thread, points, sizes_of(values));
      for (const Queue& queue : queues_on(method.device)) {
        SCOPED_TRACE(testing::Message() << points.name << ", " << grid.node_count() << " nodes");
        expect_the_same(method, 4279, deposited(queue, grid, options, points, values), expected, sizes);
      }
    }
}

TEST_P(EveryShape, GivesTheBitsOfOneThreadInFloat) { expect_bits_of_one_thread<float>(GetParam().method, options()); }
TEST_P(EveryShape, GivesTheBitsOfOneThreadInDouble) { expect_bits_of_one_thread<double>(GetParam().method, options()); }

TEST_P(EveryShape, GivesTheBitsOfSerialForTheLargestAndTheSmallestValues) {
  if (GetParam().method.name == "integer" || !GetParam().method.deterministic) GTEST_SKIP() << "has other bits";
  std::vector<float> values = values_of<float>(4279);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] *= std::array{std::numeric_limits<float>::max() / 4, std::numeric_limits<float>::denorm_min() * 64,
                            std::numeric_limits<float>::min(), 1.0f}[i % 4];
  DepositOptions by_serial = options();
  by_serial.method = "serial";
  const Distribution<float> points = uniform<float>(4279);
  const DepositGrid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.05);
  for (const float scale : {1.0f, std::numeric_limits<float>::min()}) {
    std::vector<float> scaled = values;
    for (float& value : scaled) value *= scale;
    EXPECT_EQ(deposited(GetParam().method.device == DeviceKind::cpu ? Queue::cpu(2) : Queue::cuda(0), grid, options(),
                        points, scaled),
              deposited(Queue::cpu(1), grid, by_serial, points, scaled));
  }
}

TEST_P(EveryShape, ManyStridedValuesInOneCallAreThoseOfManyCalls) {
  constexpr std::int64_t n = 1311;
  const Queue on = queue();
  const DepositGrid grid = shape_grids()[1];
  Deposit<double> deposit(on, grid, options());
  const DevicePoints<double> points(on, uniform<double>(n));
  bin(deposit, points);
  for (const std::int64_t count : {2, 3, 5}) {
    const std::vector<double> values = values_of<double>(count * n);
    const Array<double> on_device = to_device(on, values);
    Array<double> nodes(on, count * grid.node_count());
    std::vector<View<const double>> value_views;
    std::vector<View<double>> node_views;
    for (std::int64_t k = 0; k < count; ++k) {
      value_views.emplace_back(on_device.data() + k, n, on.device(), count);
      node_views.emplace_back(nodes.data() + k, grid.node_count(), on.device(), count);
    }
    deposit.to_nodes(value_views, node_views);
    const std::vector<double> of_all_nodes = to_host(on, nodes);
    for (std::int64_t k = 0; k < count; ++k) {
      std::vector<double> single(n), found(static_cast<std::size_t>(grid.node_count()));
      for (std::size_t i = 0; i < single.size(); ++i) single[i] = values[i * count + k];
      for (std::size_t i = 0; i < found.size(); ++i) found[i] = of_all_nodes[i * count + k];
      expect_the_same(GetParam().method, n, found, to_nodes(on, deposit, single),
                      to_nodes(on, deposit, sizes_of(single)));
    }
  }
}

TEST_P(EveryShape, SkipsAndClampsParticlesOutside) {
  const Queue on = queue();
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {3, 3, 1}, {}};
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(-7, 0, 0);
  points.add(std::nan(""), 1, 0);
  const std::vector<double> values = {2, 4};
  DepositOptions how = options();
  how.outside = DepositOutside::skip;
  Deposit<double> deposit(on, grid, how);
  const DevicePoints<double> outside(on, points);
  bin(deposit, outside);
  EXPECT_EQ(to_nodes(on, deposit, values), std::vector<double>(16, 0));
  EXPECT_EQ(deposit.skipped(), 2);
  EXPECT_EQ(deposit.lost(to_device(on, values)), 6);
  points.x[1] = 9, points.y[1] = 3;
  how.outside = DepositOutside::clamp;
  std::vector<double> corners(16, 0);
  corners[0] = 2, corners[15] = 4;
  EXPECT_EQ(deposited(on, grid, how, points, values), corners);
}

TEST_P(EveryShape, KeepsWhatIsNotFiniteAtTheNodesOfTheParticle) {
  if (GetParam().method.name == "integer") GTEST_SKIP() << "integer refuses such values";
  const DepositGrid grid = Grid{3, {0, 0, 0}, {1, 1, 1}, {9, 9, 9}, {}};
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(4.25, 4.25, 4.25);
  points.add(1.25, 1.25, 1.25);
  const std::vector<double> nodes = deposited(queue(), grid, options(), points, {INFINITY, 1.0});
  const auto reached = static_cast<int>(std::pow(GetParam().shape == DepositShape::tsc ? 3 : 4, 3));
  EXPECT_EQ(std::count_if(nodes.begin(), nodes.end(), [](double value) { return !std::isfinite(value); }), reached);
}

TEST_P(EveryShape, OfNoParticlesIsZero) {
  for (const DepositGrid& grid : shape_grids())
    EXPECT_EQ(deposited(queue(), grid, options(), Distribution<double>{}, {}),
              std::vector<double>(static_cast<std::size_t>(grid.node_count()), 0));
}

class IntegerShapes : public TestOnDevice<ShapeOnDevice> {};
INSTANTIATE_TEST_SUITE_P(AllShapes, IntegerShapes, testing::ValuesIn(every_shape_on_every_device()), shape_test_name);

TEST_P(IntegerShapes, IntegerHasTheSameBitsInEveryOrderAndAnExactTotal) {
  DepositOptions how{.method = "integer", .shape = GetParam().shape};
  const Queue on = queue();
  const Distribution<double> points = uniform<double>(4279);
  std::vector<double> values(4279, 3);
  const DepositGrid grid = shape_grids()[0];
  how.ranges = {0x1p50};  // the unit is 2^(50 - 61): double holds the sums exactly
  const std::vector<double> nodes = deposited(on, grid, how, points, values);
  EXPECT_EQ(total_of(nodes), 3 * 4279);
  EXPECT_TRUE(deposited(on, grid, how, shuffled(points), values) == nodes);
  how.ranges = {100};
  EXPECT_EQ(message_of([&] { deposited(on, grid, how, points, values); }),
            "deposit: the absolute values of value 0 add up to more than its range, 100. Enlarge the ranges or leave "
            "them out.");
  how.ranges = {3 * 4279};  // every size counts once
  EXPECT_EQ(message_of([&] { deposited(on, grid, how, points, values); }), "no error");
  values[1000] = std::nan("");
  EXPECT_EQ(message_of([&] { deposited(on, grid, how, points, values); }),
            "deposit: value 0 of particle 1000 is not finite; method `integer` adds finite values only. Repair it or "
            "use another method.");
}

TEST(Shapes, OfCloudInCellIsTheDefault) {
  const Distribution<double> points = uniform<double>(131);
  const std::vector<double> values = values_of<double>(131);
  const DepositGrid grid = shape_grids()[0];
  EXPECT_EQ(DepositOptions().shape, DepositShape::cic);
  EXPECT_EQ(from_name<DepositShape>("pcs"), DepositShape::pcs);
  EXPECT_NE(deposited(Queue::cpu(1), grid, {}, points, values),
            deposited(Queue::cpu(1), grid, {.shape = DepositShape::tsc}, points, values));
}

std::string message_of_plan(const DepositGrid& grid) {
  return message_of([&] { Deposit<float>(Queue::cpu(1), grid, {.shape = DepositShape::tsc}); });
}

TEST(Shapes, RefuseWhatTheyCannotDo) {
  DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {2, 2, 1}, {}};
  EXPECT_EQ(message_of_plan(grid), "no error");
  DepositGrid stretched = grid;
  stretched.stretch(1, {0, 1, 3});
  EXPECT_EQ(
      message_of_plan(stretched),
      "deposit: shape \"tsc\" needs cells of equal width, but axis 1 has given nodes. Use a uniform axis or shape "
      "= \"cic\".");
  DepositGrid blocked = grid;
  blocked.blocked = {0, 0, 0, 1};
  EXPECT_EQ(message_of_plan(blocked),
            "deposit: shape \"tsc\" reaches nodes behind blocked cells. Use a grid without blocked cells or shape = "
            "\"cic\".");
  Deposit<double> deposit(Queue::cpu(1), grid, {.shape = DepositShape::pcs});
  const std::vector<double> one{0.5};
  std::vector<double> cells(4);
  deposit.bin(one, one);
  EXPECT_EQ(message_of([&] { deposit.to_cells(one, View<double>(cells)); }),
            "deposit: to_cells() has shape \"cic\" alone, got \"pcs\". Use to_nodes() on a grid whose nodes are the "
            "centers of the cells, or shape = \"cic\".");
}

/// A method without shapes; its message does not depend on a device.
TEST(Shapes, AreRefusedByMethodsWithoutThem) {
  const deposit::DepositMethod method{{"rows", DeviceKind::cpu, true, "a test"}, true, nullptr, nullptr};
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {2, 2, 1}, {}};
  EXPECT_EQ(
      message_of([&] { deposit::require_shape(grid, {.shape = DepositShape::pcs}, method, 1); }),
      "deposit: shape \"pcs\" is not available with method `rows` on cpu. Use sorted, integer or serial, or shape "
      "= \"cic\".");
  EXPECT_NO_THROW(deposit::require_shape(grid, {}, method, 1));
  EXPECT_EQ(
      message_of([&] {
        deposit::require_shape(grid, {.shape = DepositShape::pcs},
                               find_method("deposit", deposit::deposit_method_table(), "auto", DeviceKind::cpu), 2);
      }),
      "deposit: shape \"pcs\" on 2 ranks reaches nodes that ranks do not share. Use one rank or shape = \"cic\".");
}

TEST(Shapes, AreOfTheDefaultMethodOfAGpuAndRefusedByThePapers_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {2, 2, 1}, {}};
  const auto message = [&](const std::string& method) {
    return message_of([&] { Deposit<float>(Queue::cuda(0), grid, {.method = method, .shape = DepositShape::tsc}); });
  };
  EXPECT_EQ(message("auto"), "no error");
  EXPECT_EQ(
      message("zhao"),
      "deposit: shape \"tsc\" is not available with method `zhao` on cuda. Use lanes, integer or atomic, or shape "
      "= \"cic\".");
}

}  // namespace
}  // namespace shoal
