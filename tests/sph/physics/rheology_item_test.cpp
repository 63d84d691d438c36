// SPDX-License-Identifier: Apache-2.0
// Apparent viscosities, shear rates and the friction of pairs, against answers by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sph/physics/gradients/shear_rate_item.hpp"
#include "sph/physics/pairs/pair_item.hpp"
#include "sph/physics/rheologies/apparent_viscosity_physics.hpp"
#include "sph/physics/rheologies/rheologies.hpp"
#include "sph/physics/round_parameters.hpp"
#include "support/enumerators.hpp"

namespace shoal::sph {
namespace {

using testing_support::every;

FlowCurve<double> curve(const Rheology& rheology, double kinematic_viscosity = 0) {
  Material material;
  material.density = 2;
  material.kinematic_viscosity = kinematic_viscosity;
  material.rheology = rheology;
  return make_flow_curve<double>(herschel_bulkley_of(material), material.density);
}

TEST(ApparentViscosity, OfEveryModelByHand) {
  const FlowCurve<double> newtonian = curve({}, 3);
  EXPECT_EQ(apparent_viscosity(newtonian, 0.0), 6);
  EXPECT_EQ(apparent_viscosity(newtonian, 5.0), 6);
  EXPECT_EQ(newtonian.density, 2);

  const FlowCurve<double> thinning =
      curve({.model = RheologyModel::power_law, .consistency = 3, .exponent = 0.5, .most_viscosity = 30});
  EXPECT_DOUBLE_EQ(apparent_viscosity(thinning, 4.0), 1.5);
  EXPECT_EQ(apparent_viscosity(thinning, 0.0), 30);
  EXPECT_EQ(apparent_viscosity(thinning, 0.005), 30);  // 3/√0.005 = 42

  const FlowCurve<double> thickening =
      curve({.model = RheologyModel::power_law, .consistency = 3, .exponent = 1.5, .most_viscosity = 30});
  EXPECT_DOUBLE_EQ(apparent_viscosity(thickening, 4.0), 6);
  EXPECT_EQ(apparent_viscosity(thickening, 0.0), 0);
  EXPECT_EQ(apparent_viscosity(thickening, 1e6), 30);

  const FlowCurve<double> bingham =
      curve({.model = RheologyModel::bingham, .yield_stress = 10, .consistency = 2, .regularization = 0.5});
  EXPECT_DOUBLE_EQ(apparent_viscosity(bingham, 0.0), 7);
  EXPECT_NEAR(apparent_viscosity(bingham, 1e-9), 7, 1e-8);
  EXPECT_DOUBLE_EQ(apparent_viscosity(bingham, 2.0), 2 + 5 * (1 - std::exp(-1.0)));

  const FlowCurve<double> herschel_bulkley = curve({.model = RheologyModel::herschel_bulkley,
                                                    .yield_stress = 10,
                                                    .consistency = 2,
                                                    .exponent = 1.5,
                                                    .regularization = 0.5,
                                                    .most_viscosity = 9});
  EXPECT_DOUBLE_EQ(apparent_viscosity(herschel_bulkley, 4.0), 4 + 2.5 * (1 - std::exp(-2.0)));
  EXPECT_EQ(apparent_viscosity(herschel_bulkley, 400.0), 9);
}

TEST(ApparentViscosity, MembersOfOtherModelsDoNotCount) {
  Rheology rheology{.yield_stress = 10, .consistency = 2, .exponent = 3, .regularization = 1, .most_viscosity = 100};
  rheology.model = RheologyModel::power_law;
  EXPECT_DOUBLE_EQ(apparent_viscosity(curve(rheology), 0.5), 0.5);
  rheology.model = RheologyModel::bingham;
  EXPECT_DOUBLE_EQ(apparent_viscosity(curve(rheology), 2.0), 2 + 5 * (1 - std::exp(-2.0)));
}

TEST(ApparentViscosity, RegularizationGrowsIntoAYieldStress) {
  for (const double m : {1.0, 10.0, 100.0, 1000.0}) {
    const FlowCurve<double> bingham =
        curve({.model = RheologyModel::bingham, .yield_stress = 10, .consistency = 2, .regularization = m});
    EXPECT_DOUBLE_EQ(apparent_viscosity(bingham, 0.0), 2 + 10 * m);
    const double stress = 3 * apparent_viscosity(bingham, 3.0);
    EXPECT_NEAR(stress, 10 + 2 * 3, 10 * std::exp(-3 * m) + 1e-12);  // τ_y + K γ̇
    EXPECT_LE(stress, 10 + 2 * 3 + 1e-12);
  }
  const FlowCurve<double> none =
      curve({.model = RheologyModel::bingham, .yield_stress = 10, .consistency = 2, .regularization = 1e-12});
  EXPECT_NEAR(apparent_viscosity(none, 3.0), 2, 1e-10);  // without it the fluid is newtonian
}

TEST(ApparentViscosity, FloatsAgreeAtEveryShearRate) {
  for (const RheologyModel model : every<RheologyModel>()) {
    Material material;
    material.density = 1000;
    material.kinematic_viscosity = 1e-3;
    material.rheology = {.model = model,
                         .yield_stress = 10,
                         .consistency = 2,
                         .exponent = 0.5,
                         .regularization = 200,
                         .most_viscosity = 3000};
    const auto in_float = make_flow_curve<float>(herschel_bulkley_of(material), material.density);
    const auto in_double = make_flow_curve<double>(herschel_bulkley_of(material), material.density);
    for (const double rate : {0.0, 1e-30, 1e-12, 1e-3, 1.0, 1e3, 1e9}) {
      const double exact = apparent_viscosity(in_double, rate);
      EXPECT_NEAR(apparent_viscosity(in_float, static_cast<float>(rate)), exact, 1e-6 * exact)
          << to_name(model) << " at " << rate;
    }
  }
}

/// Fluid with ρ₀ = 1 and 2 kg/m³.
class ApparentPair : public testing::Test {
 protected:
  ApparentPair() {
    parameters_.walls = Walls::adami;
    parameters_.tables = &tables_;
    parameters_.model.kernel_scale = 1;
    parameters_.model.laminar = parameters_.model.no_slip = true;
    for (int k = 0; k < 2; ++k) {
      tables_.material[k].eos.density = k + 1;
      tables_.material[k].eos.inverse_density = 1.0 / (k + 1);
    }
  }

