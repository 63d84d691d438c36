// SPDX-License-Identifier: Apache-2.0
// Active absorption by theory: what comes back from a paddle, the elevation that it wants, and every bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/sph.hpp>

#include <cmath>
#include <functional>
#include <numbers>

#include "sph/sph_cases.hpp"
#include "sph/waves/absorption/absorption.hpp"
#include "sph/waves/absorption/wanted_elevation.hpp"
#include "sph/waves/evanescent_modes.hpp"
#include "sph/waves/gravity.hpp"
#include "sph/waves/paddle_message.hpp"
#include "sph/waves/second_order/bound_waves.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using std::numbers::pi;
using testing::HasSubstr;

/// Period of a wave of this kd in a depth of 1 m, s.
double period_of(double kd) { return 2 * pi / std::sqrt(g * kd * std::tanh(kd)); }

TEST(Absorption, NothingOfAWaveOfItsPeriodComesBack) {
  for (const double kd : {0.25, 0.8, 1.5, 2.5})
    for (const double distance : {0.02, 0.1, 0.3}) {
      const Wavemaker wavemaker{.depth = 1, .period = period_of(kd), .height = 0.1};
      const AbsorptionControl control = absorption_control(wavemaker, g, distance);
      EXPECT_NEAR(std::abs(reflection_of(control, wavemaker.period, 1, g, distance)), 0, 1e-12)
          << kd << ' ' << distance;
    }
}

// The coefficients of a gauge on the paddle without a delay: 2.9 % with G = ω/m and 6.6 % with √(g/d) at kd = 1, ...
TEST(Absorption, WithoutADelayTheModesBesideThePaddleComeBack) {
  constexpr double distance = 1e-3;
  const auto reflection = [&](double kd, bool is_long) {
    const double period = period_of(kd), omega = 2 * pi / period;
    const double gain = is_long ? std::sqrt(g) : omega / paddle_transfer(Paddle::piston, kd);
    return std::abs(reflection_of({gain, 0, 0}, period, 1, g, distance));
  };
  EXPECT_NEAR(reflection(0.5, false), 0.005, 1e-3);
  EXPECT_NEAR(reflection(1, false), 0.029, 1e-3);
  EXPECT_NEAR(reflection(1.5, false), 0.074, 1e-3);
  EXPECT_NEAR(reflection(0.5, true), 0.020, 1e-3);
  EXPECT_NEAR(reflection(1, true), 0.066, 1e-3);
  EXPECT_NEAR(reflection(2, true), 0.168, 1e-3);
}

TEST(Absorption, NoWaveGrowsThatIsLongerThanFourGaugeDistances) {
  for (const double kd : {0.4, 1.0, 2.0}) {
    const Wavemaker wavemaker{.depth = 1, .period = period_of(kd), .height = 0.1};
    constexpr double distance = 0.15;
    const AbsorptionControl control = absorption_control(wavemaker, g, distance);
    for (double long_kd = 0.02; long_kd < pi / 2 / distance; long_kd *= 1.1)
      EXPECT_LT(std::abs(reflection_of(control, period_of(long_kd), 1, g, distance)), 1) << kd << ' ' << long_kd;
  }
}

TEST(Absorption, ThePaddleFollowsTheExcessWithItsDelay) {
  const AbsorptionParameters paddle{.movement = 0,
                                    .direction = {1, 0, 0},
                                    .gauge = {},
                                    .gain = 3,
                                    .delay = 0.2,
                                    .return_rate = 0.05,
                                    .wanted = {},
                                    .spacing = 0.01};
  const auto level = [&](double depth) { return std::llround(depth / level_unit(paddle)); };
  const AbsorptionState start = state_after(paddle, nullptr, {}, level(0.5), 0, 1e-3);
  EXPECT_NEAR(start.still_level, 0.5, 1e-12) << "the first level is that of still water";
  EXPECT_EQ(start.velocity, 0);
  EXPECT_EQ(start.displacement, 0);
  const AbsorptionState now{.displacement = 0.01, .velocity = 0.1, .acceleration = 0, .still_level = 0.5};
  const AbsorptionState next = state_after(paddle, nullptr, now, level(0.52), 7, 0.004);
  const double wanted = -(3 * 0.02 + 0.05 * 0.01), velocity = wanted + (0.1 - wanted) * std::exp(-0.004 / 0.2);
  EXPECT_NEAR(next.velocity, velocity, 1e-12);
  EXPECT_NEAR(next.acceleration, (velocity - 0.1) / 0.004, 1e-9);
  EXPECT_NEAR(next.displacement, 0.01 + 0.004 * (0.1 + velocity) / 2, 1e-14);
  EXPECT_EQ(next.still_level, 0.5);
}

