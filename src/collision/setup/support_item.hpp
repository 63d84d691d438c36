// SPDX-License-Identifier: Apache-2.0
// Nodes that take part in collisions. Lengths are counted from the center of the grid in half spacings, so that all of
// them are integers: node i lies at 2 i + 1 − n, the half width is n. A pair with center index b, parity p and
// displacement d (pairs/pair_item.hpp) has its center at c = 2 b + p + 1 − n and its nodes at c ± d. The two stencils
// of a collision are mirror images of each other around c; their nearest nodes lie at c ± a.
#pragma once
#include <shoal/item/host_device.hpp>

#include <cmath>
#include <cstdint>

namespace shoal::collision {

/// Nodes with |u|² ≤ square: a ball, or the whole box for a square of 3 n².
struct VelocitySupport {
  int n;
  int square;
  int stencil_square;  ///< Largest |u|² of the nearest node of a stencil whose nodes all take part.

  /// Support of all nodes.
  static VelocitySupport box(int n) { return {n, 3 * n * n, 3 * n * n}; }
  SHOAL_HD bool is_box() const { return square >= 3 * n * n; }
  /// Coordinate of node i along an axis.
  SHOAL_HD int coordinate(int i) const { return 2 * i + 1 - n; }
  /// Coordinate of a pair's center along an axis.
  SHOAL_HD int center(int index, int parity) const { return 2 * index + parity + 1 - n; }

  SHOAL_HD static int dot(const int* a, const int* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  /// Maximum of |c + a|² and |c − a|².
  SHOAL_HD static int farther_square(const int* c, const int* a) {
    const int across = dot(c, a);
    return dot(c, c) + dot(a, a) + 2 * (across < 0 ? -across : across);
  }

  SHOAL_HD bool has(int x, int y, int z) const {
    const int u[3] = {coordinate(x), coordinate(y), coordinate(z)};
    return dot(u, u) <= square;
  }
  /// Returns true if a node takes part.
  /// @param i  node number, counted over all cells
  SHOAL_HD bool has(std::int64_t i) const {
    return has(static_cast<int>(i % n), static_cast<int>(i / n % n), static_cast<int>(i / n / n % n));
  }
  /// Bound of |u|² for the middle of points³ interpolation nodes of which at least one takes part.
  int reach2(int points) const {
    const double reach = std::sqrt(square) + std::sqrt(3.0) * (points - 1);
    return static_cast<int>(std::ceil(reach * reach));
  }
  /// Returns true if all nodes of both stencils of a collision take part.
  /// @param center_index  b of the pair
  /// @param nearest       nearest node of one molecule's stencil, relative to b
  SHOAL_HD bool has_stencils(const int* center_index, const int* parity, const int* nearest) const {
    int c[3], a[3];
    for (int axis = 0; axis < 3; ++axis) {
      c[axis] = center(center_index[axis], parity[axis]);
      a[axis] = 2 * nearest[axis] - parity[axis];
    }
    return farther_square(c, a) <= stencil_square;
  }
};

}  // namespace shoal::collision
