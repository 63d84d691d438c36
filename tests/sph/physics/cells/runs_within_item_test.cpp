// SPDX-License-Identifier: Apache-2.0
// Runs of cells within a distance of a place: they have all particles there, and leave out cells that are farther.
#include "sph/physics/cells/runs_within_item.hpp"

#include <gtest/gtest.h>

#include <random>
#include <type_traits>
#include <vector>

#include "sph/setup/parameters.hpp"
#include "sph/sph_cases.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

template <class Cells_, class Real_, int dimensions_>
struct Configuration {
  using Cells = Cells_;
  using Real = Real_;
  static constexpr int dimensions = dimensions_;
};
template <class>
class RunsWithin : public testing::Test {};
using Configurations = testing::Types<Configuration<LinearCells, float, 1>, Configuration<LinearCells, float, 2>,
                                      Configuration<LinearCells, float, 3>, Configuration<LinearCells, double, 3>,
                                      Configuration<ZOrderCells, float, 2>, Configuration<ZOrderCells, double, 3>>;
TYPED_TEST_SUITE(RunsWithin, Configurations);

template <class Cells, class Real, int dimensions>
Parameters<Real, dimensions> parameters_of(bool is_periodic) {
  Case simulation = block_of_water(20, 20, dimensions == 3 ? 20 : 0);
  simulation.dimensions = dimensions;
  simulation.domain = Box{{0, 0, 0}, {0.2, 0.2, 0.2}};
  if (is_periodic) simulation.scheme.periodic = {Axis::x};
  if (is_periodic && dimensions > 1) simulation.scheme.periodic.push_back(Axis::y);
  auto parameters =
      make_parameters<Real, dimensions>(simulation, make_lattice(simulation, std::is_same_v<Real, float> ? 32 : 64));
  return Cells::number(parameters);
}

/// Distance of two places in units of the lattice, of the nearest images.
template <class Real, int dimensions>
double distance_of(const Parameters<Real, dimensions>& parameters, const PositionDensity<Real, dimensions>& i,
                   const PositionDensity<Real, dimensions>& j) {
  double squared = 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto apart = static_cast<double>(nearest_apart(parameters, i, j, axis));
    squared += apart * apart;
  }
  return std::sqrt(squared);
}

/// Cells of all runs around a place, in their order.
template <class Cells, class Real, int dimensions>
std::vector<std::uint32_t> cells_within(const Parameters<Real, dimensions>& parameters,
                                        const PositionDensity<Real, dimensions>& place, float distance) {
  std::vector<std::uint32_t> cells;
  for (int run = 0; run < Cells::template run_count<GeneralPhysics>(parameters); ++run) {
    const CellRun within =
        run_within<GeneralPhysics>(Cells{}, parameters, place, Cells::cell_of(parameters, place), run, distance);
    const CellRun whole = Cells::template run_of<GeneralPhysics>(parameters, Cells::cell_of(parameters, place), run);
    EXPECT_GE(within.first, whole.first);
    EXPECT_LE(within.end, whole.end);
    for (std::uint32_t cell = within.first; cell < within.end; ++cell) cells.push_back(cell);
  }
  return cells;
}

TYPED_TEST(RunsWithin, HaveAllParticlesWithinTheDistance) {
  using Cells = typename TypeParam::Cells;
  using Real = typename TypeParam::Real;
  constexpr int dimensions = TypeParam::dimensions;
  for (const bool is_periodic : {false, true}) {
    const auto parameters = parameters_of<Cells, Real, dimensions>(is_periodic);
    std::mt19937 random(7);
    const auto place = [&] {
      PositionDensity<Real, dimensions> position{};
      for (int axis = 0; axis < dimensions; ++axis) {
        const double cells = parameters.cells[axis] >> (axis == 0 ? parameters.slice_bits : 0);
        const double width = std::ldexp(1, parameters.bits);
        const double length =
            is_periodic && axis < 2 ? static_cast<double>(parameters.period[axis]) : (cells - 2) * width;
        position.x[axis] =
            static_cast<Coordinate<Real>>(width + length * std::uniform_real_distribution<>(0, 0.999999)(random));
      }
      return position;
    };
    std::vector<PositionDensity<Real, dimensions>> particles(4000);
    for (auto& particle : particles) particle = place();
    int tested = 0;
    for (const double share : {0.02, 0.4, 1.0})
      for (int k = 0; k < 50; ++k) {
        const PositionDensity<Real, dimensions> center = place();
        const double distance = std::ldexp(share, parameters.bits);
        const std::vector<std::uint32_t> cells = cells_within<Cells>(parameters, center, static_cast<float>(distance));
        for (const auto& particle : particles) {
          if (distance_of(parameters, center, particle) > distance) continue;
          const std::uint32_t cell = Cells::cell_of(parameters, particle);
          ASSERT_EQ(std::count(cells.begin(), cells.end(), cell), 1) << "periodic " << is_periodic << ", " << share;
          ++tested;
        }
      }
    EXPECT_GT(tested, 500);
  }
}

// Along x a cell is a quarter of a support, along y and z a whole one.
TEST(RunsWithinByHand, LeaveOutCellsThatAreFarther) {
  const auto parameters = parameters_of<LinearCells, float, 3>(false);
  ASSERT_EQ(parameters.slice_bits, 2);
  const auto width = static_cast<float>(1 << parameters.bits);
  PositionDensity<float, 3> center{};
  for (int axis = 0; axis < 3; ++axis) center.x[axis] = (2 << parameters.bits) + (1 << parameters.bits) / 2;
  center.x[0] += 1 << (parameters.bits - 3);  // the middle of a slice
  EXPECT_EQ(cells_within<LinearCells>(parameters, center, 0.1f * width).size(), 1u);
  EXPECT_EQ(cells_within<LinearCells>(parameters, center, 0.2f * width).size(), 3u);
  EXPECT_EQ(cells_within<LinearCells>(parameters, center, 0.45f * width).size(), 5u)
      << "three layers are half a cell away";
  EXPECT_EQ(cells_within<LinearCells>(parameters, center, 0.55f * width).size(), 5u + 4 * 3);
  EXPECT_EQ(cells_within<LinearCells>(parameters, center, width).size(), 9u + 4 * 7 + 4 * 7);
}

}  // namespace
}  // namespace shoal::sph