TEST(Absorption, TheModesBesideAPistonSumToTheirFormula) {
  // Without a wave, as ω goes to 0, κ_j = jπ/d and all modes vanish; the first one at kd = 1: κ_1 d = 2.7984, c = 0.0917.
  EXPECT_NEAR(beside_piston(1e4, 1, g, 0.01), 0, 1e-6);
  const double kappa = evanescent_wave_number(2 * pi / period_of(1), 1, 1, g);
  EXPECT_NEAR(kappa * std::tan(kappa), -std::tanh(1.0), 1e-9);
  const double first = 4 * std::pow(std::sin(kappa), 2) / (2 * kappa + std::sin(2 * kappa)) * std::exp(-kappa * 2);
  EXPECT_NEAR(beside_piston(period_of(1), 1, g, 2), first, 0.01 * first);
}

TEST(BoundWaves, ASumOfAWaveWithItselfIsTheHarmonicOfStokes) {
  for (const double kd : {0.4, 1.0, 2.0}) {
    const WaveComponent wave{0.01, 2 * pi / period_of(kd), kd, 0};
    const double coth = 1 / std::tanh(kd);
    EXPECT_NEAR(bound_elevation(wave, wave, 1, 1, g) / 2, kd / 4 * (3 * coth * coth * coth - coth), 1e-9);
  }
}

TEST(BoundWaves, ADifferenceOfNearFrequenciesIsTheSetDownOfAGroup) {
  for (const double kd : {0.4, 1.0, 2.0}) {
    const double omega = 2 * pi / period_of(kd), near = omega * (1 - 1e-5), speed = omega / kd;
    const double group = speed * (0.5 + kd / std::sinh(2 * kd));
    const WaveComponent wave{0.01, omega, kd, 0}, other{0.01, near, wave_number(2 * pi / near, 1, g), 0};
    const double expected = -g * (2 * group / speed - 0.5) / (g - group * group);  // Longuet-Higgins and Stewart 1964
    EXPECT_NEAR(bound_elevation(wave, other, -1, 1, g) / expected, 1, 1e-4);
  }
}

/// Wanted elevation at a time and its derivative along x, and their rates by the path.
motion::PathState wanted_at(const Wavemaker& wavemaker, double distance, double time) {
  std::vector<PathKnot> knots;
  const Motion motion = wanted_elevation(wavemaker, {0, -g, 0}, distance, 20);
  const motion::PathRange range = motion::append_path(motion, knots);
  return motion::path_at(knots.data(), range, time);
}

TEST(WantedElevation, IsThatOfTheoryAtAGaugeThatMovesWithThePaddle) {
  Wavemaker wavemaker{.depth = 0.5, .period = 2, .height = 0.05, .phase = 40, .ramp = 0};
  const double k = wave_number(2, 0.5, g), a = 0.025, stroke = a / paddle_transfer(Paddle::piston, 0.5 * k);
  const double phase = 40 * pi / 180, distance = 0.1;
  const auto theory = [&](double time, double e) {
    return a * std::cos(k * (distance + e) - pi * time + phase) +
           stroke * beside_piston(2, 0.5, g, distance) * std::sin(pi * time - phase);
  };
  for (const double time : {1.0, 3.3, 17.17}) {
    const double e = wavemaker_motion(wavemaker, {0, -g, 0}, 20).at(time).apply({})[0];
    const motion::PathState wanted = wanted_at(wavemaker, distance, time);
    EXPECT_NEAR(wanted.value[0], theory(time, e), 1e-7);
    EXPECT_NEAR(wanted.value[1], (theory(time, e + 1e-5) - theory(time, e - 1e-5)) / 2e-5, 1e-7);
    const motion::PathState later = wanted_at(wavemaker, distance, time + 1e-5);
    EXPECT_NEAR((later.value[0] - wanted.value[0]) / 1e-5, wanted.rate[0], 1e-5);
  }
  wavemaker.order = 2;
  const double coth = 1 / std::tanh(0.5 * k), second = k * a * a / 4 * (3 * coth * coth * coth - coth);
  const double e = wavemaker_motion(wavemaker, {0, -g, 0}, 20).at(3.3).apply({})[0];
  const double angle = k * (distance + e) - pi * 3.3 + phase;
  EXPECT_NEAR(wanted_at(wavemaker, distance, 3.3).value[0], theory(3.3, e) + second * std::cos(2 * angle), 1e-7);
}

TEST(WantedElevation, GrowsWithTheRamp) {
  Wavemaker wavemaker{.depth = 0.5, .period = 2, .height = 0.05};
  const double full = [&] {
    Wavemaker without = wavemaker;
    without.ramp = 0;
    return wanted_at(without, 0.1, 12).value[0];
  }();
  EXPECT_EQ(wanted_at(wavemaker, 0.1, 0).value[0], 0);
  EXPECT_NEAR(wanted_at(wavemaker, 0.1, 12).value[0], full, 1e-9);
}

