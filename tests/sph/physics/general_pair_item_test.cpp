// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/pairs/pair_item.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sph/physics/round_parameters.hpp"
#include "sph/sph_cases.hpp"

namespace shoal::sph {
namespace {

/// Two fluids of ρ₀ = 1 and 2 kg/m³ with linear equations of state.
class GeneralPair : public testing::Test {
 protected:
  GeneralPair() {
    parameters_.walls = Walls::adami;
    parameters_.tables = &tables_;
    choices_.kernel_scale = 1;
    for (int k = 0; k < 2; ++k) {
      tables_.material[k].eos.density = k + 1;
      tables_.material[k].kinematic_viscosity = 0.5;
      tables_.material[k].density_over_head = k + 1;
    }
  }

  /// x in m; even numbers of units, so fluid.
  static GeneralParticle<double, 2> particle(double x, double u, double v, double deviation, double stress,
                                             int material = 0, double mass = 1) {
    const Particle<double, 2> plain{{{static_cast<std::int64_t>(1024 * x), 1024}, deviation, stress}, {{u, v}}};
    return {plain, {mass, 1, 1, material}, plain.velocity};
  }
  ShiftingRates<double, 2> rates(const GeneralParticle<double, 2>& i, const GeneralParticle<double, 2>& j) const {
    ShiftingRates<double, 2> sums;
    add_pair<GeneralPhysics>(parameters_, i, j, sums);
    return sums;
  }

