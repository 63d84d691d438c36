// SPDX-License-Identifier: Apache-2.0
// Flows in a plane: agreement with lines, exact solutions, symmetries, balances, bits, errors.
#include <numeric>

#include "gas/planes.hpp"
#include "support/messages.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;

constexpr const GasBoundary &specular = specular_side, &periodic = periodic_side;

template <class Real = double>
Gas<Real> plane(const std::array<GasBoundary, 4>& sides, int columns, int rows, const GasOptions& options,
                int threads = 1) {
  return Gas<Real>(Queue::cpu(threads), small_grid, plane_faces(columns, rows), sides, {.rate = 3}, options);
}

class EveryModelInAPlane : public testing::TestWithParam<GasModel> {
 protected:
  GasOptions options() const { return {.model = GetParam(), .collision = {.directions = {.degree = 3}}}; }
};
INSTANTIATE_TEST_SUITE_P(Gas, EveryModelInAPlane, testing::ValuesIn(every_model()),
                         [](const auto& test) { return std::string(to_name(test.param)); });

/// A plane whose rows are all the same line has the bits of that line, in steps of the same length.
TEST_P(EveryModelInAPlane, EqualRowsHaveTheBitsOfALine) {
  const int columns = 6, rows = 3;
  const std::vector<double> x = stretched_faces(0, 2, columns, 1.1);
  Gas<double> line(Queue::cpu(1), small_grid, x, different_walls, {.rate = 3}, options());
  Gas<double> plane(Queue::cpu(1), small_grid, {x, stretched_faces(0, 1, rows, 1.3)},
                    {different_walls[0], different_walls[1], periodic, periodic}, {.rate = 3}, options());
  std::vector<VelocityMoments> states;
  for (int j = 0; j < rows; ++j)
    for (const VelocityMoments& moments : waves(columns)) states.push_back(moments);
  line.start(waves(columns));
  plane.start(states);
  for (int step = 1; step <= 5; ++step) {
    line.advance_to(0.004 * step);
    plane.advance_to(0.004 * step);
  }
  ASSERT_EQ(line.clock().steps, 5);
  ASSERT_EQ(plane.clock().steps, 5);
  const std::vector<double> expected = distribution(line), f = distribution(plane);
  for (int j = 0; j < rows; ++j) {
    const auto first = f.begin() + j * static_cast<std::ptrdiff_t>(expected.size());
    EXPECT_EQ(std::vector<double>(first, first + static_cast<std::ptrdiff_t>(expected.size())), expected) << j;
  }
  EXPECT_NEAR(plane.fluxes()[0].energy, line.fluxes()[0].energy, 1e-13) << "on a side of 1 m";
  EXPECT_NEAR(plane.side_fluxes(1)[2].energy, line.fluxes()[1].energy, 1e-13);
}

TEST_P(EveryModelInAPlane, KeepsAGasInEquilibriumWithItsWalls) {
  const GasBoundary wall{.temperature = 1.1, .velocity = {0, 0, -0.1}};
  Gas<double> gas = plane({wall, wall, wall, specular}, 4, 3, options());
  gas.start({state(2, wall.velocity, wall.temperature)});
  const std::vector<double> before = distribution(gas);
  gas.advance_to(0.3);
  EXPECT_GT(gas.clock().steps, 5);
  EXPECT_LE(largest_difference(before, distribution(gas)), 1e-14);
  EXPECT_LE(gas.residual(), 1e-11);
  const std::vector<GasFlux> fluxes = gas.fluxes();
  ASSERT_EQ(fluxes.size(), 4U);
  for (std::size_t side = 0; side < 4; ++side) {
    const double length = side < 2 ? 1.5 : 2;
    EXPECT_NEAR(fluxes[side].mass, 0, 1e-13);
    EXPECT_NEAR(fluxes[side].momentum[side / 2], gas.moments()[0].stress[side / 2] * length, 1e-12);
    EXPECT_NEAR(fluxes[side].momentum[1 - side / 2], 0, 1e-13);
  }
  const std::vector<GasFlux> bottom = gas.side_fluxes(2);
  ASSERT_EQ(bottom.size(), 4U);
  EXPECT_NEAR(bottom[1].momentum[1], gas.moments()[0].stress[1], 1e-13) << "a pressure";
}

