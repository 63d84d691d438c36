// SPDX-License-Identifier: Apache-2.0
// Products f f₁ of the pairs of spheres. Displacements that differ in signs alone belong to one class, and their pairs at
// one center are the diagonals of a box of nodes: a thread finds the 8 corners once for up to 4 pairs.
#pragma once
#include "collision/conservative/pair_tables.hpp"
#include "collision/spheres/sphere_kernels.cuh"
#include "core/cuda/warp.cuh"

namespace shoal::collision {

/// Rows of centers along y, and threads of a block.
inline constexpr SphereTile conservative_center_tile{center_rows, 1, sphere_threads};

/// Sums of a sphere. They lie beside each other, since a node needs both.
template <class Real>
struct alignas(2 * sizeof(Real)) SphereSums {
  Real rate;     ///< Σ rates of the directions that take place; until compute_transfers() the number of pairs.
  Real inverse;  ///< Σ rate · product of the inverse collision, if symmetrized; until then Σ f f₁ of the pairs.
};

/// Results of the spheres of a batch, of one cell after the other.
template <class Real>
struct SphereTransfers {
  Real* transferred;  ///< Transfer of each direction; in a box without inverse collisions Σ f f₁ of each sphere.
  SphereSums<Real>* sums;
  int transferred_of_cell, spheres_of_cell;  ///< Lengths of these arrays for a cell.
};

/// Index of the first of `count` values of the cell of this block. All cells of a launch have less than 2³¹ values.
/// @tparam several  false: the launch has a single cell, which spares the additions
template <bool several>
__device__ __forceinline__ int first_of_cell(int count) {
  return several ? static_cast<int>(blockIdx.y) * count : 0;
}

/// Rows of centers of a thread in the box of a class of a batch.
template <int constant>
struct ThreadSpheres : ThreadRows {
  int n, box_index;
  int center_node;  ///< Number of the node with the center index of the first row, in a cell.

  __device__ __forceinline__ ThreadSpheres(const SphereClassRecord& sphere_class, int grid_size, ThreadOrder order)
      : ThreadRows(
            conservative_center_tile,
            static_cast<int>(blockIdx.x - sphere_class.first_block) * sphere_threads + static_cast<int>(threadIdx.x),
            sphere_class.box.count[0], sphere_class.box.count[1], sphere_class.box.count[2], order),
        n(constant > 0 ? constant : grid_size) {
    x += sphere_class.box.first[0];
    y += sphere_class.box.first[1];
    z += sphere_class.box.first[2];
    box_index = sphere_class.box.index(n, x, y, z);
    center_node = (z * n + y) * n + x;
  }
};

/// Sums over the pairs of the spheres of a thread.
template <class Real>
struct PairSums {
  Real product[center_rows] = {};
  int pairs[center_rows] = {};

