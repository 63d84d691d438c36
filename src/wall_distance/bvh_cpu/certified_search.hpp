// SPDX-License-Identifier: Apache-2.0
// What is kept of searches, so that the next answer to nearly the same question needs none.
#pragma once
#include "wall_distance/motion/pose_history.hpp"
#include "wall_distance/motion/certificate_item.hpp"
#include "wall_distance/bvh_cpu/traversal.hpp"

namespace shoal {

/// Searches for a point and keeps the proof.
/// @param outside  [bodies] room, see Candidates
SHOAL_HD void search_and_prove(const BodyTrees& trees, const TwofoldVector& point, std::int32_t epoch,
                               std::vector<float>& outside, NearestFace& nearest, Proof& proof) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::fill(outside.begin(), outside.end(), infinity);
  Candidates candidates;
  candidates.outside = outside.data();
  candidates.body_of = trees.pieces.body.data();
  NoTally tally;
  trees.search<true>(point, -1, {}, nearest, &candidates, tally);
  proof = {{point.x.high, point.y.high, point.z.high},
           epoch,
           trees.pieces.body[static_cast<std::size_t>(nearest.piece)],
           infinity,
           infinity,
           {},
           {}};
  for (std::int32_t body = 0; body < trees.pieces.body_count(); ++body) {
    float& bound = body == proof.body ? proof.own : proof.other;
    bound = min(bound, outside[static_cast<std::size_t>(body)]);
  }
  for (int k = 0; k < Candidates::most; ++k) {
    proof.bound[k] = k < candidates.count ? candidates.bound[k] : infinity;
    proof.piece[k] = k < candidates.count ? candidates.piece[k] : -1;
  }
}

}  // namespace shoal