  Parameters<double, 2> parameters_ = round_parameters();
  ModelTables<double, 2> tables_{};
  PairModel<double>& choices_ = parameters_.model;
};

TEST_F(GeneralPair, OneFluidIsThePapersForm) {
  const auto got = rates(particle(2, 0.5, 0, 0, 2), particle(1, 0.25, 0.5, 0, 3));  // q = 1, slope −5/8
  EXPECT_DOUBLE_EQ(got.density, -0.625 * 0.25);
  EXPECT_DOUBLE_EQ(got.acceleration[0], 5 * 0.625);
  EXPECT_DOUBLE_EQ(got.heating, 0.5 * 5 * -0.625 * 0.25);
}

TEST_F(GeneralPair, SeveralFluidsSumVolumes) {
  choices_.several_fluids = true;
  // ρ = 1 with p = 2 beside ρ = 2 with p = 3 (stress 3/4), mass 2, approach 0.25
  const auto got = rates(particle(2, 0.5, 0, 0, 2), particle(1, 0.25, 0, 0, 0.75, 1, 2));
  EXPECT_DOUBLE_EQ(got.density, 2 * -0.625 * (1.0 / 2) * 0.25);        // ρ_i V_j v_ij·∇W
  EXPECT_DOUBLE_EQ(got.acceleration[0], -(2 + 3) / 2.0 * 2 * -0.625);  // −m_j (p_i + p_j)/(ρ_i ρ_j) ∇W
  EXPECT_DOUBLE_EQ(got.heating, 2 * -0.625 * 2 / 2.0 * 0.25);          // m_j p_i/(ρ_i ρ_j) v_ij·∇W
}

TEST_F(GeneralPair, LaminarViscosityByHand) {
  choices_.laminar = true;
  const auto got = rates(particle(2, 0, 1, 0, 0), particle(1, 0, 0, 0, 0));
  // m (η + η)/(ρ ρ) F r²/(r² + 0.01 h²) v, η = 0.5
  EXPECT_DOUBLE_EQ(got.acceleration[1], -0.625 / 1.01);
  EXPECT_EQ(got.acceleration[0], 0);
  EXPECT_DOUBLE_EQ(got.heating, 0.5 * 0.625 / 1.01);  // half of the work that friction does
}

TEST_F(GeneralPair, MonaghansFrictionActsAlongTheLineBetweenTwoParticles) {
  choices_.laminar = choices_.central_friction = true;
  const auto got = rates(particle(2, 1, 3, 0, 0), particle(1, 0, 0, 0, 0));
  // 4 m (η + η)/(ρ ρ) F v·x/(r² + 0.01 h²) x, η = 0.5, of the velocity along x alone
  EXPECT_DOUBLE_EQ(got.acceleration[0], 4 * -0.625 / 1.01);
  EXPECT_EQ(got.acceleration[1], 0);
  EXPECT_DOUBLE_EQ(got.heating, 0.5 * 4 * 0.625 / 1.01);
}

TEST_F(GeneralPair, SeveralFluidsHaveTheHarmonicMeanOfTheirViscosities) {
  choices_.laminar = true;
  choices_.several_fluids = true;
  // η = 0.5 beside η = 1, ρ = 1 beside 2: m (4/3)/(ρ_i ρ_j) F r²/(r² + 0.01 h²) v
  const double expected = 4.0 / 3 / 2 * -0.625 / 1.01;
  EXPECT_DOUBLE_EQ(rates(particle(2, 0, 1, 0, 0), particle(1, 0, 0, 0, 0, 1)).acceleration[1], expected);
  EXPECT_DOUBLE_EQ(rates(particle(2, 0, 1, 0, 0, 1), particle(1, 0, 0, 0, 0)).acceleration[1], expected);
  for (MaterialParameters<double>& material : tables_.material) material.kinematic_viscosity = 0;
  EXPECT_EQ(rates(particle(2, 0, 1, 0, 0), particle(1, 0, 0, 0, 0, 1)).acceleration[1], 0);
}

TEST_F(GeneralPair, LaminarViscosityActsAtWallsWithoutSlipOnly) {
  choices_.laminar = true;
  auto wall = particle(1, 0, 0, 0, 0);
  wall.position.x[0] |= 1;
  wall.viscous_velocity = {{0, -1}};  // mirrored
  EXPECT_EQ(rates(particle(2, 0, 1, 0, 0), wall).acceleration[1], 0);
  choices_.no_slip = true;
  EXPECT_NEAR(rates(particle(2, 0, 1, 0, 0), wall).acceleration[1], 2 * -0.625 / 1.01, 4e-3);
}

TEST_F(GeneralPair, QuadraticViscosityByHand) {
  choices_.artificial = 0.5;
  choices_.quadratic = 2;
  const double mu = -1 / 1.01;                     // h v·x/(r² + 0.01 h²)
  const double damping = -0.5 * mu + 2 * mu * mu;  // ρ̄ = 1
  EXPECT_DOUBLE_EQ(rates(particle(2, -1, 0, 0, 0), particle(1, 0, 0, 0, 0)).acceleration[0], damping * 0.625);
  EXPECT_EQ(rates(particle(2, 1, 0, 0, 0), particle(1, 0, 0, 0, 0)).acceleration[0], 0);
}

TEST_F(GeneralPair, FourtakasLeavesHydrostaticWaterAlone) {
  choices_.diffusion = DensityDiffusion::fourtakas;
  choices_.diffusion_coefficient = 0.1;
  parameters_.gravity[0] = -0.25;  // c² = 1: ρ falls by 0.25 kg/m³ a meter upwards, along x
  EXPECT_DOUBLE_EQ(rates(particle(2, 0, 0, -0.25, 0), particle(1, 0, 0, 0, 0)).density, 0);
  choices_.diffusion = DensityDiffusion::molteni;
  // 2 (ρ_i − ρ_j)/(ρ_i + ρ_j) 2 δ h c slope
  EXPECT_DOUBLE_EQ(rates(particle(2, 0, 0, -0.25, 0), particle(1, 0, 0, 0, 0)).density,
                   -0.625 * 2 * -0.25 / 1.75 * 0.2);
}

TEST_F(GeneralPair, DensityDoesNotDiffuseFromOneFluidIntoAnother) {
  choices_.several_fluids = true;
  choices_.diffusion = DensityDiffusion::molteni;
  choices_.diffusion_coefficient = 0.1;
  EXPECT_EQ(rates(particle(2, 0, 0, 0.5, 0), particle(1, 0, 0, 0, 0, 1)).density, 0);
  EXPECT_NE(rates(particle(2, 0, 0, 0.5, 0), particle(1, 0, 0, 0, 0, 0)).density, 0);
}

TEST_F(GeneralPair, SumsForShiftingByHand) {
  choices_.several_fluids = true;
  choices_.shifting = 2;
  const auto got = rates(particle(2, 0, 0, 0, 0), particle(1, 0, 0, 0, 0, 1, 3));  // V = 3/2
  EXPECT_DOUBLE_EQ(got.concentration[0], 1.5 * -0.625);                            // V F x_ij
  EXPECT_DOUBLE_EQ(got.divergence, 1.5 * 0.625);                                   // −V F r²
}

TEST_F(GeneralPair, TheNearestImageCounts) {
  parameters_.period[0] = 8 * 1024;
  const auto across = rates(particle(0.5, 0.5, 0, 0, 2), particle(7.5, 0.25, 0, 0, 3));  // 1 m apart through the end
  const auto beside = rates(particle(2, 0.5, 0, 0, 2), particle(1, 0.25, 0, 0, 3));
  EXPECT_EQ(across.acceleration[0], beside.acceleration[0]);
  EXPECT_EQ(across.density, beside.density);
}

TEST_F(GeneralPair, TakesTheMeanOfBothSmoothingLengths) {
  choices_.variable_smoothing_length = true;
  auto i = particle(2, 0, 0, 0, 2);
  auto j = particle(1, 0, 0, 0, 3);
  j.properties.smoothing_length = 2;
  // F = ½ (slope(1) + slope(1/2)/2⁴) with −5 (1 − q/2)³
  const double slope = (-0.625 + -5 * 0.421875 / 16) / 2;
  EXPECT_DOUBLE_EQ(rates(i, j).acceleration[0], -5 * slope);
  EXPECT_DOUBLE_EQ(rates(j, i).acceleration[0], 5 * slope);
}

TEST_F(GeneralPair, KeepsMomentumAndEnergyForEveryChoice) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> pick(-1, 1);
  parameters_.gravity[0] = 0.3;
  choices_.artificial = 0.5;
  choices_.quadratic = 1;
  choices_.laminar = true;
  choices_.diffusion_coefficient = 0.1;
  for (int trial = 0; trial < 2000; ++trial) {
    choices_.several_fluids = trial % 2;
    choices_.variable_smoothing_length = trial / 2 % 2;
    choices_.diffusion = static_cast<DensityDiffusion>(trial / 4 % 4);
    parameters_.kernel = static_cast<Kernel>(trial / 16 % 4);
    choices_.central_friction = trial / 64 % 2;
    const auto make = [&] {
      auto one = particle(std::floor(512 * (2 + pick(random))) / 512, pick(random), pick(random), 0.1 * pick(random),
                          pick(random), choices_.several_fluids ? random() % 2 : 0, 1.5 + pick(random));
      one.properties.smoothing_length = 1 + 0.3 * pick(random);
      return one;
    };
    const auto i = make(), j = make();
    const auto of_i = rates(i, j), of_j = rates(j, i);
    double work = 0, scale = 0;  // of the pair forces
    for (int axis = 0; axis < 2; ++axis) {
      const double on_i = i.properties.mass * of_i.acceleration[axis],
                   on_j = j.properties.mass * of_j.acceleration[axis];
      EXPECT_NEAR(on_i, -on_j, 1e-13 * (std::abs(on_i) + 1));
      work += on_i * i.velocity.v[axis] + on_j * j.velocity.v[axis];
      scale += std::abs(on_i) + std::abs(on_j);
    }
    EXPECT_NEAR(work + i.properties.mass * of_i.heating + j.properties.mass * of_j.heating, 0, 1e-13 * (scale + 1));
  }
}

TEST_F(GeneralPair, AParticleAddsExactlyNothingToItself) {
  choices_.laminar = choices_.several_fluids = choices_.variable_smoothing_length = true;
  choices_.artificial = 1;
  choices_.shifting = 2;
  choices_.diffusion = DensityDiffusion::fourtakas;
  choices_.diffusion_coefficient = 0.1;
  const auto self = particle(2, 0.3, -0.7, 0.1, 12.25);
  const auto got = rates(self, self);
  EXPECT_EQ(got.density, 0);
  EXPECT_EQ(got.heating, 0);
  EXPECT_EQ(got.divergence, 0);
  for (int axis = 0; axis < 2; ++axis) {
    EXPECT_EQ(got.acceleration[axis], 0);
    EXPECT_EQ(got.concentration[axis], 0);
  }
}

}  // namespace
}  // namespace shoal::sph
