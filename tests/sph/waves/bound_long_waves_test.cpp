// SPDX-License-Identifier: Apache-2.0
// Motions of a piston for bound long waves: the flux of a group, the phases of its waves, and the path of a wavemaker.
#include "sph/waves/second_order/bound_long_waves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sph/waves/paddles.hpp"

namespace shoal::sph {
namespace {

constexpr double pi = std::numbers::pi, g = 9.81;

WaveComponent wave(double amplitude, double omega, double phase, double depth) {
  return {amplitude, omega, wave_number(2 * pi / omega, depth, g), phase};
}

/// Elevation of the long wave bound to two waves of nearly the same frequency, over the product of their amplitudes:
/// −g (2n − 1/2)/(g d − c²), with the group speed c = n ω/k (Longuet-Higgins and Stewart 1964).
double bound_elevation(double depth, double group_speed, double phase_speed) {
  return -g * (2 * group_speed / phase_speed - 0.5) / (g * depth - group_speed * group_speed);
}

// Over the length of a group nothing is stored beside the paddle: it moves the water of the bound wave, d dX/dt = c η.
TEST(BoundLongWaves, MoveTheWaterOfTheGroup) {
  for (const double depth : {0.5, 2.0})
    for (const double kd : {0.3, 0.8, 1.5, 2.5}) {
      const double k = kd / depth, omega = std::sqrt(g * k * std::tanh(kd)), apart = 1e-3 * omega;
      const double group_speed = omega / k * (0.5 + kd / std::sinh(2 * kd)), a = 0.01 * depth, b = 0.02 * depth;
      const BoundLongWaves bound({wave(a, omega + apart / 2, 0, depth), wave(b, omega - apart / 2, 0, depth)}, depth,
                                 g);
      const std::complex<double> flux = std::complex<double>(0, 1) * apart * depth * bound.stroke(0, 1);
      const double expected = group_speed * bound_elevation(depth, group_speed, omega / k) * a * b;
      EXPECT_NEAR(flux.real() / expected, 1, 0.002) << "kd = " << kd << ", " << depth << " m";
      EXPECT_NEAR(flux.imag() / expected, 0, 0.002);
    }
}

TEST(BoundLongWaves, HaveThePhaseOfTheGroup) {
  const double depth = 0.7;
  const auto stroke = [&](double first, double second) {
    return BoundLongWaves({wave(0.01, 4.2, first, depth), wave(0.02, 3.5, second, depth)}, depth, g).stroke(0, 1);
  };
  const std::complex<double> turned = std::polar(1.0, -(0.7 - 0.2)) * stroke(0, 0);
  EXPECT_NEAR(std::abs(stroke(0.7, 0.2) - turned), 0, 1e-12 * std::abs(turned));
}

TEST(BoundLongWaves, GrowWithBothAmplitudesAndScaleWithTheDepth) {
  const BoundLongWaves waves({wave(0.01, 4.2, 0, 0.7), wave(0.02, 3.5, 0, 0.7), wave(0.03, 3.5, 0, 0.7)}, 0.7, g);
  EXPECT_NEAR(std::abs(waves.stroke(0, 2) / waves.stroke(0, 1)), 1.5, 1e-12);
  const double longer = 4, slower = 1 / std::sqrt(longer);  // Froude
  const BoundLongWaves scaled(
      {wave(0.01 * longer, 4.2 * slower, 0, 0.7 * longer), wave(0.02 * longer, 3.5 * slower, 0, 0.7 * longer)},
      0.7 * longer, g);
  EXPECT_NEAR(std::abs(scaled.stroke(0, 1) / (longer * waves.stroke(0, 1))), 1, 1e-9);
}

/// Displacement of a piston along x at a knot of its path.
double displacement(const Motion& motion, std::size_t knot) { return motion.path->knots()[knot].value[0]; }

TEST(BoundLongWaves, AddToTheMotionOfAWavemaker) {
  Wavemaker maker{.waves = Waves::irregular, .depth = 0.7, .period = 1.6, .height = 0.08, .components = 2};
  maker.frequencies = {0.9, 1.1};
  const Vector gravity{0, -g, 0};
  const Motion first = wavemaker_motion(maker, gravity, 30);
  maker.order = 2;
  const Motion second = wavemaker_motion(maker, gravity, 30);
  const auto waves = wave_components(maker, g);
  const std::complex<double> stroke = BoundLongWaves(waves, maker.depth, g).stroke(1, 0);
  const double omega = waves[1].angular_frequency - waves[0].angular_frequency;
  EXPECT_GT(std::abs(stroke), 1e-4);
  const auto& knots = first.path->knots();
  ASSERT_EQ(second.path->knots().size(), knots.size());
  EXPECT_EQ(displacement(second, 0), 0);
  for (std::size_t k = 0; k < knots.size(); ++k) {
    if (knots[k].time < 1.6) continue;  // the ramp
    const double expected = (stroke * std::polar(1.0, omega * knots[k].time)).real() - stroke.real();
    EXPECT_NEAR(displacement(second, k) - displacement(first, k), expected, 1e-12);
  }
}

}  // namespace
}  // namespace shoal::sph
