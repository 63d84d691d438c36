// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>

namespace shoal::collision {

/// Spherical Bessel function j_l(x), x ≥ 0. From j_0 and j_1 upwards where that is stable, x > l; by its power series below.
inline double spherical_bessel(int l, double x) {
  if (x > l) {
    const double zeroth = std::sin(x) / x;
    double lower = zeroth, value = (zeroth - std::cos(x)) / x;  // j_k−1 and j_k
    if (l == 0) return zeroth;
    for (int k = 1; k < l; ++k) {
      const double higher = (2 * k + 1) / x * value - lower;
      lower = value;
      value = higher;
    }
    return value;
  }
  double term = 1;
  for (int k = 1; k <= l; ++k) term *= x / (2 * k + 1);
  double sum = term;
  for (int k = 1; std::abs(term) > 1e-17 * std::abs(sum); ++k) {
    term *= -x * x / (2 * k * (2 * l + 2 * k + 1));
    sum += term;
  }
  return sum;
}

}  // namespace shoal::collision
