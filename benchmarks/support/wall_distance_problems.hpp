// SPDX-License-Identifier: Apache-2.0
// Walls on a device, and points above them, that several programs measure.
#pragma once
#include <shoal/wall_distance.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>

#include "support/boundary_layer_points.hpp"
#include "support/dented_sphere.hpp"
#include "support/harness.hpp"

namespace shoal::benchmarks {

/// The triangles of a mesh in arrays on the device of a queue.
class TrianglesOnDevice {
 public:
  /// @param mesh  in 3-D, triangles alone
  TrianglesOnDevice(const Queue& queue, const WallMesh& mesh)
      : x_(to_device(queue, mesh.x)),
        y_(to_device(queue, mesh.y)),
        z_(to_device(queue, mesh.z)),
        corners_(to_device(queue, mesh.corners)),
        device_(queue.device()) {}

  WallArrays<double, std::int64_t> arrays() const {
    WallArrays<double, std::int64_t> arrays{.points = {x_, y_, z_}};
    for (int i = 0; i < 3; ++i) arrays.corners.push_back({corners_.data() + i, corners_.count() / 3, device_, 3});
    return arrays;
  }

 private:
  Array<double> x_, y_, z_;      ///< [points] m
  Array<std::int64_t> corners_;  ///< [3 faces] point numbers
  Device device_;
};

inline constexpr std::size_t all_points = std::numeric_limits<std::size_t>::max();

/// Boundary-layer points in columns of 40, from 1e-5 m with a growth of 1.25, in the order of the mesh. Faces have as many
/// columns as it takes for `least` points; of these, the first `most` are used.
inline wall_distance::WallCase boundary_layer_over(WallMesh mesh, std::int64_t least, std::size_t most) {
  testing_support::BoundaryLayerOptions options;
  const auto unsplit = static_cast<double>(mesh.face_count() * options.layers);
  options.split = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(least) / unsplit)));
  wall_distance::WallCase layers = testing_support::boundary_layer_case(std::move(mesh), options);
  for (auto* coordinates : {&layers.x, &layers.y, &layers.z}) coordinates->resize(std::min(coordinates->size(), most));
  return layers;
}

/// A dented sphere whose points were moved along the radius at random, by at most a tenth of the length of a face.
/// @param faces  approximate number of triangles
inline WallMesh rough_sphere_with(std::int64_t faces) {
  WallMesh mesh = testing_support::dented_sphere_with(faces);
  const double length = 2 * std::numbers::pi / std::sqrt(static_cast<double>(faces));  // relative to the radius
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < mesh.x.size(); ++i) {
    const double size = 1 + 0.2 * length * (std::generate_canonical<double, 53>(random) - 0.5);
    for (auto* coordinates : {&mesh.x, &mesh.y, &mesh.z}) (*coordinates)[i] *= size;
  }
  return mesh;
}

}  // namespace shoal::benchmarks
