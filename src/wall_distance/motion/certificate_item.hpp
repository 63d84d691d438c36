// SPDX-License-Identifier: Apache-2.0
// What is kept of a point's last search, and how it proves the next answer.
#pragma once
#include "wall_distance/geometry/primitive_distance_item.hpp"
#include "wall_distance/motion/body_pose_item.hpp"

namespace shoal {

struct Proof {
  static constexpr int most = 4;  ///< candidates: pieces that may become the nearest

  double at[3];              ///< m, where the point was
  std::int32_t epoch = -1;   ///< number of the poses that the bodies had; −1: there is no proof; failed()
  std::int32_t body;         ///< one of them: that of the nearest face, as a rule
  float own, other;          ///< scaled: all else of that body, and of all other ones, is at least so far
  float bound[most];         ///< scaled, of the candidates: no farther than the piece
  std::int32_t piece[most];  ///< −1: none, and none follows

  /// The epoch of a proof that would not have held for anything.
  SHOAL_HD static constexpr std::int32_t failed(std::int32_t at) { return -2 - at; }
  SHOAL_HD static constexpr std::int32_t failed_at(std::int32_t epoch) { return -2 - epoch; }
};

/// What bodies see of the point that a proof is about.
class ProofSight {
 public:
  /// @param now,then  [bodies] poses, those of `then` at the proof's epoch
  SHOAL_HD ProofSight(const TwofoldVector& point, const Proof& proof, const BodyPose* now, const BodyPose* then)
      : point_(point), proof_(proof), now_(now), then_(then) {}

  SHOAL_HD TwofoldVector point(std::int32_t body) const { return now_[body].to_body(point_); }

  /// m, how far a body has seen the point move since the proof, or somewhat more.
  SHOAL_HD double shift(std::int32_t body) {
    if (body != body_) shift_ = found_shift(now_[body], then_[body]);
    body_ = body;
    return shift_;
  }

 private:
  /// In plain double: what rounding does to places is added.
  SHOAL_HD double found_shift(const BodyPose& now, const BodyPose& then) const {
    const double here[3] = {point_.x.high, point_.y.high, point_.z.high};
    double size = 0, squared = 0;
    for (int axis = 0; axis < 3; ++axis) {
      size += std::abs(here[axis]) + std::abs(proof_.at[axis]);
      size += std::abs(now.translation[axis]) + std::abs(then.translation[axis]);
    }
    for (int axis = 0; axis < 3; ++axis) {
      const double moved = seen_along(now, here, axis) - seen_along(then, proof_.at, axis);
      squared += moved * moved;
    }
    const double rounding = now.moved || then.moved ? 0x1p-48 * size : 0;
    return fast_sqrt(squared) * (1 + 0x1p-40) + rounding;
  }
  SHOAL_HD static double seen_along(const BodyPose& pose, const double (&place)[3], int axis) {
    if (!pose.moved) return place[axis];
    double sum = 0;
    for (int row = 0; row < 3; ++row) sum += pose.rotation[3 * row + axis] * (place[row] - pose.translation[row]);
    return sum;
  }

  const TwofoldVector& point_;
  const Proof& proof_;
  const BodyPose *now_, *then_;
  std::int32_t body_ = -1;  ///< whose shift is known
  double shift_ = 0;
};

/// The nearest candidate. Whether it is proven to be the nearest piece of all.
/// @param shape,of  [pieces] shapes and bodies
/// @param scale     what a meter is in the proof's bounds
SHOAL_HD bool prove(const Proof& proof, std::int32_t bodies, const FacePiece* shape, const std::int32_t* of,
                    ProofSight sight, NearestFace& nearest, double scale = 1) {
  for (int k = 0; k < Proof::most && proof.piece[k] >= 0; ++k) {
    const std::int32_t piece = proof.piece[k];
    const double nearest_now = scale * nearest.distance * (1 + 0x1p-40);
    if (static_cast<double>(proof.bound[k]) - scale * sight.shift(of[piece]) > nearest_now) continue;
    nearest.see(sight.point(of[piece]), shape[piece], piece);
  }
  const double distance = scale * nearest.distance * (1 + 0x1p-40);
  for (std::int32_t body = 0; body < bodies; ++body) {
    const float outside = body == proof.body ? proof.own : proof.other;
    if (!(distance < static_cast<double>(outside) - scale * sight.shift(body))) return false;
  }
  return true;
}

}  // namespace shoal