TEST_P(EveryModelInAPlane, LosesNoMassAtWallsAndBalancesTheRest) {
  std::array<GasBoundary, 4> sides = different_sides();
  Gas<double> gas = plane(sides, 5, 4, options());
  gas.start(ripples(5, 4));
  const std::array<double, 5> before = totals(gas);
  gas.advance_to(0.5);
  EXPECT_GT(gas.clock().steps, 10);
  const std::array<double, 5> after = totals(gas);
  EXPECT_NEAR(after[0], before[0], 1e-13);
  const auto& through = gas.clock().transfers;
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(
        after[axis + 1] - before[axis + 1],
        through[0].momentum[axis] - through[1].momentum[axis] + through[2].momentum[axis] - through[3].momentum[axis],
        2e-13);
  EXPECT_NEAR(after[4] - before[4], through[0].energy - through[1].energy + through[2].energy - through[3].energy,
              5e-13);
  EXPECT_GT(std::abs(after[4] - before[4]), 1e-3);
}

TEST_P(EveryModelInAPlane, ConservesMassMomentumAndEnergyWhereAllSidesAreJoined) {
  Gas<double> gas = plane(periodic_sides, 5, 4, options());
  gas.start(ripples(5, 4));
  const std::vector<double> start = distribution(gas);
  const std::array<double, 5> before = totals(gas);
  gas.advance_to(0.3);
  EXPECT_GT(largest_difference(start, distribution(gas)), 1e-3) << "something moved";
  const std::array<double, 5> after = totals(gas);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(after[k], before[k], 1e-13 * before[4]) << k;
}

TEST_P(EveryModelInAPlane, HasTheSameBitsForAnyNumberOfThreadsAndAcrossRestarts) {
  const auto run = [&](int threads, bool stops) {
    Gas<double> gas = plane(different_sides(), 5, 4, options(), threads),
                second = plane(different_sides(), 5, 4, options());
    gas.start(ripples(5, 4));
    gas.advance_to(0.1);
    gas.advance_to_steady({.max_iterations = 2});
    Gas<double>& last = stops ? second : gas;
    const std::vector<double> half = distribution(gas);
    if (stops) second.start(View<const double>(half), gas.clock());
    last.advance_to_steady({.max_iterations = 2});
    last.advance_to(0.15);
    return distribution(last);
  };
  const std::vector<double> one = run(1, false);
  EXPECT_EQ(run(2, false), one);
  EXPECT_EQ(run(3, false), one);
  EXPECT_EQ(run(1, true), one);
}

/// Columns and rows, v_x and v_y exchanged.
TEST_P(EveryModelInAPlane, FlowsOfATransposedCaseAreTransposed) {
  const int columns = 5, rows = 4;
  const auto run = [&](bool transposed) {
    std::array<std::vector<double>, 2> faces = plane_faces(columns, rows);
    std::array<GasBoundary, 4> sides = different_sides();
    const std::vector<VelocityMoments> given = ripples(columns, rows);
    std::vector<VelocityMoments> states = given;
    if (transposed) {
      std::swap(faces[0], faces[1]);
      std::swap(sides[0], sides[2]);
      std::swap(sides[1], sides[3]);
      for (GasBoundary& side : sides) std::swap(side.velocity[0], side.velocity[1]);
      for (int j = 0; j < rows; ++j)
        for (int i = 0; i < columns; ++i) {
          VelocityMoments& moments = states[static_cast<std::size_t>(i * rows + j)];
          moments = given[static_cast<std::size_t>(j * columns + i)];
          std::swap(moments.velocity[0], moments.velocity[1]);
        }
    }
    Gas<double> gas(Queue::cpu(1), small_grid, faces, sides, {.rate = 3}, options());
    gas.start(states);
    gas.advance_to(0.1);
    gas.advance_to_steady({.max_iterations = 2});
    return gas.moments();
  };
  const std::vector<VelocityMoments> plain = run(false), transposed = run(true);
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const VelocityMoments &a = plain[static_cast<std::size_t>(j * columns + i)],
                            &b = transposed[static_cast<std::size_t>(i * rows + j)];
      EXPECT_NEAR(a.density, b.density, 1e-6);
      EXPECT_NEAR(a.velocity[0], b.velocity[1], 1e-6);
      EXPECT_NEAR(a.stress[0], b.stress[1], 1e-6);
      EXPECT_NEAR(a.stress[3], b.stress[3], 1e-6);
      EXPECT_NEAR(a.heat_flux[1], b.heat_flux[0], 1e-6);
    }
}

