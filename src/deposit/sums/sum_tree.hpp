// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/deposit_item.hpp>
#include <shoal/item/host_device.hpp>

/// The canonical sum: the order in which `deposit` adds, which CPU and CUDA share bit for bit.
///
/// 1. A cell's particles are in canonical order, by number: p = 0, 1, ..., m − 1. They are cut into chunks of
///    `sum_chunk`.
/// 2. In a chunk, lane l of `sum_lanes` takes particles l, l + 8, l + 16, ... in this order:
///    sum = fma(weight, value, sum), from +0. A lane without particles stays +0.
/// 3. The lanes of a chunk are added as a butterfly: lane l and l + 4, then l + 2, then l + 1, which is
///    ((l0 + l4) + (l2 + l6)) + ((l1 + l5) + (l3 + l7)).
/// 4. The sum of a cell with one chunk is that of the chunk, without particles +0. Else lane l of `chunk_lanes` adds
///    chunks l, l + 32, ... in this order, from +0, and lanes are added as a butterfly: lane l and l + 16, then l + 8,
///    ... This is done for each of the cell's corners, and gives its parts.
/// 5. A node adds the parts of the cells around it row by row: row = part of the left cell + part of the right cell,
///    and (row0 + row1) + (row2 + row3) of the rows (lower z, lower y), (lower z, upper y), (upper z, lower y),
///    (upper z, upper y); in 2-D row0 + row1. Where there is no cell its part is +0; on a periodic axis the cell below
///    node 0 is the last one.
///
/// Weights are those of shoal/item/deposit_item.hpp. All sums are in `Real`, and nothing but step 2 is fused.
namespace shoal::deposit {

inline constexpr int sum_lanes = 8;
inline constexpr int sum_chunk = 512;
inline constexpr int chunk_lanes = 32;

SHOAL_HD constexpr std::int64_t chunk_count(std::int64_t particles) { return (particles + sum_chunk - 1) / sum_chunk; }

/// Step 3: the sum of a chunk's lanes.
template <class T>
SHOAL_HD T sum_of_lanes(const T (&lane)[sum_lanes]) {
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/// Step 5 for the nodes of one row along x.
template <class Real>
class NodeRow {
 public:
  SHOAL_HD NodeRow(const DepositSpace<Real>& space, std::int32_t y, std::int32_t z)
      : along_(space.axes[0]), rows_(space.corners() / 2) {
    for (int r = 0; r < 4; ++r) {  // a constant bound keeps arrays in registers
      if (r >= rows_) continue;
      const int above_y = r & 1;
      const int above_z = r >> 1;
      const std::int32_t cell_y = space.axes[1].cell_beside(y, above_y);
      const std::int32_t cell_z = rows_ > 2 ? space.axes[2].cell_beside(z, above_z) : 0;
      corner_[r] = (above_y != 0 ? 0 : 2) + (rows_ > 2 && above_z == 0 ? 4 : 0);
      first_[r] = cell_y < 0 || cell_z < 0 ? -1 : space.cell_number({0, cell_y, cell_z});
    }
  }

  /// The sum at node x of the row.
  /// @param part  T part(std::int64_t cell, int corner): the cell's part of a corner
  SHOAL_CALLS_ARGUMENT
  template <class T, class Part>
  SHOAL_HD T sum(std::int32_t x, Part&& part) const {
    return sum_of_rows<T>(x, [&](std::int64_t left, std::int64_t right, int corner) {
      const T from_left = left >= 0 ? part(left, corner + 1) : T(0);
      const T from_right = right >= 0 ? part(right, corner) : T(0);
      return from_left + from_right;
    });
  }

  /// The sum at node x from the sums of rows of cells.
  /// @param row  T row(std::int64_t left, std::int64_t right, int corner): part of the left cell + part of the right
  ///             cell, in which the node is this corner. A missing cell is −1; at least one exists
  SHOAL_CALLS_ARGUMENT
  template <class T, class Row>
  SHOAL_HD T sum_of_rows(std::int32_t x, Row&& row) const {
    const std::int32_t left = along_.cell_beside(x, 0);
    const std::int32_t right = along_.cell_beside(x, 1);
    T sum[4] = {};
    for (int r = 0; r < 4; ++r) {
      if (r >= rows_ || first_[r] < 0) continue;
      sum[r] = row(left >= 0 ? first_[r] + left : -1, right >= 0 ? first_[r] + right : -1, corner_[r]);
    }
    return rows_ > 2 ? (sum[0] + sum[1]) + (sum[2] + sum[3]) : sum[0] + sum[1];
  }

 private:
  DepositAxis<Real> along_;
  int rows_;                    ///< Number of rows of cells around a node
  int corner_[4] = {};          ///< Corner of the right cells at the node
  std::int64_t first_[4] = {};  ///< Number of the cell at x = 0; -1 if there is no such row
};

}  // namespace shoal::deposit
