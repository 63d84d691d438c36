// SPDX-License-Identifier: Apache-2.0
// Initial positions of the particles of a case's bodies and walls.
#pragma once
#include "sph/setup/lattice_region.hpp"

namespace shoal::sph {

/// Particles of one body or wall.
struct Part {
  std::string name;                            ///< "body 0", "wall \"tank\""
  std::vector<Vector> points;                  ///< m, as drawn
  LatticeRegion region;                        ///< lattice cells that contain the points
  Box bounds;                                  ///< m, bounding box of these cells at t = 0
  std::optional<RigidTransform> displacement;  ///< initial displacement; none: the part starts where it was drawn

  /// Position at t = 0 of a point of the drawing.
  Vector start(const Vector& point) const;

  /// Returns true if a point is in a cell of the part at t = 0.
  bool holds(const Vector& point) const;
};

/// Displacement of a wall at t = 0, by the phase or the mean angle of its motion; none if it starts where it was drawn.
std::optional<RigidTransform> start_displacement(const Motion& motion);

struct CaseParts {
  std::vector<Part> bodies;
  std::vector<Part> walls;  ///< each without the points of previous walls
};

/// @throws Error  a part without particles or without end, bodies that overlap each other or a wall
CaseParts parts_of(const Case& simulation, const Queue& queue);

/// Box that particles must stay in: the domain of the case, or the bounding box of all bodies and walls, extended on
/// every side by half its longest side.
Box domain_of(const Case& simulation);

}  // namespace shoal::sph