/// Free molecules of a plane that is periodic along both axes keep their velocity: a wave along a diagonal, of second order.
double wave_error(int cells) {
  const VelocityGrid grid{.nodes = 8, .half_width = 5};
  const std::vector<double> faces = uniform_faces(0, 1, cells);
  Gas<double> gas(Queue::cpu(1), grid, {faces, faces}, periodic_sides, {}, {.model = GasModel::none});
  const double k = 2 * std::numbers::pi, amplitude = 0.2, time = 0.1;
  // Mean over the cell of what node (v_x, v_y) carried there.
  const auto mean = [&](int i, int j, double vx, double vy) {
    const double h = 1.0 / cells, share = std::sin(k * h / 2) / (k * h / 2);
    return 1 + amplitude * share * share * std::cos(k * ((i + 0.5) * h - vx * time + (j + 0.5) * h - vy * time));
  };
  std::vector<VelocityMoments> states;
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i) states.push_back(state(mean(i, j, 0, 0), {}, 1));
  gas.start(states);
  const std::vector<double> before = distribution(gas);
  gas.advance_to(time);
  const std::vector<double> f = distribution(gas);
  double error = 0;
  std::size_t index = 0;
  for (int j = 0; j < cells; ++j)
    for (int i = 0; i < cells; ++i)
      for (int node = 0; node < 512; ++node, ++index) {
        const double vx = grid.velocity(0, node % 8), vy = grid.velocity(1, node / 8 % 8);
        error += std::abs(f[index] - before[index] / mean(i, j, 0, 0) * mean(i, j, vx, vy));
      }
  return error / std::accumulate(f.begin(), f.end(), 0.0);
}

TEST(FreeTransportInAPlane, IsOfSecondOrderForASmoothWave) {
  const double coarse = wave_error(20), fine = wave_error(40);
  EXPECT_GT(std::log2(coarse / fine), 1.7) << coarse << ' ' << fine;
  EXPECT_LT(fine, 0.01);
}

/// Free molecules in a square whose lid slides: the solution of the integral equation of the fluxes between the walls.
TEST(FreeMolecularCavity, HasTheStressAndVelocitiesOfDiffuseWalls) {
  const VelocityGrid grid{.nodes = 12, .half_width = 4.2};
  const double speed = 0.05, thermal = std::sqrt(2.0);
  const int cells = 16;
  const std::vector<double> faces = uniform_faces(0, 1, cells);
  const GasBoundary wall{}, lid{.velocity = {speed, 0, 0}};
  Gas<double> gas(Queue::cpu(2), grid, {faces, faces}, {wall, wall, wall, lid}, {}, {.model = GasModel::none});
  gas.start({state(1, {}, 1)});
  const SteadyResult result = gas.advance_to_steady({.residual = 2e-3, .max_iterations = 60});
  EXPECT_TRUE(result.converged) << result.residual;
  EXPECT_NEAR(gas.fluxes()[3].momentum[0] / (speed / thermal), -0.68533, 0.03) << "P_xy of the lid / (p0 U/v0)";
  const std::vector<VelocityMoments> moments = gas.moments();
  const auto u_of_center = [&](std::size_t row) {
    const std::size_t right = row * cells + cells / 2;
    return (moments[right - 1].velocity[0] + moments[right].velocity[0]) / 2 / speed;
  };
  EXPECT_NEAR(u_of_center(2), -0.0868, 0.02) << "the return flow, at y = 0.156";
  EXPECT_NEAR(u_of_center(14), 0.219, 0.03) << "at y = 0.906, in the shadows that so few nodes throw";
  double mass = 0;
  for (const VelocityMoments& cell : moments) mass += cell.density / (cells * cells);
  EXPECT_NEAR(mass, 1, 1e-12);
}

