// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace shoal {

/// A uniform, axis-aligned grid in two or three dimensions. Cells are numbered with x fastest:
///
///     cell = (iz * cells[1] + iy) * cells[0] + ix
///
/// A 2-D grid has one cell in z and ignores z.
struct Grid {
  int dimensions = 3;
  std::array<double, 3> origin{};          ///< m, lower corner
  std::array<double, 3> spacing{1, 1, 1};  ///< m, edge of a cell
  std::array<std::int64_t, 3> cells{1, 1, 1};
  std::array<bool, 3> periodic{};

  /// The grid of cells with an edge of at least `spacing` that fills the box [lower, upper] exactly.
  /// @throws Error  dimensions other than 2 or 3, lower >= upper, a spacing that is not positive, a value not finite,
  ///                too many cells
  static Grid fill(int dimensions, std::array<double, 3> lower, std::array<double, 3> upper, double spacing,
                   std::array<bool, 3> periodic = {});

  std::int64_t cell_count() const { return cells[0] * cells[1] * cells[2]; }

  /// Nodes sit on the corners of cells; a periodic axis has as many nodes as cells.
  std::int64_t node_count() const;

  double upper(int axis) const { return origin[axis] + spacing[axis] * static_cast<double>(cells[axis]); }
};

/// @throws Error  names the first invalid member
void require_valid(const Grid& grid);

}  // namespace shoal
