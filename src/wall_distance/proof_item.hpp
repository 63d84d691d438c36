// SPDX-License-Identifier: Apache-2.0
// What is kept of a point's last search, and how it proves the next answer.
#pragma once
#include "wall_distance/face_item.hpp"
#include "wall_distance/pose_item.hpp"

namespace shoal {

struct Proof {
  static constexpr int most = 4;  ///< candidates: pieces that may become the nearest

  double at[3];              ///< m, where the point was
  std::int32_t epoch = -1;   ///< number of the poses that the bodies had; −1: there is no proof
  std::int32_t body;         ///< one of them: that of the nearest face, as a rule
  float own, other;          ///< scaled: all else of that body, and of all other ones, is at least so far
  float bound[most];         ///< scaled, of the candidates: no farther than the piece
  std::int32_t piece[most];  ///< −1: none, and none follows
};

/// A point as a body sees it.
struct BodySight {
  TwofoldVector point;
  double shift;  ///< m, how far the body has seen it move since the proof; rounded up
};

SHOAL_HD BodySight see_from_body(const TwofoldVector& point, const Proof& proof, const BodyPose& now,
                                 const BodyPose& then) {
  const TwofoldVector was{{proof.at[0], 0}, {proof.at[1], 0}, {proof.at[2], 0}};
  const TwofoldVector seen = now.to_body(point), shift = seen - then.to_body(was);
  return {seen, fast_sqrt(rounded_dot(shift, shift)) * (1 + 0x1p-40)};
}

/// The nearest candidate. Whether it is proven to be the nearest piece of all.
/// @param sight     sight(body) is its BodySight
/// @param shape,of  [pieces] shapes and bodies
/// @param scale     what a metre is in the proof's bounds
SHOAL_CALLS_ARGUMENT
template <class Sight>
SHOAL_HD bool prove(const Proof& proof, std::int32_t bodies, const FacePiece* shape, const std::int32_t* of,
                    Sight&& sight, NearestFace& nearest, double scale = 1) {
  for (int k = 0; k < Proof::most && proof.piece[k] >= 0; ++k) {
    const std::int32_t piece = proof.piece[k];
    const BodySight& seen = sight(of[piece]);
    if (static_cast<double>(proof.bound[k]) - scale * seen.shift > scale * nearest.distance * (1 + 0x1p-40)) continue;
    nearest.see(seen.point, shape[piece], piece);
  }
  const double distance = scale * nearest.distance * (1 + 0x1p-40);
  for (std::int32_t body = 0; body < bodies; ++body) {
    const float outside = body == proof.body ? proof.own : proof.other;
    if (!(distance < static_cast<double>(outside) - scale * sight(body).shift)) return false;
  }
  return true;
}

}  // namespace shoal
