// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "collision/conservative/sphere_stencils.cuh"

/// The stencil `seven` in kernels: the nearest node and its six neighbors. A thread has consecutive rows along y, so it
/// reads the numbers along y once for all rows: 6 instead of 12 for four rows, 10 instead of 24 for eight.
namespace shoal::collision {

/// Stencil `seven` with all nodes in a fixed order, those without weight included: the nearest node, then the lower and the
/// upper neighbor along x, y and z.
inline Stencil in_order_of_axes(const Stencil& stencil) {
  Stencil ordered;
  if (stencil.count == 0) return ordered;
  ordered.count = 7;
  std::copy_n(stencil.nearest, 3, ordered.nearest);
  for (int t = 0; t < ordered.count; ++t) {
    std::copy_n(stencil.nearest, 3, ordered.offset[t]);
    if (t > 0) ordered.offset[t][(t - 1) / 2] += t % 2 == 0 ? 1 : -1;
    for (int k = 0; k < stencil.count; ++k)
      if (std::equal(stencil.offset[k], stencil.offset[k] + 3, ordered.offset[t]))
        ordered.weight[t] = stencil.weight[k];
  }
  return ordered;
}

/// Weights of the neighbors along an axis. Both are 0 or none is.
template <class Real>
struct NeighborWeights {
  Real lower, upper;

  __device__ __forceinline__ static NeighborWeights along(const StencilNode<Real>* nodes, int axis) {
    return {nodes[1 + 2 * axis].weight, nodes[2 + 2 * axis].weight};
  }
  __device__ __forceinline__ bool any() const { return lower != 0; }
};

/// Adds Σ w (ln f + ln f of the mirrored node) over the stencil to the exponents of consecutive rows.
/// @param logs         of the center of the first row
/// @param mirror_logs  of the mirror image of this center
template <int rows, class Real>
__device__ __forceinline__ void add_seven_logs(const StencilNode<Real>* nodes, const Real* logs,
                                               const Real* mirror_logs, int n, Real (&exponent)[rows]) {
  const Real* const upper = logs + nodes[0].to_node;
  const Real* const lower = mirror_logs - nodes[0].to_node;
  const Real weight = nodes[0].weight;
  const auto along_y = NeighborWeights<Real>::along(nodes, 1);
#pragma unroll
  for (int row = 0; row < rows; ++row) {
    const Real at_upper = upper[row * n], at_lower = lower[row * n];
    exponent[row] += weight * (at_upper + at_lower);
    if (!along_y.any()) continue;
    if (row > 0) exponent[row - 1] += along_y.upper * at_upper + along_y.lower * at_lower;
    if (row + 1 < rows) exponent[row + 1] += along_y.lower * at_upper + along_y.upper * at_lower;
  }
  if (along_y.any()) {
    exponent[0] += along_y.lower * upper[-n] + along_y.upper * lower[-n];
    exponent[rows - 1] += along_y.upper * upper[rows * n] + along_y.lower * lower[rows * n];
  }
#pragma unroll
  for (int axis = 0; axis < 3; axis += 2) {
    const auto along = NeighborWeights<Real>::along(nodes, axis);
    if (!along.any()) continue;
    const int step = axis == 0 ? 1 : n * n;
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      exponent[row] += along.upper * (upper[row * n + step] + lower[row * n - step]);
      exponent[row] += along.lower * (upper[row * n - step] + lower[row * n + step]);
    }
  }
}

/// Adds what centers transfer to consecutive rows of nodes: those at the distances of the stencil.
/// @param source  transfer at the center (x, y, z), from which the first row is the nearest node
/// @param rate    factor of the weights
/// @param sign    1: the node at the offset o takes from the center at −o; −1: the mirrored one takes from that at +o
/// @param inside  true: the box has all rows that are read
template <bool inside, int rows, class Real>
__device__ __forceinline__ void add_seven_transfers(const StencilNode<Real>* nodes, const CenterBox& box, int step_y,
                                                    int step_z, Real rate, const Real* source, int x, int y, int z,
                                                    int sign, Real (&sum)[rows]) {
  const int first = box.first[1] - y;
  const auto has = [&](int row) {
    return inside || static_cast<unsigned>(row - first) < static_cast<unsigned>(box.count[1]);
  };
  // Weights of the centers that are one step lower or higher along an axis.
  const auto weights = [&](int axis) {
    const auto along = NeighborWeights<Real>::along(nodes, axis);
    return sign > 0 ? NeighborWeights<Real>{rate * along.upper, rate * along.lower}
                    : NeighborWeights<Real>{rate * along.lower, rate * along.upper};
  };
  const bool in_z = box.has(z, 2);
  if (in_z && box.has(x, 0)) {
    const Real weight = rate * nodes[0].weight;
    const auto along_y = weights(1);
#pragma unroll
    for (int row = -1; row <= rows; ++row) {
      const bool is_own = row >= 0 && row < rows;
      if ((!is_own && !along_y.any()) || !has(row)) continue;
      const Real transfer = source[row * step_y];
      if (is_own) sum[row] += weight * transfer;
      if (row > 0) sum[row - 1] += along_y.upper * transfer;
      if (row + 1 < rows) sum[row + 1] += along_y.lower * transfer;
    }
  }
  const auto add = [&](Real weight, const Real* from) {
#pragma unroll
    for (int row = 0; row < rows; ++row)
      if (has(row)) sum[row] += weight * from[row * step_y];
  };
#pragma unroll
  for (int side = -1; side <= 1; side += 2) {
    const auto along_x = weights(0), along_z = weights(2);
    if (in_z && along_x.any() && box.has(x + side, 0)) add(side < 0 ? along_x.lower : along_x.upper, source + side);
    if (along_z.any() && box.has(x, 0) && box.has(z + side, 2))
      add(side < 0 ? along_z.lower : along_z.upper, source + side * step_z);
  }
}

/// Adds the transfers of a direction to consecutive rows of nodes that begin at `start`, from one molecule's stencil.
/// @param stencil  nodes of the direction
/// @param source   transfer at the center with the index `start`; of the mirrored stencil less the parity, as `start`
/// @param sign     1, or −1 for the mirrored stencil
template <int rows, class Real>
__device__ __forceinline__ void gather_seven(const StencilNode<Real>* stencil, const ClassDirection<Real>& direction,
                                             int n, const Real* source, const int (&start)[3], int sign,
                                             Real (&sum)[rows]) {
  const int step_z = direction.layout.step(n, 0, 0, 1);
  const auto center = [&](int axis) { return start[axis] - sign * stencil[0].offset[axis]; };
  const int x = center(0), y = center(1), z = center(2);
  const Real* const nearest = source - sign * stencil[0].to_transferred;
  const CenterBox& box = direction.box;
  if (y > box.first[1] && y + rows < box.first[1] + box.count[1])
    add_seven_transfers<true>(stencil, box, n, step_z, direction.rate, nearest, x, y, z, sign, sum);
  else
    add_seven_transfers<false>(stencil, box, n, step_z, direction.rate, nearest, x, y, z, sign, sum);
}

}  // namespace shoal::collision
