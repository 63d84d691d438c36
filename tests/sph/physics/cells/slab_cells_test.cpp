// SPDX-License-Identifier: Apache-2.0
// Cells of a slab of layers: around each own cell stand the same cells in the same order as in the whole domain.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sph/physics/cells/cell_order_item.hpp"
#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

template <int dimensions>
using Index = std::array<std::int64_t, dimensions>;

/// Cells of one rank, or of a slab: [first, first + count) are its layers.
template <class Cells, int dimensions>
class CellMap {
 public:
  CellMap(const Parameters<double, dimensions>& whole, std::int64_t first, std::int64_t count) : parameters_(whole) {
    if (count > 0) set_slab(parameters_, first, count);
    Cells::number(parameters_);
    Index<dimensions> index;
    index.fill(1);
    for (bool more = true; more; more = next(index)) {
      if (count > 0 && !is_near(index[dimensions - 1], first, count)) continue;
      EXPECT_TRUE(index_of_.emplace(number(index), index).second) << "two cells have one number";
    }
  }

  std::uint32_t number(const Index<dimensions>& index) const {
    PositionDensity<double, dimensions> position{};
    for (int axis = 0; axis < dimensions; ++axis)
      position.x[axis] = index[axis] << (parameters_.bits - (axis == 0 ? parameters_.slice_bits : 0));
    return Cells::cell_of(parameters_, position);
  }

  /// The cells of the domain around a cell, in the order in which sums visit them.
  std::vector<Index<dimensions>> around(const Index<dimensions>& index) const {
    std::vector<Index<dimensions>> cells;
    for (int run = 0; run < Cells::template run_count<GeneralPhysics>(parameters_); ++run) {
      const CellRun numbers = Cells::template run_of<GeneralPhysics>(parameters_, number(index), run);
      for (std::uint32_t cell = numbers.first; cell < numbers.end; ++cell) {
        EXPECT_LE(cell, parameters_.cell_count);
        if (const auto place = index_of_.find(cell); place != index_of_.end()) cells.push_back(place->second);
      }
    }
    return cells;
  }

  /// The next cell inside the domain, x fastest.
  bool next(Index<dimensions>& index) const {
    for (int axis = 0; axis < dimensions; ++axis) {
      if (++index[axis] <= last_inside_ring(parameters_, axis)) return true;
      index[axis] = 1;
    }
    return false;
  }

  std::int64_t layers() const { return last_inside_ring(parameters_, dimensions - 1); }

 private:
  bool is_near(std::int64_t layer, std::int64_t first, std::int64_t count) const {
    if (layer >= first - 1 && layer <= first + count) return true;
    if (!parameters_.period[dimensions - 1]) return false;
    return (first == 1 && layer == layers()) || (first + count == layers() + 1 && layer == 1);
  }

  Parameters<double, dimensions> parameters_;
  std::map<std::uint32_t, Index<dimensions>> index_of_;
};

Case still_block(int dimensions, bool repeats) {
  Case simulation = block_of_water(20, 18, dimensions == 3 ? 16 : 0);
  simulation.dimensions = dimensions;
  simulation.domain = simulation.bodies[0].box;
  if (repeats)
    for (int axis = 0; axis < dimensions; ++axis) simulation.scheme.periodic.push_back(static_cast<Axis>(axis));
  return simulation;
}

template <class Cells, int dimensions>
void check_slabs(bool repeats) {
  const Case simulation = still_block(dimensions, repeats);
  const Lattice lattice = make_lattice(simulation, 64);
  Parameters<double, dimensions> parameters = make_parameters<double, dimensions>(simulation, lattice);
  // There are no slices along x, so that an index counts cells as wide as the support.
  parameters.cells[0] = lattice.cells[0];
  parameters.slice_bits = 0;
  parameters.cell_count = static_cast<std::uint32_t>(lattice.cell_count());
  const CellMap<Cells, dimensions> whole(parameters, 0, 0);
  ASSERT_GE(whole.layers(), 5);
  for (const std::int64_t thickness : {2, 3})
    for (std::int64_t first = 1; first <= whole.layers(); first += thickness) {
      const std::int64_t count = std::min(thickness, whole.layers() + 1 - first);
      const CellMap<Cells, dimensions> part(parameters, first, count);
      Index<dimensions> index;
      index.fill(1);
      for (bool more = true; more; more = part.next(index))
        if (index[dimensions - 1] >= first && index[dimensions - 1] < first + count) {
          ASSERT_EQ(part.around(index), whole.around(index)) << testing::PrintToString(index) << ", slab " << first;
        }
    }
}

template <class Cells>
void check_dimensions() {
  for (const bool repeats : {false, true}) {
    SCOPED_TRACE(repeats ? "periodic" : "open");
    check_slabs<Cells, 1>(repeats);
    check_slabs<Cells, 2>(repeats);
    check_slabs<Cells, 3>(repeats);
  }
}

TEST(SlabCells, VisitTheSameCellsAsTheWholeDomain) { check_dimensions<LinearCells>(); }
TEST(SlabCells, VisitTheSameCellsAsTheWholeDomainInZOrder) { check_dimensions<ZOrderCells>(); }

TEST(SlabCells, FurtherLayersCountAsTheNearestGhostLayer) {
  Parameters<float, 2> parameters{};
  parameters.cells[0] = 6;
  parameters.cells[1] = 20;
  parameters.bits = 10;
  set_slab(parameters, 5, 3);
  EXPECT_EQ(parameters.cell_count, 30u);
  const auto cell = [&](std::int32_t layer) {
    return LinearCells::cell_of(parameters, PositionDensity<float, 2>{{2 << 10, layer << 10}, 0, 0});
  };
  EXPECT_EQ(cell(2), 2u);
  EXPECT_EQ(cell(4), 2u);
  EXPECT_EQ(cell(5), 8u);
  EXPECT_EQ(cell(7), 20u);
  EXPECT_EQ(cell(8), 26u);
  EXPECT_EQ(cell(12), 26u);
  EXPECT_EQ(cell(0), parameters.cell_count) << "the ring is outside";
}

}  // namespace
}  // namespace shoal::sph
