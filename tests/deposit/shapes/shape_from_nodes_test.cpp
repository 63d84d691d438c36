// SPDX-License-Identifier: Apache-2.0
// Interpolation with the shapes `tsc` and `pcs`: adjoint, linear fields, gradients, the bits of one thread.
#include <numeric>
#include <utility>

#include "deposit/shapes/shape_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;

class ShapesFromNodes : public TestOnDevice<ShapeOnDevice> {
 protected:
  DepositOptions options() const { return {.shape = GetParam().shape}; }
};
INSTANTIATE_TEST_SUITE_P(AllShapes, ShapesFromNodes, testing::ValuesIn(every_shape_on_every_device()), shape_test_name);

/// Value and gradient at each particle.
template <class Real>
struct AtParticles {
  std::vector<Real> value, gx, gy, gz;
};

template <class Real>
AtParticles<Real> from_nodes(const Queue& queue, const DepositGrid& grid, const DepositOptions& options,
                             const Distribution<Real>& points, const std::vector<Real>& field) {
  Deposit<Real> deposit(queue, grid, options);
  const DevicePoints<Real> on_device(queue, points);
  bin(deposit, on_device);
  const Array<Real> nodes = to_device(queue, field);
  Array<Real> value(queue, points.count()), gx(queue, points.count()), gy(queue, points.count()),
      gz(queue, points.count());
  deposit.interpolate(nodes, value);
  if (grid.grid.dimensions == 2) {
    deposit.interpolate_gradient(nodes, gx, gy);
    return {to_host(queue, value), to_host(queue, gx), to_host(queue, gy), {}};
  }
  deposit.interpolate_gradient(nodes, gx, gy, gz);
  return {to_host(queue, value), to_host(queue, gx), to_host(queue, gy), to_host(queue, gz)};
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST_P(ShapesFromNodes, InterpolationIsTheAdjointOfDeposition) {
  const Distribution<double> points = uniform<double>(4279);
  const std::vector<double> values = values_of<double>(4279);
  for (const DepositGrid& grid : shape_grids()) {
    const std::vector<double> field = values_of<double>(grid.node_count(), 5);
    EXPECT_NEAR(dot(deposited(queue(), grid, options(), points, values), field),
                dot(values, from_nodes(queue(), grid, options(), points, field).value),
                1e-12 * static_cast<double>(total_of(sizes_of(values))));
  }
}

template <class Real>
void expect_bits_of_one_thread(const Queue& queue, const DepositOptions& options) {
  const Distribution<Real> points = clustered<Real>(4279);
  for (const DepositGrid& grid : shape_grids()) {
    const std::vector<Real> field = values_of<Real>(grid.node_count(), 5);
    const AtParticles<Real> result = from_nodes(queue, grid, options, points, field);
    const AtParticles<Real> expected = from_nodes(Queue::cpu(1), grid, options, points, field);
    EXPECT_TRUE(result.value == expected.value) << grid.node_count() << " nodes";
    EXPECT_TRUE(result.gx == expected.gx) << grid.node_count() << " nodes";
    EXPECT_TRUE(result.gy == expected.gy) << grid.node_count() << " nodes";
    EXPECT_TRUE(result.gz == expected.gz) << grid.node_count() << " nodes";
  }
}

TEST_P(ShapesFromNodes, HaveTheBitsOfOneThread) {
  expect_bits_of_one_thread<float>(queue(), options());
  expect_bits_of_one_thread<double>(queue(), options());
}

TEST_P(ShapesFromNodes, LinearFieldsAndTheirGradientsAreExactUpToTheEnds) {
  const DepositGrid grid = Grid{3, {-1, 0, 2}, {0.5, 0.25, 1}, {4, 4, 1}, {}};
  std::vector<double> field;
  for (int z = 0; z <= 1; ++z)
    for (int y = 0; y <= 4; ++y)
      for (int x = 0; x <= 4; ++x) field.push_back(1 + 2 * (-1 + 0.5 * x) - 3 * (0.25 * y) + 4.0 * (2 + z));
  Distribution<double> points = packed<double>(216);  // corners, edges and faces of the grid too
  for (std::size_t p = 0; p < points.x.size(); ++p) points.x[p] = 2 * points.x[p] - 1, points.z[p] += 2;
  const AtParticles<double> result = from_nodes(queue(), grid, options(), points, field);
  for (std::size_t p = 0; p < 216; ++p) {
    EXPECT_NEAR(result.value[p], 1 + 2 * points.x[p] - 3 * points.y[p] + 4 * points.z[p], 1e-13) << p;
    EXPECT_NEAR(result.gx[p], 2, 1e-12) << p;
    EXPECT_NEAR(result.gy[p], -3, 1e-12) << p;
    EXPECT_NEAR(result.gz[p], 4, 1e-12) << p;
  }
}

TEST_P(ShapesFromNodes, GradientsAreThoseOfTheInterpolation) {
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 0.5, 1}, {4, 5, 1}, {true, false, false}};
  constexpr double h = 1e-5;
  Distribution<double> points{"by hand", {}, {}, {}};
  for (const auto& [x, y] : {std::pair(0.0, 0.0), {h, 0.0}, {-h, 0.0}, {0.0, h}, {0.0, -h}})
    points.add(0.3 + x, 2.4 + y, 0);
  const AtParticles<double> result =
      from_nodes(queue(), grid, options(), points, values_of<double>(grid.node_count(), 5));
  EXPECT_NEAR(result.gx[0], (result.value[1] - result.value[2]) / (2 * h), 1e-8);
  EXPECT_NEAR(result.gy[0], (result.value[3] - result.value[4]) / (2 * h), 1e-8);
  EXPECT_GT(std::abs(result.gx[0]), 0.01);
  EXPECT_GT(std::abs(result.gy[0]), 0.01);
}

TEST_P(ShapesFromNodes, SkippedParticlesGetNothing) {
  DepositOptions how = options();
  how.outside = DepositOutside::skip;
  const DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {3, 3, 1}, {}};
  Distribution<double> points{"by hand", {}, {}, {}};
  points.add(5, 0.5, 0);
  points.add(0.5, 0.5, 0);
  const AtParticles<double> result = from_nodes(queue(), grid, how, points, std::vector<double>(16, 3));
  EXPECT_EQ(result.value[0], 0);
  EXPECT_NEAR(result.value[1], 3, 1e-15);
  EXPECT_EQ(result.gx[0], 0);
  EXPECT_EQ(result.gy[0], 0);
}

}  // namespace
}  // namespace shoal