  static ViscousParticle<double, 2> particle(double x, double y, double u, double v, double viscosity, int material = 0,
                                             bool wall = false) {
    const Particle<double, 2> plain{{{2 * std::llround(512 * x) + wall, 2 * std::llround(512 * y)}, 0, 0}, {{u, v}}};
    return {{plain, {1, 1, 1, material}, plain.velocity}, viscosity};
  }
  double acceleration(const ViscousParticle<double, 2>& i, const ViscousParticle<double, 2>& j) const {
    ShiftingRates<double, 2> sums;
    add_pair<ApparentViscosityPhysics>(parameters_, i, j, sums);
    return sums.acceleration[1];
  }
  /// Shear rate of a particle at (2, 2) amid random others with a velocity of their positions.
  template <class Velocity>
  double shear_rate_of(const Velocity& velocity, double least_x = 0) const {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> pick(0.2, 3.8);
    const auto particle_at = [&](double x, double y) {
      const auto [u, v] =
          velocity(static_cast<double>(std::llround(512 * x)) / 512, static_cast<double>(std::llround(512 * y)) / 512);
      return particle(x, y, u, v, 1);
    };
    const auto center = particle_at(2, 2);
    VelocityGradientSums<double, 2> sums;
    for (int k = 0; k < 60; ++k) {
      const auto neighbor = particle_at(pick(random), pick(random));
      if (neighbor.position.x[0] < 1024 * least_x) continue;
      if (within_support<ApparentViscosityPhysics>(parameters_, center.position, neighbor.position))
        add_velocity_gradient<ApparentViscosityPhysics>(parameters_, center, neighbor, sums);
    }
    return shear_rate(sums);
  }

