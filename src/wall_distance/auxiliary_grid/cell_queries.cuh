// SPDX-License-Identifier: Apache-2.0
// Query points, box points and cells in the memories that the variations of the advancing boundary choose from.
#pragma once
#include "wall_distance/auxiliary_grid/cell_faces.hpp"
#include "wall_distance/auxiliary_grid/growing_radius_item.hpp"
#include "wall_distance/auxiliary_grid/variations.hpp"
#include "wall_distance/walls_cuda/device_primitives.cuh"

namespace shoal::wall_distance {

constexpr int advancing_boundary_threads = 256;  ///< threads of a block
constexpr int advancing_boundary_blocks = 2;     ///< least blocks on a multiprocessor

/// A query point that is read from global memory at every use.
struct GlobalQuery {
  const WallQueries& queries;
  std::int64_t i;
  const DevicePrimitives& primitives;

  __device__ double squared(const BoundingSphere<double>& sphere) const {
    const auto coordinate = [this](const View<const double>& axis) {
      return axis.data != nullptr ? *static_cast<const volatile double*>(axis.data + i * axis.stride) : 0;
    };
    const DoubleDoubleVector point{
        {coordinate(queries.points.x), 0}, {coordinate(queries.points.y), 0}, {coordinate(queries.points.z), 0}};
    return SphereQuery<double>(point, primitives.origin, primitives.rotation_error).squared(sphere);
  }
};

/// A query point of this thread in shared memory, read from there at every use. Coordinates are next to each other.
struct SharedQuery {
  const volatile double* coordinates;

  __device__ explicit SharedQuery(const SphereQuery<double>& query) {
    __shared__ double block_coordinates[3 * advancing_boundary_threads];
    volatile double* thread_coordinates = block_coordinates + 3 * threadIdx.x;
    thread_coordinates[0] = query.x;
    thread_coordinates[1] = query.y;
    thread_coordinates[2] = query.z;
    coordinates = thread_coordinates;
  }
  __device__ double squared(const BoundingSphere<double>& sphere) const {
    const double along_x = coordinates[0] - sphere.x, along_y = coordinates[1] - sphere.y,
                 along_z = coordinates[2] - sphere.z;
    return fma(along_x, along_x, fma(along_y, along_y, along_z * along_z));
  }
};

/// Copies the box points to shared memory, with coordinates next to each other. All threads of a block must call this.
__device__ inline BoxPoints shared_box_points(BoxPoints box) {
  __shared__ double coordinates[3 * most_box_points];
  for (auto k = static_cast<std::int32_t>(threadIdx.x); k < box.count; k += static_cast<std::int32_t>(blockDim.x)) {
    const BoundingSphere<double> point = box.point(k);
    coordinates[3 * k] = point.x;
    coordinates[3 * k + 1] = point.y;
    coordinates[3 * k + 2] = point.z;
  }
  __syncthreads();
  box.x = coordinates;
  box.y = coordinates + 1;
  box.z = coordinates + 2;
  box.stride = 3;
  return box;
}

/// Cells of a search in kernel arguments.
template <class Faces>
struct CellsOnDevice {
  const Cell<Faces>* cells;
  AllFaces all_faces;
};

}  // namespace shoal::wall_distance
