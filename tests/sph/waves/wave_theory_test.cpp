// SPDX-License-Identifier: Apache-2.0
// Dispersion, transfer functions and sums of waves against closed limits and numbers computed by hand.
#include <gtest/gtest.h>
#include <shoal/sph/waves.hpp>

#include <cmath>
#include <numbers>

#include "sph/waves/gravity.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using std::numbers::pi;
using testing_support::g;
using testing_support::message_of;

TEST(WaveNumber, SolvesTheDispersionRelationToRounding) {
  for (const double depth : {1e-3, 0.1, 0.5, 3.0, 4000.0})
    for (const double period : {0.05, 0.7, 2.0, 15.0, 1000.0}) {
      const double k = wave_number(period, depth, g), omega = 2 * pi / period;
      EXPECT_NEAR(g * k * std::tanh(k * depth) / (omega * omega), 1, 4e-15) << depth << " m, " << period << " s";
    }
}

TEST(WaveNumber, HasTheLimitsOfDeepAndShallowWater) {
  EXPECT_NEAR(wave_number(1, 100, g), 4 * pi * pi / g, 1e-14) << "k = omega^2/g";
  // ω² = g k² d (1 − (kd)²/3 + ...), so that k is ω/√(gd) (1 + (kd)²/6).
  const double k = wave_number(100, 0.5, g), long_wave = 2 * pi / 100 / std::sqrt(g * 0.5);
  EXPECT_NEAR(k / long_wave, 1 + std::pow(long_wave * 0.5, 2) / 6, 1e-7);
}

TEST(WaveNumber, HasTabulatedValues) {
  EXPECT_NEAR(wave_number(1.3, 0.266, g), 3.34675, 5e-6);
  EXPECT_NEAR(wave_number(2, 0.5, g), 1.548946, 5e-7);
  EXPECT_NEAR(wave_number(2, 0.66, g), 1.388958, 5e-7);
}

TEST(WaveNumber, NamesBadNumbers) {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_NE(message_of([&] { wave_number(bad, 1, g); }).find("has no wave number"), std::string::npos);
    EXPECT_NE(message_of([&] { wave_number(1, bad, g); }).find("has no wave number"), std::string::npos);
    EXPECT_NE(message_of([&] { wave_number(1, 1, bad); }).find("has no wave number"), std::string::npos);
    EXPECT_NE(message_of([&] { paddle_transfer(Paddle::flap, bad); }).find("paddle_transfer"), std::string::npos);
  }
}

TEST(PaddleTransfer, IsTheFormulaOfBiesel) {
  for (double q = 0.1; q < 15; q += 0.1) {
    const double below = std::sinh(2 * q) + 2 * q;
    EXPECT_NEAR(paddle_transfer(Paddle::piston, q), 2 * (std::cosh(2 * q) - 1) / below, 1e-13) << q;
    EXPECT_NEAR(paddle_transfer(Paddle::flap, q), 4 * std::sinh(q) / q * (q * std::sinh(q) - std::cosh(q) + 1) / below,
                1e-12)
        << q;
  }
}

TEST(PaddleTransfer, HasTheLimitsOfDeepAndShallowWater) {
  EXPECT_NEAR(paddle_transfer(Paddle::piston, 1e-3), 1e-3, 1e-9) << "the volume that the piston displaces";
  EXPECT_NEAR(paddle_transfer(Paddle::flap, 1e-3), 1e-3 / 2, 1e-9) << "half of it";
  for (const double q : {50.0, 1e4}) {
    EXPECT_NEAR(paddle_transfer(Paddle::piston, q), 2, 1e-12);
    EXPECT_NEAR(paddle_transfer(Paddle::flap, q), 2 * (1 - 1 / q), 1e-12);
  }
}

TEST(PaddleTransfer, HasTabulatedValues) {
  EXPECT_NEAR(paddle_transfer(Paddle::piston, 0.75), 0.74528, 5e-6);
  EXPECT_NEAR(paddle_transfer(Paddle::piston, 2), 1.68158, 5e-6);
  EXPECT_NEAR(paddle_transfer(Paddle::flap, 0.75), 0.38918, 5e-6);
  EXPECT_NEAR(paddle_transfer(Paddle::flap, 2), 1.04124, 5e-6);
}

double elevation(const std::vector<WaveComponent>& waves, double x, double time) {
  double sum = 0;
  for (const WaveComponent& wave : waves)
    sum += wave.amplitude * std::cos(wave.wave_number * x - wave.angular_frequency * time + wave.phase);
  return sum;
}

double significant_height(const std::vector<WaveComponent>& waves) {
  double variance = 0;
  for (const WaveComponent& wave : waves) variance += wave.amplitude * wave.amplitude / 2;
  return 4 * std::sqrt(variance);
}

Wavemaker sea() { return {.waves = Waves::irregular, .depth = 0.7, .period = 1.6, .height = 0.08}; }

TEST(WaveSum, ARegularWaveHasItsHeightPeriodAndPhase) {
  const auto waves = wave_components({.depth = 0.5, .period = 2, .height = 0.06, .phase = 60}, g);
  ASSERT_EQ(waves.size(), 1U);
  EXPECT_NEAR(elevation(waves, 0, 0), 0.03 * 0.5, 1e-15) << "cos(60 degrees)";
  EXPECT_NEAR(elevation(waves, 0, 2.0 / 6), 0.03, 1e-15) << "a sixth of a period later";
  EXPECT_EQ(waves[0].wave_number, wave_number(2, 0.5, g));
}

