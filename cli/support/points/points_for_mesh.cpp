// SPDX-License-Identifier: Apache-2.0
#include "support/points/points_for_mesh.hpp"

#include <cmath>

#include "support/message.hpp"

namespace shoal::cli {

namespace {

constexpr double largest_coordinate = 1e100;  // m, the limit of wall_distance

void require_in_range(const io::PointsFile& points) {
  const std::vector<double>* const axes[] = {&points.x, &points.y, &points.z};
  for (std::size_t i = 0; i < points.x.size(); ++i)
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(points.dimensions); ++axis) {
      const double coordinate = (*axes[axis])[i];
      require(std::abs(coordinate) <= largest_coordinate,
              "{}: point {} has {} = {}, expected a finite coordinate of at most {} m. Correct or remove the point.",
              points.name, i, points.coordinates[axis], coordinate, largest_coordinate);
    }
}

void require_one_plane(const io::PointsFile& points, const io::MeshFile& mesh) {
  for (std::size_t i = 1; i < points.z.size(); ++i)
    require(points.z[i] == points.z[0],
            "{}: point {} has {} = {} and point 0 has {}, expected the same for all points, because the mesh {} is "
            "two-dimensional.",
            points.name, i, points.coordinates[2], points.z[i], points.z[0], mesh.name);
}

}  // namespace

io::MeshPoints read_points_for(const io::MeshFile& mesh, const std::filesystem::path& file,
                               const io::PointsFileOptions& options) {
  io::PointsFile points = io::read_points(file, options);
  require(points.dimensions >= mesh.dimensions,
          "{}: its points have {} coordinate{}, and the mesh {} has {}. Expected at least as many.", points.name,
          points.dimensions, points.dimensions == 1 ? "" : "s", mesh.name, mesh.dimensions);
  require_in_range(points);
  if (mesh.dimensions == 3) return {std::move(points.x), std::move(points.y), std::move(points.z)};
  require_one_plane(points, mesh);
  return {std::move(points.x), std::move(points.y), {}};
}

}  // namespace shoal::cli
