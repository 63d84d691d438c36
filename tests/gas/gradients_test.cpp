// SPDX-License-Identifier: Apache-2.0
// Pressure-driven flow and thermal creep between plates, against solutions of the linearized model of Bhatnagar, Gross and
// Krook.
#include "gas/flows.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;

constexpr double share = 0.01;  // gradient × distance of the plates: nonlinear terms are of the order of its square
const double unit_speed = std::sqrt(2.0);  // sqrt(2 T0)

/// Gradient that drives the flow: that of ln p or of ln T.
enum class Drive { pressure, temperature };

double sign_of(Drive drive) { return drive == Drive::pressure ? -1 : 1; }

/// Twice the mean velocity over sqrt(2 T0) and over gradient × distance: G_P, against the gradient, and G_T, along it.
/// @param delta  distance p / (mu sqrt(2 T0))
double flow_rate(Drive drive, double delta, int nodes, int cells) {
  GasOptions options{.model = GasModel::bgk};
  (drive == Drive::pressure ? options.gradients.pressure : options.gradients.temperature) = share;
  const Molecules molecules{.rate = 2 * delta * unit_speed};  // mu = 2 T / rate
  Gas<double> gas(Queue::cpu(2), {.nodes = nodes, .half_width = 5.5}, stretched_faces(0, 1, cells, 1.1), {}, molecules,
                  options);
  gas.start({state(1, {}, 1)});
  const SteadyResult result = gas.advance_to_steady({.residual = 3e-7});
  EXPECT_TRUE(result.converged) << "residual " << result.residual;
  return sign_of(drive) * 2 * totals(gas)[2] / (unit_speed * share);
}

/// The same of the linearized equation with sums over the same v_x,
///
///     v ∂ψ/∂x = ν (u − ψ) + s(v),     u = Σ w ψ,     s = −T or −T (v²/(2T) − 1/2)
///
/// for ψ, the mean of v_y over f at one v_x. The integral along v is exact for u that is constant in a cell.
double discrete_flow_rate(Drive drive, double delta, int nodes) {
  constexpr int cells = 200;
  const VelocityGrid grid{.nodes = nodes, .half_width = 5.5};
  const double nu = delta * unit_speed;
  std::vector<double> u(cells), next(cells);
  double change = 1;
  while (change > 1e-9) {
    std::fill(next.begin(), next.end(), 0.0);
    double total = 0;
    for (int i = 0; i < nodes; ++i) {
      const double v = grid.velocity(0, i), weight = std::exp(-v * v / 2), paths = nu / (cells * std::abs(v));
      const double rate = -(drive == Drive::pressure ? 1 : v * v / 2 - 0.5) / nu;
      total += weight;
      double arriving = 0;
      for (int k = 0; k < cells; ++k) {
        const auto cell = static_cast<std::size_t>(v > 0 ? k : cells - 1 - k);
        const double limit = u[cell] + rate, leaving = limit + (arriving - limit) * std::exp(-paths);
        next[cell] += weight * (limit + (arriving - leaving) / paths);
        arriving = leaving;
      }
    }
    change = 0;
    for (std::size_t cell = 0; cell < u.size(); ++cell) {
      next[cell] /= total;
      change = std::max(change, std::abs(next[cell] - u[cell]));
    }
    u.swap(next);
  }
  double mean = 0;
  for (const double value : u) mean += value / cells;
  return sign_of(drive) * 2 * mean / unit_speed;
}

class DrivenFlow : public testing::TestWithParam<Drive> {};
INSTANTIATE_TEST_SUITE_P(Gas, DrivenFlow, testing::Values(Drive::pressure, Drive::temperature),
                         [](const auto& test) { return test.param == Drive::pressure ? "pressure" : "temperature"; });

TEST_P(DrivenFlow, IsThatOfTheLinearizedEquationOnTheSameNodes) {
  for (const double delta : {0.2, 1.0, 5.0}) {
    const double expected = discrete_flow_rate(GetParam(), delta, 16);
    EXPECT_GT(expected, 0.05);
    EXPECT_NEAR(flow_rate(GetParam(), delta, 16, 20), expected, 0.005 * expected) << "delta " << delta;
  }
}

struct RateReference {
  Drive drive;
  double delta, rate;
};

/// Solutions of the integral equations of the linearized model; docs/theory/gas.md. Uniform nodes miss molecules that graze
/// the plates, at small delta more than here.
TEST(DrivenFlows, AgreeWithTheLinearizedEquation) {
  for (const RateReference& reference : {RateReference{Drive::pressure, 1, 1.53868}, {Drive::pressure, 5, 1.9908}})
    EXPECT_NEAR(flow_rate(reference.drive, reference.delta, 24, 16), reference.rate, 0.03 * reference.rate);
  const RateReference creep{Drive::temperature, 5, 0.1143};
  EXPECT_NEAR(flow_rate(creep.drive, creep.delta, 24, 16), creep.rate, 0.03 * creep.rate);
}

/// Knudsen's minimum: the flow through a slab of given distance has a smallest value near delta = 1.
TEST(DrivenFlows, HaveKnudsensMinimum) {
  const double rarefied = flow_rate(Drive::pressure, 0.1, 32, 12), middle = flow_rate(Drive::pressure, 1, 32, 12),
               dense = flow_rate(Drive::pressure, 3, 32, 12);
  EXPECT_GT(rarefied, 1.05 * middle);
  EXPECT_GT(dense, 1.05 * middle);
}

/// The gradient of the pressure pushes with a force that the plates take up.
TEST(DrivenFlows, BalanceTheForceOfThePressure) {
  Gas<double> gas(Queue::cpu(1), small_grid, uniform_faces(0, 1, 8), {}, {.rate = 2},
                  {.model = GasModel::shakhov, .gradients = {.pressure = 0.02}});
  gas.start({state(1, {}, 1)});
  const double pressure = gas.moments()[0].stress[1];
  gas.advance_to_steady({.residual = 1e-9});
  const std::vector<GasFlux> through = gas.fluxes();
  EXPECT_NEAR(through[0].momentum[1] - through[1].momentum[1], 0.02 * pressure, 1e-6 * pressure);
  EXPECT_NEAR(through[0].mass, 0, 1e-15);
}

/// Both gradients together drive the sum of the flows: the response is linear.
TEST(DrivenFlows, AddUp) {
  const auto velocity = [](const GasGradients& gradients) {
    Gas<double> gas(Queue::cpu(1), small_grid, uniform_faces(0, 1, 6), {}, {.rate = 2},
                    {.model = GasModel::shakhov, .gradients = gradients});
    gas.start({state(1, {}, 1)});
    gas.advance_to_steady({.residual = 1e-9});
    return gas.moments()[2].velocity[1];
  };
  const double pressure = velocity({.pressure = 1e-3}), temperature = velocity({.temperature = 1e-3});
  EXPECT_LT(pressure, 0) << "toward low pressure";
  EXPECT_GT(temperature, 0) << "toward the hot side";
  EXPECT_NEAR(velocity({.pressure = 1e-3, .temperature = 1e-3}), pressure + temperature, 1e-3 * temperature);
}

}  // namespace
}  // namespace shoal::gas
