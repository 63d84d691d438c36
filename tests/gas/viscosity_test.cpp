// SPDX-License-Identifier: Apache-2.0
// Viscosity, mean free paths and Knudsen numbers against their formulas.
#include <numbers>

#include "gas/flows.hpp"
#include "support/messages.hpp"

namespace shoal::gas {
namespace {

using namespace testing_support;
using std::numbers::pi;

constexpr double boltzmann = 1.380649e-23;  // J/K

TEST(Viscosity, OfMaxwellMoleculesAndHardSpheres) {
  EXPECT_DOUBLE_EQ(viscosity({.rate = 4}, 3), 2 * 3. / 4);
  EXPECT_NEAR(viscosity({.model = MoleculeModel::hard_sphere, .diameter = 2}, 9), 0.179136 * 3 / 4, 1e-6);
}

/// Bird's formula for argon: mu = 15 sqrt(pi m k T_ref) / (2 pi d² (5 − 2ω) (7 − 2ω)), mu ~ T^ω.
TEST(Viscosity, OfArgonAsVariableHardSpheres) {
  const double mass = 66.3e-27, diameter = 4.17e-10, omega = 0.81, reference = 273;
  const Molecules argon{.model = MoleculeModel::vhs,
                        .diameter = diameter,
                        .viscosity_exponent = omega,
                        .reference_temperature = reference,
                        .mass = mass};
  const double expected = 15 * std::sqrt(pi * mass * boltzmann * reference) /
                          (2 * pi * diameter * diameter * (5 - 2 * omega) * (7 - 2 * omega));
  EXPECT_NEAR(expected, 2.117e-5, 0.003e-5) << "argon at 273 K, Pa s";
  EXPECT_NEAR(mass * viscosity(argon, boltzmann * reference / mass) / expected, 1, 1e-12);
  EXPECT_NEAR(mass * viscosity(argon, boltzmann * 400 / mass) / expected, std::pow(400. / 273, omega), 1e-12);
}

TEST(Viscosity, OfVariableSoftSpheresFollowsTheirScattering) {
  Molecules molecules{.model = MoleculeModel::vhs,
                      .diameter = 1,
                      .viscosity_exponent = 0.7,
                      .reference_temperature = 1,
                      .mass = boltzmann};
  const double isotropic = viscosity(molecules, 1);
  molecules.model = MoleculeModel::vss;
  molecules.scattering_exponent = 1.5;
  EXPECT_NEAR(viscosity(molecules, 1) / isotropic, (2.5 * 3.5 / (4 * 1.5)) / (2 * 3 / 4.), 1e-12);
}

TEST(MeanFreePaths, HaveTheirFactors) {
  const Molecules spheres{.model = MoleculeModel::hard_sphere, .diameter = 0.5}, maxwell{.rate = 3};
  const double n = 2, t = 4;
  const auto factor = [&](MeanFreePath definition, const Molecules& molecules) {
    return mean_free_path(definition, molecules, n, t) * n * std::sqrt(t) / viscosity(molecules, t);
  };
  EXPECT_NEAR(mean_free_path(MeanFreePath::hard_sphere, spheres, n, t), 1 / (std::sqrt(2) * pi * n * 0.25), 1e-6);
  EXPECT_NEAR(factor(MeanFreePath::hard_sphere, maxwell), 1.25647, 1e-5);
  EXPECT_NEAR(factor(MeanFreePath::bird, spheres), 1.27662, 1e-5);
  EXPECT_NEAR(factor(MeanFreePath::bird, maxwell), 0.79788, 1e-5);
  EXPECT_NEAR(factor(MeanFreePath::viscosity, maxwell), 1.25331, 1e-5);
}

TEST(MoleculesOfKnudsen, HaveThatKnudsenNumber) {
  for (const MoleculeModel model : {MoleculeModel::maxwell, MoleculeModel::hard_sphere})
    for (const MeanFreePath definition : {MeanFreePath::hard_sphere, MeanFreePath::bird, MeanFreePath::viscosity}) {
      const Molecules molecules = molecules_of_knudsen(model, definition, 0.3, 2, 5, 7);
      EXPECT_EQ(molecules.model, model);
      EXPECT_NEAR(mean_free_path(definition, molecules, 5, 7), 0.3 * 2, 1e-12);
    }
  const Molecules maxwell = molecules_of_knudsen(MoleculeModel::maxwell, MeanFreePath::hard_sphere, 0.1, 1, 1, 1);
  EXPECT_NEAR(maxwell.rate, 25.1295, 1e-3);
}

TEST(MoleculesOfKnudsen, RefusesWhatItCannotDetermine) {
  const auto message = [](MoleculeModel model, double knudsen, double density) {
    return message_of([=] { molecules_of_knudsen(model, MeanFreePath::bird, knudsen, 1, density, 1); });
  };
  EXPECT_EQ(message(MoleculeModel::vhs, 1, 1),
            "gas: a Knudsen number determines the molecules of maxwell and hard_sphere, got vhs. Give their diameter, "
            "mass and reference temperature instead.");
  EXPECT_EQ(message(MoleculeModel::maxwell, 0, 1), "gas: the Knudsen number is 0, expected a positive number.");
  EXPECT_EQ(message(MoleculeModel::maxwell, 1, -1), "gas: the density is -1 1/m3, expected a positive number.");
  EXPECT_EQ(message_of([] { viscosity({}, std::nan("")); }),
            "gas: the temperature is nan m2/s2, expected a positive number.");
}

}  // namespace
}  // namespace shoal::gas
