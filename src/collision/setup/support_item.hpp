// SPDX-License-Identifier: Apache-2.0
// Which nodes take part in collisions. Here lengths are counted from the center of the grid in half spacings, so that
// all are integers: node i lies at 2 i + 1 − n, the half width is n. A pair with base b, parity p and displacement d
// has its center at c = 2 b + p + 1 − n and its nodes at c ± d; two stencils, each the other's mirror image, lie around
// c ± a.
#pragma once
#include <shoal/item/host_device.hpp>

#include <cmath>
#include <cstdint>

namespace shoal {

/// Nodes with |u|² up to a square: a ball, or with one of 3 n² all of the box.
struct VelocitySupport {
  int n;
  int square;
  int stencil_square;  ///< the same for the node in the middle of a stencil, so that all its nodes take part

  SHOAL_HD bool is_box() const { return square >= 3 * n * n; }
  SHOAL_HD int at(int i) const { return 2 * i + 1 - n; }
  SHOAL_HD int center(int base, int parity) const { return 2 * base + parity + 1 - n; }

  SHOAL_HD static int dot(const int* a, const int* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
  /// The larger of |c + a|² and |c − a|².
  SHOAL_HD static int farther_square(const int* c, const int* a) {
    const int across = dot(c, a);
    return dot(c, c) + dot(a, a) + 2 * (across < 0 ? -across : across);
  }

  SHOAL_HD bool has(int x, int y, int z) const {
    const int u[3] = {at(x), at(y), at(z)};
    return dot(u, u) <= square;
  }
  /// Most |u|² of the middle of taps³ nodes of which any takes part.
  int reach2(int taps) const {
    const double reach = std::sqrt(square) + std::sqrt(3.0) * (taps - 1);
    return static_cast<int>(std::ceil(reach * reach));
  }
  /// Node i of any cell.
  SHOAL_HD bool has(std::int64_t i) const {
    return has(static_cast<int>(i % n), static_cast<int>(i / n % n), static_cast<int>(i / n / n % n));
  }
  /// @param base    of a pair
  /// @param middle  of the stencil around one molecule, relative to the base
  SHOAL_HD bool has_stencils(const int* base, const int* parity, const int* middle) const {
    int c[3], a[3];
    for (int axis = 0; axis < 3; ++axis) {
      c[axis] = center(base[axis], parity[axis]);
      a[axis] = 2 * middle[axis] - parity[axis];
    }
    return farther_square(c, a) <= stencil_square;
  }
};

}  // namespace shoal
