// SPDX-License-Identifier: Apache-2.0
// Motions of a piston for bound waves: no free waves beside them, the flux of a group, the phases of its waves, and the path of a
// wavemaker.
#include "sph/waves/second_order/bound_strokes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <utility>
#include <vector>

#include "sph/waves/evanescent_modes.hpp"
#include "sph/waves/gravity.hpp"
#include "sph/waves/paddles.hpp"

namespace shoal::sph {
namespace {

using std::numbers::pi;
using testing_support::g;

WaveComponent wave(double amplitude, double omega, double phase, double depth) {
  return {amplitude, omega, wave_number(2 * pi / omega, depth, g), phase};
}

/// Elevation of the long wave bound to two waves of nearly the same frequency, over the product of their amplitudes:
/// −g (2n − 1/2)/(g d − c²), with the group speed c = n ω/k (Longuet-Higgins and Stewart 1964).
double bound_elevation(double depth, double group_speed, double phase_speed) {
  return -g * (2 * group_speed / phase_speed - 0.5) / (g * depth - group_speed * group_speed);
}

// Over the length of a group nothing is stored beside the paddle: it moves the water of the bound wave, d dX/dt = c η.
TEST(BoundStrokes, MoveTheWaterOfTheGroup) {
  for (const double depth : {0.5, 2.0})
    for (const double kd : {0.3, 0.8, 1.5, 2.5}) {
      const double k = kd / depth, omega = std::sqrt(g * k * std::tanh(kd)), apart = 1e-3 * omega;
      const double group_speed = omega / k * (0.5 + kd / std::sinh(2 * kd)), a = 0.01 * depth, b = 0.02 * depth;
      const BoundStrokes bound({wave(a, omega + apart / 2, 0, depth), wave(b, omega - apart / 2, 0, depth)}, depth, g);
      const std::complex<double> flux = std::complex<double>(0, 1) * apart * depth * bound.difference(0, 1);
      const double expected = group_speed * bound_elevation(depth, group_speed, omega / k) * a * b;
      EXPECT_NEAR(flux.real() / expected, 1, 0.002) << "kd = " << kd << ", " << depth << " m";
      EXPECT_NEAR(flux.imag() / expected, 0, 0.002);
    }
}

TEST(BoundStrokes, HaveThePhaseOfTheGroup) {
  const double depth = 0.7;
  const auto stroke = [&](double first, double second) {
    return BoundStrokes({wave(0.01, 4.2, first, depth), wave(0.02, 3.5, second, depth)}, depth, g).difference(0, 1);
  };
  const std::complex<double> turned = std::polar(1.0, -(0.7 - 0.2)) * stroke(0, 0);
  EXPECT_NEAR(std::abs(stroke(0.7, 0.2) - turned), 0, 1e-12 * std::abs(turned));
}

TEST(BoundStrokes, GrowWithBothAmplitudesAndScaleWithTheDepth) {
  const BoundStrokes waves({wave(0.01, 4.2, 0, 0.7), wave(0.02, 3.5, 0, 0.7), wave(0.03, 3.5, 0, 0.7)}, 0.7, g);
  EXPECT_NEAR(std::abs(waves.difference(0, 2) / waves.difference(0, 1)), 1.5, 1e-12);
  const double longer = 4, slower = 1 / std::sqrt(longer);  // Froude
  const BoundStrokes scaled(
      {wave(0.01 * longer, 4.2 * slower, 0, 0.7 * longer), wave(0.02 * longer, 3.5 * slower, 0, 0.7 * longer)},
      0.7 * longer, g);
  EXPECT_NEAR(std::abs(scaled.difference(0, 1) / (longer * waves.difference(0, 1))), 1, 1e-9);
}

using Number = std::complex<double>;

/// A wave with the modes beside the paddle, as complex amplitudes of e^{iωt}; of negative frequency for differences.
struct Modes {
  double omega;
  Number stroke;
  std::vector<Number> wave_number, potential;
};

Modes modes_of(const WaveComponent& wave, double depth, int sign) {
  constexpr int count = 40;
  const Number i{0, 1};
  const double omega = wave.angular_frequency;
  Modes modes{omega, -i * wave.amplitude / paddle_transfer(Paddle::piston, wave.wave_number * depth), {}, {}};
  for (int j = 0; j < count; ++j) {
    const Number kappa = j == 0 ? wave.wave_number : -i * evanescent_wave_number(omega, j, depth, g);
    // Condition iωX = Φ_x at the paddle, projected on the mode: −iκ a ∫ cosh² = iωX ∫ cosh · cosh κd.
    const Number cosh = std::cosh(kappa * depth), whole = std::sinh(kappa * depth) / kappa;
    const Number squared = depth / 2 + std::sinh(2.0 * kappa * depth) / (4.0 * kappa);
    modes.wave_number.push_back(sign > 0 ? kappa : -std::conj(kappa));
    modes.potential.push_back(-omega * modes.stroke / kappa * whole * cosh / squared);
    if (sign < 0) modes.potential.back() = std::conj(modes.potential.back());
  }
  if (sign < 0) modes.omega = -omega, modes.stroke = std::conj(modes.stroke);
  return modes;
}

/// ∫ cosh κ(z + d)/cosh κd · cosh k(z + d)/cosh kd dz over the depth, by the rule of Simpson.
Number overlap(Number kappa, double k, double depth) {
  constexpr int parts = 800;
  Number sum = 0;
  for (int part = 0; part <= parts; ++part) {
    const double z = depth * part / parts, weight = part == 0 || part == parts ? 1 : part % 2 == 1 ? 4 : 2;
    sum += weight * std::cosh(kappa * z) / std::cosh(kappa * depth) * std::cosh(k * z) / std::cosh(k * depth);
  }
  return sum * depth / (3.0 * parts);
}

/// Free wave that leaves a piston of first order, as the projection of what the condition at its place lacks on that wave: the
/// flux of the bound waves of `count` modes, and of the first order at the displaced paddle. Zero with the motion, less iωX times
/// the projection of 1.
Number lack(const Modes& one, const Modes& two, std::size_t count, double depth, double k) {
  const Number i{0, 1};
  const double w1 = one.omega, w2 = two.omega, w = w1 + w2;
  Number sum = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const Number k1 = one.wave_number[j], k2 = two.wave_number[j];
    sum += 0.5 * one.stroke * k2 * k2 * two.potential[j] * overlap(k2, k, depth) +
           0.5 * two.stroke * k1 * k1 * one.potential[j] * overlap(k1, k, depth);
    for (std::size_t l = 0; l < count; ++l) {
      const Number ka = one.wave_number[j], kb = two.wave_number[l], both = ka + kb;
      // The potential of the bound wave, whose elevation −iω φ/g is ω H/(g D) in bound_elevation().
      const Number product = g * g * ka * kb / (w1 * w2);
      const Number h = w * (w1 * w2 - product) + (w1 * w1 * w1 - g * g * ka * ka / w1) / 2.0 +
                       (w2 * w2 * w2 - g * g * kb * kb / w2) / 2.0;
      const Number first = -i * w1 * one.potential[j] / g, second = -i * w2 * two.potential[l] / g;
      const Number potential = i * first * second * h / (g * both * std::tanh(both * depth) - w * w);
      sum += i * both * potential * overlap(both, k, depth);
    }
  }
  return sum;
}

// The exact theory of second order: with the motion, nothing is left of the free wave.
TEST(BoundStrokes, LeaveNoFreeWaves) {
  const double depth = 0.7;
  const WaveComponent one = wave(0.01, 4.2, 0, depth), two = wave(0.02, 3.5, 0, depth);
  const BoundStrokes bound({one, two}, depth, g);
  for (const int sign : {1, -1}) {
    const Modes first = modes_of(one, depth, 1), second = modes_of(two, depth, sign);
    const double omega = first.omega + second.omega, k = wave_number(2 * pi / omega, depth, g);
    const Number lacking = 2.0 * lack(first, second, 40, depth, k) - lack(first, second, 20, depth, k);
    const Number stroke = sign > 0 ? bound.sum(0, 1) : bound.difference(0, 1);
    const Number left = lacking + Number(0, omega) * stroke * overlap(0, k, depth);
    EXPECT_LT(std::abs(left), 0.005 * std::abs(lacking)) << (sign > 0 ? "sum" : "difference");
  }
}

TEST(BoundStrokes, ASumOfALongWaveWithItselfIsTheTermOfMadsen) {
  const double depth = 0.5;
  for (const double kd : {0.2, 0.4}) {
    const double k = kd / depth, omega = std::sqrt(g * k * std::tanh(kd)), height = 0.02;
    const double madsen = height * height / (32 * depth) *
                          (3 * std::cosh(kd) / std::pow(std::sinh(kd), 3) - 2 / paddle_transfer(Paddle::piston, kd));
    const Number stroke = BoundStrokes({wave(height / 2, omega, 0, depth)}, depth, g).sum(0, 0);
    EXPECT_NEAR(-stroke.imag() / madsen, 1, kd * kd / 4) << "sin 2ωt";
    EXPECT_NEAR(stroke.real() / madsen, 0, 0.01);
  }
}

/// Displacement of a piston along x at a knot of its path.
double displacement(const Motion& motion, std::size_t knot) { return motion.path->knots()[knot].value[0]; }

TEST(BoundStrokes, AddToTheMotionOfAWavemaker) {
  Wavemaker maker{.waves = Waves::irregular, .depth = 0.7, .period = 1.6, .height = 0.08, .components = 2};
  maker.frequencies = {0.9, 1.1};
  const Vector gravity{0, -g, 0};
  const Motion first = wavemaker_motion(maker, gravity, 30);
  maker.order = 2;
  const Motion second = wavemaker_motion(maker, gravity, 30);
  const auto waves = wave_components(maker, g);
  const BoundStrokes bound(waves, maker.depth, g);
  const std::complex<double> stroke = bound.difference(1, 0);
  const double omega = waves[1].angular_frequency - waves[0].angular_frequency;
  EXPECT_GT(std::abs(stroke), 1e-4);
  const auto of_sums = [&](double time) {
    double way = 0;
    for (const auto& [i, j] : {std::pair<std::size_t, std::size_t>{0, 0}, {1, 0}, {1, 1}}) {
      const double both = waves[i].angular_frequency + waves[j].angular_frequency;
      way += (bound.sum(i, j) * std::polar(1.0, both * time)).real();
    }
    return way;
  };
  const auto& knots = first.path->knots();
  ASSERT_EQ(second.path->knots().size(), knots.size());
  EXPECT_EQ(displacement(second, 0), 0);
  for (std::size_t k = 0; k < knots.size(); ++k) {
    if (knots[k].time < 1.6) continue;  // the ramp
    const double expected =
        (stroke * std::polar(1.0, omega * knots[k].time)).real() - stroke.real() + of_sums(knots[k].time);
    EXPECT_NEAR(displacement(second, k) - displacement(first, k), expected, 1e-12);
  }
}

}  // namespace
}  // namespace shoal::sph
