// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/auxiliary_grid/auxiliary_cells.hpp"

#include <algorithm>
#include <array>

namespace shoal::wall_distance {

namespace {

/// The grid along one axis. Cells are half open, except the last one, so a center on a border is in one cell.
struct Axis {
  double low = infinite_distance<double>, high = -infinite_distance<double>;
  std::int64_t cells;

  double width() const { return (high - low) / static_cast<double>(cells); }
  std::int64_t cell(double coordinate) const {
    if (!(width() > 0)) return 0;
    return std::clamp(static_cast<std::int64_t>((coordinate - low) / width()), std::int64_t{0}, cells - 1);
  }
  double center(std::int64_t cell) const { return low + (static_cast<double>(cell) + 0.5) * width(); }
};

using Axes = std::array<Axis, 3>;

/// Axes of the grid over the centers of all spheres that are not at infinity.
Axes axes_around(const std::vector<BoundingSphere<double>>& spheres, std::int64_t cells_each_axis) {
  Axes axes;
  for (Axis& axis : axes) axis.cells = cells_each_axis;
  for (const BoundingSphere<double>& sphere : spheres) {
    if (sphere.x == infinite_distance<double>) continue;
    const std::array<double, 3> center{sphere.x, sphere.y, sphere.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      axes[axis].low = std::min(axes[axis].low, center[axis]);
      axes[axis].high = std::max(axes[axis].high, center[axis]);
    }
  }
  return axes;
}

using CellIndex = std::array<std::int64_t, 3>;

/// Enlarges a sphere to contain another one.
void include(BoundingSphere<double>& sphere, const BoundingSphere<double>& inner) {
  const double along[3] = {inner.x - sphere.x, inner.y - sphere.y, inner.z - sphere.z};
  const double separation = std::sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  sphere.radius = std::max(sphere.radius, (separation + inner.radius) * (1 + 4 * SphereRounding<double>::share));
}

/// The 79 cells along each axis of the paper's repository in 2-D; fewer in 3-D, where the cells with faces form a
/// surface.
std::int64_t default_cells_each_axis(const WallPrimitives& primitives) {
  for (const Primitive& primitive : primitives.shape)
    if (primitive.z[0] != 0 || primitive.z[2] != 0) return 31;
  return 79;
}

std::vector<BoundingSphere<double>> spheres_of(const WallPrimitives& primitives, const double* origin,
                                               std::int32_t body) {
  std::vector<BoundingSphere<double>> spheres;
  for (std::size_t k = 0; k < primitives.shape.size(); ++k)
    spheres.push_back(body >= 0 && primitives.body[k] != body
                          ? sphere_at_infinity<double>()
                          : bounding_sphere<double>(primitives.shape[k],
                                                    primitives.pose[static_cast<std::size_t>(primitives.body[k])],
                                                    origin));
  return spheres;
}

}  // namespace

AuxiliaryGrid::AuxiliaryGrid(const WallPrimitives& primitives, const double* origin, std::int32_t body,
                             std::int64_t most, std::int64_t cells_each_axis)
    : spheres(spheres_of(primitives, origin, body)), box_points(box_points_around(spheres)) {
  if (cells_each_axis == 0) cells_each_axis = default_cells_each_axis(primitives);
  cells = auxiliary_cells(spheres, cells_each_axis, most);
  const Axes axes = axes_around(spheres, cells_each_axis);
  cell_diagonal = std::hypot(axes[0].width(), axes[1].width(), axes[2].width());
}

std::vector<double> box_points_around(const std::vector<BoundingSphere<double>>& spheres) {
  const Axes axes = axes_around(spheres, 2);
  const int layers = axes[2].width() > 0 ? 3 : 1;
  std::array<std::vector<double>, 3> coordinates;
  for (int k = 0; k < 9 * layers; ++k) {
    const std::array<int, 3> steps{k % 3, k / 3 % 3, layers == 3 ? k / 9 : 1};
    if (steps == std::array<int, 3>{1, 1, 1}) continue;
    for (std::size_t axis = 0; axis < 3; ++axis)
      coordinates[axis].push_back(axes[axis].low + steps[axis] * axes[axis].width());
  }
  for (std::size_t axis = 1; axis < 3; ++axis)
    coordinates[0].insert(coordinates[0].end(), coordinates[axis].begin(), coordinates[axis].end());
  return coordinates[0];
}

std::vector<AuxiliaryCell> auxiliary_cells(const std::vector<BoundingSphere<double>>& spheres,
                                           std::int64_t cells_each_axis, std::int64_t most) {
  const Axes axes = axes_around(spheres, cells_each_axis);
  std::vector<std::pair<CellIndex, std::int32_t>> by_cell;
  for (std::size_t i = 0; i < spheres.size(); ++i) {
    const BoundingSphere<double>& sphere = spheres[i];
    if (sphere.x != infinite_distance<double>)
      by_cell.push_back(
          {{axes[2].cell(sphere.z), axes[1].cell(sphere.y), axes[0].cell(sphere.x)}, static_cast<std::int32_t>(i)});
  }
  std::sort(by_cell.begin(), by_cell.end());
  std::vector<AuxiliaryCell> cells;
  for (std::size_t k = 0; k < by_cell.size(); ++k) {
    const auto& [cell, primitive] = by_cell[k];
    if (k == 0 || cell != by_cell[k - 1].first || static_cast<std::int64_t>(cells.back().primitives.size()) == most)
      cells.push_back({{axes[0].center(cell[2]), axes[1].center(cell[1]), axes[2].center(cell[0]), 0}, {}});
    cells.back().primitives.push_back(primitive);
    include(cells.back().sphere, spheres[static_cast<std::size_t>(primitive)]);
  }
  return cells;
}

}  // namespace shoal::wall_distance
