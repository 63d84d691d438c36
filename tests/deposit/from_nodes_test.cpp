// SPDX-License-Identifier: Apache-2.0
#include "deposit/deposit_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;

class FromNodes : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, FromNodes, every_device, device_test_name);

template <class Real>
std::vector<Real> interpolated(const Queue& queue, Deposit<Real>& deposit, const std::vector<Real>& nodes,
                               std::int64_t particles) {
  const Array<Real> from = to_device(queue, nodes);
  Array<Real> values(queue, particles);
  deposit.interpolate(from, values);
  return to_host(queue, values);
}

template <class Real>
std::array<std::vector<Real>, 3> gradients(const Queue& queue, Deposit<Real>& deposit, const std::vector<Real>& nodes,
                                           std::int64_t particles) {
  const Array<Real> from = to_device(queue, nodes);
  Array<Real> x(queue, particles), y(queue, particles), z(queue, particles);
  deposit.interpolate_gradient(from, x, y, z);
  return {to_host(queue, x), to_host(queue, y), to_host(queue, z)};
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<long double>(a[i]) * b[i];
  return static_cast<double>(sum);
}

TEST_P(FromNodes, InterpolationIsTheAdjointOfDeposition) {
  const Queue on = queue();
  std::vector<DepositGrid> grids = unit_box_grids();
  DepositGrid blocked = grids[0];
  blocked.blocked.assign(1000, 0);
  for (const std::size_t cell : {444, 445, 454, 455, 544, 545, 554, 555}) blocked.blocked[cell] = 1;
  grids.push_back(blocked);
  const DevicePoints<double> points(on, uniform<double>(4279));
  const std::vector<double> values = values_of<double>(4279);
  for (const DepositGrid& grid : grids)
    for (const DepositBlocked how : {DepositBlocked::drop, DepositBlocked::redistribute}) {
      Deposit<double> deposit(on, grid, {.blocked = how});
      bin(deposit, points);
      const std::vector<double> field = values_of<double>(grid.node_count(), 5);
      const double at_nodes = dot(to_nodes(on, deposit, values), field);
      const double at_particles = dot(values, interpolated(on, deposit, field, 4279));
      EXPECT_NEAR(at_nodes, at_particles, 1e-12 * static_cast<double>(total_of(sizes_of(values)))) << to_name(how);
    }
}

/// 1 + 2 x − 3 y + 4 z at the nodes.
std::vector<double> linear(const DepositGrid& grid) {
  std::vector<double> nodes;
  const auto coordinate = [&](int axis, std::int64_t i) {
    if (axis >= grid.grid.dimensions) return 0.0;
    return grid.nodes[axis].empty() ? grid.grid.origin[axis] + grid.grid.spacing[axis] * static_cast<double>(i)
                                    : grid.nodes[axis][static_cast<std::size_t>(i)];
  };
  const std::int64_t nodes_z = grid.grid.dimensions == 3 ? grid.grid.cells[2] + 1 : 1;
  for (std::int64_t z = 0; z < nodes_z; ++z)
    for (std::int64_t y = 0; y <= grid.grid.cells[1]; ++y)
      for (std::int64_t x = 0; x <= grid.grid.cells[0]; ++x)
        nodes.push_back(1 + 2 * coordinate(0, x) - 3 * coordinate(1, y) + 4 * coordinate(2, z));
  return nodes;
}

TEST_P(FromNodes, LinearFieldsAndTheirGradientsAreExact) {
  const Queue on = queue();
  const Distribution<double> from = uniform<double>(1311);
  const DevicePoints<double> points(on, from);
  for (const DepositGrid& grid : unit_box_grids()) {
    if (grid.grid.periodic[0] || grid.grid.periodic[1] || grid.grid.periodic[2]) continue;  // it would jump
    Deposit<double> deposit(on, grid);
    bin(deposit, points);
    const bool has_z = grid.grid.dimensions == 3;
    const std::vector<double> values = interpolated(on, deposit, linear(grid), 1311);
    const auto slopes = gradients(on, deposit, linear(grid), 1311);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_NEAR(values[i], 1 + 2 * from.x[i] - 3 * from.y[i] + (has_z ? 4 * from.z[i] : 0), 1e-13);
      ASSERT_NEAR(slopes[0][i], 2, 2e-12);  // differences of nodes 1/100 apart
      ASSERT_NEAR(slopes[1][i], -3, 2e-12);
      if (has_z) {
        ASSERT_NEAR(slopes[2][i], 4, 2e-12);
      }
    }
  }
}

