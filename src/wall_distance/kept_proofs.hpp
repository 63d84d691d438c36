// SPDX-License-Identifier: Apache-2.0
// What is kept of searches, so that the next answer to nearly the same question needs none.
#pragma once
#include <algorithm>
#include <vector>

#include "wall_distance/tree_search.hpp"

namespace shoal {

/// What is kept of a point's last search.
struct Proof {
  double at[3];                          ///< m, where the point was
  std::int32_t epoch = -1;               ///< number of the poses that the bodies had; −1: there is no proof
  std::int32_t body;                     ///< of the nearest face
  float own, other;                      ///< m: all else of that body, and of all other ones, is at least so far
  float bound[Candidates::most];         ///< m, of the candidates, ascending
  std::int32_t piece[Candidates::most];  ///< −1: none, and none follows
};

/// Poses that bodies had, the last ones of them.
class PoseHistory {
 public:
  static constexpr std::int32_t most = 64;

  explicit PoseHistory(const WallPieces& pieces)
      : bodies_(pieces.pose.size()), poses_(static_cast<std::size_t>(most) * pieces.pose.size()) {}

  /// The present poses are the newest ones.
  void note(const std::vector<BodyPose>& pose) {
    if (newest_ >= 0 && std::equal(pose.begin(), pose.end(), of(newest_))) return;
    std::copy(pose.begin(), pose.end(), poses_.begin() + (of(++newest_) - poses_.data()));
  }
  std::int32_t newest() const { return newest_; }
  bool has(std::int32_t epoch) const { return epoch >= 0 && newest_ - epoch < most; }
  const BodyPose* of(std::int32_t epoch) const {
    return poses_.data() + static_cast<std::size_t>(epoch % most) * bodies_;
  }

 private:
  std::size_t bodies_;
  std::vector<BodyPose> poses_;
  std::int32_t newest_ = -1;
};

/// Numbers of one thread, one a body.
struct BodyNumbers {
  std::vector<float> outside;          ///< m, see Candidates
  std::vector<TwofoldVector> seen_at;  ///< the point as the body sees it
  std::vector<double> shift;           ///< m, how far the body has seen it move
};

/// Searches for a point and keeps the proof.
SHOAL_HD void search_and_prove(const BodyTrees& trees, const TwofoldVector& point, std::int32_t epoch,
                               BodyNumbers& numbers, NearestFace& nearest, Proof& proof) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::fill(numbers.outside.begin(), numbers.outside.end(), infinity);
  Candidates candidates;
  candidates.outside = numbers.outside.data();
  candidates.body_of = trees.pieces.body.data();
  trees.search<true>(point, -1, nearest, &candidates);
  proof = {{point.x.high, point.y.high, point.z.high},
           epoch,
           trees.pieces.body[static_cast<std::size_t>(nearest.piece)],
           infinity,
           infinity,
           {},
           {}};
  for (std::int32_t body = 0; body < trees.pieces.body_count(); ++body) {
    float& bound = body == proof.body ? proof.own : proof.other;
    bound = smaller(bound, numbers.outside[static_cast<std::size_t>(body)]);
  }
  for (int k = 0; k < Candidates::most; ++k) {
    proof.bound[k] = k < candidates.count ? candidates.bound[k] : infinity;
    proof.piece[k] = k < candidates.count ? candidates.piece[k] : -1;
  }
}

/// How far each body has seen the point move since the proof; rounded up.
SHOAL_HD void find_shifts(const BodyTrees& trees, const TwofoldVector& point, const Proof& proof, const BodyPose* then,
                          BodyNumbers& numbers) {
  const TwofoldVector was{{proof.at[0], 0}, {proof.at[1], 0}, {proof.at[2], 0}};
  for (std::size_t body = 0; body < trees.trees.size(); ++body) {
    numbers.seen_at[body] = trees.pieces.pose[body].to_body(point);
    const TwofoldVector shift = numbers.seen_at[body] - then[body].to_body(was);
    numbers.shift[body] = fast_sqrt(rounded_dot(shift, shift)) * (1 + 0x1p-40);
  }
}

/// The nearest candidate. Whether it is proven to be the nearest piece of all.
SHOAL_HD bool prove(const BodyTrees& trees, const Proof& proof, const BodyNumbers& numbers, NearestFace& nearest) {
  for (int k = 0; k < Candidates::most && proof.piece[k] >= 0; ++k) {
    const auto piece = static_cast<std::size_t>(proof.piece[k]);
    const auto body = static_cast<std::size_t>(trees.pieces.body[piece]);
    if (proof.bound[k] - numbers.shift[body] > nearest.distance * (1 + 0x1p-40)) continue;
    nearest.see(numbers.seen_at[body], trees.pieces.shape[piece], proof.piece[k]);
  }
  const double distance = nearest.distance * (1 + 0x1p-40);
  for (std::size_t body = 0; body < trees.trees.size(); ++body) {
    const bool is_own = static_cast<std::int32_t>(body) == proof.body;
    if (!(distance < (is_own ? proof.own : proof.other) - numbers.shift[body])) return false;
  }
  return true;
}

}  // namespace shoal
