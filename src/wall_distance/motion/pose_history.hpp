// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal {

/// Poses that bodies had, the last ones of them.
class PoseHistory {
 public:
  static constexpr std::int32_t most = 64;

  explicit PoseHistory(const WallPieces& pieces)
      : bodies_(pieces.pose.size()), poses_(static_cast<std::size_t>(most) * pieces.pose.size()) {}

  /// The present poses are the newest ones. Whether they were not so before.
  bool note(const std::vector<BodyPose>& pose) {
    if (newest_ >= 0 && std::equal(pose.begin(), pose.end(), of(newest_))) return false;
    std::copy(pose.begin(), pose.end(), poses_.begin() + (of(++newest_) - poses_.data()));
    return true;
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

}  // namespace shoal
