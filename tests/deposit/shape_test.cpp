// SPDX-License-Identifier: Apache-2.0
// Deposit and interpolation with the shapes `tsc` and `pcs`: sums over all particles by distance, totals, threads,
// linear fields, gradients, refusals.
#include <algorithm>
#include <numeric>

#include "deposit/deposit_cases.hpp"
#include "deposit/deposit_checks.hpp"

namespace shoal {
namespace {

using namespace testing_support;

struct ShapeOfMethod {
  DepositShape shape;
  std::string method;
};

std::vector<ShapeOfMethod> every_shape_of_every_method() {
  std::vector<ShapeOfMethod> parameters;
  for (const DepositShape shape : {DepositShape::tsc, DepositShape::pcs})
    for (const MethodInfo& method : methods("deposit"))
      if (method.device == DeviceKind::cpu) parameters.push_back({shape, method.name});
  return parameters;
}

class EveryShape : public testing::TestWithParam<ShapeOfMethod> {
 protected:
  DepositOptions options() const { return {.method = GetParam().method, .shape = GetParam().shape}; }
};
INSTANTIATE_TEST_SUITE_P(AllMethods, EveryShape, testing::ValuesIn(every_shape_of_every_method()),
                         [](const testing::TestParamInfo<ShapeOfMethod>& test) {
                           return std::string(to_name(test.param.shape)) + "_" + test.param.method;
                         });

/// Uniform grids over the unit box: open and periodic axes, also with one, two or three cells.
std::vector<DepositGrid> uniform_grids() {
  std::vector<DepositGrid> grids = uniform_unit_box_grids();
  grids.push_back(Grid{3, {0, 0, 0}, {1, 0.5, 1}, {1, 2, 1}, {false, true, true}});
  grids.push_back(Grid{2, {0, 0, 0}, {0.125, 1, 1}, {8, 1, 1}, {true, true, false}});
  return grids;
}

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
void expect_sums_by_distances(const DepositOptions& options) {
  for (const Distribution<Real>& points : {uniform<Real>(131), packed<Real>(125), one_hot<Real>(131)})
    for (const DepositGrid& grid : uniform_grids()) {
      if (grid.node_count() > 5000) continue;  // the reference visits every node for every particle
      const std::vector<Real> values = values_of<Real>(points.count());
      const std::vector<Real> result = deposited(Queue::cpu(2), grid, options, points, values);
      const std::vector<double> expected = by_distances(grid.grid, options.shape, points, values);
      // Positions are rounded in units of cells, up to 100 of them, and a weight changes by 1 per cell at most.
      const double tolerance = 400 * roundoff<Real> * static_cast<double>(total_of(sizes_of(values)));
      ASSERT_EQ(result.size(), expected.size());
      for (std::size_t i = 0; i < result.size(); ++i) ASSERT_NEAR(result[i], expected[i], tolerance) << i;
    }
}

TEST_P(EveryShape, GivesTheSumsOverAllParticlesByDistanceInFloat) { expect_sums_by_distances<float>(options()); }
TEST_P(EveryShape, GivesTheSumsOverAllParticlesByDistanceInDouble) { expect_sums_by_distances<double>(options()); }

TEST_P(EveryShape, OfOneParticleByHand) {
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {5, 1, 1}, {true, true, false}};
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(4.5, 0.3, 0);  // a periodic axis of one cell has one node, which receives all shares
  const std::vector<double> nodes = deposited(Queue::cpu(1), grid, options(), points, {48.0});
  const std::vector<double> expected = GetParam().shape == DepositShape::tsc ? std::vector<double>{24, 0, 0, 0, 24}
                                                                             : std::vector<double>{23, 1, 0, 1, 23};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(nodes[i], expected[i], 1e-13) << i;
}

TEST_P(EveryShape, KeepsTheTotalAndTheFirstMoment) {
  const Distribution<double> points = uniform<double>(4279);
  const std::vector<double> values = values_of<double>(4279);
  const double tolerance = static_cast<double>(total_of(sizes_of(values))) * 100 * roundoff<double>;
  for (const DepositGrid& grid : uniform_grids()) {
    const std::vector<double> nodes = deposited(Queue::cpu(2), grid, options(), points, values);
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

template <class Real>
void expect_bits_of_one_thread(const DepositOptions& options) {
  const std::vector<Real> values = values_of<Real>(4279);
  for (const Distribution<Real>& points : {uniform<Real>(4279), clustered<Real>(4279), one_hot<Real>(4279)})
    for (const DepositGrid& grid : uniform_grids()) {
      const std::vector<Real> expected = deposited(Queue::cpu(1), grid, options, points, values);
      for (const int threads : {2, 3, 4, 7})
        EXPECT_TRUE(deposited(Queue::cpu(threads), grid, options, points, values) == expected)
            << points.name << ", " << grid.node_count() << " nodes, " << threads << " threads";
    }
}

TEST_P(EveryShape, GivesTheSameBitsForEveryNumberOfThreadsInFloat) { expect_bits_of_one_thread<float>(options()); }
TEST_P(EveryShape, GivesTheSameBitsForEveryNumberOfThreadsInDouble) { expect_bits_of_one_thread<double>(options()); }

TEST_P(EveryShape, ManyStridedValuesInOneCallAreThoseOfManyCalls) {
  const Queue on = Queue::cpu(2);
  const Distribution<double> points = uniform<double>(1311);
  const DepositGrid grid = uniform_grids()[1];
  Deposit<double> deposit(on, grid, options());
  const DevicePoints<double> device(on, points);
  bin(deposit, device);
  const std::vector<double> values = values_of<double>(3 * 1311);
  std::vector<double> nodes(3 * grid.node_count());
  std::vector<View<const double>> value_views;
  std::vector<View<double>> node_views;
  for (std::int64_t k = 0; k < 3; ++k) {
    value_views.emplace_back(values.data() + k, 1311, on.device(), 3);
    node_views.emplace_back(nodes.data() + k, grid.node_count(), on.device(), 3);
  }
  deposit.to_nodes(value_views, node_views);
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> single(1311), found(nodes.size() / 3);
    for (std::size_t i = 0; i < single.size(); ++i) single[i] = values[3 * i + k];
    for (std::size_t i = 0; i < found.size(); ++i) found[i] = nodes[3 * i + k];
    EXPECT_TRUE(to_nodes(on, deposit, single) == found) << k;
  }
}

TEST_P(EveryShape, SkipsAndClampsParticlesOutside) {
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {3, 3, 1}, {}};
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(-7, 0, 0);
  points.add(std::nan(""), 1, 0);
  const std::vector<double> values = {2, 4};
  DepositOptions how = options();
  how.outside = DepositOutside::skip;
  Deposit<double> deposit(Queue::cpu(2), grid, how);
  deposit.bin(points.x, points.y);
  EXPECT_EQ(to_nodes(Queue::cpu(2), deposit, values), std::vector<double>(16, 0));
  EXPECT_EQ(deposit.skipped(), 2);
  EXPECT_EQ(deposit.lost(values), 6);
  points.x[1] = 9, points.y[1] = 3;
  how.outside = DepositOutside::clamp;
  std::vector<double> corners(16, 0);
  corners[0] = 2, corners[15] = 4;
  EXPECT_EQ(deposited(Queue::cpu(2), grid, how, points, values), corners);
}

TEST_P(EveryShape, OfNoParticlesIsZero) {
  for (const DepositGrid& grid : uniform_grids())
    EXPECT_EQ(deposited(Queue::cpu(3), grid, options(), Distribution<double>{}, {}),
              std::vector<double>(static_cast<std::size_t>(grid.node_count()), 0));
}

class ShapesOfParticles : public testing::TestWithParam<DepositShape> {
 protected:
  DepositOptions options() const { return {.shape = GetParam()}; }
};
INSTANTIATE_TEST_SUITE_P(AllShapes, ShapesOfParticles, testing::Values(DepositShape::tsc, DepositShape::pcs),
                         [](const testing::TestParamInfo<DepositShape>& test) {
                           return std::string(to_name(test.param));
                         });

TEST_P(ShapesOfParticles, SortedHasTheBitsOfSerial) {
  for (const Distribution<float>& points : {uniform<float>(4279), clustered<float>(4279)})
    for (const DepositGrid& grid : uniform_grids()) {
      const std::vector<float> values = values_of<float>(4279);
      const std::vector<float> expected = serial(grid, options(), points, values);
      for (const int threads : {1, 2, 3, 4})
        EXPECT_TRUE(deposited(Queue::cpu(threads), grid, options(), points, values) == expected) << threads;
    }
}

TEST_P(ShapesOfParticles, IntegerHasTheSameBitsInEveryOrderAndAnExactTotal) {
  DepositOptions how = options();
  how.method = "integer";
  const Distribution<double> points = uniform<double>(4279);
  std::vector<double> values(4279, 3);
  const DepositGrid grid = uniform_grids()[0];
  how.ranges = {0x1p50};  // the unit is 2^(50 - 61): double holds the sums exactly
  const std::vector<double> nodes = deposited(Queue::cpu(2), grid, how, points, values);
  EXPECT_EQ(total_of(nodes), 3 * 4279);
  EXPECT_TRUE(deposited(Queue::cpu(2), grid, how, shuffled(points), values) == nodes);
  how.ranges = {100};
  EXPECT_EQ(message_of([&] { deposited(Queue::cpu(2), grid, how, points, values); }),
            "deposit: the absolute values of value 0 add up to more than its range, 100. Enlarge the ranges or leave "
            "them out.");
  how.ranges = {3 * 4279};  // every size counts once
  EXPECT_EQ(message_of([&] { deposited(Queue::cpu(3), grid, how, points, values); }), "no error");
  values[1000] = std::nan("");
  EXPECT_EQ(message_of([&] { deposited(Queue::cpu(2), grid, how, points, values); }),
            "deposit: value 0 of particle 1000 is not finite; method `integer` adds finite values only. Repair it or "
            "use another method.");
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST_P(ShapesOfParticles, InterpolationIsTheAdjointOfDeposition) {
  const Queue on = Queue::cpu(2);
  const Distribution<double> points = uniform<double>(4279);
  const std::vector<double> values = values_of<double>(4279);
  for (const DepositGrid& grid : uniform_grids()) {
    Deposit<double> deposit(on, grid, options());
    const DevicePoints<double> device(on, points);
    bin(deposit, device);
    const std::vector<double> field = values_of<double>(grid.node_count(), 5);
    std::vector<double> at_particles(4279);
    deposit.interpolate(field, View<double>(at_particles));
    EXPECT_NEAR(dot(to_nodes(on, deposit, values), field), dot(values, at_particles),
                1e-12 * static_cast<double>(total_of(sizes_of(values))));
  }
}

TEST_P(ShapesOfParticles, LinearFieldsAndTheirGradientsAreExactUpToTheEnds) {
  const DepositGrid grid = Grid{3, {-1, 0, 2}, {0.5, 0.25, 1}, {4, 4, 1}, {}};
  std::vector<double> field;
  for (int z = 0; z <= 1; ++z)
    for (int y = 0; y <= 4; ++y)
      for (int x = 0; x <= 4; ++x) field.push_back(1 + 2 * (-1 + 0.5 * x) - 3 * (0.25 * y) + 4.0 * (2 + z));
  Distribution<double> points = packed<double>(216);  // corners, edges and faces of the grid too
  for (std::size_t p = 0; p < points.x.size(); ++p) points.x[p] = 2 * points.x[p] - 1, points.z[p] += 2;
  for (const int threads : {1, 3}) {
    const Queue on = Queue::cpu(threads);
    Deposit<double> deposit(on, grid, options());
    deposit.bin(points.x, points.y, points.z);
    std::vector<double> value(216), gx(216), gy(216), gz(216);
    deposit.interpolate(field, View<double>(value));
    deposit.interpolate_gradient(field, View<double>(gx), View<double>(gy), View<double>(gz));
    for (std::size_t p = 0; p < 216; ++p) {
      EXPECT_NEAR(value[p], 1 + 2 * points.x[p] - 3 * points.y[p] + 4 * points.z[p], 1e-13) << p;
      EXPECT_NEAR(gx[p], 2, 1e-12) << p;
      EXPECT_NEAR(gy[p], -3, 1e-12) << p;
      EXPECT_NEAR(gz[p], 4, 1e-12) << p;
    }
  }
}

TEST_P(ShapesOfParticles, GradientsAreThoseOfTheInterpolation) {
  const Queue on = Queue::cpu(2);
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 0.5, 1}, {4, 5, 1}, {true, false, false}};
  constexpr double h = 1e-5;
  const std::vector<double> x{0.3, 0.3 + h, 0.3 - h, 0.3, 0.3}, y{2.4, 2.4, 2.4, 2.4 + h, 2.4 - h};
  const std::vector<double> field = values_of<double>(grid.node_count(), 5);
  Deposit<double> deposit(on, grid, options());
  deposit.bin(x, y);
  std::vector<double> value(5), gx(5), gy(5);
  deposit.interpolate(field, View<double>(value));
  deposit.interpolate_gradient(field, View<double>(gx), View<double>(gy));
  EXPECT_NEAR(gx[0], (value[1] - value[2]) / (2 * h), 1e-8);
  EXPECT_NEAR(gy[0], (value[3] - value[4]) / (2 * h), 1e-8);
  EXPECT_GT(std::abs(gx[0]), 0.01);
  EXPECT_GT(std::abs(gy[0]), 0.01);
}

