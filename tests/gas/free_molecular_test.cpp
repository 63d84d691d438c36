// SPDX-License-Identifier: Apache-2.0
// Flows without collisions: exact solutions of the equation, and of its discretization in velocity.
#include <numbers>

#include "gas/flows.hpp"
#include "gas/physics/maxwellian_item.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;
using std::numbers::pi;

constexpr Molecules unused{};

/// Sum over the nodes with v_x > 0 of v_x^k times the factor of a Maxwellian along x, for density 1 of the whole.
double half_range_sum(const VelocityGrid& grid, double temperature, int k) {
  double sum = 0, total = 0;
  for (int i = 0; i < grid.nodes; ++i) {
    const double v = grid.velocity(0, i), m = std::exp(-v * v / (2 * temperature));
    total += m;
    if (v > 0) sum += std::pow(v, k) * m;
  }
  return sum / total;
}

/// Density of the wave 1 + a cos(k x), which each node carries along at its speed, as a mean over a cell.
double wave_density(const VelocityGrid& grid, double amplitude, double left, double right, double time) {
  const double k = 2 * pi, rest[3] = {};
  DiscreteMaxwellian maxwellian;
  EXPECT_TRUE(maxwellian.fit(collision::NodeVelocities(grid), 1, rest, 1));
  double sum = 0, total = 0;
  for (int i = 0; i < grid.nodes; ++i) {
    const double v = grid.velocity(0, i), m = maxwellian.factor[0][i];
    sum += m * (std::sin(k * (right - v * time)) - std::sin(k * (left - v * time))) / (k * (right - left));
    total += m;
  }
  return 1 + amplitude * sum / total;
}

/// Mean error of the density of a wave.
double wave_error(GasLimiter limiter, int cells) {
  const VelocityGrid grid{.nodes = 8, .half_width = 5};
  Gas<double> gas(Queue::cpu(1), grid, uniform_faces(0, 1, cells), periodic_ends, unused,
                  {.model = GasModel::none, .limiter = limiter});
  const double time = 0.2, amplitude = 0.2;
  std::vector<VelocityMoments> states;
  for (int i = 0; i < cells; ++i)
    states.push_back(state(wave_density(grid, amplitude, gas.faces()[static_cast<std::size_t>(i)],
                                        gas.faces()[static_cast<std::size_t>(i) + 1], 0),
                           {}, 1));
  gas.start(states);
  gas.advance_to(time);
  const std::vector<VelocityMoments> moments = gas.moments();
  double error = 0;
  for (std::size_t i = 0; i < moments.size(); ++i)
    error += std::abs(moments[i].density - wave_density(grid, amplitude, gas.faces()[i], gas.faces()[i + 1], time));
  return error / cells;
}

TEST(FreeTransport, IsOfSecondOrderForASmoothWave) {
  for (const GasLimiter limiter : {GasLimiter::van_leer, GasLimiter::mc}) {
    const double coarse = wave_error(limiter, 40), fine = wave_error(limiter, 80);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << to_name(limiter) << ' ' << coarse << ' ' << fine;
  }
  const double coarse = wave_error(GasLimiter::none, 40), fine = wave_error(GasLimiter::none, 80);
  EXPECT_NEAR(std::log2(coarse / fine), 1, 0.15) << "first order without slopes";
}

/// Solution of the tube at x / t, from half-range integrals of both Maxwellians.
VelocityMoments tube(double speed, double n1, double t1, double n2, double t2) {
  double m[5] = {};
  for (const int side : {0, 1}) {
    const double n = side == 0 ? n1 : n2, two_t = 2 * (side == 0 ? t1 : t2), sign = side == 0 ? 1 : -1;
    const double z = speed / std::sqrt(two_t), e = sign * std::exp(-z * z) / std::sqrt(pi);
    const double i0 = side == 0 ? std::erfc(z) / 2 : 1 - std::erfc(z) / 2;
    const double i1 = e * std::sqrt(two_t) / 2, i2 = two_t * (i0 / 2 + z * e / 2);
    const double i3 = (1 + z * z) * e * std::pow(two_t, 1.5) / 2;
    m[0] += n * i0, m[1] += n * i1, m[2] += n * i2, m[3] += n * two_t * i0, m[4] += n * (i3 + two_t * i1);
  }
  VelocityMoments result;
  const double n = result.density = m[0], u = result.velocity[0] = m[1] / n;
  result.temperature = (m[2] + m[3] - n * u * u) / (3 * n);
  result.stress[0] = m[2] - n * u * u;
  result.heat_flux[0] = (m[4] - u * m[3] - 3 * u * m[2] + 3 * u * u * m[1] - u * u * u * n) / 2;
  return result;
}

TEST(FreeTransport, SolutionOfTheTubeHasTheKnownValues) {
  const VelocityMoments at_zero = tube(0, 1, 1, 0.125, 0.8), at_two = tube(2, 1, 1, 0.125, 0.8);
  EXPECT_NEAR(at_zero.density, 0.5625, 1e-6);
  EXPECT_NEAR(at_zero.velocity[0], 0.629936, 1e-6);
  EXPECT_NEAR(at_zero.temperature, 0.845505, 1e-6);
  EXPECT_NEAR(at_two.stress[0], 0.204812, 1e-6);
  EXPECT_NEAR(at_two.heat_flux[0], 0.052184, 1e-6);
}