  /// Adds the pairs of the nodes at `upper` and `lower` of the first row and of those above it.
  __device__ __forceinline__ void add(const Real* upper, const Real* lower, int n, RowRange rows) {
    if (rows.first >= rows.end) return;
#pragma unroll
    for (int row = 0; row < center_rows; ++row) {
      if (!rows.has(row)) continue;
      product[row] += upper[row * n] * lower[row * n];
      ++pairs[row];
    }
  }
  /// Adds the four diagonals of a box. Bit 0 of a corner's number is its end along x, bit 1 along y, bit 2 along z.
  /// Rows without pairs add zeros, which costs less than branches.
  /// @param corner  numbers of the nodes of the first row
  __device__ __forceinline__ void add_four(const Real* f, const int (&corner)[8], int n, RowRange rows) {
    const Real* node[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) node[k] = f + corner[k];
#pragma unroll
    for (int row = 0; row < center_rows; ++row) {
      const bool has = rows.has(row);
      Real value[8];
#pragma unroll
      for (int k = 0; k < 8; ++k) value[k] = has ? node[k][row * n] : Real(0);
#pragma unroll
      for (int k = 0; k < 4; ++k) product[row] += value[7 - k] * value[k];
      pairs[row] += has ? 4 : 0;
    }
  }
};

/// Adds the pairs of the diagonals of a box to the sums of a thread's spheres.
template <bool ball, class Real, int constant>
__device__ __forceinline__ void add_diagonals(const SphereTablesView& tables, const int* parity, DiagonalBox box,
                                              const Real* f, const ThreadSpheres<constant>& thread,
                                              PairSums<Real>& sums) {
  const int n = thread.n;
  const auto up = [&](int axis) { return (parity[axis] + box.size[axis]) / 2; };
  const auto down = [&](int axis) { return (parity[axis] - box.size[axis]) / 2; };
  const int x[2] = {thread.x + down(0), thread.x + up(0)}, z[2] = {thread.z + down(2), thread.z + up(2)};
  const int y[2] = {thread.y + down(1), thread.y + up(1)};
  const auto column = [&](int end_x, int end_z) { return f + (z[end_z] * n * n + x[end_x]); };
  if (!ball && box.has_other_x() && box.has_other_y()) {  // all diagonals have the same rows
    const RowRange rows = RowRange{-y[0], n - y[1]}.intersection({0, center_rows});
    if (rows.first >= rows.end) return;
    int corner[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) corner[k] = (z[k >> 2] * n + y[k >> 1 & 1]) * n + x[k & 1];
    sums.add_four(f, corner, n, rows);
    return;
  }
  // The node with the end `end_x` along x and `end_y` along y has the upper end along z, and the lower one the others.
  const auto add = [&](int end_x, int end_y) {
    const int upper_y = y[end_y], lower_y = y[1 - end_y];
    const int first_upper = tables.first_row<ball>(n, x[end_x], z[1]),
              first_lower = tables.first_row<ball>(n, x[1 - end_x], z[0]);
    const RowRange upper_rows{first_upper - upper_y, n - first_upper - upper_y},
        lower_rows{first_lower - lower_y, n - first_lower - lower_y};
    sums.add(column(end_x, 1) + upper_y * n, column(1 - end_x, 0) + lower_y * n, n,
             upper_rows.intersection(lower_rows).intersection({0, center_rows}));
  };
  add(1, 1);
  if (box.has_other_y()) add(1, 0);
  if (!box.has_other_x()) return;
  add(0, 1);
  if (box.has_other_y()) add(0, 0);
}

/// Largest size along an axis of a box of nodes around one of `rows` centers from b on; −1 if the thread has none.
__device__ __forceinline__ int largest_size(int n, int parity, int b, int rows, bool inside) {
  // min(b, n − 1 − parity − b) is largest in the middle of the grid.
  const int last = b + rows - 1, above = n - 1 - parity - b, middle = (n - 1 - parity) / 2;
  const int least = last < above ? last : above;
  return inside ? 2 * (least < middle ? least : middle) + parity : -1;
}

/// Adds up f f₁ over the pairs of each sphere of a warp's threads. Each thread tests one of 32 boxes for the whole warp,
/// which processes those that are in the grid around any of its centers.
template <bool ball, class Real, int constant>
__device__ __forceinline__ void add_boxes(const SphereTablesView& tables, const SphereClassRecord& sphere_class,
                                          const DiagonalBox* boxes, int count, const Real* f,
                                          const ThreadSpheres<constant>& thread, bool inside, PairSums<Real>& sums) {
  const int b[3] = {thread.x, thread.y, thread.z}, lane = static_cast<int>(threadIdx.x % 32);
  int size[3], largest[3];
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    size[axis] = largest_size(thread.n, sphere_class.parity[axis], b[axis], axis == 1 ? center_rows : 1, inside);
    largest[axis] = __reduce_max_sync(whole_warp, size[axis]);
  }
  for (int k = 0; k < count; k += 32) {
    const unsigned packed = k + lane < count ? __builtin_bit_cast(unsigned, boxes[k + lane]) : ~0u;
    const auto tested = __builtin_bit_cast(DiagonalBox, packed);
    const bool matters = tested.size[0] <= largest[0] && tested.size[1] <= largest[1] && tested.size[2] <= largest[2];
    for (unsigned pending = __ballot_sync(whole_warp, matters); pending != 0; pending &= pending - 1) {
      const auto box =
          __builtin_bit_cast(DiagonalBox, __shfl_sync(whole_warp, packed, __ffs(static_cast<int>(pending)) - 1));
      if (box.size[0] <= size[0] && box.size[1] <= size[1] && box.size[2] <= size[2])
        add_diagonals<ball>(tables, sphere_class.parity, box, f, thread, sums);
    }
  }
}

/// Adds up f f₁ over the pairs of each sphere of a batch, and counts the pairs. The threads of a block have a plane: its
/// pairs with the same d_z are in two planes of f.
/// @param boxes        of all classes
/// @param first_boxes  [classes + 1] index of the first box of each class
template <class Real, int constant, bool ball, bool several>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    sum_products(SphereTablesView tables, SphereBatch batch, const DiagonalBox* boxes, const int* first_boxes,
                 int grid_size, const Real* f, SphereTransfers<Real> transfers) {
  const int number = class_of_block(tables, batch);
  const SphereClassRecord sphere_class = tables.classes[number];
  const ThreadSpheres<constant> thread(sphere_class, grid_size, ThreadOrder::y_before_z);
  const int n = thread.n, first_box = first_boxes[number];
  PairSums<Real> sums;
  const ThreadCenter<> center(tables.support, sphere_class.parity, thread.x, thread.y, thread.z);
  const bool has_pairs = thread.inside && (!ball || center.least_square(0, 0, 0) <= sphere_class.reach2);
  add_boxes<ball>(tables, sphere_class, boxes + first_box, first_boxes[number + 1] - first_box,
                  f + first_of_cell<several>(n * n * n), thread, has_pairs, sums);
  if (!thread.inside) return;
  SphereSums<Real>* const stored =
      transfers.sums + first_of_cell<several>(transfers.spheres_of_cell) + thread.box_index;
#pragma unroll
  for (int row = 0; row < center_rows; ++row)
    if (sphere_class.box.has(thread.y + row, 1))
      stored[row * n] = {static_cast<Real>(sums.pairs[row]), sums.product[row]};
}

}  // namespace shoal::collision