TEST_P(FromNodes, TheGradientOfOneCellByHand) {
  const Queue on = queue();
  Deposit<double> deposit(on, Grid{2, {0, 0, 0}, {2, 1, 1}, {1, 1, 1}, {}});
  const std::vector<double> x = {0.5}, y = {0.5};
  const Array<double> device_x = to_device(on, x), device_y = to_device(on, y);
  deposit.bin(device_x, device_y);
  const std::vector<double> node = {0, 4, 2, 14};
  EXPECT_EQ(interpolated(on, deposit, node, 1)[0], 3);  // 3/8 · 0 + 1/8 · 4 + 3/8 · 2 + 1/8 · 14
  const Array<double> device_node = to_device(on, node);
  Array<double> gx(on, 1), gy(on, 1);
  deposit.interpolate_gradient(device_node, gx, gy);
  EXPECT_EQ(to_host(on, gx)[0], 4);  // the mean of 4 and 12, over 2 m
  EXPECT_EQ(to_host(on, gy)[0], 4);  // 3/4 · 2 + 1/4 · 10
}

TEST_P(FromNodes, TheGradientOfRedistributedWeightsIsTheirSlope) {
  const Queue on = queue();
  DepositGrid grid = Grid{2, {0, 0, 0}, {1, 1, 1}, {2, 2, 1}, {}};
  grid.blocked = {1, 0, 0, 0};  // node 0 alone is blocked
  Deposit<double> deposit(on, grid, {.blocked = DepositBlocked::redistribute});
  const std::vector<double> node = {1e9, 3, 0, 5, 11, 0, 0, 0, 0};
  const double h = 1e-6;
  const std::vector<double> x = {0.3, 0.3 + h, 0.3 - h, 0.3, 0.3};
  const std::vector<double> y = {0.4, 0.4, 0.4, 0.4 + h, 0.4 - h};
  const Array<double> device_x = to_device(on, x), device_y = to_device(on, y), device_node = to_device(on, node);
  deposit.bin(device_x, device_y);
  const std::vector<double> values = interpolated(on, deposit, node, 5);
  Array<double> gx(on, 5), gy(on, 5);
  deposit.interpolate_gradient(device_node, gx, gy);
  EXPECT_NEAR(to_host(on, gx)[0], (values[1] - values[2]) / (2 * h), 1e-7);
  EXPECT_NEAR(to_host(on, gy)[0], (values[3] - values[4]) / (2 * h), 1e-7);
  EXPECT_LT(values[0], 11);
}

TEST_P(FromNodes, SkippedParticlesGetNothing) {
  const Queue on = queue();
  Deposit<double> deposit(on, Grid{2, {0, 0, 0}, {1, 1, 1}, {1, 1, 1}, {}}, {.outside = DepositOutside::skip});
  const Array<double> x = to_device(on, std::vector<double>{5, 0.5}), y = to_device(on, std::vector<double>{0.5, 0.5});
  deposit.bin(x, y);
  EXPECT_EQ(interpolated(on, deposit, std::vector<double>{1, 2, 3, 4}, 2), (std::vector<double>{0, 2.5}));
}

TEST_P(FromNodes, ManyNodeFieldsInOneCall) {
  const Queue on = queue();
  const DepositGrid grid = unit_box_grids()[0];
  Deposit<double> deposit(on, grid);
  const DevicePoints<double> points(on, uniform<double>(131));
  bin(deposit, points);
  std::vector<Array<double>> fields, values;
  std::vector<View<const double>> nodes;
  std::vector<View<double>> out;
  for (unsigned k = 0; k < 3; ++k) {
    fields.push_back(to_device(on, values_of<double>(grid.node_count(), k)));
    values.emplace_back(on, 131);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    nodes.push_back(fields[k]);
    out.push_back(values[k]);
  }
  deposit.interpolate(nodes, out);
  for (unsigned k = 0; k < 3; ++k)
    EXPECT_EQ(to_host(on, values[k]), interpolated(on, deposit, values_of<double>(grid.node_count(), k), 131));
}

}  // namespace
}  // namespace shoal
