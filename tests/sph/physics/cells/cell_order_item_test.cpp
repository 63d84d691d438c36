// SPDX-License-Identifier: Apache-2.0
// Numbers of cells in Z-order: by hand, and the cells around a cell in open and periodic domains.
#include "sph/physics/cells/cell_order_item.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

/// Cells of a case in Z-order.
template <int dimensions>
struct ZOrder {
  Lattice lattice;
  Parameters<double, dimensions> parameters;

  explicit ZOrder(const Case& simulation)
      : lattice(make_lattice(simulation, 64)), parameters(make_parameters<double, dimensions>(simulation, lattice)) {
    ZOrderCells::number(parameters);
  }

  /// Number of the cell with these indices.
  std::uint32_t cell(const std::array<std::int64_t, 3>& index) const {
    PositionDensity<double, dimensions> position{};
    for (int axis = 0; axis < dimensions; ++axis) position.x[axis] = index[axis] << lattice.bits;
    return ZOrderCells::cell_of(parameters, position);
  }

  /// Numbers of the cells of all runs around a cell.
  std::vector<std::uint32_t> around(std::uint32_t cell) const {
    std::vector<std::uint32_t> cells;
    for (int run = 0; run < ZOrderCells::run_count<GeneralPhysics>(parameters); ++run) {
      const CellRun of_run = ZOrderCells::run_of<GeneralPhysics>(parameters, cell, run);
      for (std::uint32_t number = of_run.first; number < of_run.end; ++number) cells.push_back(number);
    }
    return cells;
  }
};

/// Numbers of the cells whose indices differ by at most one, with the wraps of periodic axes.
template <int dimensions>
std::vector<std::uint32_t> cells_around(const ZOrder<dimensions>& order, const std::array<std::int64_t, 3>& index) {
  const auto wrapped = [&](std::int64_t along, int axis) {
    const std::int64_t inside = order.parameters.cells[axis] - 2;
    return order.parameters.period[axis] ? (along - 1 + inside) % inside + 1 : along;
  };
  std::vector<std::uint32_t> cells;
  for (int z = dimensions > 2 ? -1 : 0; z <= (dimensions > 2 ? 1 : 0); ++z)
    for (int y = dimensions > 1 ? -1 : 0; y <= (dimensions > 1 ? 1 : 0); ++y)
      for (int x = -1; x <= 1; ++x) {
        std::array<std::int64_t, 3> near{wrapped(index[0] + x, 0), index[1], index[2]};
        if (dimensions > 1) near[1] = wrapped(index[1] + y, dimensions > 1 ? 1 : 0);
        if (dimensions > 2) near[2] = wrapped(index[2] + z, dimensions > 2 ? 2 : 0);
        cells.push_back(order.cell(near));
      }
  return cells;
}

TEST(ZOrder, BitsTakeTurnsByHand) {
  Parameters<float, 2> parameters{};
  parameters.cells[0] = 8;
  parameters.cells[1] = 4;
  parameters.bits = 10;
  ZOrderCells::number(parameters);
  const auto cell = [&](std::int32_t x, std::int32_t y) {
    return ZOrderCells::cell_of(parameters, PositionDensity<float, 2>{{x << 10, y << 10}, 0, 0});
  };
  EXPECT_EQ(parameters.cell_count, 32u);
  EXPECT_EQ(cell(1, 1), 0b00011u);
  EXPECT_EQ(cell(2, 1), 0b00110u);
  EXPECT_EQ(cell(1, 2), 0b01001u);
  EXPECT_EQ(cell(5, 2), 0b11001u) << "x has a bit more than y, which is the highest";
  for (const auto& [x, y] : {std::pair{0, 1}, std::pair{7, 1}, std::pair{1, 0}, std::pair{1, 3}, std::pair{-1, 1}})
    EXPECT_EQ(cell(x, y), parameters.cell_count) << "the ring is outside: " << x << ' ' << y;
}

TEST(ZOrder, NumbersEndWithTheLastCell) {
  Parameters<float, 2> parameters{};
  parameters.cells[0] = 6;  // indices to 5 = 101
  parameters.cells[1] = 5;  // indices to 4 = 100
  ZOrderCells::number(parameters);
  EXPECT_EQ(parameters.cell_count, 0b110001u + 1);
}

TEST(ZOrder, RunsCoverTheNeighborhood) {
  const ZOrder<2> flat(block_of_water(40, 40));
  for (const std::array<std::int64_t, 3> index : {std::array<std::int64_t, 3>{3, 4}, {4, 4}, {7, 8}})
    EXPECT_THAT(flat.around(flat.cell(index)), testing::UnorderedElementsAreArray(cells_around(flat, index)));
  const ZOrder<3> deep(block_of_water(40, 40, 40));
  for (const std::array<std::int64_t, 3> index : {std::array<std::int64_t, 3>{3, 4, 5}, {4, 4, 4}, {7, 8, 6}})
    EXPECT_THAT(deep.around(deep.cell(index)), testing::UnorderedElementsAreArray(cells_around(deep, index)));
}

TEST(ZOrder, RunsOfTheRingAreCellsWithoutParticles) {
  const ZOrder<2> order(block_of_water(20, 10));
  std::set<std::uint32_t> inside;
  for (std::int64_t y = 1; y < order.parameters.cells[1] - 1; ++y)
    for (std::int64_t x = 1; x < order.parameters.cells[0] - 1; ++x) inside.insert(order.cell({x, y}));
  EXPECT_EQ(inside.size(), static_cast<std::size_t>((order.parameters.cells[0] - 2) * (order.parameters.cells[1] - 2)));
  const std::vector<std::uint32_t> around = order.around(order.cell({1, 1}));
  EXPECT_EQ(std::set<std::uint32_t>(around.begin(), around.end()).size(), 9u);
  EXPECT_EQ(std::count_if(around.begin(), around.end(), [&](std::uint32_t cell) { return inside.contains(cell); }), 4);
}

TEST(ZOrder, RunsWrapAroundPeriodicAxes) {
  Case simulation = block_of_water(20, 20, 20);
  simulation.domain = Box{{0, 0, 0}, {0.2, 0.2, 0.2}};
  simulation.scheme.periodic = {Axis::x, Axis::y, Axis::z};
  const ZOrder<3> order(simulation);
  const std::int64_t last = order.parameters.cells[0] - 2;
  for (const std::array<std::int64_t, 3> index :
       {std::array<std::int64_t, 3>{1, 1, 1}, {last, last, last}, {1, last, 2}, {2, 2, 2}})
    EXPECT_THAT(order.around(order.cell(index)), testing::UnorderedElementsAreArray(cells_around(order, index)));
}

TEST(ZOrder, RefusesNumbersOfMoreThan31Bits) {
  Parameters<float, 3> parameters{};
  for (int& cells : parameters.cells) cells = 1026;
  EXPECT_THAT(message_of([&] { ZOrderCells::number(parameters); }),
              testing::HasSubstr("in Z-order have 33 bits, expected at most 31. Choose a method with cells in rows"));
}

}  // namespace
}  // namespace shoal::sph
