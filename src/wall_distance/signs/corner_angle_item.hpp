// SPDX-License-Identifier: Apache-2.0
// Angle between two vectors with an arc tangent of our own, so that host and device give the same bits.
#pragma once
#include "core/real.hpp"

namespace shoal::wall_distance {

/// Arc tangent of t for |t| ≤ √2 − 1, with an error of less than one unit in the last place. The polynomial interpolates
/// (arctan(t) − t) / t³ in t² at Chebyshev nodes.
SHOAL_HD double small_arc_tangent(double t) {
  constexpr double coefficient[] = {-0x1.5555555555555p-2, 0x1.9999999999953p-3,  -0x1.249249248d7eep-3,
                                    0x1.c71c71c304b64p-4,  -0x1.745d165df3ee7p-4, 0x1.3b1392d9e64b0p-4,
                                    -0x1.110e880a643d8p-4, 0x1.e19a13b800ab6p-5,  -0x1.ac7a937cce153p-5,
                                    0x1.74ddd3c6187b4p-5,  -0x1.1b33b8784aa69p-5, 0x1.0ad368c98424cp-6};
  constexpr int count = sizeof coefficient / sizeof coefficient[0];
  const double square = rounded_product(t, t);
  double sum = coefficient[count - 1];
  for (int i = count - 2; i >= 0; --i) sum = fma(sum, square, coefficient[i]);
  return fma(rounded_product(t, square), sum, t);
}

/// Angle in [0, π] with this sine and cosine, times a common positive number; 0 if both are 0.
/// @param sine  0 or more
SHOAL_HD double angle_of(double sine, double cosine) {
  constexpr double half_turn = 3.141592653589793, quarter_turn = half_turn / 2, eighth_turn = half_turn / 4;
  constexpr double sixteenth_tangent = 0.41421356237309503;  // tan(π/8)
  const double size = std::abs(cosine), low = min(sine, size), high = max(sine, size);
  if (!(high > 0)) return 0;
  double angle = low > rounded_product(sixteenth_tangent, high)
                     ? eighth_turn + small_arc_tangent((low - high) / (low + high))
                     : small_arc_tangent(low / high);
  if (sine > size) angle = quarter_turn - angle;
  return cosine < 0 ? half_turn - angle : angle;
}

}  // namespace shoal::wall_distance
