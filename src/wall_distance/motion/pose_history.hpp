// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal::wall_distance {

/// The last poses of all bodies. A change of any pose begins a new epoch.
class PoseHistory {
 public:
  static constexpr std::int32_t most = 64;  ///< number of epochs that are kept

  explicit PoseHistory(std::int32_t bodies)
      : bodies_(static_cast<std::size_t>(bodies)), poses_(static_cast<std::size_t>(most) * bodies_) {}

  /// Begins a new epoch if the poses differ from the newest ones. Returns true if it did.
  bool add(const std::vector<BodyPose>& pose) {
    if (newest_ >= 0 && std::equal(pose.begin(), pose.end(), poses(newest_))) return false;
    std::copy(pose.begin(), pose.end(), poses_.begin() + (poses(++newest_) - poses_.data()));
    return true;
  }
  std::int32_t newest() const { return newest_; }
  bool has(std::int32_t epoch) const { return epoch >= 0 && newest_ - epoch < most; }
  /// [bodies] poses of an epoch.
  const BodyPose* poses(std::int32_t epoch) const {
    return poses_.data() + static_cast<std::size_t>(epoch % most) * bodies_;
  }

 private:
  std::size_t bodies_;
  std::vector<BodyPose> poses_;  ///< [most][bodies] ring buffer
  std::int32_t newest_ = -1;     ///< number of the newest epoch
};

}  // namespace shoal::wall_distance