  Parameters<double, 2> parameters_ = round_parameters();
  ModelTables<double, 2> tables_{};
};

TEST_F(ApparentPair, TakesTheHarmonicMean) {
  // one apart along x: F = −5/8, r²/(r² + 0.01) = 1/1.01; v_ij = 4 along y
  const double factor = -0.625 / 1.01 * 4;
  EXPECT_DOUBLE_EQ(acceleration(particle(2, 1, 0, 4, 3), particle(1, 1, 0, 0, 3)), factor * 2 * 3);
  EXPECT_DOUBLE_EQ(acceleration(particle(2, 1, 0, 4, 1), particle(1, 1, 0, 0, 3)), factor * 2 * 1.5);
  EXPECT_EQ(acceleration(particle(2, 1, 0, 4, 0), particle(1, 1, 0, 0, 3)), 0);
  EXPECT_EQ(acceleration(particle(2, 1, 0, 4, 0), particle(1, 1, 0, 0, 0)), 0);
}

TEST_F(ApparentPair, HasOneForceOnBothFluids) {
  parameters_.model.several_fluids = true;
  const auto light = particle(2, 1, 0, 4, 1), heavy = particle(1, 1, 0, 0, 3, 1);
  EXPECT_DOUBLE_EQ(acceleration(light, heavy), -0.625 / 1.01 * 4 * 2 * 1.5 / 2);  // 1/(ρ_i ρ_j) = 1/2
  EXPECT_DOUBLE_EQ(acceleration(light, heavy), -acceleration(heavy, light));
}

TEST_F(ApparentPair, BesideAWallHasTheViscosityOfTheFluid) {
  const auto fluid = particle(2, 1, 0, 4, 3), wall = particle(1, 1, 0, 0, 0, 0, true);
  const double r = 1023.0 / 1024;  // walls are on odd units
  const double gradient = -5 * std::pow(1 - r / 2, 3);
  EXPECT_NEAR(acceleration(fluid, wall), gradient * r * r / (r * r + 0.01) * 4 * 2 * 3, 1e-12);
  EXPECT_DOUBLE_EQ(acceleration(fluid, wall), -acceleration(wall, fluid));
  parameters_.model.no_slip = false;
  EXPECT_EQ(acceleration(fluid, wall), 0);
}

TEST_F(ApparentPair, EqualViscositiesAreNewtonian) {
  tables_.material[0].kinematic_viscosity = 3;
  for (const double deviation : {0.0, 0.1, -0.2}) {
    auto i = particle(2, 1, 0, 4, 3), j = particle(1, 1, 1, 0, 3);
    i.position.density = deviation;
    ShiftingRates<double, 2> newtonian;
    add_pair<GeneralPhysics>(parameters_, i, j, newtonian);
    EXPECT_NEAR(acceleration(i, j), newtonian.acceleration[1], 1e-14);
    EXPECT_NE(newtonian.acceleration[1], 0);
  }
}

TEST_F(ApparentPair, ShearRatesOfLinearFlowsAreExact) {
  const double s = 0.7;
  for (const double least_x : {0.0, 2.0}) {  // amid fluid, and at a surface
    EXPECT_NEAR(shear_rate_of([&](double, double y) { return std::pair(s * y, 1.0); }, least_x), s, 1e-12);
    EXPECT_NEAR(shear_rate_of([&](double x, double y) { return std::pair(s * x, -s * y); }, least_x), 2 * s, 1e-12);
    EXPECT_NEAR(shear_rate_of([&](double x, double y) { return std::pair(-s * y, s * x); }, least_x), 0, 1e-12);
  }
}

TEST_F(ApparentPair, ALoneNeighborNeedsNoInverse) {
  VelocityGradientSums<double, 2> sums;
  add_velocity_gradient<ApparentViscosityPhysics>(parameters_, particle(2, 1, 0, 4, 1), particle(1, 1, 0, 0, 1), sums);
  EXPECT_DOUBLE_EQ(shear_rate(sums), 0.625 * 4);  // ∂v/∂x alone: √(2 · 2 · (2.5/2)²)
  EXPECT_EQ(shear_rate(VelocityGradientSums<double, 2>()), 0);
}

TEST_F(ApparentPair, WallsCountForShearRatesWithoutSlipAlone) {
  VelocityGradientSums<double, 2> held, slipping;
  const auto fluid = particle(2, 1, 0, 4, 1), wall = particle(1, 1, 0, 0, 0, 0, true);
  add_velocity_gradient<ApparentViscosityPhysics>(parameters_, fluid, wall, held);
  parameters_.model.no_slip = false;
  add_velocity_gradient<ApparentViscosityPhysics>(parameters_, fluid, wall, slipping);
  EXPECT_GT(shear_rate(held), 2);
  EXPECT_EQ(shear_rate(slipping), 0);
}

}  // namespace
}  // namespace shoal::sph
