// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/deposit_item.hpp>

#include "core/host_device.hpp"

/// The canonical sum: the order in which `deposit` adds, which CPU and CUDA share bit for bit.
///
/// 1. A cell's particles are in canonical order, by number: p = 0, 1, ..., m − 1. They are cut into chunks of
///    `sum_chunk`.
/// 2. In a chunk, lane l of `sum_lanes` takes particles l, l + 8, l + 16, ... in this order:
///    sum = fma(weight, value, sum), from +0. A lane without particles stays +0.
/// 3. The lanes of a chunk are added as a butterfly: lane l and l + 4, then l + 2, then l + 1, which is
///    ((l0 + l4) + (l2 + l6)) + ((l1 + l5) + (l3 + l7)).
/// 4. The sums of a cell's chunks are added in ascending order. A cell without particles has +0. This is done for each
///    of the cell's corners, and gives its parts.
/// 5. A node adds the parts of the cells around it row by row: row = part of the left cell + part of the right cell,
///    and (row0 + row1) + (row2 + row3) of the rows (lower z, lower y), (lower z, upper y), (upper z, lower y),
///    (upper z, upper y); in 2-D row0 + row1. Where there is no cell its part is +0; on a periodic axis the cell below
///    node 0 is the last one.
///
/// Weights are those of shoal/item/deposit_item.hpp. All sums are in `Real`, and nothing but step 2 is fused.
namespace shoal {

inline constexpr int sum_lanes = 8;
inline constexpr int sum_chunk = 512;

/// Step 3.
template <class T>
SHOAL_HD T sum_of_lanes(const T (&lane)[sum_lanes]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// Step 5.
/// @param part  T part(std::int64_t cell, int corner): what the cell's particles give to its corner
SHOAL_CALLS_ARGUMENT
template <class T, class Real, class Part>
SHOAL_HD T sum_at_node(const DepositSpace<Real>& space, const GridPlace& node, Part&& part) {
  T row[4] = {};
  const int rows = space.corners() / 2;
  for (int r = 0; r < rows; ++r) {
    const int above_y = r & 1;
    const int above_z = r >> 1;
    const std::int32_t y = space.axes[1].cell_beside(node.y, above_y);
    const std::int32_t z = rows > 2 ? space.axes[2].cell_beside(node.z, above_z) : 0;
    if (y < 0 || z < 0) continue;
    const int corner = (above_y != 0 ? 0 : 2) + (rows > 2 && above_z == 0 ? 4 : 0);  // of the cell, without x
    const std::int32_t left = space.axes[0].cell_beside(node.x, 0);
    const std::int32_t right = space.axes[0].cell_beside(node.x, 1);
    const T from_left = left >= 0 ? part(space.cell_number({left, y, z}), corner + 1) : T(0);
    const T from_right = right >= 0 ? part(space.cell_number({right, y, z}), corner) : T(0);
    row[r] = from_left + from_right;
  }
  return rows > 2 ? (row[0] + row[1]) + (row[2] + row[3]) : row[0] + row[1];
}

}  // namespace shoal
