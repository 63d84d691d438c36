// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "wall_distance/geometry/bounding_sphere_item.hpp"
#include "wall_distance/walls/wall_primitives.hpp"

namespace shoal::wall_distance {

/// A cell of the auxiliary grid that contains primitives.
struct AuxiliaryCell {
  BoundingSphere<double> sphere;         ///< around the cell's center, contains all of its primitives
  std::vector<std::int32_t> primitives;  ///< ascending
};

/// The paper's preprocessor: a uniform grid over the centers of primitives. Every primitive belongs to the one cell
/// that contains its center; cells without primitives are dropped.
/// @param spheres         [primitives]; spheres at infinity belong to no cell
/// @param cells_each_axis number of cells along each axis; the paper's repository: 79
/// @param most            capacity of a cell; a cell with more primitives appears several times
std::vector<AuxiliaryCell> auxiliary_cells(const std::vector<BoundingSphere<double>>& spheres,
                                           std::int64_t cells_each_axis, std::int64_t most);

constexpr int most_box_points = 26;

/// Points of the bounding box of the centers of spheres: corners and middles of edges, 8 in a plane, and middles of
/// faces, 26 in space. The paper's search radius starts at the nearest one.
/// @return [3 points] m, all x, then all y and all z
std::vector<double> box_points_around(const std::vector<BoundingSphere<double>>& spheres);

/// Auxiliary grid over the primitives of a plan at their present poses.
struct AuxiliaryGrid {
  std::vector<BoundingSphere<double>> spheres;  ///< [primitives]
  std::vector<AuxiliaryCell> cells;
  std::vector<double> box_points;  ///< [3 points] m, see box_points_around()
  double cell_diagonal;            ///< m

  /// @param origin  [3] m, origin of the spheres
  /// @param body    number of the only body to include; −1: all bodies
  /// @param most    capacity of a cell
  /// @param cells_each_axis  number of cells along each axis; 0: 79 in 2-D and 31 in 3-D
  AuxiliaryGrid(const WallPrimitives& primitives, const double* origin, std::int32_t body, std::int64_t most,
                std::int64_t cells_each_axis);
};

/// Poses and body for which an auxiliary grid was made.
struct AuxiliaryUse {
  std::vector<BodyPose> pose = {};
  std::int32_t body = -1;
  friend bool operator==(const AuxiliaryUse&, const AuxiliaryUse&) = default;
};

}  // namespace shoal::wall_distance
