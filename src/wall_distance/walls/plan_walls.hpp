// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>
#include <shoal/wall_distance/wall_arrays.hpp>

#include <functional>

#include "wall_distance/walls/mesh_summary.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal::wall_distance {

/// Primitives in the memory of a GPU: the arrays of WallPrimitives. Empty in plans on the CPU.
struct PrimitiveArrays {
  Array<Primitive> shape;
  Array<std::int8_t> orientation;
  Array<std::int64_t> face;
  Array<std::int32_t> wall, body;

  std::int64_t bytes() const {
    return shape.bytes() + orientation.bytes() + face.bytes() + wall.bytes() + body.bytes();
  }
};

/// The walls of a plan: primitives in the memory of its device, and the present poses of bodies on the host.
class PlanWalls {
 public:
  /// Called by a refit once the walls have their new primitives; throws if it cannot take them.
  using Accept = std::function<void()>;

  virtual ~PlanWalls() = default;

  const MeshSummary& mesh() const { return mesh_; }
  std::int64_t count() const { return count_; }            ///< Number of primitives.
  std::int64_t face_count() const { return face_count_; }  ///< Number of faces of the walls in use.
  std::int32_t body_count() const { return host_.body_count(); }

  /// [bodies] present poses.
  const std::vector<BodyPose>& pose() const { return host_.pose; }
  void move(std::int32_t body, const BodyPose& pose) { host_.pose[static_cast<std::size_t>(body)] = pose; }

  /// The primitives in host memory. In plans on a GPU, the first call after the plan was made or refitted copies them,
  /// which waits for the queue. The reference stays valid, and so do its poses.
  virtual const WallPrimitives& on_host() = 0;
  const PrimitiveArrays& on_device() const { return device_; }
  /// [bodies] numbers of primitives. Empty in plans on the CPU.
  const std::vector<std::int64_t>& primitives_of_body() const { return primitives_of_body_; }

  /// Moves the points of the mesh. After an error the walls are those before the call.
  /// @param points  as many as the mesh has, on the host or on the device of the plan
  /// @param accept  empty: not called
  /// @throws Error  a coordinate is not valid, or the errors of `accept`
  virtual void refit(const Points<double>& points, const Accept& accept) = 0;
  /// Waits for the kernels of a refit, which leave the walls as they were if a coordinate is not valid. refit() may leave this
  /// error to finish_refit(), so that the search is fitted beside the check.
  virtual void finish_refit() {}

  virtual std::int64_t bytes() const = 0;  ///< Memory of the walls.

 protected:
  /// Memory of the primitives on the host.
  std::int64_t host_bytes() const {
    return static_cast<std::int64_t>(host_.shape.capacity() * sizeof(Primitive) + host_.orientation.capacity() +
                                     host_.face.capacity() * sizeof(std::int64_t) +
                                     (host_.wall.capacity() + host_.body.capacity()) * sizeof(std::int32_t));
  }

  MeshSummary mesh_;
  std::int64_t count_ = 0, face_count_ = 0;
  WallPrimitives host_;  ///< poses, and arrays that may be empty in plans on a GPU
  PrimitiveArrays device_;
  std::vector<std::int64_t> primitives_of_body_;
};

/// Device-dependent makers of the walls of a plan from a mesh on the host.
struct WallsBackend {
  /// @param options  valid
  /// @throws Error  the errors of wall_primitives()
  std::unique_ptr<PlanWalls> (*open)(const Queue& queue, const WallMesh& mesh, const WallDistanceOptions& options);

  static const WallsBackend cpu, cuda;
};

/// Device-dependent makers of the walls of a plan from arrays on the queue's device.
template <class Real, class Index>
struct WallArraysBackend {
  /// @throws Error  the errors of wall_mesh() and of wall_primitives()
  std::unique_ptr<PlanWalls> (*open)(const Queue& queue, const WallArrays<Real, Index>& arrays,
                                     const WallDistanceOptions& options);

  static const WallArraysBackend cpu, cuda;
};

}  // namespace shoal::wall_distance
