// SPDX-License-Identifier: Apache-2.0
// Elevation of the waves that are bound to each two waves of a sum, by second-order theory.
#pragma once
#include <shoal/sph/waves.hpp>

#include <cmath>

namespace shoal::sph {

/// Amplitude of the wave bound to two waves, over the product of their amplitudes, 1/m: its elevation is that times
/// a_1 a_2 cos(θ_1 + θ_2), or cos(θ_1 − θ_2) for a difference. With (ω_2, k_2) = −(ω_2, k_2) for a difference,
/// ω = ω_1 + ω_2 and k = k_1 + k_2:
///
///     B = (ω H/(g k tanh kd − ω²) − L)/g
///     H = ω (ω_1 ω_2 − g² k_1 k_2/(ω_1 ω_2)) + ½ (ω_1³ − g² k_1²/ω_1) + ½ (ω_2³ − g² k_2²/ω_2)
///     L = ½ (g² k_1 k_2/(ω_1 ω_2) − ω_1 ω_2 − ω_1² − ω_2²)
///
/// The sum of a wave with itself counts half: then it is the second harmonic of Stokes.
/// @param sign  1: sum; −1: difference of two waves of different frequencies
/// Source: Longuet-Higgins 1963; Sharma and Dean 1981; in this form Schäffer, Ocean Eng. 23 (1996) 47.
inline double bound_elevation(const WaveComponent& first, const WaveComponent& second, int sign, double depth,
                              double g) {
  const double w1 = first.angular_frequency, w2 = sign * second.angular_frequency, w = w1 + w2;
  const double k1 = first.wave_number, k2 = sign * second.wave_number, k = k1 + k2;
  const double both = g * g * k1 * k2 / (w1 * w2);
  const double h =
      w * (w1 * w2 - both) + (w1 * w1 * w1 - g * g * k1 * k1 / w1) / 2 + (w2 * w2 * w2 - g * g * k2 * k2 / w2) / 2;
  const double l = (both - w1 * w2 - w1 * w1 - w2 * w2) / 2;
  return (w * h / (g * k * std::tanh(k * depth) - w * w) - l) / g;
}

}  // namespace shoal::sph
