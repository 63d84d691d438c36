// SPDX-License-Identifier: Apache-2.0
// Collisions in a mixture against what kinetic theory knows exactly, by the methods with fast transforms.
#include <shoal/collision/relaxation.hpp>

#include "collision/mixture_cases.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;

/// Grids that hold the lighter gas of every_mixture() and resolve the heavier one.
constexpr VelocityGrid grid{20, 7.5, {}}, fine{24, 8, {}};

class MixtureAccuracy : public TestOnDevice<MethodInfo> {
 protected:
  void SetUp() override {
    TestOnDevice<MethodInfo>::SetUp();
    if (GetParam().name == "serial") GTEST_SKIP() << "too slow for nodes that resolve a Maxwellian";
  }
  CollisionOptions options() const {
    CollisionOptions given = spectral_options(7, 8);
    given.method = GetParam().name;
    return given;
  }
  std::vector<double> q(const Mixture& mixture, const MixtureStates& states, const CollisionOptions& given) const {
    return mixed(queue(), grid, mixture, given, states.on(grid, mixture));
  }
  /// Rates of change on the fine grid.
  MixtureRates rates(const Mixture& mixture, const MixtureStates& states) const {
    return mixture_rates(fine, mixture, mixed(queue(), fine, mixture, options(), states.on(fine, mixture)));
  }
};

double largest_size(const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Gases of the same velocity and temperature are in equilibrium.
TEST_P(MixtureAccuracy, CommonEquilibriumStays) {
  for (const Mixture& mixture : every_mixture()) {
    CollisionOptions preserving = options();
    preserving.equilibrium_preserving = true;
    const double scale = largest_size(q(mixture, different_states(), options()));
    EXPECT_LE(largest_size(q(mixture, equilibrium_states(), options())), 0.02 * scale);
    EXPECT_LE(largest_size(q(mixture, equilibrium_states(), preserving)), 1e-4 * scale);
    EXPECT_GT(largest_size(q(mixture, different_states(), preserving)), 0.9 * scale);
  }
}

// For Maxwell molecules the rates of momentum and energy follow from the moments of any distributions:
//     d(m n u)/dt of 1 = m₁ a₂ κ n₁ n₂ (u₂ − u₁);  with equal u, d(3/2 n k T)/dt of 1 = 3 a₁ a₂ κ n₁ n₂ (k T₂ − k T₁)
TEST_P(MixtureAccuracy, MaxwellMoleculesExchangeMomentumAtTheExactRate) {
  const Mixture mixture = every_mixture()[0];
  const MixtureStates states = different_states();
  const MixtureRates measured = rates(mixture, states);
  const double factor = 1. / 3 * 0.8 * 1 * 0.6;  // m₁ a₂ κ n₁ n₂
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double exact = factor * (states.gas[1].velocity[axis] - states.gas[0].velocity[axis]);
    EXPECT_NEAR(measured.momentum[0][axis], exact, 1e-3 * factor);
    EXPECT_NEAR(measured.momentum[1][axis], -exact, 1e-3 * factor);
  }
}

TEST_P(MixtureAccuracy, MaxwellMoleculesExchangeEnergyAtTheExactRate) {
  const Mixture mixture = every_mixture()[0];
  MixtureStates states = different_states();
  states.gas[1].velocity = states.gas[0].velocity;
  const MixtureRates measured = rates(mixture, states);
  const double exact = 3 * (2. / 3) * (1. / 3) * 0.8 * 1 * 0.6 * (0.7 - 1);
  EXPECT_NEAR(measured.energy[0], exact, 3e-3 * std::abs(exact));
  EXPECT_NEAR(measured.energy[1], -exact, 3e-3 * std::abs(exact));
}

