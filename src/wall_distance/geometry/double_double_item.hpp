// SPDX-License-Identifier: Apache-2.0
// Double-double arithmetic: numbers with twice the precision of double, for distances much smaller than the coordinates
// from which they are computed. The order of all roundings is fixed, so host and device give the same bits.
//
// Source: Dekker (1971), "A floating-point technique for extending the available precision"; Knuth, The Art of Computer
// Programming, volume 2, section 4.2.2.
#pragma once
#include "core/real.hpp"

namespace shoal::wall_distance {

/// The unevaluated sum high + low, where high is the double nearest to it.
struct DoubleDouble {
  double high = 0;
  double low = 0;
};

/// a + b, exactly.
SHOAL_HD DoubleDouble exact_sum(double a, double b) {
  const double sum = a + b;
  const double rounded_b = sum - a;
  return {sum, (a - (sum - rounded_b)) + (b - rounded_b)};
}

/// a b, exactly.
SHOAL_HD DoubleDouble exact_product(double a, double b) {
  const double product = rounded_product(a, b);
  return {product, fma(a, b, -product)};
}

/// high + low where |high| ≥ |low|, exactly.
SHOAL_HD DoubleDouble normalized(double high, double low) {
  const double sum = high + low;
  return {sum, low - (sum - high)};
}

/// Error at most 2^-103 (|a| + |b|); exactly 0 for a = -b.
SHOAL_HD DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble sum = exact_sum(a.high, b.high);
  return normalized(sum.high, sum.low + (a.low + b.low));
}
SHOAL_HD DoubleDouble operator-(const DoubleDouble& a) { return {-a.high, -a.low}; }
SHOAL_HD DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + -b; }

SHOAL_HD DoubleDouble operator*(double a, const DoubleDouble& b) {
  const DoubleDouble product = exact_product(a, b.high);
  return normalized(product.high, fma(a, b.low, product.low));
}

SHOAL_HD bool operator<(const DoubleDouble& a, const DoubleDouble& b) {
  return a.high < b.high || (a.high == b.high && a.low < b.low);
}

/// Error at most 2^-100 |a b|.
SHOAL_HD DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble product = exact_product(a.high, b.high);
  return normalized(product.high, fma(a.high, b.low, fma(a.low, b.high, product.low)));
}

/// √a for a ≥ 0, rounded to double.
SHOAL_HD double rounded_sqrt(const DoubleDouble& a) {
  if (!(a.high > 0)) return 0;
  const double root = fast_sqrt(a.high);
  return root + (fma(-root, root, a.high) + a.low) / (2 * root);
}

struct DoubleDoubleVector {
  DoubleDouble x, y, z;
};

SHOAL_HD DoubleDoubleVector operator-(const DoubleDoubleVector& a, const DoubleDoubleVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
SHOAL_HD DoubleDoubleVector operator*(double a, const DoubleDoubleVector& b) { return {a * b.x, a * b.y, a * b.z}; }

/// a · b in double, with an error of at most 2^-50 |a| |b|.
SHOAL_HD double rounded_dot(const DoubleDoubleVector& a, const DoubleDoubleVector& b) {
  return fma(a.x.high, b.x.high, fma(a.y.high, b.y.high, rounded_product(a.z.high, b.z.high)));
}

SHOAL_HD DoubleDouble square(const DoubleDouble& a) {
  const DoubleDouble product = exact_product(a.high, a.high);
  return normalized(product.high, fma(2 * a.high, a.low, product.low));
}
/// |a|²
SHOAL_HD DoubleDouble squared_length(const DoubleDoubleVector& a) { return square(a.x) + (square(a.y) + square(a.z)); }

/// max |a_i|
SHOAL_HD double largest_component(const DoubleDoubleVector& a) {
  return max(std::abs(a.x.high), max(std::abs(a.y.high), std::abs(a.z.high)));
}

}  // namespace shoal::wall_distance