TEST(WaveSum, ASeaHasItsSignificantHeight) {
  for (const Spectrum spectrum : {Spectrum::jonswap, Spectrum::pierson_moskowitz})
    for (const int components : {1, 7, 100, 1000}) {
      Wavemaker wavemaker = sea();
      wavemaker.spectrum = spectrum;
      wavemaker.components = components;
      const auto waves = wave_components(wavemaker, g);
      EXPECT_EQ(waves.size(), static_cast<std::size_t>(components));
      EXPECT_NEAR(significant_height(waves), 0.08, 1e-14) << to_name(spectrum) << ", " << components;
    }
}

TEST(WaveSum, TheVarianceOfASeaOverTimeIsThatOfItsSpectrum) {
  const auto waves = wave_components(sea(), g);
  double sum = 0, squares = 0;
  constexpr int count = 200'000;
  for (int i = 0; i < count; ++i) {
    const double eta = elevation(waves, 0, 0.2 * i);
    sum += eta;
    squares += eta * eta;
  }
  EXPECT_NEAR(4 * std::sqrt(squares / count) / 0.08, 1, 0.01);
  EXPECT_NEAR(sum / count, 0, 1e-5);
}

/// Energies of a spectrum over their sum, of the components within a range of frequencies.
double share_of_energy(const std::vector<WaveComponent>& waves, double period, double low, double high) {
  double total = 0, within = 0;
  for (const WaveComponent& wave : waves) {
    const double x = wave.angular_frequency * period / (2 * pi), energy = wave.amplitude * wave.amplitude;
    total += energy;
    if (x > low && x < high) within += energy;
  }
  return within / total;
}

TEST(WaveSum, APiersonMoskowitzSeaHasTheEnergiesOfItsIntegral) {
  Wavemaker wavemaker = sea();
  wavemaker.spectrum = Spectrum::pierson_moskowitz;
  wavemaker.frequencies = {0.5, 5};
  wavemaker.components = 10'000;
  const auto waves = wave_components(wavemaker, g);
  // The integral of x⁻⁵ exp(−5/4 x⁻⁴) is exp(−5/4 x⁻⁴)/5.
  const auto integral = [](double x) { return std::exp(-1.25 * std::pow(x, -4)) / 5; };
  const double total = integral(5) - integral(0.5);
  for (const auto& [low, high] : {std::pair{0.5, 1.0}, {0.9, 1.2}, {2.0, 5.0}})
    EXPECT_NEAR(share_of_energy(waves, wavemaker.period, low, high), (integral(high) - integral(low)) / total, 1e-3);
}

TEST(WaveSum, JonswapIsHigherAtItsPeakByTheEnhancement) {
  // Above γ = 1 energies grow by γ at the peak and by γ^exp(−1/2) one σ from it, 7 % below and 9 % above.
  Wavemaker wavemaker = sea();
  wavemaker.components = 10'000;
  const auto energy_at = [&](double x, double gamma) {
    wavemaker.peak_enhancement = gamma;
    double far = 0, near = 0;
    for (const WaveComponent& wave : wave_components(wavemaker, g)) {
      const double place = wave.angular_frequency * wavemaker.period / (2 * pi), energy = std::pow(wave.amplitude, 2);
      if (std::abs(place - x) < 2e-3) near += energy;
      if (std::abs(place - 2.5) < 2e-3) far += energy;
    }
    return near / far;
  };
  const auto gain = [&](double x) { return energy_at(x, 3.3) / energy_at(x, 1); };
  EXPECT_NEAR(gain(1), 3.3, 0.02);
  EXPECT_NEAR(gain(0.93), std::pow(3.3, std::exp(-0.5)), 0.05);
  EXPECT_NEAR(gain(1.09), std::pow(3.3, std::exp(-0.5)), 0.05);
}

TEST(WaveSum, ASeaFollowsFromItsSeed) {
  Wavemaker wavemaker = sea();
  const auto one = wave_components(wavemaker, g), again = wave_components(wavemaker, g);
  wavemaker.seed = 2;
  const auto second = wave_components(wavemaker, g);
  int same = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].phase, again[i].phase);
    EXPECT_EQ(one[i].angular_frequency, again[i].angular_frequency);
    same += one[i].phase == second[i].phase;
  }
  EXPECT_EQ(same, 0);
}

TEST(WaveSum, CrestsOfAGroupMeetAtTheFocus) {
  const Wavemaker group{
      .waves = Waves::focused, .depth = 0.5, .period = 1.4, .crest = 0.05, .focus_time = 12, .focus_length = 6};
  const auto waves = wave_components(group, g);
  EXPECT_NEAR(elevation(waves, 6, 12), 0.05, 1e-14);
  for (const double later : {-3.0, -0.4, 0.3, 2.0}) EXPECT_LT(elevation(waves, 6, 12 + later), 0.049);
  EXPECT_LT(std::abs(elevation(waves, 0, 12)), 0.025);
}

}  // namespace
}  // namespace shoal::sph
