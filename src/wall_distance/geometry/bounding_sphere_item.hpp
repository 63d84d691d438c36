// SPDX-License-Identifier: Apache-2.0
// The distance from a point to the center of a piece, as the paper has it, and what follows from it for the piece
// itself: with the center on the piece and all of the piece within a radius of it, the smallest distance to a center is
// an upper bound of the answer, and a piece whose center is farther than that by more than its radius is not the
// answer. What is left is seen exactly, so rounding here costs time, never an answer.
#pragma once
#include "wall_distance/geometry/primitive_distance_item.hpp"
#include "wall_distance/motion/body_pose_item.hpp"

namespace shoal {

/// m, from an origin close to all pieces.
template <class Real>
struct alignas(4 * sizeof(Real)) PieceBall {
  Real x, y, z, radius;
};

/// What rounding may do to a distance between a point and a center.
template <class Real>
struct BallRounding;
template <>
struct BallRounding<double> {
  static constexpr double part = 0x1p-36;  ///< of the distance and of coordinates; room for rotations right to 1e-12
  static constexpr double least = 1e-150;  ///< m, so that squares do not vanish
};
template <>
struct BallRounding<float> {
  static constexpr float part = 0x1p-21f;  ///< eight units: places are rounded, differences, squares and their sum
  static constexpr float least = 1e-18f;
};

/// A distance to nothing, m.
template <class Real>
inline constexpr Real no_distance = std::numeric_limits<Real>::infinity();

/// A point among balls.
template <class Real>
struct BallSight {
  Real x, y, z;  ///< m, from the origin of the balls
  Real room;     ///< m, what rounding may do to any distance from here, but for its part of the distance

  /// @param turned  m, what rotations that are not quite so may do to distances
  SHOAL_HD BallSight(const TwofoldVector& point, const double* origin, double turned)
      : x(static_cast<Real>(point.x.high - origin[0])),
        y(static_cast<Real>(point.y.high - origin[1])),
        z(static_cast<Real>(point.z.high - origin[2])) {
    const Real farthest = max(std::abs(x), max(std::abs(y), std::abs(z)));
    room = BallRounding<Real>::part * farthest + static_cast<Real>(2 * turned) + BallRounding<Real>::least;
  }

  /// m², to the center.
  SHOAL_HD Real squared(const PieceBall<Real>& ball) const {
    const Real along_x = x - ball.x, along_y = y - ball.y, along_z = z - ball.z;
    return fma(along_x, along_x, fma(along_y, along_y, along_z * along_z));
  }

  /// m: a piece is not the nearest if its center is farther than this and its radius together.
  /// @param least  m², squared() of any ball; the smaller, the better
  SHOAL_HD Real reach(Real least) const { return fast_sqrt(least) * (1 + 4 * BallRounding<Real>::part) + 4 * room; }
};

/// Whether a piece may be the nearest; yes for what is not a number.
template <class Real>
SHOAL_HD bool may_be_nearest(Real squared, Real radius, Real reach) {
  const Real limit = reach + radius;
  return !(squared > limit * limit);
}

/// The ball around a piece of a body that is somewhere. The center of a segment is its middle, of a triangle the mean
/// of its corners.
template <class Real>
SHOAL_HD PieceBall<Real> ball_around(const FacePiece& piece, const BodyPose& pose, const double* origin) {
  const auto same = [&](int i, int j) {
    return piece.x[i] == piece.x[j] && piece.y[i] == piece.y[j] && piece.z[i] == piece.z[j];
  };
  const bool is_segment = same(0, 1) || same(1, 2);
  const auto mean = [&](const double(&at)[3]) {
    return is_segment ? at[0] / 2 + at[2] / 2 : (at[0] + at[1] + at[2]) / 3;
  };
  const double center[3] = {mean(piece.x), mean(piece.y), mean(piece.z)};
  double squared = 0;
  for (int i = 0; i < 3; ++i) {
    const double along[3] = {piece.x[i] - center[0], piece.y[i] - center[1], piece.z[i] - center[2]};
    squared = max(squared, along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  }
  TwofoldVector at = pose.from_body({{center[0], 0}, {center[1], 0}, {center[2], 0}});
  if (pose.moved)
    at = at - TwofoldVector{{-pose.translation[0], 0}, {-pose.translation[1], 0}, {-pose.translation[2], 0}};
  const auto from_origin = [&](const Twofold& a, int axis) {
    return static_cast<Real>((a - Twofold{origin[axis], 0}).high);
  };
  const double radius = fast_sqrt(squared);
  return {from_origin(at.x, 0), from_origin(at.y, 1), from_origin(at.z, 2),
          static_cast<Real>(radius) * (1 + 8 * BallRounding<Real>::part) + BallRounding<Real>::least};
}

/// A ball that no point is near.
template <class Real>
SHOAL_HD PieceBall<Real> ball_nowhere() {
  return {no_distance<Real>, no_distance<Real>, no_distance<Real>, 0};
}

}  // namespace shoal
