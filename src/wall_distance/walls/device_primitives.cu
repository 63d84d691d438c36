// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls/device_primitives.cuh"

#include <limits>

namespace shoal::wall_distance {

PrimitivesOnDevice::PrimitivesOnDevice(const Queue& queue, const WallPrimitives& primitives)
    : queue_(queue),
      host_(primitives),
      face_(to_device(queue, primitives.face)),
      wall_(to_device(queue, primitives.wall)),
      body_(to_device(queue, primitives.body)),
      pose_(queue, primitives.body_count()),
      origin_(primitives) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  require(primitives.count() < most, "wall_distance: the walls have ", primitives.count(),
          " triangles, expected fewer than ", most, ". Split them into several meshes.");
  shape_ = to_device(queue, primitives.shape);
}

void PrimitivesOnDevice::reshape() {
  copy<Primitive>(queue_, host_.shape, shape_.view());
  origin_ = SphereOrigin(host_);
}

DevicePrimitives PrimitivesOnDevice::view() {
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
          origin_.rotation_error(host_)};
}

}  // namespace shoal::wall_distance
