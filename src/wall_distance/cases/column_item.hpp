// SPDX-License-Identifier: Apache-2.0
// One point of a column over a part of a face.
#pragma once
#include "core/real.hpp"

namespace shoal {

/// A triangle or, in 2-D, a segment that columns stand on: its first two or three corners, and its unit normal.
struct ColumnBase {
  double corner[3][3];
  double normal[3];
};

struct ColumnPoint {
  double x[3];
};

/// Columns over `split` times `split` parts of each triangle, or `split` parts of each segment, `layers` points each.
struct ColumnGrid {
  std::int64_t layers, split;
  int corners;  ///< 3: triangles, 2: segments

  SHOAL_HD std::int64_t parts() const { return corners == 3 ? split * split : split; }

  /// How much each corner counts in the middle of a part; the sum is corners · split. Triangles: parts of the lattice
  /// that stand as the whole does, and, folded into the other half of the square, those upside down.
  SHOAL_HD void weigh(std::int64_t part, double* weight) const {
    if (corners == 2) {
      weight[1] = static_cast<double>(2 * part + 1);
      weight[0] = static_cast<double>(2 * split) - weight[1];
      weight[2] = 0;
      return;
    }
    std::int64_t row = part / split, place = part % split, middle = 1;
    if (row + place >= split) {
      row = split - 1 - row;
      place = split - 1 - place;
      middle = 2;
    }
    weight[1] = static_cast<double>(3 * row + middle);
    weight[2] = static_cast<double>(3 * place + middle);
    weight[0] = static_cast<double>(3 * split) - weight[1] - weight[2];
  }

  /// Point `number`: layers of a column one after the other, columns of a base one after the other.
  SHOAL_HD ColumnPoint point(const ColumnBase* bases, const double* heights, std::int64_t number) const {
    const std::int64_t column = number / layers;
    const ColumnBase& base = bases[column / parts()];
    double weight[3];
    weigh(column % parts(), weight);
    const double height = heights[number % layers], all = static_cast<double>(corners * split);
    ColumnPoint at{};
    for (int axis = 0; axis < 3; ++axis) {
      double sum = 0;
      for (int k = 0; k < corners; ++k) sum += rounded_product(weight[k], base.corner[k][axis]);
      at.x[axis] = sum / all + rounded_product(height, base.normal[axis]);
    }
    return at;
  }
};

}  // namespace shoal
