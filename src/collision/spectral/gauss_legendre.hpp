// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

namespace shoal {

struct QuadraturePoint {
  double x;
  double weight;
};

/// Points and weights on [0, length] that integrate polynomials of degree 2 count − 1 exactly: Newton's method for the
/// zeros of Legendre's polynomial.
inline std::vector<QuadraturePoint> gauss_legendre(int count, double length) {
  std::vector<QuadraturePoint> points;
  for (int k = 0; k < count; ++k) {
    double t = std::cos(std::numbers::pi * (k + 0.75) / (count + 0.5));
    double slope = 1;
    for (int step = 0; step < 20; ++step) {
      double below = 1, here = t;
      for (int l = 2; l <= count; ++l) {
        const double above = ((2 * l - 1) * t * here - (l - 1) * below) / l;
        below = here;
        here = above;
      }
      slope = count * (t * here - below) / (t * t - 1);
      const double change = here / slope;
      t -= change;
      if (std::abs(change) < 1e-15) break;
    }
    points.push_back({length * (1 - t) / 2, length / ((1 - t * t) * slope * slope)});
  }
  return points;
}

}  // namespace shoal
