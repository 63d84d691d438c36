// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/parameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "sph/physics/cells/cell_item.hpp"
#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

TEST(Lattice, CellsAreALittleLargerThanTheSupport) {
  const Case simulation = dam_break(4);
  for (const int bits : {32, 64}) {
    const Lattice lattice = make_lattice(simulation, bits);
    const double edge = std::ldexp(lattice.unit, lattice.bits);
    EXPECT_GT(edge, support(simulation));
    EXPECT_LT(edge, support(simulation) * 1.00001);
    EXPECT_GE(lattice.cells[0], 5.8 / edge + 2);
    const double most = std::ldexp(static_cast<double>(lattice.cells[0] + 1), lattice.bits);
    EXPECT_LT(most, std::ldexp(1.0, bits - 1)) << "a particle one cell beyond the ring still has a coordinate";
  }
}

TEST(Lattice, ResolvesAMillionthOfASpacingInFloat) { EXPECT_LT(make_lattice(dam_break(1), 32).unit, 1e-6 * 0.02); }

TEST(Lattice, ADomainThatIsTooLargeForFloatSaysSo) {
  Case simulation = block_of_water(2, 2);
  simulation.domain = Box{{0, 0, 0}, {20000, 0.1, 0}};
  EXPECT_EQ(message_of([&] { make_lattice(simulation, 32); }).substr(0, 30), "sph: a domain of 833335 cells ");
  EXPECT_EQ(message_of([&] { make_lattice(simulation, 64); }), "no error");
  simulation.domain = Box{{0, 0, 0}, {200000, 0.1, 0}};
  EXPECT_NE(message_of([&] { make_lattice(simulation, 64); }).find("expected at most 1048576. Enlarge"),
            std::string::npos);
}

TEST(Cell, TheRingIsOutside) {
  const Case simulation = block_of_water(20, 10);
  const Lattice lattice = make_lattice(simulation, 64);
  const auto parameters = make_parameters<double, 2>(simulation, lattice);
  const auto cell_at = [&](std::int64_t along_x, std::int64_t along_y) {
    return cell_of(parameters, PositionDensity<double, 2>{{along_x << lattice.bits, along_y << lattice.bits}, 0, 0});
  };
  EXPECT_EQ(cell_at(1, 1), static_cast<std::uint32_t>(lattice.cells[0] + 1));
  EXPECT_EQ(cell_at(2, 1), cell_at(1, 1) + 1);
  EXPECT_EQ(cell_at(1, 2), cell_at(1, 1) + lattice.cells[0]);
  for (const auto outside :
       {cell_at(0, 3), cell_at(lattice.cells[0] - 1, 3), cell_at(3, 0), cell_at(-1, 3), cell_at(3, lattice.cells[1])})
    EXPECT_EQ(outside, parameters.cell_count);
}

TEST(Cell, RowsCoverTheNeighborhood) {
  const Case simulation = block_of_water(20, 10, 10);
  const Lattice lattice = make_lattice(simulation, 64);
  const auto parameters = make_parameters<double, 3>(simulation, lattice);
  const auto cell_at = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return cell_of(parameters,
                   PositionDensity<double, 3>{{x << lattice.bits, y << lattice.bits, z << lattice.bits}, 0});
  };
  std::vector<std::uint32_t> rows;
  for (int row = 0; row < neighbor_rows<3>; ++row) rows.push_back(row_of(parameters, cell_at(4, 5, 6), row));
  EXPECT_EQ(rows[0], cell_at(3, 5, 6)) << "its own row comes first";
  for (int row = 1; row < neighbor_rows<3>; row += 2)
    EXPECT_EQ(rows[row] - rows[0], rows[0] - rows[row + 1]) << "then those on opposite sides";
  std::vector<std::uint32_t> expected;
  for (int z = 5; z <= 7; ++z)
    for (int y = 4; y <= 6; ++y) expected.push_back(cell_at(3, y, z));
  EXPECT_THAT(rows, testing::UnorderedElementsAreArray(expected));
}

TEST(Cell, RowsCoverTheNeighborhoodIn2D) {
  const Case simulation = block_of_water(20, 10);
  const auto parameters = make_parameters<float, 2>(simulation, make_lattice(simulation, 32));
  const auto along_x = static_cast<std::uint32_t>(parameters.cells[0]);
  const std::uint32_t cell = 2 * along_x + 3;
  EXPECT_EQ(row_of(parameters, cell, 0), cell - 1);
  EXPECT_EQ(row_of(parameters, cell, 1), cell - along_x - 1);
  EXPECT_EQ(row_of(parameters, cell, 2), cell + along_x - 1);
}

/// Its domain repeats along x.
Case block_that_repeats() {
  Case simulation = block_of_water(20, 10, 10);
  simulation.domain = Box{{0, 0, 0}, {0.2, 0.1, 0.1}};
  simulation.scheme.periodic = {Axis::x};
  return simulation;
}

TEST(Cell, RunsCoverARowThatRepeats) {
  const Case simulation = block_that_repeats();
  const Lattice lattice = make_lattice(simulation, 64);
  const auto parameters = make_parameters<double, 3>(simulation, lattice);
  const int reach = cells_of_support(parameters, 0), inside = parameters.cells[0] - 2 * reach;
  ASSERT_GT(reach, 1);
  const auto row = static_cast<std::uint32_t>(parameters.cells[0] * (3 + parameters.cells[1] * 2) + reach);
  for (int x = 0; x < inside; ++x) {
    std::set<int> cells_of_runs;
    int count = 0;
    for (const int run : {0, neighbor_rows<3>}) {
      const CellRun cells = run_of<GeneralPhysics>(parameters, row + static_cast<std::uint32_t>(x), run);
      for (std::uint32_t cell = cells.first; cell < cells.end; ++cell, ++count)
        cells_of_runs.insert(static_cast<int>(cell - row));
    }
    std::set<int> expected;
    for (int k = x - reach; k <= x + reach; ++k) expected.insert((k + inside) % inside);
    EXPECT_EQ(cells_of_runs, expected) << x;
    EXPECT_EQ(count, 2 * reach + 1) << x;
  }
}

TEST(Cell, WhatIsLeftOfARowThatRepeatsIsInItsLastCell) {
  const Case simulation = block_that_repeats();
  const Lattice lattice = make_lattice(simulation, 64);
  const auto parameters = make_parameters<double, 3>(simulation, lattice);
  const std::int64_t begin = std::int64_t{1} << lattice.bits, inside = 2 * begin;
  const auto cell_at = [&](std::int64_t x) {
    return cell_of(parameters, PositionDensity<double, 3>{{x, inside, inside}, 0});
  };
  const int last = parameters.cells[0] - cells_of_support(parameters, 0) - 1;
  EXPECT_EQ(cell_at(begin + lattice.period[0] - 2) % static_cast<std::uint32_t>(parameters.cells[0]),
            static_cast<std::uint32_t>(last));
  EXPECT_EQ(cell_at(begin - 2), parameters.cell_count);
}

TEST(Parameters, VerletTakesShorterStepsUnlessToldOtherwise) {
  Case simulation = testing_support::block_of_water(20, 10, 10);
  const auto cfl = [&] { return make_parameters<double, 3>(simulation, make_lattice(simulation, 64)).control.cfl; };
  EXPECT_EQ(cfl(), 0.8);
  simulation.scheme.integrator = Integrator::verlet;
  EXPECT_EQ(cfl(), 0.1);
  simulation.scheme.cfl = 0.3;
  EXPECT_EQ(cfl(), 0.3);
}

}  // namespace
}  // namespace shoal::sph
