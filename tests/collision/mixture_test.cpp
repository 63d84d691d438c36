// SPDX-License-Identifier: Apache-2.0
// Collisions in a mixture of two gases.
#include "collision/mixture_cases.hpp"

namespace shoal::collision {
namespace {

using namespace testing_support;

class MixtureMethodTest : public TestOnDevice<MethodInfo> {
 protected:
  CollisionOptions options(int degree = 5, int radii = 6) const {
    CollisionOptions given = spectral_options(degree, radii);
    given.method = GetParam().name;
    return given;
  }
  bool is_serial() const { return GetParam().name == "serial"; }
};

TEST_P(MixtureMethodTest, AgreesWithSerial) {
  const VelocityGrid grid{8, 5, {0.1, 0, -0.2}};
  for (const Mixture& mixture : every_mixture()) {
    const std::vector<double> f = different_states().on(grid, mixture);
    EXPECT_LE(
        relative_difference(mixed(queue(), grid, mixture, options(), f), mixed_by_serial(grid, mixture, options(), f)),
        1e-13);
  }
}

TEST_P(MixtureMethodTest, SinglePrecisionAgreesWithDouble) {
  const VelocityGrid grid{8, 5, {}};
  const Mixture mixture = every_mixture()[0];
  const std::vector<double> f = different_states().on(grid, mixture);
  const std::vector<float> single(f.begin(), f.end());
  const std::vector<float> q = mixed(queue(), grid, mixture, options(), single);
  EXPECT_LE(relative_difference(std::vector<double>(q.begin(), q.end()), mixed_by_serial(grid, mixture, options(), f)),
            1e-5);
}

/// A gas whose molecules are marked at random is a mixture of equal molecules: the integrals of both add up to its own.
TEST_P(MixtureMethodTest, EqualMoleculesAddUpToOneGas) {
  const VelocityGrid grid{is_serial() ? 8 : 16, 5, {}};
  for (const Molecules& molecules : {every_gas()[0], every_gas()[1]}) {
    const std::vector<double> f = two_states(grid, molecules);
    const std::vector<double> q = mixed(queue(), grid, equal_molecules(molecules), options(), f);
    const std::vector<double> expected = collided(queue(), grid, options(), sum_of_species(f), molecules);
    EXPECT_LE(relative_difference(sum_of_species(q), expected), 1e-13);
  }
}

TEST_P(MixtureMethodTest, SpeciesInAnyOrder) {
  const VelocityGrid grid{8, 5, {}};
  for (const Mixture& mixture : every_mixture()) {
    const std::vector<double> f = different_states().on(grid, mixture);
    const std::vector<double> q = mixed(queue(), grid, mixture, options(), f);
    const std::vector<double> swapped = mixed(queue(), grid, exchanged(mixture), options(), exchanged(f));
    EXPECT_LE(relative_difference(exchanged(swapped), q), 1e-13);
  }
}

TEST_P(MixtureMethodTest, CellsAreIndependent) {
  const VelocityGrid grid{8, 5, {}};
  const Mixture mixture = every_mixture()[1];
  const std::vector<double> first = different_states().on(grid, mixture),
                            second = equilibrium_states().on(grid, mixture);
  const std::vector<double> q = mixed(queue(), grid, mixture, options(), cells_of_both({first, second, first}));
  const std::vector<double> first_q = mixed(queue(), grid, mixture, options(), first),
                            second_q = mixed(queue(), grid, mixture, options(), second);
  EXPECT_EQ(q, cells_of_both({first_q, second_q, first_q}));
}

/// Both projections keep the mass of each gas, and momentum and energy of both together, but not of one alone.
TEST_P(MixtureMethodTest, ProjectionsConserveWhatCollisionsConserve) {
  const VelocityGrid grid{8, 5, {0.1, 0, -0.2}};
  for (const Mixture& mixture : every_mixture())
    for (const CollisionProjection projection : {CollisionProjection::uniform, CollisionProjection::maxwellian}) {
      CollisionOptions conserving = options();
      conserving.projection = projection;
      const std::vector<double> f = different_states().on(grid, mixture);
      const MixtureRates rates = mixture_rates(grid, mixture, mixed(queue(), grid, mixture, conserving, f));
      EXPECT_LE(rates.defect(), 1e-14 * rates.transferred);
      EXPECT_GT(std::abs(rates.energy[0]), 0.01 * rates.transferred);
    }
}

TEST_P(MixtureMethodTest, GasWithoutMoleculesStaysSo) {
  const VelocityGrid grid{8, 5, {}};
  CollisionOptions conserving = options();
  conserving.projection = CollisionProjection::maxwellian;
  conserving.equilibrium_preserving = true;
  const std::vector<double> beams = BeamPair{}.on<double>(grid);
  std::vector<double> f = beams;
  f.resize(2 * beams.size());
  const std::vector<double> q = mixed(queue(), grid, every_mixture()[0], conserving, f);
  std::vector<double> expected = collided(queue(), grid, conserving, beams, every_gas()[0]);
  expected.resize(2 * beams.size());
  EXPECT_LE(relative_difference(q, expected), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, MixtureMethodTest, testing::ValuesIn(mixture_methods()), method_test_name);

}  // namespace
}  // namespace shoal::collision