TEST_P(ShapesOfParticles, SkippedParticlesGetNothing) {
  DepositOptions how = options();
  how.outside = DepositOutside::skip;
  Deposit<double> deposit(Queue::cpu(1), Grid{2, {0, 0, 0}, {1, 1, 1}, {3, 3, 1}, {}}, how);
  const std::vector<double> x{5, 0.5}, y{0.5, 0.5}, nodes(16, 3);
  std::vector<double> values(2, 7), gx(2, 7), gy(2, 7);
  deposit.bin(x, y);
  deposit.interpolate(nodes, View<double>(values));
  deposit.interpolate_gradient(nodes, View<double>(gx), View<double>(gy));
  EXPECT_EQ(values[0], 0);
  EXPECT_NEAR(values[1], 3, 1e-15);
  EXPECT_EQ(gx[0], 0);
  EXPECT_EQ(gy[0], 0);
}

TEST(Shapes, OfCloudInCellIsTheDefault) {
  const Distribution<double> points = uniform<double>(131);
  const std::vector<double> values = values_of<double>(131);
  const DepositGrid grid = uniform_grids()[0];
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

/// An entry of the table for a GPU, without kernels: what such methods say does not depend on a device.
TEST(Shapes, AreRefusedByMethodsWithoutThem) {
  const deposit::DepositMethod method{{"lanes", DeviceKind::cuda, true, "a test"}, true, nullptr, nullptr};
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {2, 2, 1}, {}};
  EXPECT_EQ(message_of([&] { deposit::require_shape(grid, {.shape = DepositShape::pcs}, method, 1); }),
            "deposit: shape \"pcs\" is not available with method `lanes` on cuda. Use a method of the CPU or shape = "
            "\"cic\".");
  EXPECT_NO_THROW(deposit::require_shape(grid, {}, method, 1));
  EXPECT_EQ(
      message_of([&] {
        deposit::require_shape(grid, {.shape = DepositShape::pcs},
                               find_method("deposit", deposit::deposit_method_table(), "auto", DeviceKind::cpu), 2);
      }),
      "deposit: shape \"pcs\" on 2 ranks reaches nodes that ranks do not share. Use one rank or shape = \"cic\".");
}

TEST(Shapes, AreRefusedByEveryMethodOfAGpu_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {2, 2, 1}, {}};
  for (const MethodInfo& method : methods("deposit")) {
    if (method.device != DeviceKind::cuda) continue;
    EXPECT_EQ(
        message_of([&] { Deposit<float>(Queue::cuda(0), grid, {.method = method.name, .shape = DepositShape::tsc}); }),
        "deposit: shape \"tsc\" is not available with method `" + method.name +
            "` on cuda. Use a method of the CPU or shape = \"cic\".");
  }
}

}  // namespace
}  // namespace shoal
