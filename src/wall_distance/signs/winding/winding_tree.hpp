// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "wall_distance/signs/winding/winding_item.hpp"

namespace shoal::wall_distance {

/// Tree over the primitives of each body for winding numbers, on the host. WindingFinder documents the arrays.
struct WindingTree {
  std::vector<std::int32_t> first;
  std::vector<WindingNode> nodes;
  std::vector<std::int32_t> root, order;
  std::vector<std::int8_t> orientation;
  double scale = 1;
};

/// Builds the tree. Faces are taken as oriented outwards, unless a body encloses a negative volume that way about the
/// center of its faces.
///
/// Cost: O(n log n) for n primitives.
/// @throws Error  a body whose faces have no area (2-D: length)
WindingTree winding_tree(const MeshSummary& mesh, const WallPrimitives& primitives);

}  // namespace shoal::wall_distance
