// SPDX-License-Identifier: Apache-2.0
// Sum of angles as a product of complex numbers: no arc tangent, so host and device give the same bits. The angle of a
// face is half of its solid angle (in 2-D: the angle between its ends), as seen from a point.
//
// Source: Van Oosterom and Strackee (1983), "The solid angle of a plane triangle".
#pragma once
#include "wall_distance/geometry/double_double_item.hpp"

namespace shoal::wall_distance {

/// Vector from a point to a place on a wall, in units of the size of the walls.
struct WindingVector {
  double x, y, z;
};

SHOAL_HD double dot(const WindingVector& a, const WindingVector& b) {
  return fma(a.x, b.x, fma(a.y, b.y, rounded_product(a.z, b.z)));
}
SHOAL_HD WindingVector cross(const WindingVector& a, const WindingVector& b) {
  return {fma(a.y, b.z, -rounded_product(a.z, b.y)), fma(a.z, b.x, -rounded_product(a.x, b.z)),
          fma(a.x, b.y, -rounded_product(a.y, b.x))};
}
SHOAL_HD double length(const WindingVector& a) { return std::sqrt(dot(a, a)); }
SHOAL_HD WindingVector rounded(const DoubleDoubleVector& a) { return {a.x.high, a.y.high, a.z.high}; }

/// Rotation by an angle in (−π, π]: cosine and sine times the same positive number.
struct Rotation {
  double cosine = 1, sine = 0;
};

/// Sum of angles: whole turns, and a rest in (−π, π].
class AngleSum {
 public:
  /// Adds an angle. A rotation of length 0 is none.
  SHOAL_HD void add(const Rotation& rotation) {
    const double size = std::sqrt(fma(rotation.cosine, rotation.cosine, rounded_product(rotation.sine, rotation.sine)));
    if (!(size > 0)) return;
    const double c = rotation.cosine / size, s = rotation.sine / size;
    const double cosine = fma(cosine_, c, -rounded_product(sine_, s));
    const double sine = fma(cosine_, s, rounded_product(sine_, c));
    if (!(sine_ < 0) && !(s < 0) && sine < 0) ++turns_;
    if (sine_ < 0 && s < 0 && !(sine < 0)) --turns_;
    cosine_ = cosine;
    sine_ = sine;
  }

  /// Returns true if the sum exceeds π, without rounding of the sum.
  SHOAL_HD bool exceeds_half_turn() const { return turns_ > 0; }

  /// Sum of the angles.
  SHOAL_HD double value() const {
    constexpr double turn = 6.283185307179586;
    return fma(static_cast<double>(turns_), turn, std::atan2(sine_, cosine_));
  }

 private:
  std::int64_t turns_ = 0;
  double cosine_ = 1, sine_ = 0;
};

/// det(a, b, c), also near the plane of a triangle, where the terms cancel.
SHOAL_HD double determinant(const DoubleDoubleVector& a, const DoubleDoubleVector& b, const DoubleDoubleVector& c) {
  const auto minor = [](const DoubleDouble& p, const DoubleDouble& q, const DoubleDouble& r, const DoubleDouble& s) {
    return p * s - q * r;
  };
  const DoubleDouble x = a.x * minor(b.y, b.z, c.y, c.z), y = a.y * minor(b.z, b.x, c.z, c.x),
                     z = a.z * minor(b.x, b.y, c.x, c.y);
  return (x + (y + z)).high;
}

/// Half of the solid angle of a triangle; positive if its corners go around clockwise, seen from the point.
/// @param a,b,c  vectors from the point to the corners
SHOAL_HD Rotation half_solid_angle(const DoubleDoubleVector& a, const DoubleDoubleVector& b,
                                   const DoubleDoubleVector& c) {
  const WindingVector u = rounded(a), v = rounded(b), w = rounded(c);
  const double u_length = length(u), v_length = length(v), w_length = length(w);
  const double size = rounded_product(rounded_product(u_length, v_length), w_length);
  const double cosine = fma(dot(u, v), w_length, fma(dot(v, w), u_length, fma(dot(w, u), v_length, size)));
  constexpr double canceled = 0x1p-36;  // a smaller share of the terms is left, with fewer than 16 bits
  double sine = dot(u, cross(v, w));
  if (std::abs(sine) < canceled * size) sine = determinant(a, b, c);
  return {cosine, sine};
}

/// Angle between the ends of a segment in the plane, from a to b; positive counter-clockwise.
SHOAL_HD Rotation angle_between(const DoubleDoubleVector& a, const DoubleDoubleVector& b) {
  const WindingVector u = rounded(a), v = rounded(b);
  const DoubleDouble sine = a.x * b.y - a.y * b.x;
  return {dot(u, v), sine.high};
}

}  // namespace shoal::wall_distance
