// SPDX-License-Identifier: Apache-2.0
// Inside and outside of walls with holes, duplicate faces and intersections, by the generalized winding number
//
//     w(p) = 1 / 4π Σ_f Ω_f(p)      (2-D: 1 / 2π Σ_f φ_f(p)),     inside: w > 1/2
//
// A tree over the faces replaces distant ones by the first two terms of their expansion. The remainder has a bound, and
// w is evaluated again, more closely, until the bound decides if w exceeds 1/2. So the result is that of the sum over all
// faces.
//
// Source: Jacobson, Kavan and Sorkine-Hornung (2013), "Robust inside-outside segmentation using generalized winding
// numbers"; Barill, Dickson, Schmidt, Levin and Jacobson (2018), "Fast winding numbers for soups and clouds".
#pragma once
#include "wall_distance/signs/winding/angle_product_item.hpp"
#include "wall_distance/wall_distance_method.hpp"

namespace shoal::wall_distance {

/// Node of a tree over the primitives of a body, in units of the size of the walls. Nodes are in the order of a traversal
/// that visits children first to last.
struct WindingNode {
  WindingVector center;       ///< center of the areas (2-D: lengths) of its primitives
  double radius;              ///< largest distance of a corner from the center
  double area;                ///< sum of the areas
  WindingVector dipole;       ///< Σ a n: area times unit normal
  double moment[9];           ///< Σ a (c − center) n, for centers c of primitives: row of c, column of n
  std::int32_t next;          ///< node after this one and its descendants
  std::int32_t first, count;  ///< range of its primitives in the order of the tree; count 0: it has children
};

/// Finds signs by winding numbers; all memory is on one device.
struct WindingFinder {
  const Primitive* shape;
  const std::int32_t* body;   ///< [primitives]
  const BodyPose* pose;       ///< [bodies]
  const std::int32_t* first;  ///< [faces of the mesh + 1] first primitive of each face
  const WindingNode* nodes;
  const std::int32_t* root;        ///< [bodies + 1] first node of each body
  const std::int32_t* order;       ///< [primitives] numbers in the order of the tree
  const std::int8_t* orientation;  ///< [primitives] in the order of the tree; 1: sorted corners seen from outside go
                                   ///< around counter-clockwise, −1: clockwise
  double scale;                    ///< reciprocal of the size of the walls, 1/m
  int dimensions;

  /// Makes the distance of point i negative and reverses its gradient if the point is inside. Reads the result face.
  SHOAL_HD void find(const WallQueries& queries, std::int64_t i) const {
    const DoubleDoubleVector point = queries.point(i);
    if (!queries.accept(i, point)) return;
    const std::int64_t face = queries.out.face.data[i * queries.out.face.stride];
    const std::int32_t number = body[first[face]];
    const DoubleDoubleVector from_body = pose[number].to_body(point);
    NearestPrimitive nearest;
    for (std::int32_t k = first[face]; k < first[face + 1]; ++k) nearest.test(from_body, shape[k], k);
    const bool is_on_wall = !(nearest.distance > 0);
    if (!is_on_wall && is_inside(from_body, number)) queries.reverse(i);
  }

  /// Returns true if the winding number of a body exceeds 1/2.
  /// @param point  m, in the frame of the body
  SHOAL_HD bool is_inside(const DoubleDoubleVector& point, std::int32_t number) const {
    constexpr double half_turn = 3.141592653589793;
    constexpr double rounding = 1e-9;  // of a sum of 1e6 angles
    for (double tolerance = 0x1p-6; tolerance > 0x1p-30; tolerance *= 0x1p-6) {
      const Sum sum = evaluate(point, number, tolerance);
      const double beyond = sum.near.value() + sum.far - half_turn;
      if (std::abs(beyond) > sum.error + rounding) return beyond > 0;
    }
    return evaluate(point, number, -1).near.exceeds_half_turn();
  }

 private:
  struct Sum {
    AngleSum near;     ///< angles of primitives
    double far = 0;    ///< angles of nodes
    double error = 0;  ///< bound of the error of `far`
  };

  /// Sum of the angles of a body.
  /// @param tolerance  largest bound of a node's error; negative: primitives alone
  SHOAL_HD Sum evaluate(const DoubleDoubleVector& point, std::int32_t number, double tolerance) const {
    Sum sum;
    for (std::int32_t k = root[number]; k < root[number + 1];) {
      const WindingNode& node = nodes[k];
      const WindingVector to_center = {fma(-scale, point.x.high, node.center.x),
                                       fma(-scale, point.y.high, node.center.y),
                                       fma(-scale, point.z.high, node.center.z)};
      const double distance = length(to_center);
      const double error = error_bound(node, distance);
      if (error <= tolerance) {
        sum.far += expansion(node, to_center, distance);
        sum.error += error;
        k = node.next;
        continue;
      }
      for (std::int32_t j = node.first; j < node.first + node.count; ++j) sum.near.add(angle(point, j));
      ++k;
    }
    return sum;
  }

  /// Bound of the remainder of expansion(): area · radius² / 2 · max |∇∇ (r / |r|^D)|, halved in 3-D as the angle is.
  SHOAL_HD double error_bound(const WindingNode& node, double distance) const {
    constexpr double rounding = 1e-14, unbounded = 1e300;
    const double gap = distance - node.radius;
    if (!(gap > 0)) return unbounded;
    const double share = node.radius / gap;
    const double strength = node.area * share * share / gap;
    const double remainder = dimensions == 3 ? 1.5 * strength / gap : strength;
    return remainder + rounding;
  }

  /// Angle of distant primitives: dipole and first moments.
  SHOAL_HD double expansion(const WindingNode& node, const WindingVector& r, double distance) const {
    constexpr double farthest = 1e100;  // squares of larger distances overflow
    if (!(distance < farthest)) return 0;
    const double inverse = 1 / distance;
    const WindingVector u = {r.x * inverse, r.y * inverse, r.z * inverse};
    const double* const m = node.moment;
    const double trace = m[0] + m[4] + m[8];
    const WindingVector across = {fma(m[0], u.x, fma(m[1], u.y, m[2] * u.z)),
                                  fma(m[3], u.x, fma(m[4], u.y, m[5] * u.z)),
                                  fma(m[6], u.x, fma(m[7], u.y, m[8] * u.z))};
    const double power = dimensions == 3 ? 0.5 * inverse * inverse : inverse;
    return power * fma(inverse, fma(-static_cast<double>(dimensions), dot(u, across), trace), dot(node.dipole, u));
  }

  /// Angle of the primitive at a place in the order of the tree.
  SHOAL_HD Rotation angle(const DoubleDoubleVector& point, std::int32_t j) const {
    const Primitive& primitive = shape[order[j]];
    const auto to_corner = [&](int i) {
      return scale * (DoubleDoubleVector{{primitive.x[i], 0}, {primitive.y[i], 0}, {primitive.z[i], 0}} - point);
    };
    Rotation rotation = dimensions == 3 ? half_solid_angle(to_corner(0), to_corner(1), to_corner(2))
                                        : angle_between(to_corner(0), to_corner(2));
    if (orientation[j] < 0) rotation.sine = -rotation.sine;
    return rotation;
  }
};

}  // namespace shoal::wall_distance
