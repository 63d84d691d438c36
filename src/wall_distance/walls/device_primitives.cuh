// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/launch.cuh"
#include "wall_distance/geometry/bounding_sphere_item.hpp"
#include "wall_distance/wall_distance_method.hpp"
#include "wall_distance/walls/sphere_origin.hpp"

namespace shoal {

/// The pieces of a plan as kernels take them.
struct DevicePieces {
  const FacePiece* shape;
  const std::int64_t* face;
  const std::int32_t* wall;
  const std::int32_t* body;
  const BodyPose* pose;  ///< [bodies]
  std::int32_t count;
  double origin[3];  ///< m, the middle of the mesh, from which balls are counted
  double turned;     ///< m, as BallSight takes it

  /// Sees piece k exactly, if it is of a body that is asked about.
  __device__ void see(const WallQueries& queries, const TwofoldVector& point, std::int32_t k,
                      NearestFace& nearest) const {
    const std::int32_t its_body = body[k];
    if (queries.body < 0 || queries.body == its_body) nearest.see(pose[its_body].to_body(point), shape[k], k);
  }

  __device__ void write(const WallQueries& queries, std::int64_t i, const TwofoldVector& point,
                        const NearestFace& nearest) const {
    const std::int64_t k = nearest.piece;
    queries.write(i, point, nearest, pose[body[k]], face[k], wall[k]);
  }

  /// The ball of piece k where it is now; nowhere if its body is not asked about.
  template <class Real>
  __device__ PieceBall<Real> ball(const WallQueries& queries, std::int32_t k) const {
    const std::int32_t its_body = body[k];
    if (queries.body >= 0 && queries.body != its_body) return ball_nowhere<Real>();
    return ball_around<Real>(shape[k], pose[its_body], origin);
  }
};

/// Copies of a plan's pieces in the memory of a device.
class PiecesOnDevice {
 public:
  /// @throws Error  more pieces than methods can number
  PiecesOnDevice(const Queue& queue, const WallPieces& pieces);

  const Queue& queue() const { return queue_; }
  const WallPieces& host() const { return host_; }

  /// With bodies where they are now.
  DevicePieces now();

  /// Takes over new shapes.
  void reshape();

  std::int64_t bytes() const { return shape_.bytes() + face_.bytes() + wall_.bytes() + body_.bytes() + pose_.bytes(); }

 private:
  Queue queue_;
  const WallPieces& host_;
  Array<FacePiece> shape_;
  Array<std::int64_t> face_;
  Array<std::int32_t> wall_, body_;
  Array<BodyPose> pose_;
  PieceOrigin origin_;
  std::vector<BodyPose> copied_;  ///< the poses on the device
};

}  // namespace shoal
