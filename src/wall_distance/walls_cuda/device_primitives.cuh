// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "core/cuda/launch.cuh"
#include "wall_distance/geometry/bounding_sphere_item.hpp"
#include "wall_distance/wall_distance_method.hpp"
#include "wall_distance/walls/sphere_origin.hpp"

namespace shoal::wall_distance {

/// Primitives of a plan in kernel arguments.
struct DevicePrimitives {
  const Primitive* shape;
  const std::int64_t* face;
  const std::int32_t* wall;
  const std::int32_t* body;
  const BodyPose* pose;  ///< [bodies]
  std::int32_t count;
  double origin[3];       ///< m, origin of bounding spheres, for methods that use them
  double rotation_error;  ///< m, see SphereOrigin::rotation_error(), for the same methods

  /// Computes the exact distance to primitive k, if its body is to be searched, and keeps it if it is the nearest.
  __device__ void test(const WallQueries& queries, const DoubleDoubleVector& point, std::int32_t k,
                       NearestPrimitive& nearest) const {
    const std::int32_t primitive_body = body[k];
    if (queries.body < 0 || queries.body == primitive_body)
      nearest.test(pose[primitive_body].to_body(point), shape[k], k);
  }

  __device__ void write(const WallQueries& queries, std::int64_t i, const DoubleDoubleVector& point,
                        const NearestPrimitive& nearest) const {
    const std::int64_t k = nearest.primitive;
    queries.write(i, point, nearest, pose[body[k]], face[k], wall[k]);
  }

  /// Bounding sphere of primitive k at the present pose; at infinity if its body is not to be searched.
  template <class Real>
  __device__ BoundingSphere<Real> sphere(const WallQueries& queries, std::int32_t k) const {
    const std::int32_t primitive_body = body[k];
    if (queries.body >= 0 && queries.body != primitive_body) return sphere_at_infinity<Real>();
    return bounding_sphere<Real>(shape[k], pose[primitive_body], origin);
  }
};

/// Use of DevicePrimitives::origin and ::rotation_error, which cost a copy of the primitives to the host.
enum class BoundingSpheres { unused, used };

/// The walls of a plan on CUDA, as kernels of a method take them.
class PrimitivesOnDevice {
 public:
  /// @param walls  must outlive this object
  /// @throws Error  more primitives than 32-bit numbers
  PrimitivesOnDevice(const Queue& queue, PlanWalls& walls, BoundingSpheres spheres);

  const Queue& queue() const { return queue_; }
  PlanWalls& walls() const { return walls_; }

  /// The primitives with the present poses, which are copied to the device if they changed.
  DevicePrimitives view();

  /// Adapts the origin of bounding spheres after the shapes changed.
  void reshape();

  std::int64_t bytes() const { return pose_.bytes(); }

 private:
  Queue queue_;
  PlanWalls& walls_;
  Array<BodyPose> pose_;
  std::optional<SphereOrigin> origin_;  ///< empty: no bounding spheres
  std::vector<BodyPose> copied_;        ///< poses of the last copy to the device
};

}  // namespace shoal::wall_distance
