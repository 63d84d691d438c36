// SPDX-License-Identifier: Apache-2.0
// Where the particles of a case's bodies and walls are.
#pragma once
#include "sph/setup/lattice_region.hpp"

namespace shoal::sph {

/// The particles of a body or wall, before they are put together.
struct Part {
  std::string name;            ///< "body 0", "wall \"tank\""
  std::vector<Vector> points;  ///< m
  LatticeRegion region;        ///< whose cells they are in
  Box bounds;                  ///< around these cells
};

struct CaseParts {
  std::vector<Part> bodies;
  std::vector<Part> walls;  ///< without what an earlier wall has already
};

/// @throws Error  a part without particles or without end, bodies that overlap each other or a wall
CaseParts parts_of(const Case& simulation, const Queue& queue);

/// The box that particles must stay in: the case's own, or the box around all bodies and walls with half its longest
/// side added all around.
Box domain_of(const Case& simulation);

}  // namespace shoal::sph
