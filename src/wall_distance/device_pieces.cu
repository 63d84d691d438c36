// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/device_pieces.cuh"

#include <limits>

namespace shoal {

PiecesOnDevice::PiecesOnDevice(const Queue& queue, const WallPieces& pieces)
    : queue_(queue),
      host_(pieces),
      face_(to_device(queue, pieces.face)),
      wall_(to_device(queue, pieces.wall)),
      body_(to_device(queue, pieces.body)),
      pose_(queue, pieces.body_count()) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  require(pieces.count() < most, "wall_distance: the walls have ", pieces.count(), " triangles, expected fewer than ",
          most, ". Split them into several meshes.");
  shape_ = Array<FacePiece>(queue, pieces.count());
  reshape();
}

void PiecesOnDevice::reshape() {
  copy<FacePiece>(queue_, host_.shape, shape_.view());
  farthest_ = 0;
  const auto take_axis = [&](int axis, const double(FacePiece::*at)[3]) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const FacePiece& piece : host_.shape)
      for (const double coordinate : piece.*at) {
        low = std::min(low, coordinate);
        high = std::max(high, coordinate);
      }
    middle_[axis] = low / 2 + high / 2;
    farthest_ = std::max(farthest_, std::max(-low, high));
  };
  take_axis(0, &FacePiece::x);
  take_axis(1, &FacePiece::y);
  take_axis(2, &FacePiece::z);
}

DevicePieces PiecesOnDevice::now() {
  copy<BodyPose>(queue_, host_.pose, pose_.view());
  double farthest = farthest_;
  bool any_moved = false;
  for (const BodyPose& pose : host_.pose) {
    any_moved = any_moved || pose.moved;
    for (const double along : pose.translation) farthest = std::max(farthest, std::abs(along));
  }
  const double turned = any_moved ? 0x1p-36 * farthest : 0;
  return {shape_.data(),
          face_.data(),
          wall_.data(),
          body_.data(),
          pose_.data(),
          static_cast<std::int32_t>(host_.count()),
          {middle_[0], middle_[1], middle_[2]},
          turned};
}

}  // namespace shoal
