// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/walls_cuda/device_primitives.cuh"

#include <limits>

namespace shoal::wall_distance {

PrimitivesOnDevice::PrimitivesOnDevice(const Queue& queue, PlanWalls& walls, BoundingSpheres spheres)
    : queue_(queue), walls_(walls), pose_(queue, walls.body_count()) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  require(walls.count() < most, "wall_distance: the walls have ", walls.count(), " triangles, expected fewer than ",
          most, ". Split them into several meshes.");
  if (spheres == BoundingSpheres::used) origin_.emplace(walls.on_host());
}

void PrimitivesOnDevice::reshape() {
  if (origin_) origin_.emplace(walls_.on_host());
}

DevicePrimitives PrimitivesOnDevice::view() {
  if (copied_ != walls_.pose()) {
    copied_ = walls_.pose();
    copy<BodyPose>(queue_, copied_, pose_.view());
  }
  const PrimitiveArrays& arrays = walls_.on_device();
  DevicePrimitives primitives{arrays.shape.data(),
                              arrays.face.data(),
                              arrays.wall.data(),
                              arrays.body.data(),
                              pose_.data(),
                              static_cast<std::int32_t>(walls_.count()),
                              {},
                              0};
  if (origin_) {
    std::copy_n(origin_->middle, 3, primitives.origin);
    primitives.rotation_error = origin_->rotation_error(walls_.pose());
  }
  return primitives;
}

}  // namespace shoal::wall_distance