TEST(FreeTransport, AgreesWithTheTubeWithoutCollisions) {
  const VelocityGrid grid{.nodes = 24, .half_width = 4.5};
  const int cells = 40;
  Gas<float> gas(
      Queue::cpu(2), grid, uniform_faces(-4, 4, cells),
      {{{.kind = GasBoundaryKind::inflow}, {.kind = GasBoundaryKind::inflow, .temperature = 0.8, .density = 0.125}}},
      unused, {.model = GasModel::none});
  std::vector<VelocityMoments> jump(cells, state(1, {}, 1));
  std::fill(jump.begin() + cells / 2, jump.end(), state(0.125, {}, 0.8));
  gas.start(jump);
  gas.advance_to(1);
  const std::vector<VelocityMoments> moments = gas.moments();
  double density = 0, velocity = 0, stress = 0, heat = 0;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const VelocityMoments exact = tube((gas.faces()[i] + gas.faces()[i + 1]) / 2, 1, 1, 0.125, 0.8);
    density += std::abs(moments[i].density - exact.density) / cells;
    velocity += std::abs(moments[i].velocity[0] - exact.velocity[0]) / cells;
    stress += std::abs(moments[i].stress[0] - exact.stress[0]) / cells;
    heat += std::abs(moments[i].heat_flux[0] - exact.heat_flux[0]) / cells;
  }
  EXPECT_LE(density, 0.003);
  EXPECT_LE(velocity, 0.01);
  EXPECT_LE(stress, 0.005);
  EXPECT_LE(heat, 0.005);
}

/// Plates: the gas that leaves one keeps its Maxwellian as far as the other.
struct Plates {
  VelocityGrid grid{.nodes = 24, .half_width = 5};
  Gas<double> gas;

  Plates(const GasBoundary& first, const GasBoundary& last)
      : gas(Queue::cpu(2), grid, uniform_faces(0, 1, 4), {first, last}, unused, {.model = GasModel::none}) {
    gas.start({state(1, {}, 1)});
    const SteadyResult result = gas.advance_to_steady({.residual = 1e-10, .max_iterations = 200});
    EXPECT_TRUE(result.converged) << result.residual;
  }
};

TEST(FreeMolecularPlates, ShearStressOfCouetteFlow) {
  const double speed = 0.4;
  Plates plates({.velocity = {0, -speed / 2, 0}}, {.velocity = {0, speed / 2, 0}});
  const double discrete = -speed * half_range_sum(plates.grid, 1, 1);
  for (const VelocityMoments& moments : plates.gas.moments()) {
    EXPECT_NEAR(moments.density, 1, 1e-9);
    EXPECT_NEAR(moments.velocity[1], 0, 1e-9);
    EXPECT_NEAR(moments.stress[3], discrete, 1e-5) << "the sum over the same nodes";
    EXPECT_NEAR(moments.stress[3], -speed / std::sqrt(2 * pi), 0.01 * speed) << "p_xy = -p0 dv / sqrt(pi)";
    EXPECT_NEAR(moments.temperature, 1 + speed * speed / 12, 1e-5) << "T / T0 = 1 + dv² / 6, dv in sqrt(2 T0)";
    EXPECT_NEAR(moments.heat_flux[0], 0, 1e-9);
  }
}

TEST(FreeMolecularPlates, HeatFluxOfFourierFlow) {
  const double cold = 0.9, hot = 1.1;
  Plates plates({.temperature = cold}, {.temperature = hot});
  for (const VelocityMoments& moments : plates.gas.moments()) {
    EXPECT_NEAR(moments.density, 1, 1e-9);
    EXPECT_NEAR(moments.temperature, 0.994987, 1e-3) << "the geometric mean";
    EXPECT_NEAR(moments.heat_flux[0], -0.158976, 0.002);
  }
  EXPECT_NEAR(plates.gas.fluxes()[0].energy, plates.gas.fluxes()[1].energy, 1e-10);
}

TEST(FreeMolecularPlates, EffusionBetweenTwoReservoirs) {
  const double n1 = 1, t1 = 1, n2 = 0.5, t2 = 1.2;
  Plates plates({.kind = GasBoundaryKind::inflow, .temperature = t1, .density = n1},
                {.kind = GasBoundaryKind::inflow, .temperature = t2, .density = n2});
  const GasFlux flux = plates.gas.fluxes()[0];
  EXPECT_NEAR(flux.mass, n1 * half_range_sum(plates.grid, t1, 1) - n2 * half_range_sum(plates.grid, t2, 1), 1e-5);
  EXPECT_NEAR(flux.mass, n1 * std::sqrt(t1 / (2 * pi)) - n2 * std::sqrt(t2 / (2 * pi)), 0.004);
  EXPECT_NEAR(flux.momentum[0], (n1 * t1 + n2 * t2) / 2, 1e-5) << "half of both pressures";
  EXPECT_NEAR(flux.energy, 2 * (n1 * t1 * std::sqrt(t1 / (2 * pi)) - n2 * t2 * std::sqrt(t2 / (2 * pi))), 0.004);
}

}  // namespace
}  // namespace shoal::gas
