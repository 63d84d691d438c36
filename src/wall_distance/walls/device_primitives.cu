// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/device_primitives.cuh"

#include <limits>

namespace shoal {

PiecesOnDevice::PiecesOnDevice(const Queue& queue, const WallPieces& pieces)
    : queue_(queue),
      host_(pieces),
      face_(to_device(queue, pieces.face)),
      wall_(to_device(queue, pieces.wall)),
      body_(to_device(queue, pieces.body)),
      pose_(queue, pieces.body_count()),
      origin_(pieces) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  require(pieces.count() < most, "wall_distance: the walls have ", pieces.count(), " triangles, expected fewer than ",
          most, ". Split them into several meshes.");
  shape_ = Array<FacePiece>(queue, pieces.count());
  reshape();
}

void PiecesOnDevice::reshape() {
  copy<FacePiece>(queue_, host_.shape, shape_.view());
  origin_ = PieceOrigin(host_);
}

DevicePieces PiecesOnDevice::now() {
  if (copied_ != host_.pose) {
    copied_ = host_.pose;
    copy<BodyPose>(queue_, copied_, pose_.view());
  }
  return {shape_.data(),
          face_.data(),
          wall_.data(),
          body_.data(),
          pose_.data(),
          static_cast<std::int32_t>(host_.count()),
          {origin_.middle[0], origin_.middle[1], origin_.middle[2]},
          origin_.turned(host_)};
}

}  // namespace shoal
