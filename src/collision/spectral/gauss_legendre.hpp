// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

namespace shoal::collision {

struct QuadraturePoint {
  double x;
  double weight;
};

/// Gauss-Legendre points and weights on [0, length]: exact for polynomials of degree 2 count − 1. Newton's method finds
/// the zeros of the Legendre polynomial.
inline std::vector<QuadraturePoint> gauss_legendre(int count, double length) {
  std::vector<QuadraturePoint> points;
  for (int k = 0; k < count; ++k) {
    double t = std::cos(std::numbers::pi * (k + 0.75) / (count + 0.5));
    double derivative = 1;
    for (int step = 0; step < 20; ++step) {
      double previous = 1, legendre = t;  // P_l−1 and P_l
      for (int l = 2; l <= count; ++l) {
        const double next = ((2 * l - 1) * t * legendre - (l - 1) * previous) / l;
        previous = legendre;
        legendre = next;
      }
      derivative = count * (t * legendre - previous) / (t * t - 1);
      const double change = legendre / derivative;
      t -= change;
      if (std::abs(change) < 1e-15) break;
    }
    points.push_back({length * (1 - t) / 2, length / ((1 - t * t) * derivative * derivative)});
  }
  return points;
}

}  // namespace shoal::collision
