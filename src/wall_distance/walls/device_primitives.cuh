// SPDX-License-Identifier: Apache-2.0
#pragma once
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
  double origin[3];       ///< m, origin of bounding spheres
  double rotation_error;  ///< m, see SphereOrigin::rotation_error()

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

/// Device copies of the primitives of a plan.
class PrimitivesOnDevice {
 public:
  /// @throws Error  more primitives than 32-bit numbers
  PrimitivesOnDevice(const Queue& queue, const WallPrimitives& primitives);

  const Queue& queue() const { return queue_; }
  const WallPrimitives& host() const { return host_; }

  /// The primitives with the present poses, which are copied to the device if they changed.
  DevicePrimitives view();

  /// Copies the present shapes to the device.
  void reshape();

  std::int64_t bytes() const { return shape_.bytes() + face_.bytes() + wall_.bytes() + body_.bytes() + pose_.bytes(); }

 private:
  Queue queue_;
  const WallPrimitives& host_;
  Array<Primitive> shape_;
  Array<std::int64_t> face_;
  Array<std::int32_t> wall_, body_;
  Array<BodyPose> pose_;
  SphereOrigin origin_;
  std::vector<BodyPose> copied_;  ///< poses of the last copy to the device
};

}  // namespace shoal::wall_distance
