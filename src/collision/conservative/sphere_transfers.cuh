// SPDX-License-Identifier: Apache-2.0
// Kernels of the conservative approach with spheres: what the pairs of a sphere transfer in each direction, and what the
// nodes gather and lose.
#pragma once
#include "collision/conservative/seven_nodes.cuh"
#include "collision/conservative/sphere_products.cuh"
#include "core/cuda/warp.cuh"

namespace shoal::collision {

/// Rows of nodes of a thread: as many sums as registers hold.
template <class Real, int constant>
inline constexpr int conservative_node_rows = sizeof(Real) == 4 ? max_node_rows<constant> : 8;

/// Computes the transfer of each sphere of a batch in each direction from the sums of its pairs.
template <class Real, bool symmetrized, bool seven, int constant, bool ball, bool several>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    compute_transfers(StencilTables<Real> tables, SphereBatch batch, const Real* logs,
                      SphereTransfers<Real> transfers) {
  const int number = class_of_block(tables.spheres, batch);
  const SphereClassRecord sphere_class = tables.spheres.classes[number];
  const ThreadSpheres<constant> thread(sphere_class, tables.n, ThreadOrder::z_before_y);
  const int n = thread.n, x = thread.x, y = thread.y, z = thread.z;
  SphereSums<Real>* const sums = transfers.sums + first_of_cell<several>(transfers.spheres_of_cell) + thread.box_index;
  Real product[center_rows] = {}, pairs[center_rows] = {}, rate[center_rows] = {}, inverse[center_rows] = {};
#pragma unroll
  for (int row = 0; row < center_rows; ++row)
    if (thread.inside && sphere_class.box.has(y + row, 1)) {
      const SphereSums<Real> of_pairs = sums[row * n];
      pairs[row] = of_pairs.rate;
      product[row] = of_pairs.inverse;
    }
  const int center_node = first_of_cell<several>(n * n * n) + thread.center_node;
  const ThreadCenter<> center(tables.spheres.support, sphere_class.parity, x, y, z);
  const int stencil_square = tables.spheres.support.stencil_square;
  const int first_transfer = first_of_cell<several>(transfers.transferred_of_cell);
  __shared__ StagedDirections<Real> staged;
  for (int k = 0; k < tables.direction_count; ++k) {
    if (k % staged.most == 0) staged.load(tables, number, k);
    const ClassDirection<Real>& direction = staged.direction[k % staged.most];
    if (!thread.inside || !direction.box.has(x, 0) || !direction.box.has(z, 2) ||
        y + center_rows <= direction.box.first[1] || y >= direction.box.first[1] + direction.box.count[1])
      continue;
    unsigned in_ball = 0;  // one bit for each row
    if constexpr (ball) in_ball = center.rows_within(direction.nearest, stencil_square);
    const auto takes_place = [&](int row) {
      return direction.box.has(y + row, 1) && (!ball || (in_ball >> row & 1u) != 0);
    };
    if constexpr (!symmetrized) {
      const int index = first_transfer + direction.layout.index(n, x, y, z);
#pragma unroll
      for (int row = 0; row < center_rows; ++row) {
        if (takes_place(row)) rate[row] += direction.collision_rate;
        if (ball && direction.box.has(y + row, 1))
          transfers.transferred[index + row * n] = takes_place(row) ? direction.collision_rate * product[row] : 0;
      }
      continue;
    }
    const Real* center_logs = logs + center_node;
    const Real* mirror_logs =
        center_logs + ((sphere_class.parity[2] * n + sphere_class.parity[1]) * n + sphere_class.parity[0]);
    Real exponent[center_rows] = {};
    const StencilNode<Real>* const nodes = staged.node + k % staged.most * Stencil::most;
    if constexpr (seven)
      if (!ball || in_ball != 0) add_seven_logs(nodes, center_logs, mirror_logs, n, exponent);
    for (int t = 0; !seven && (!ball || in_ball != 0) && t < direction.nodes; ++t) {
      const StencilNode<Real>& node = nodes[t];
#pragma unroll
      for (int row = 0; row < center_rows; ++row)
        exponent[row] += node.weight * (center_logs[row * n + node.to_node] + mirror_logs[row * n - node.to_node]);
    }
    const int index = first_transfer + direction.layout.index(n, x, y, z);
#pragma unroll
    for (int row = 0; row < center_rows; ++row) {
      if (!direction.box.has(y + row, 1)) continue;
      const bool defined = (!ball || takes_place(row)) && pairs[row] > 0 && exponent[row] < infinite<Real>;
      const Real exponential = std::exp(exponent[row]), inverse_product = defined ? exponential : 0;
      const Real half_rate = defined ? direction.collision_rate / 2 : 0;
      transfers.transferred[index + row * n] = half_rate * (product[row] - pairs[row] * inverse_product);
      rate[row] += half_rate;
      inverse[row] += half_rate * inverse_product;
    }
  }
  if (!thread.inside) return;
#pragma unroll
  for (int row = 0; row < center_rows; ++row) {
    if (!sphere_class.box.has(y + row, 1)) continue;
    sums[row * n] = {rate[row], inverse[row]};
    if constexpr (!symmetrized && !ball)
      transfers.transferred[first_transfer + thread.box_index + row * n] = product[row];
  }
}

/// Nodes of a thread that gathers.
template <int node_rows, int constant, bool ball>
struct GatheringNodes : ThreadNodes<node_rows, constant, ball> {
  using ThreadNodes<node_rows, constant, ball>::ThreadNodes;

