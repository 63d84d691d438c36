// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/cases/columns.hpp"

#include <shoal/wall_cases.hpp>

#include <algorithm>
#include <cmath>

#include "core/backends.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

using Place = std::array<double, 3>;

Place place_of(const WallMesh& mesh, std::int64_t corner) {
  const auto k = static_cast<std::size_t>(mesh.corners[static_cast<std::size_t>(corner)]);
  return {mesh.x[k], mesh.y[k], mesh.dimensions == 3 ? mesh.z[k] : 0};
}

/// As long as the segment, or as twice the area of the triangle.
Place normal_of(const Place& a, const Place& b, const Place& c, int corners) {
  if (corners == 2) return {b[1] - a[1], a[0] - b[0], 0};
  Place normal{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t p = (axis + 1) % 3, q = (axis + 2) % 3;
    normal[axis] = (b[p] - a[p]) * (c[q] - a[q]) - (b[q] - a[q]) * (c[p] - a[p]);
  }
  return normal;
}

/// Adds a base unless it has no area.
void add_base(const Place& a, const Place& b, const Place& c, int corners, std::vector<ColumnBase>& bases) {
  const Place normal = normal_of(a, b, c, corners);
  const double length = std::hypot(normal[0], normal[1], normal[2]);
  if (!(length > 0)) return;
  ColumnBase base{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    base.corner[0][axis] = a[axis];
    base.corner[1][axis] = b[axis];
    base.corner[2][axis] = c[axis];
    base.normal[axis] = normal[axis] / length;
  }
  bases.push_back(base);
}

/// Segments, and the fans of triangles that faces count as: from the corner with the smallest point number.
std::vector<ColumnBase> bases_of(const WallMesh& mesh) {
  std::vector<ColumnBase> bases;
  for (std::size_t face = 0; face < mesh.wall.size(); ++face) {
    const std::int64_t begin = mesh.face_start[face], count = mesh.face_start[face + 1] - begin;
    const auto first = mesh.corners.begin() + begin;
    const std::int64_t tip = count > 3 ? std::min_element(first, first + count) - first : 0;
    const auto corner = [&](std::int64_t k) { return place_of(mesh, begin + (tip + k) % count); };
    if (mesh.dimensions == 2) add_base(corner(0), corner(1), {}, 2, bases);
    for (std::int64_t k = 1; mesh.dimensions == 3 && k + 1 < count; ++k)
      add_base(corner(0), corner(k), corner(k + 1), 3, bases);
  }
  return bases;
}

std::vector<double> heights_of(const ColumnOptions& options) {
  std::vector<double> heights;
  double height = options.first;
  for (std::int64_t layer = 0; layer < options.layers; ++layer, height *= options.growth) heights.push_back(height);
  return heights;
}

}  // namespace

WallPoints make_columns(const Queue& queue, const WallMesh& mesh, const ColumnOptions& options) {
  require_valid(mesh);
  require(options.layers >= 1, "wall_distance: columns of ", options.layers, " layers, expected at least 1.");
  require(options.split >= 1 && options.split <= 1'000'000, "wall_distance: columns over faces split ", options.split,
          " times, expected 1 to 1000000.");
  require(options.first > 0 && options.growth > 0, "wall_distance: columns from ", options.first, " m growing by ",
          options.growth, ", expected positive numbers.");
  const ColumnGrid grid{options.layers, options.split, mesh.dimensions};
  const Array<ColumnBase> bases = to_device(queue, bases_of(mesh));
  const Array<double> heights = to_device(queue, heights_of(options));
  const std::int64_t count = bases.count() * grid.parts() * grid.layers;
  WallPoints points{Array<double>(queue, count), Array<double>(queue, count),
                    mesh.dimensions == 3 ? Array<double>(queue, count) : Array<double>()};
  SHOAL_RUN(queue, make_columns(queue, {grid, bases, heights, points.x, points.y, points.z}));
  queue.wait();  // before the bases go
  return points;
}

WallCase columns_case(WallMesh mesh, std::int64_t layers, double first, double growth) {
  const Queue queue = Queue::cpu(1);
  const WallPoints points = make_columns(queue, mesh, {.layers = layers, .first = first, .growth = growth});
  return {std::move(mesh), to_host(queue, points.x), to_host(queue, points.y), to_host(queue, points.z)};
}

}  // namespace shoal
