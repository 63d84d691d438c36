// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "collision/conservative/stencil_item.hpp"
#include "collision/spheres/sphere_tables.hpp"

namespace shoal::collision {

/// Boxes of the nodes that gather from the centers of a class in a direction.
struct alignas(16) GatherBoxes {
  signed char first[2][3];  ///< Corners of the boxes: of the stencils of the first molecules, and of the mirrored ones.
  signed char last[2][3];   ///< Opposite corners, which the boxes include; less than `first` if there are no centers.
  int node_and_parity;      ///< Index of the first node of the stencil, and a bit for the parity along each axis.

  /// @param centers  centers whose collisions in this direction take place
  /// @param stencil  stencil at each of them
  /// @param parity   that of the class
  GatherBoxes(const CenterBox& centers, const Stencil& stencil, const int* parity, int first_stencil_node)
      : node_and_parity(8 * first_stencil_node + 4 * parity[2] + 2 * parity[1] + parity[0]) {
    for (int axis = 0; axis < 3; ++axis) {
      int least = stencil.offset[0][axis], most = least;
      for (int t = 1; t < stencil.count; ++t) {
        least = std::min(least, stencil.offset[t][axis]);
        most = std::max(most, stencil.offset[t][axis]);
      }
      const int begin = centers.first[axis], end = begin + centers.count[axis] - 1;
      const bool none = stencil.count == 0 || centers.count[axis] == 0;
      const int low[2] = {begin + least, begin + parity[axis] - most},
                high[2] = {end + most, end + parity[axis] - least};
      for (int box = 0; box < 2; ++box) {
        first[box][axis] = static_cast<signed char>(none ? 0 : low[box]);
        last[box][axis] = static_cast<signed char>(none ? -1 : high[box]);
      }
    }
  }

  SHOAL_HD int first_node() const { return node_and_parity >> 3; }
  SHOAL_HD int parity(int axis) const { return node_and_parity >> axis & 1; }
};

}  // namespace shoal::collision
