// SPDX-License-Identifier: Apache-2.0
// The paper's search radius, which starts at the bounding box of the walls.
#pragma once
#include "wall_distance/geometry/bounding_sphere_item.hpp"

namespace shoal::wall_distance {

/// Points of the bounding box of all face centers, see AuxiliaryGrid.
struct BoxPoints {
  const double *x, *y, *z;  ///< m
  std::int32_t count, stride;
  double cell_diagonal;  ///< m, of a cell of the auxiliary grid

  /// @param memory  all x, then all y and all z
  BoxPoints(const double* memory, std::int64_t count_, double cell_diagonal_)
      : x(memory),
        y(memory + count_),
        z(memory + 2 * count_),
        count(static_cast<std::int32_t>(count_)),
        stride(1),
        cell_diagonal(cell_diagonal_) {}

  SHOAL_HD BoundingSphere<double> point(std::int32_t k) const {
    return {x[k * stride], y[k * stride], z[k * stride], 0};
  }
};

/// Radius that contains all faces of some cell, m: that of the first cell whose center is within a radius that starts at
/// the nearest box point and grows by a cell's diagonal for every cell that is not, as in the paper. If the list has no
/// such cell, the smallest radius.
/// @param layout  bounding spheres of cells, a layout like SphereArrays
/// @param query   has squared(sphere), like SphereQuery
SHOAL_CALLS_ARGUMENT
template <class Layout, class Query>
SHOAL_HD double growing_whole_cell(const Layout& layout, std::int32_t cells, const Query& query, const BoxPoints& box) {
  double least = infinite_distance<double>;
  for (std::int32_t k = 0; k < box.count; ++k) least = min(query.squared(box.point(k)), least);
  double radius = fast_sqrt(least), whole_cell = infinite_distance<double>;
  for (std::int32_t k = 0; k < cells; ++k) {
    const BoundingSphere<double> sphere = layout.sphere(k);
    const double separation = fast_sqrt(query.squared(sphere));
    if (separation < radius) return radius + sphere.radius;
    whole_cell = min(separation + sphere.radius, whole_cell);
    radius += box.cell_diagonal;
  }
  return whole_cell;
}

}  // namespace shoal::wall_distance
