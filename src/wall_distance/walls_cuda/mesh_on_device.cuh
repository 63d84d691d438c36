// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/launch.cuh"
#include "wall_distance/walls/mesh_checks.hpp"

namespace shoal::wall_distance {

/// Findings of kernels that read a mesh.
struct MeshReport {
  unsigned long long faults;        ///< 0: all numbers are valid
  unsigned long long largest_wall;  ///< largest number of a wall
};

/// A MeshReport on a device.
class MeshReportOnDevice {
 public:
  explicit MeshReportOnDevice(const Queue& queue) : queue_(queue), report_(queue, 1) { clear(); }

  void clear() { fill_bytes(queue_, report_.data(), 0, sizeof(MeshReport)); }
  MeshReport* data() { return report_.data(); }
  const MeshReport* data() const { return report_.data(); }
  std::int64_t bytes() const { return report_.bytes(); }

  /// Waits for the kernels, but not for the errors of other plans.
  MeshReport read() const {
    MeshReport report{};
    copy<MeshReport>(queue_, report_.view(), View<MeshReport>(&report, 1));
    return report;
  }

 private:
  Queue queue_;
  Array<MeshReport> report_;
};

/// Arrays of a WallMesh in the memory of a queue's device.
struct MeshOnDevice {
  int dimensions;
  Array<double> x, y, z;                    ///< [points] m; z is empty in 2-D
  Array<std::int64_t> face_start, corners;  ///< [faces + 1], [face_start[faces]]
  Array<std::int32_t> wall;                 ///< [faces]

  MeshOnDevice(const Queue& queue, int mesh_dimensions)
      : dimensions(mesh_dimensions),
        x(queue, 0),
        y(queue, 0),
        z(queue, 0),
        face_start(queue, 0),
        corners(queue, 0),
        wall(queue, 0) {}

  MeshArrays arrays() const {
    return {dimensions,        x.data(),       y.data(),     z.data(),        x.count(),
            face_start.data(), corners.data(), wall.count(), corners.count(), wall.data()};
  }
  std::int64_t bytes() const {
    return x.bytes() + y.bytes() + z.bytes() + face_start.bytes() + corners.bytes() + wall.bytes();
  }
};

/// Copies the arrays of a mesh whose counts agree, without a check of their numbers.
MeshOnDevice mesh_on_device(const Queue& queue, const WallMesh& mesh);

/// Copies arrays on the queue's device that require_views() accepts. Reports coordinates, elements of `face_start` and
/// markers that are not valid, and the largest marker.
template <class Real, class Index>
MeshOnDevice mesh_on_device(const Queue& queue, const WallArrays<Real, Index>& arrays, MeshReportOnDevice& report);

/// Copies the coordinates of points, and reports those that are not valid.
/// @param points  on the host or on the queue's device
void copy_points(const Queue& queue, const Points<double>& points, MeshOnDevice& mesh, MeshReportOnDevice& report);

/// The mesh of arrays on the queue's device.
/// @throws Error  the errors of wall_mesh()
template <class Real, class Index>
WallMesh mesh_on_host(const Queue& queue, const WallArrays<Real, Index>& arrays);

}  // namespace shoal::wall_distance
