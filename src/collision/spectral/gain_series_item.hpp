// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

#include <cstdint>

namespace shoal::collision {

/// Number of even terms of the series of an anisotropic factor, for directions that integrate polynomials of a degree: l up
/// to half the degree, so that P_l times a product's harmonics of the same degree is summed exactly.
constexpr int series_terms(int degree) { return degree / 4 + 1; }

/// Factor F(k, n) of a radius: Σ_l coefficient_l(|k|²) P_l(n·k/|k|), l = 0, 2, ...
struct GainSeries {
  const double* coefficients;  ///< [terms][squares]
  int terms;
  int squares;

  /// @param square  |k|²
  /// @param along   n·k
  SHOAL_HD double operator()(int square, double along) const {
    double sum = coefficients[square];
    if (terms == 1 || square == 0) return sum;
    const double cosine2 = along * along / square;
    double lower = 1, legendre = (3 * cosine2 - 1) / 2;  // P_l−2 and P_l
    for (int term = 1; term < terms; ++term) {
      sum += coefficients[static_cast<std::int64_t>(term) * squares + square] * legendre;
      const double higher = next(2 * term, cosine2, lower, legendre);
      lower = legendre;
      legendre = higher;
    }
    return sum;
  }

 private:
  /// P_l+2 from P_l−2 and P_l, by the recurrence of every degree twice.
  SHOAL_HD static double next(int l, double cosine2, double lower, double legendre) {
    const double a = (l + 1.) * (l + 1.) / ((2 * l + 1.) * (2 * l + 3.));  // x² P_l = b P_l+2 + c P_l + d P_l−2
    const double b = (l + 1.) * (l + 2.) / ((2 * l + 1.) * (2 * l + 3.));
    const double d = l * (l - 1.) / ((2 * l - 1.) * (2 * l + 1.));
    const double c = a + static_cast<double>(l) * l / ((2 * l - 1.) * (2 * l + 1.));
    return ((cosine2 - c) * legendre - d * lower) / b;
  }
};

}  // namespace shoal::collision
