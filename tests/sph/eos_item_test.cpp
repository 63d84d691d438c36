// SPDX-License-Identifier: Apache-2.0
#include "sph/eos_item.hpp"

#include <gtest/gtest.h>

#include "sph_cases.hpp"

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
    EXPECT_NEAR(pressure(eos, deviation_at(eos, p), 0.0), p, 1e-9 * (1000 + std::abs(p)));
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

TEST(Stress, IsPressureOverDensitySquared) {
  const auto eos = make_eos<double>(testing_support::water());
  EXPECT_DOUBLE_EQ(stress_of(eos, 250.0, 3.0), 3.0 / (1250.0 * 1250.0));
}

}  // namespace
}  // namespace shoal::sph