TEST(WantedElevation, HasTheWavesBoundToEachTwo) {
  Wavemaker wavemaker{
      .waves = Waves::irregular, .order = 2, .depth = 0.7, .period = 1.6, .height = 0.08, .components = 2};
  wavemaker.frequencies = {0.9, 1.1};
  const auto waves = wave_components(wavemaker, g);
  constexpr double time = 9, distance = 0.1;
  const double x = distance + wavemaker_motion(wavemaker, {0, -g, 0}, 20).at(time).apply({})[0];
  const auto angle = [&](const WaveComponent& wave) {
    return wave.wave_number * x - wave.angular_frequency * time + wave.phase;
  };
  double expected = 0;
  for (const WaveComponent& wave : waves) {
    const double stroke = wave.amplitude / paddle_transfer(Paddle::piston, 0.7 * wave.wave_number);
    expected += wave.amplitude * std::cos(angle(wave)) +
                stroke * beside_piston(2 * pi / wave.angular_frequency, 0.7, g, distance) *
                    std::sin(wave.angular_frequency * time - wave.phase);
    expected += bound_elevation(wave, wave, 1, 0.7, g) / 2 * std::pow(wave.amplitude, 2) * std::cos(2 * angle(wave));
  }
  const double product = waves[0].amplitude * waves[1].amplitude;
  const double difference = bound_elevation(waves[1], waves[0], -1, 0.7, g) * product;
  EXPECT_GT(std::abs(difference), 1e-4);
  expected += difference * std::cos(angle(waves[1]) - angle(waves[0]));
  expected += bound_elevation(waves[1], waves[0], 1, 0.7, g) * product * std::cos(angle(waves[1]) + angle(waves[0]));
  EXPECT_NEAR(wanted_at(wavemaker, distance, time).value[0], expected, 1e-7);
}

std::string message_of_absorber(const std::function<void(Case&, Wavemaker&)>& spoil) {
  return message_with([&](Case& simulation, Wavemaker& wavemaker) {
    wavemaker.absorption_gauge = Vector{0.1, 0.5, 0};
    spoil(simulation, wavemaker);
  });
}

TEST(AbsorptionCheck, EveryBadValueIsNamed) {
  EXPECT_EQ(message_of_absorber([](Case&, Wavemaker&) {}), "no error");
  EXPECT_EQ(message_of_absorber([](Case&, Wavemaker& w) { w.height = 0; }), "no error") << "a paddle may absorb only";
  EXPECT_THAT(message_of_absorber([](Case&, Wavemaker& w) { w.height = -1; }), HasSubstr("wavemaker.height = -1 m"));
  EXPECT_THAT(message_of_absorber([](Case&, Wavemaker& w) { w.paddle = Paddle::flap; }),
              HasSubstr("wavemaker.absorption_gauge is given with paddle = \"flap\", expected a piston"));
  EXPECT_THAT(message_of_absorber([](Case& c, Wavemaker& w) {
                const Wavemaker again = w;
                c.wavemakers.push_back(again);
              }),
              HasSubstr("wall \"paddle\" has several wavemakers, one with absorption, expected only that one"));
  EXPECT_THAT(message_of_absorber([](Case&, Wavemaker& w) {
                w.absorption_gauge = Vector{0.03, 0.5, 0};
              }),
              HasSubstr("wavemaker.absorption_gauge is 0.03 m in front of the paddle, expected 0.04 m"));
  EXPECT_THAT(message_of_absorber([](Case&, Wavemaker& w) {
                w.absorption_gauge = Vector{0.9, 0.5, 0};
              }),
              HasSubstr("to 0.83005"));
  EXPECT_THAT(message_of_absorber([](Case&, Wavemaker& w) {
                w.absorption_gauge = Vector{0.1, std::nan(""), 0};
              }),
              HasSubstr("wavemaker.absorption_gauge has the component nan m"));
  EXPECT_THAT(message_of_absorber([](Case& c, Wavemaker& w) {
                c.scheme.gravity = {9.81, 0, 0};
                w.direction = {0, 1, 0};
              }),
              HasSubstr("expected it along the last axis"));
}

TEST(AbsorptionCheck, ASnapshotOfAnotherCaseIsRefused) {
  Case simulation = dam_break(1);
  Snapshot start = Solver(Queue::cpu(1), simulation).snapshot();
  start.absorption.resize(1);
  EXPECT_THAT(message_of([&] { Solver(Queue::cpu(1), simulation, start); }),
              HasSubstr("the snapshot has 1 wavemakers with absorption, the case 0"));
}

}  // namespace
}  // namespace shoal::sph