  /// Returns true if nodes are in a box of a direction.
  __device__ __forceinline__ bool meets(const GatherBoxes& boxes, int box) const {
    const signed char *first = boxes.first[box], *last = boxes.last[box];
    return this->x >= first[0] && this->x <= last[0] && this->y + node_rows > first[1] && this->y <= last[1] &&
           this->z >= first[2] && this->z <= last[2];
  }
};

/// Adds the transfers of a direction to a thread's nodes, from the stencils of both molecules.
/// @param first, second  false: none of the nodes takes from these stencils
template <bool seven, class Real, int constant, bool ball>
__device__ __forceinline__ void gather(
    const ThreadNodes<conservative_node_rows<Real, constant>, constant, ball>& thread,
    const ClassDirection<Real>& direction, const GatherBoxes& boxes, bool first, bool second,
    const StencilNode<Real>* nodes, const Real* transferred, int first_transfer,
    Real (&sum)[conservative_node_rows<Real, constant>]) {
  const int index = first_transfer + direction.layout.index(thread.n, thread.x, thread.y, thread.z);
  const int mirror = index - direction.layout.step(thread.n, boxes.parity(0), boxes.parity(1), boxes.parity(2));
  if constexpr (seven) {
    const int start[3] = {thread.x, thread.y, thread.z};
    const int mirrored[3] = {thread.x - boxes.parity(0), thread.y - boxes.parity(1), thread.z - boxes.parity(2)};
    if (first) gather_seven(nodes, direction, thread.n, transferred + index, start, 1, sum);
    if (second) gather_seven(nodes, direction, thread.n, transferred + mirror, mirrored, -1, sum);
  } else {
    for (int t = 0; t < direction.nodes; ++t) {
      const StencilNode<Real> node = nodes[t];
      const Real weight = node.weight * direction.rate;
      const auto add = [&](const Real* source, int x, int y, int z) {
        if (!direction.box.has(x, 0) || !direction.box.has(z, 2)) return;
#pragma unroll
        for (int row = 0; row < conservative_node_rows<Real, constant>; ++row)
          if (direction.box.has(y + row, 1)) sum[row] += weight * source[row * thread.n];
      };
      const signed char* o = node.offset;
      if (first) add(transferred + (index - node.to_transferred), thread.x - o[0], thread.y - o[1], thread.z - o[2]);
      if (second)
        add(transferred + (mirror + node.to_transferred), thread.x - boxes.parity(0) + o[0],
            thread.y - boxes.parity(1) + o[1], thread.z - boxes.parity(2) + o[2]);
    }
  }
}

/// Adds the transfers of a batch to the sums of the node groups. Each thread tests one of 32 directions for the whole warp,
/// which processes those that reach any of its nodes.
template <class Real, bool seven, int constant, bool ball, bool several>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    gather_transfers(StencilTables<Real> tables, SphereBatch batch, unsigned blocks, SphereTransfers<Real> transfers,
                     Real* group_sums) {
  constexpr int rows = conservative_node_rows<Real, constant>;
  const GatheringNodes<rows, constant, ball> thread(tables.spheres, blocks, ThreadOrder::z_before_y);
  const WarpNodes warp(thread);
  if (warp.empty()) return;
  const int first_transfer = first_of_cell<several>(transfers.transferred_of_cell);
  Real sum[rows] = {};
  const int lane = static_cast<int>(threadIdx.x % 32), first_direction = batch.first * tables.direction_count,
            directions = batch.count * tables.direction_count;
  const auto boxes = [&](int k) {
    return __builtin_bit_cast(GatherBoxes, reinterpret_cast<const int4*>(tables.gather_boxes)[first_direction + k]);
  };
  const auto end = static_cast<int>(thread.share_end(directions));
  for (auto k = static_cast<int>(thread.share(directions)); k < end; k += 32) {
    bool matters = false;
    if (k + lane < end) {
      const GatherBoxes tested = boxes(k + lane);
      matters = warp.meets(tested.first[0], tested.last[0]) || warp.meets(tested.first[1], tested.last[1]);
    }
    for (unsigned pending = __ballot_sync(whole_warp, matters); pending != 0; pending &= pending - 1) {
      const int number = k + __ffs(static_cast<int>(pending)) - 1;
      const GatherBoxes gathering = boxes(number);
      const bool first = thread.meets(gathering, 0), second = thread.meets(gathering, 1);
      if (thread.inside && (first || second))
        gather<seven>(thread, tables.directions[first_direction + number], gathering, first, second,
                      tables.nodes + gathering.first_node(), transfers.transferred, first_transfer, sum);
    }
  }
  if (!thread.inside) return;
  const int nodes = thread.n * thread.n * thread.n;
  Real* const sums = group_sums + (first_of_cell<several>(node_groups) + thread.group) * nodes;
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (thread.rows.has(row)) sums[thread.node(row)] += sum[row];
}

}  // namespace shoal::collision
