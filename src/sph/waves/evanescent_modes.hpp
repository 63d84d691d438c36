// SPDX-License-Identifier: Apache-2.0
// Modes of the water that stay beside a piston.
#pragma once
#include <cmath>
#include <numbers>

namespace shoal::sph {

/// Wave number κ of mode j = 1, 2, ... beside a paddle, rad/m: ω² = −g κ tan κd with κd between (j − ½)π and jπ.
inline double evanescent_wave_number(double omega, int j, double depth, double gravity) {
  constexpr double pi = std::numbers::pi;
  double low = (j - 0.5) * pi, high = j * pi;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (-gravity / depth * middle * std::tan(middle) > omega * omega ? low : high) = middle;
  }
  return (low + high) / (2 * depth);
}

/// Elevation of these modes at a distance from a piston over its displacement: E of AbsorptionState.
/// @param period    s
/// @param depth     m
/// @param gravity   m/s²
/// @param distance  m, positive: modes beyond exp(−κD) = 1e-16 are left out
inline double beside_piston(double period, double depth, double gravity, double distance) {
  constexpr double negligible = 37;  // −log 1e-16
  const double omega = 2 * std::numbers::pi / period;
  double sum = 0;
  for (int j = 1;; ++j) {
    const double kappa = evanescent_wave_number(omega, j, depth, gravity);
    if (kappa * distance > negligible) return sum;
    const double q = kappa * depth, sine = std::sin(q);
    sum += 4 * sine * sine / (2 * q + std::sin(2 * q)) * std::exp(-kappa * distance);
  }
}

}  // namespace shoal::sph