TEST(GasInAPlane, FStaysPositiveInTheLongestSteps) {
  for (const GasLimiter limiter : {GasLimiter::none, GasLimiter::minmod, GasLimiter::van_leer, GasLimiter::mc}) {
    Gas<double> gas(Queue::cpu(1), small_grid, plane_faces(6, 6), different_sides(), {.rate = 40},
                    {.model = GasModel::bgk, .limiter = limiter, .step_share = 1});
    std::vector<VelocityMoments> jump(36, state(1, {}, 1.3));
    for (std::size_t cell = 0; cell < 36; ++cell)
      if (cell % 6 >= 3 || cell >= 18) jump[cell] = state(0.01, {}, 0.8);
    gas.start(jump);
    double least = 1;
    gas.advance_to(0.2, [&] {
      for (const double value : distribution(gas)) least = std::min(least, value);
      return true;
    });
    EXPECT_GE(least, 0) << to_name(limiter);
  }
}

/// Both iterations end in the state in which steps change nothing.
TEST(GasInAPlane, SweepsAndMarchingHaveTheSameSteadyState) {
  const auto run = [&](SteadyMethod method) {
    Gas<double> gas = plane(different_sides(), 5, 4, {.model = GasModel::shakhov});
    gas.start({state(1, {}, 1)});
    EXPECT_TRUE(gas.advance_to_steady({.method = method, .residual = 1e-9, .max_iterations = 20'000}).converged);
    const std::vector<double> before = distribution(gas);
    gas.advance_to(0.05);
    EXPECT_LE(largest_difference(before, distribution(gas)), 1e-10);
    return before;
  };
  EXPECT_LE(largest_difference(run(SteadyMethod::sweeps), run(SteadyMethod::marching)), 1e-9);
}

TEST(GasInAPlane, ErrorsNameTheSide) {
  const auto message = [](std::array<GasBoundary, 4> sides, const GasOptions& options = {.model = GasModel::bgk}) {
    return message_of([&] { plane(sides, 3, 3, options); });
  };
  EXPECT_EQ(message({specular, specular, {.velocity = {0.1, 0.2, 0}}, specular}),
            "gas: the diffuse boundary at the bottom side moves along y at 0.2 m/s, expected 0: the cells do not move. "
            "Let it move along x or z.");
  EXPECT_EQ(message({specular, specular, specular, {.temperature = -1}}),
            "gas: the diffuse boundary at the top side has a temperature of -1 m2/s2, expected a positive number.");
  EXPECT_EQ(message({specular, specular, periodic, specular}),
            "gas: one boundary is periodic and the other is not. Make both periodic or none.");
  GasBoundary heated;
  heated.last_temperature = 0;
  EXPECT_EQ(message({heated, specular, specular, specular}),
            "gas: the diffuse boundary at the left side has a temperature at its last end of 0 m2/s2, expected a "
            "positive number, and a diffuse wall.");
  GasBoundary shock{.kind = GasBoundaryKind::behind_shock};
  const GasBoundary inflow{.kind = GasBoundaryKind::inflow};
  EXPECT_EQ(message({inflow, shock, specular, specular}),
            "gas: a side of a plane is behind_shock, expected a line of cells along x. Use an inflow.");
  EXPECT_EQ(message({specular, specular, specular, specular}, {.model = GasModel::bgk, .gradients = {.pressure = 0.1}}),
            "gas: gradients along y drive a flow in a plane of cells, expected a line along x.");
  EXPECT_EQ(message_of([&] {
              Gas<double>(Queue::cpu(1), small_grid, {std::vector<double>{0, 1, 2}, {0, 1}},
                          {specular, specular, specular, specular}, {}, {.model = GasModel::none});
            }),
            "gas: 2 faces of cells along y, expected 3 or more, for two cells.");
  heated.last_temperature = 1;
  EXPECT_EQ(message_of([&] {
              Gas<double>(Queue::cpu(1), small_grid, {0, 1, 2}, {heated, heated}, {}, {.model = GasModel::none});
            }),
            "gas: a boundary of a line of cells has a temperature at its last end, expected a side of a plane.");
  Gas<double> gas = plane({specular, specular, specular, specular}, 3, 2, {.model = GasModel::none});
  EXPECT_EQ(gas.dimensions(), 2);
  EXPECT_EQ(gas.faces(1).size(), 3U);
  EXPECT_EQ(message_of([&] { gas.faces(2); }), "gas: there is no axis 2 of cells, expected 0 to 1.");
  gas.start({state(1, {}, 1)});
  EXPECT_EQ(message_of([&] { gas.side_fluxes(4); }), "gas: there is no side 4, expected 0 to 3.");
}

}  // namespace
}  // namespace shoal::gas
