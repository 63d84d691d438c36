// SPDX-License-Identifier: Apache-2.0
// Numbers of twice the precision of double, for distances that are much smaller than the coordinates that they are made
// of. Every rounding is written down, so host and device give the same bits.
//
// Source: Dekker (1971), "A floating-point technique for extending the available precision"; Knuth, The Art of Computer
// Programming, volume 2, section 4.2.2.
#pragma once
#include "core/real.hpp"

namespace shoal {

/// The number high + low, where high is the double nearest to it.
struct Twofold {
  double high = 0;
  double low = 0;
};

/// a + b, exactly.
SHOAL_HD Twofold exact_sum(double a, double b) {
  const double sum = a + b;
  const double of_b = sum - a;
  return {sum, (a - (sum - of_b)) + (b - of_b)};
}

/// a b, exactly.
SHOAL_HD Twofold exact_product(double a, double b) {
  const double product = rounded_product(a, b);
  return {product, fma(a, b, -product)};
}

/// high + low where |high| ≥ |low|, exactly.
SHOAL_HD Twofold normalized(double high, double low) {
  const double sum = high + low;
  return {sum, low - (sum - high)};
}

/// Wrong by at most 2^-103 (|a| + |b|); exactly 0 for a = -b.
SHOAL_HD Twofold operator+(const Twofold& a, const Twofold& b) {
  const Twofold sum = exact_sum(a.high, b.high);
  return normalized(sum.high, sum.low + (a.low + b.low));
}
SHOAL_HD Twofold operator-(const Twofold& a) { return {-a.high, -a.low}; }
SHOAL_HD Twofold operator-(const Twofold& a, const Twofold& b) { return a + -b; }

SHOAL_HD Twofold operator*(double a, const Twofold& b) {
  const Twofold product = exact_product(a, b.high);
  return normalized(product.high, fma(a, b.low, product.low));
}

SHOAL_HD bool operator<(const Twofold& a, const Twofold& b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/// √a for a ≥ 0, rounded to double.
SHOAL_HD double rounded_sqrt(const Twofold& a) {
  if (!(a.high > 0)) return 0;
  const double root = fast_sqrt(a.high);
  return root + (fma(-root, root, a.high) + a.low) / (2 * root);
}

struct TwofoldVector {
  Twofold x, y, z;
};

SHOAL_HD TwofoldVector operator-(const TwofoldVector& a, const TwofoldVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SHOAL_HD TwofoldVector operator*(double a, const TwofoldVector& b) { return {a * b.x, a * b.y, a * b.z}; }

/// a · b in double: wrong by at most 2^-50 |a| |b|.
SHOAL_HD double rounded_dot(const TwofoldVector& a, const TwofoldVector& b) {
  return fma(a.x.high, b.x.high, fma(a.y.high, b.y.high, rounded_product(a.z.high, b.z.high)));
}

SHOAL_HD Twofold square(const Twofold& a) {
  const Twofold product = exact_product(a.high, a.high);
  return normalized(product.high, fma(2 * a.high, a.low, product.low));
}
/// |a|²
SHOAL_HD Twofold squared_length(const TwofoldVector& a) { return square(a.x) + (square(a.y) + square(a.z)); }

/// max |a_i|
SHOAL_HD double largest_component(const TwofoldVector& a) {
  return max(std::abs(a.x.high), max(std::abs(a.y.high), std::abs(a.z.high)));
}

}  // namespace shoal
