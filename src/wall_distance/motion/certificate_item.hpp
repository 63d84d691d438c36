// SPDX-License-Identifier: Apache-2.0
// Certificates of nearest primitives, for points and bodies that move little between two calls.
//
// A search stores a few candidate primitives with lower bounds of their distances, and a lower bound of the distance to
// all others. After a relative displacement s between the point and a body, each bound less s still holds. If the
// nearest candidate is nearer than the reduced bound of all others, it is the nearest primitive, and no search is
// needed. The term is that of kinetic data structures: a condition that stays valid until something moved too far.
#pragma once
#include "wall_distance/geometry/primitive_distance_item.hpp"
#include "wall_distance/motion/body_pose_item.hpp"

namespace shoal::wall_distance {

/// Certificate of one point. Bounds are scaled: m on CUDA, Bvh::scale on the CPU.
struct Certificate {
  static constexpr int most = 4;  ///< capacity for candidates

  double point[3];               ///< m, position of the point at the search
  std::int32_t epoch = -1;       ///< number of the poses at the search; −1: no certificate; otherwise see failed()
  std::int32_t body;             ///< body of the nearest primitive, as a rule
  float same_body;               ///< scaled, lower bound of the distance to all other primitives of `body`
  float other_bodies;            ///< scaled, lower bound of the distance to all other primitives of other bodies
  float bound[most];             ///< scaled, lower bounds of the distances to the candidates
  std::int32_t primitive[most];  ///< candidates; −1: none, and none follows

  /// Epoch of a certificate that did not even hold for its own search.
  SHOAL_HD static constexpr std::int32_t failed(std::int32_t search_epoch) { return -2 - search_epoch; }
  /// Epoch of the search of a failed certificate.
  SHOAL_HD static constexpr std::int32_t failed_at(std::int32_t epoch) { return -2 - epoch; }
};

/// Motion of a point relative to the bodies since its certificate was made.
class CertificateMotion {
 public:
  /// @param now,then  [bodies] present poses, and those at the epoch of the certificate
  SHOAL_HD CertificateMotion(const DoubleDoubleVector& point, const Certificate& certificate, const BodyPose* now,
                             const BodyPose* then)
      : point_(point), certificate_(certificate), now_(now), then_(then) {}

  /// Present position of the point in the frame of a body.
  SHOAL_HD DoubleDoubleVector point(std::int32_t body) const { return now_[body].to_body(point_); }

  /// Upper bound of the displacement of the point in the frame of a body, m.
  SHOAL_HD double displacement(std::int32_t body) {
    if (body != body_) displacement_ = displacement_between(now_[body], then_[body]);
    body_ = body;
    return displacement_;
  }

 private:
  /// Computed in double; a bound of the rounding error is added.
  SHOAL_HD double displacement_between(const BodyPose& now, const BodyPose& then) const {
    const double present[3] = {point_.x.high, point_.y.high, point_.z.high};
    double size = 0, squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
      size += std::abs(present[axis]) + std::abs(certificate_.point[axis]);
      size += std::abs(now.translation[axis]) + std::abs(then.translation[axis]);
    }
    for (int axis = 0; axis < 3; ++axis) {
      const double moved = coordinate_in_body(now, present, axis) - coordinate_in_body(then, certificate_.point, axis);
      squared += moved * moved;
    }
    const double rounding = now.moved || then.moved ? 0x1p-48 * size : 0;
    return fast_sqrt(squared) * (1 + 0x1p-40) + rounding;
  }
  SHOAL_HD static double coordinate_in_body(const BodyPose& pose, const double (&position)[3], int axis) {
    if (!pose.moved) return position[axis];
    double sum = 0;
    for (int row = 0; row < 3; ++row) sum += pose.rotation[3 * row + axis] * (position[row] - pose.translation[row]);
    return sum;
  }

  const DoubleDoubleVector& point_;
  const Certificate& certificate_;
  const BodyPose *now_, *then_;
  std::int32_t body_ = -1;   ///< body of displacement_; −1: none
  double displacement_ = 0;  ///< m
};

/// Finds the nearest candidate. Returns true if the certificate holds: that candidate is the nearest of all primitives.
/// @param shape,body_of  [primitives] shapes and bodies
/// @param scale          scaled length of a meter in the bounds of the certificate
SHOAL_HD bool find_certified(const Certificate& certificate, std::int32_t bodies, const Primitive* shape,
                             const std::int32_t* body_of, CertificateMotion motion, NearestPrimitive& nearest,
                             double scale = 1) {
  for (int k = 0; k < Certificate::most && certificate.primitive[k] >= 0; ++k) {
    const std::int32_t primitive = certificate.primitive[k];
    const double nearest_now = scale * nearest.distance * (1 + 0x1p-40);
    if (static_cast<double>(certificate.bound[k]) - scale * motion.displacement(body_of[primitive]) > nearest_now)
      continue;
    nearest.test(motion.point(body_of[primitive]), shape[primitive], primitive);
  }
  const double distance = scale * nearest.distance * (1 + 0x1p-40);
  for (std::int32_t body = 0; body < bodies; ++body) {
    const float bound = body == certificate.body ? certificate.same_body : certificate.other_bodies;
    if (!(distance < static_cast<double>(bound) - scale * motion.displacement(body))) return false;
  }
  return true;
}

}  // namespace shoal::wall_distance
