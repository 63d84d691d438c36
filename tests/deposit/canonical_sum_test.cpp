// SPDX-License-Identifier: Apache-2.0
// The canonical sum, step by step as defined in src/deposit/sums/sum_tree.hpp, against every canonical method.
#include "deposit/binning/device_grid.hpp"
#include "deposit/deposit_cases.hpp"
#include "deposit/deposit_method.hpp"

namespace shoal {
namespace {

using namespace testing_support;

template <class Real>
Real sum_of_chunk(const std::vector<Real>& weight, const std::vector<Real>& value, std::size_t begin) {
  Real lane[8] = {};
  for (std::size_t p = begin; p < std::min(begin + 512, value.size()); ++p)
    lane[p % 8] = std::fma(weight[p], value[p], lane[p % 8]);
  for (const int half : {4, 2, 1})
    for (int l = 0; l < half; ++l) lane[l] = lane[l] + lane[l + half];
  return lane[0];
}

template <class Real>
std::vector<Real> canonical(const DepositGrid& grid, const Distribution<Real>& points,
                            const std::vector<Real>& values) {
  const deposit::DeviceGrid<Real> memory(Queue::cpu(1), grid, {.blocked = DepositBlocked::redistribute});
  const DepositSpace<Real>& space = memory.space();
  const auto cells = static_cast<std::size_t>(space.cell_count());
  std::vector<std::vector<Real>> value(cells), weight(cells * 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const deposit::ParticlePosition<Real> position = space.position(points.x[i], points.y[i], points.z[i]);
    const CornerWeights<Real> weights = space.weights(position.cell, position.offset);
    value[position.cell].push_back(values[i]);
    for (int c = 0; c < 8; ++c) weight[position.cell * 8 + static_cast<std::size_t>(c)].push_back(weights[c]);
  }
  const auto part = [&](int x, int y, int z, int corner) {
    const int index[3] = {x, y, z};
    std::int64_t cell = 0;
    for (int axis = 2; axis >= 0; --axis) {
      const std::int64_t count = grid.grid.cells[axis];
      if ((index[axis] < 0 || index[axis] >= count) && !grid.grid.periodic[axis]) return Real(0);
      cell = cell * count + (index[axis] + count) % count;
    }
    const auto number = static_cast<std::size_t>(cell);
    std::vector<Real> chunks;
    for (std::size_t begin = 0; begin < value[number].size(); begin += 512)
      chunks.push_back(sum_of_chunk(weight[number * 8 + static_cast<std::size_t>(corner)], value[number], begin));
    if (chunks.size() < 2) return chunks.empty() ? Real(0) : chunks[0];
    Real lane[32] = {};
    for (std::size_t chunk = 0; chunk < chunks.size(); ++chunk) lane[chunk % 32] = lane[chunk % 32] + chunks[chunk];
    for (const int half : {16, 8, 4, 2, 1})
      for (int l = 0; l < half; ++l) lane[l] = lane[l] + lane[l + half];
    return lane[0];
  };
  std::vector<Real> nodes;
  for (int z = 0; z < space.z_nodes(); ++z)
    for (int y = 0; y < space.axes[1].node_count(); ++y)
      for (int x = 0; x < space.axes[0].node_count(); ++x) {
        const auto row = [&](int below_y, int below_z) {
          const int corner = 2 * below_y + 4 * below_z;
          return part(x - 1, y - below_y, z - below_z, corner + 1) + part(x, y - below_y, z - below_z, corner);
        };
        nodes.push_back(space.dimensions == 2 ? row(1, 0) + row(0, 0)
                                              : (row(1, 1) + row(0, 1)) + (row(1, 0) + row(0, 0)));
      }
  return nodes;
}

class CanonicalSum : public EveryDepositMethod {
 protected:
  void SetUp() override {
    EveryDepositMethod::SetUp();
    if (!is_canonical(GetParam())) GTEST_SKIP() << "adds in another order";
  }
};
INSTANTIATE_TEST_SUITE_P(AllMethods, CanonicalSum, testing::ValuesIn(methods("deposit")), method_test_name);

template <class Real>
void expect_canonical_bits(const Queue& queue, const DepositOptions& options) {
  for (const std::int64_t n : {0, 1, 7, 131, 42'793}) {
    const std::vector<Real> values = values_of<Real>(n);
    std::vector<Distribution<Real>> all = every_distribution<Real>(n);
    all.push_back(bed<Real>(n));
    for (const Distribution<Real>& points : all)
      for (const DepositGrid& grid : unit_box_grids())
        EXPECT_TRUE(deposited(queue, grid, options, points, values) == canonical(grid, points, values))
            << points.name << ", n = " << n << ", " << grid.cell_count() << " cells";
  }
}

TEST_P(CanonicalSum, HasItsBitsInFloat) { expect_canonical_bits<float>(queue(), options()); }
TEST_P(CanonicalSum, HasItsBitsInDouble) { expect_canonical_bits<double>(queue(), options()); }

TEST_P(CanonicalSum, HasItsBitsWhereMostCellsAreEmpty) {
  const DepositGrid open{Grid{3, {0, 0, 0}, {1.0 / 70, 0.05, 0.1}, {70, 20, 10}, {false, false, false}}};
  const DepositGrid turning{Grid{3, {0, 0, 0}, {1.0 / 62, 0.125, 1.0 / 70}, {62, 8, 70}, {true, true, true}}};
  const DepositGrid fine{Grid{3, {0, 0, 0}, {1.0 / 128, 1.0 / 125, 1.0 / 66}, {128, 125, 66}, {true, false, false}}};
  const DepositGrid flat{Grid{2, {0, 0, 0}, {1.0 / 1024, 1.0 / 1030, 1}, {1024, 1030, 1}, {false, true, false}}};
  const std::vector<double> values = values_of<double>(9'000);
  for (const Distribution<double>& points : {uniform<double>(9'000), half_in_a_clump<double>(9'000)})
    for (const DepositGrid& grid : {open, turning, fine, flat})
      EXPECT_TRUE(deposited(queue(), grid, options(), points, values) == canonical(grid, points, values))
          << points.name << ", " << grid.cell_count() << " cells";
}

TEST_P(CanonicalSum, HasItsBitsWithBlockedCells) {
  DepositGrid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.2);
  grid.blocked.assign(125, 0);
  for (const std::size_t cell : {0, 1, 5, 6, 25, 26, 30, 31, 60, 61}) grid.blocked[cell] = 1;
  DepositOptions how = options();
  how.blocked = DepositBlocked::redistribute;
  Distribution<float> points = uniform<float>(42'793);
  for (std::size_t i = 0; i < points.x.size(); ++i)  // none in cell 0, which has no open node but one
    if (points.x[i] < 0.2f && points.y[i] < 0.2f && points.z[i] < 0.2f) points.x[i] = 0.5f;
  const std::vector<float> values = values_of<float>(42'793);
  EXPECT_TRUE(deposited(queue(), grid, how, points, values) == canonical(grid, points, values));
}

}  // namespace
}  // namespace shoal