/// Velocities and temperatures approach each other exponentially: d(u₁ − u₂)/dt = −κ (a₂ n₂ + a₁ n₁) (u₁ − u₂).
TEST_P(MixtureAccuracy, VelocitiesOfARelaxationAreExact) {
  const Mixture mixture = every_mixture()[0];
  CollisionOptions conserving = options();
  conserving.projection = CollisionProjection::maxwellian;
  conserving.negative = NegativeDistribution::accept;
  const Queue device = queue();
  Relaxation<double> gases(Collision<double>(device, grid, mixture, conserving));
  const Array<double> f = to_device(device, different_states().on(grid, mixture));
  gases.start(f);
  const double end = 1;
  gases.advance_to(end);
  const std::vector<RelaxationState> states = gases.states();
  ASSERT_EQ(states.size(), 2u);
  const double decay = std::exp(-0.8 * (1. / 3 * 0.6 + 2. / 3 * 1) * end);
  const auto difference = [&](std::size_t axis) {
    return states[0].moments.velocity[axis] - states[1].moments.velocity[axis];
  };
  EXPECT_NEAR(difference(0), 0.5 * decay, 1e-3);
  EXPECT_NEAR(difference(1), -0.1 * decay, 1e-3);
  EXPECT_NEAR(difference(2), -0.3 * decay, 1e-3);
  const double momentum = 1 * states[0].moments.density * states[0].moments.velocity[0] +
                          0.5 * states[1].moments.density * states[1].moments.velocity[0];
  EXPECT_NEAR(momentum, 1 * 0.2 + 0.5 * 0.6 * -0.3, 1e-9);
}

/// Friction between hard spheres of nearly equal velocities, n₁ n₂ k T (u₂ − u₁) / (n D₁₂), with the first approximation of
/// Chapman and Enskog to the coefficient of diffusion, n D₁₂ = 3 / (8 d²) √(k T / (2π μ)), μ the reduced mass.
TEST_P(MixtureAccuracy, HardSpheresDiffuseAtTheFirstOrderRate) {
  const Mixture mixture = every_mixture()[1];
  const MixtureStates states{{{{1, {0.1, 0, 0}, 1}, {0.6, {-0.1, 0, 0}, 1}}}};
  const MixtureRates measured = rates(mixture, states);
  const double diameter = 0.35, reduced_mass = 1. / 3;
  const double diffusion = 3 / (8 * diameter * diameter) * std::sqrt(1 / (2 * std::numbers::pi * reduced_mass));
  const double exact = 1 * 0.6 / diffusion * -0.2;
  EXPECT_NEAR(measured.momentum[0][0], exact, 0.01 * std::abs(exact));
  EXPECT_NEAR(measured.momentum[1][0], -exact, 0.01 * std::abs(exact));
}

/// Mean over a Maxwellian of the frequency of collisions between hard spheres: n_j π d² √(8 k T (1/m_i + 1/m_j) / π).
TEST_P(MixtureAccuracy, MeanFrequenciesOfHardSpheresAreExact) {
  const Mixture mixture = every_mixture()[1];
  const MixtureStates states = equilibrium_states();
  const std::vector<double> f = states.on(grid, mixture);
  const Queue device = queue();
  Collision<double> collision(device, grid, mixture, options());
  const Array<double> device_f = to_device(device, f);
  Array<double> device_frequency(device, device_f.count());
  collision.frequency(device_f, device_frequency);
  const std::vector<double> frequency = to_host(device, device_frequency);
  const auto exact = [&](std::size_t i, std::size_t j) {
    const double diameter = (mixture.species[i].diameter + mixture.species[j].diameter) / 2;
    const double masses = 1 / mixture.species[i].mass + 1 / mixture.species[j].mass;
    return states.gas[j].density * std::numbers::pi * diameter * diameter *
           std::sqrt(8 * states.gas[j].energy * masses / std::numbers::pi);
  };
  const std::size_t nodes = f.size() / 2;
  for (std::size_t i = 0; i < 2; ++i) {
    double sum = 0, density = 0;
    for (std::size_t k = i * nodes; k < (i + 1) * nodes; ++k) sum += f[k] * frequency[k], density += f[k];
    EXPECT_NEAR(sum / density, exact(i, 0) + exact(i, 1), 5e-3 * exact(i, i));
  }
  EXPECT_NEAR(collision.step_bound(device_f), 1 / *std::max_element(frequency.begin(), frequency.end()), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, MixtureAccuracy, testing::ValuesIn(mixture_methods()), method_test_name);

}  // namespace
}  // namespace shoal::collision
