// SPDX-License-Identifier: Apache-2.0
#include "sph/physics/equations_of_state/equations_of_state.hpp"

#include <gtest/gtest.h>

#include "sph/setup/parameters.hpp"

#include "sph/sph_cases.hpp"

namespace shoal::sph {
namespace {

Material mercury() {
  Material material;
  material.name = "mercury";
  material.density = 13540;
  material.sound_speed = 1490;
  material.equation_of_state = EquationOfState::polynomial;
  material.compression = {30e9, 90e9, 160e9};
  material.tension = {20e9, 5e9};
  material.energy = {1.96, 3};
  return material;
}

TEST(Tait, EquationEightByHand) {
  const auto eos = make_eos<double>(testing_support::water());
  // ρ c²/7 ((1.01)⁷ − 1), 1.01⁷ = 1.07213535210701
  EXPECT_NEAR(pressure(eos, 10.0, 0.0), 1000 * 2500 / 7.0 * 0.07213535210701, 1e-6);
  EXPECT_EQ(pressure(eos, 0.0, 0.0), 0);
  EXPECT_LT(pressure(eos, -1.0, 0.0), 0);
}

TEST(Tait, AnyExponentAgreesWithThePower) {
  Material material = testing_support::water();
  material.exponent = 7.15;
  const auto eos = make_eos<double>(material);
  EXPECT_NEAR(pressure(eos, 10.0, 0.0), 1000 * 2500 / 7.15 * (std::pow(1.01, 7.15) - 1), 1e-6);
}

TEST(Tait, FloatKeepsItsDigitsNearTheReference) {
  const auto eos = make_eos<float>(testing_support::water(1490));
  const double deviation = 1e-3;  // p = c² deviation to first order, 2220 Pa
  EXPECT_NEAR(pressure(eos, static_cast<float>(deviation), 0.0f), 1490.0 * 1490 * deviation * (1 + 3 * 1e-6), 1e-3);
}

TEST(Tait, DeviationInvertsPressure) {
  const auto eos = make_eos<double>(testing_support::water());
  for (const double p : {-500.0, 0.0, 1.0, 9810.0, 2e5})
    EXPECT_NEAR(pressure(eos, density_deviation_at(eos, p), 0.0), p, 1e-9 * (1000 + std::abs(p)));
}

TEST(Polynomial, CompressionTensionAndHeatByHand) {
  const auto eos = make_eos<double>(mercury());
  const double mu = 0.01;
  EXPECT_NEAR(pressure(eos, 135.4, 0.0), 30e9 * mu + 90e9 * mu * mu + 160e9 * mu * mu * mu, 1);
  EXPECT_NEAR(pressure(eos, -135.4, 0.0), -20e9 * mu + 5e9 * mu * mu, 1);
  EXPECT_NEAR(pressure(eos, 0.0, 100.0), 1.96 * 13540 * 100, 1e-6);
  EXPECT_NEAR(pressure(eos, 135.4, 100.0) - pressure(eos, 135.4, 0.0), (1.96 + 3 * mu) * 13540 * 100, 1e-4);
  EXPECT_NEAR(pressure(eos, -135.4, 100.0) - pressure(eos, -135.4, 0.0), 1.96 * 13540 * 100, 1e-4);
}

Material other_mercury(EquationOfState kind) {
  Material material = mercury();
  material.equation_of_state = kind;
  material.grueneisen = 1.96;
  material.hugoniot_slope = 2.047;
  return material;
}

TEST(Linear, StiffnessAndHeatByHand) {
  const auto eos = make_eos<double>(other_mercury(EquationOfState::linear));
  EXPECT_NEAR(pressure(eos, 135.4, 0.0), 13540 * 1490.0 * 1490 * 0.01, 1e-3);
  EXPECT_NEAR(pressure(eos, -135.4, 200.0), -13540 * 1490.0 * 1490 * 0.01 + 1.96 * 13540 * 200, 1e-3);
}

TEST(MieGrueneisen, LiesOnTheHugoniot) {
  // a shock that pushes the liquid to speed v runs at U = c + s v: p = ρ₀ U v, μ = v/(U − v), u = v²/2
  const auto eos = make_eos<double>(other_mercury(EquationOfState::mie_grueneisen));
  for (const double v : {1.0, 50.0, 300.0}) {
    const double shock = 1490 + 2.047 * v;
    const double p = 13540 * shock * v;
    EXPECT_NEAR(pressure(eos, 13540 * v / (shock - v), v * v / 2), p, 1e-9 * p) << v;
  }
}

TEST(MieGrueneisen, FollowsTheSmallPolynomialOfItsHugoniot) {
  // a₁ = ρ₀c², a₂ = ρ₀c²(1 + 2(s − 1)), b₀ = b₁ = Γ: the standard conversion, exact to second order where it is cold
  const auto eos = make_eos<double>(other_mercury(EquationOfState::mie_grueneisen));
  const double bulk = 13540 * 1490.0 * 1490, mu = 1e-3;
  EXPECT_NEAR(pressure(eos, 13540 * mu, 0.0), bulk * mu * (1 + mu * (1 + 2 * 1.047 - 1.96 / 2)), bulk * 5e-8);
}

TEST(MieGrueneisen, HasAPole) {
  const auto eos = make_eos<double>(other_mercury(EquationOfState::mie_grueneisen));
  EXPECT_TRUE(in_range(eos, 13540 * 0.99 / 1.047, 0.0));
  EXPECT_FALSE(in_range(eos, 13540 * 1.01 / 1.047, 0.0));
  EXPECT_FALSE(in_range(eos, -13541.0, 0.0));
}

TEST(IdealGas, ByHand) {
  Material air;
  air.density = 1;
  air.equation_of_state = EquationOfState::ideal_gas;
  air.exponent = 1.4;
  const auto eos = make_eos<double>(air);
  EXPECT_NEAR(pressure(eos, 0.0, 2.5), 1, 1e-14);
  EXPECT_NEAR(pressure(eos, -0.875, 2.0), 0.1, 1e-14);
  EXPECT_NEAR(sound_speed_squared(eos, 0.0, 2.5), 1.4, 1e-14);  // γ p/ρ
  EXPECT_FALSE(in_range(eos, 0.0, -0.1));
}

TEST(EquationOfState, SoundIsTheSlopeAlongAnIsentrope) {
  // along du = p dρ/ρ²: dp/dρ = c²
  for (const EquationOfState kind : {EquationOfState::tait, EquationOfState::polynomial, EquationOfState::linear,
                                     EquationOfState::mie_grueneisen, EquationOfState::ideal_gas})
    for (const double deviation : {-300.0, 20.0, 1500.0}) {
      Material material = other_mercury(kind);
      material.exponent = 1.4;
      const auto eos = make_eos<double>(material);
      const double u = 2000, step = 1e-3;
      const double density = eos.density + deviation;
      const double gain = pressure(eos, deviation, u) / (density * density) * step;
      const double slope =
          (pressure(eos, deviation + step, u + gain) - pressure(eos, deviation - step, u - gain)) / (2 * step);
      EXPECT_NEAR(sound_speed_squared(eos, deviation, u), slope, 1e-5 * std::abs(slope))
          << to_name(kind) << ", " << deviation;
    }
}

TEST(EquationOfState, SoundAtRestIsTheSoundSpeedOfTheCase) {
  for (const EquationOfState kind : {EquationOfState::tait, EquationOfState::linear, EquationOfState::mie_grueneisen})
    EXPECT_NEAR(sound_speed_squared(make_eos<double>(other_mercury(kind)), 0.0, 0.0), 1490.0 * 1490, 1e-6);
}

TEST(EquationOfState, TearsAtTheLeastPressure) {
  Material material = testing_support::water();
  material.least_pressure = -1000;
  const auto eos = make_eos<double>(material);
  EXPECT_EQ(pressure(eos, -10.0, 0.0), -1000);
  EXPECT_GT(pressure(eos, -0.1, 0.0), -1000);
  EXPECT_EQ(pressure(eos, 1.0, 0.0), pressure(make_eos<double>(testing_support::water()), 1.0, 0.0));
}

TEST(Stress, IsPressureOverDensitySquared) {
  const auto eos = make_eos<double>(testing_support::water());
  EXPECT_DOUBLE_EQ(pressure_over_density2(eos, 250.0, 3.0), 3.0 / (1250.0 * 1250.0));
}

}  // namespace
}  // namespace shoal::sph
