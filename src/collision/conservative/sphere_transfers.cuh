// SPDX-License-Identifier: Apache-2.0
// Kernels of the conservative approach with spheres: what the pairs of a sphere transfer in each direction, and what the
// nodes gather and lose.
#pragma once
#include "collision/conservative/seven_nodes.cuh"
#include "collision/spheres/sphere_kernels.cuh"

namespace shoal::collision {

/// Rows of nodes of a thread: as many sums as registers hold.
template <class Real, int constant>
inline constexpr int conservative_node_rows = sizeof(Real) == 4 ? max_node_rows<constant> : 8;
inline constexpr SphereTile conservative_center_tile{center_rows, 1, sphere_threads};

/// Results of the spheres of a batch, of one cell after the other.
template <class Real>
struct SphereTransfers {
  Real* transferred;  ///< Transfer of each direction; in a box without inverse collisions Σ f f₁ of each sphere.
  Real* rate;         ///< Σ rates of the directions that take place
  Real* inverse;      ///< Σ rate · product of the inverse collision; symmetrized only
  int transferred_of_cell, rates_of_cell;  ///< Lengths of these arrays for a cell.
};

/// Index of the first of `count` values of the cell of this block. All cells of a launch have less than 2³¹ values.
/// @tparam several  false: the launch has a single cell, which spares the additions
template <bool several>
__device__ __forceinline__ int first_of_cell(int count) {
  return several ? static_cast<int>(blockIdx.y) * count : 0;
}

/// Adds up f f₁ over the pairs of each sphere, and counts the pairs.
/// @param center  index of the node of the center index
template <bool ball, class Real>
__device__ __forceinline__ void add_products(const SphereTablesView& tables, const SphereClassRecord& sphere_class,
                                             int n, const Real* f, int center, int x, int y, int z,
                                             Real (&product)[center_rows], Real (&pairs)[center_rows]) {
  const PackedDisplacement* displacements = tables.displacements + sphere_class.first_displacement;
  const int above = n - 1 - sphere_class.parity[2] - z;
  const int reach = 2 * (z < above ? z : above) + sphere_class.parity[2];
  for (int k = 0; k < sphere_class.displacements; ++k) {
    const PackedDisplacement packed = displacements[k];
    if (packed.d[2] > reach) break;  // displacements are sorted by d_z, which is not negative
    const auto up = [&](int axis) { return (sphere_class.parity[axis] + packed.d[axis]) >> 1; };
    const auto down = [&](int axis) { return (sphere_class.parity[axis] - packed.d[axis]) >> 1; };
    const auto in_grid = [&](int i) { return static_cast<unsigned>(i) < static_cast<unsigned>(n); };
    if (!in_grid(x + up(0)) || !in_grid(x + down(0))) continue;
    const int first_upper = tables.first_row<ball>(n, x + up(0), z + up(2));
    const int first_lower = tables.first_row<ball>(n, x + down(0), z + down(2));
    const RowRange upper_rows{first_upper - up(1) - y, n - first_upper - up(1) - y};
    const RowRange lower_rows{first_lower - down(1) - y, n - first_lower - down(1) - y};
    const RowRange rows = upper_rows.intersection(lower_rows).intersection({0, center_rows});
    if (rows.first >= rows.end) continue;
    const Real* upper = f + (center + packed.to_upper);
    const Real* lower = f + (center + packed.to_lower);
#pragma unroll
    for (int row = 0; row < center_rows; ++row) {
      if (!rows.has(row)) continue;
      product[row] += upper[row * n] * lower[row * n];
      pairs[row] += 1;
    }
  }
}

/// Computes the transfer of each sphere of a batch in each direction.
template <class Real, bool symmetrized, bool seven, int constant, bool ball, bool several>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    compute_transfers(StencilTables<Real> tables, SphereBatch batch, const Real* f, const Real* logs,
                      SphereTransfers<Real> transfers) {
  const int number = class_of_block(tables.spheres, batch);
  const SphereClassRecord sphere_class = tables.spheres.classes[number];
  const int tile =
      static_cast<int>(blockIdx.x - sphere_class.first_block) * sphere_threads + static_cast<int>(threadIdx.x);
  const ThreadRows thread(conservative_center_tile, tile, sphere_class.box.count[0], sphere_class.box.count[1],
                          sphere_class.box.count[2]);
  const int x = sphere_class.box.first[0] + thread.x, y = sphere_class.box.first[1] + thread.y,
            z = sphere_class.box.first[2] + thread.z;
  const int n = constant > 0 ? constant : tables.n;
  Real product[center_rows] = {}, pairs[center_rows] = {}, rate[center_rows] = {}, inverse[center_rows] = {};
  const int center_node = first_of_cell<several>(n * n * n) + (z * n + y) * n + x;
  const ThreadCenter<> center(tables.spheres.support, sphere_class.parity, x, y, z);
  if (thread.inside && (!ball || center.least_square(0, 0, 0) <= sphere_class.reach2))
    add_products<ball>(tables.spheres, sphere_class, n, f, center_node, x, y, z, product, pairs);

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
  const int box_index = sphere_class.box.index(n, x, y, z),
            index = first_of_cell<several>(transfers.rates_of_cell) + box_index;
  for (int row = 0; row < center_rows && thread.y + row < sphere_class.box.count[1]; ++row) {
    transfers.rate[index + row * n] = rate[row];
    if constexpr (symmetrized) transfers.inverse[index + row * n] = inverse[row];
    if constexpr (!symmetrized && !ball) transfers.transferred[first_transfer + box_index + row * n] = product[row];
  }
}

/// Adds the transfers of a direction to a thread's nodes, from the stencils of both molecules.
template <bool seven, class Real, int constant, bool ball>
__device__ __forceinline__ void gather(
    const ThreadNodes<conservative_node_rows<Real, constant>, constant, ball>& thread,
    const SphereClassRecord& sphere_class, ClassDirection<Real> direction, const StencilNode<Real>* nodes,
    const Real* transferred, int first_transfer, Real (&sum)[conservative_node_rows<Real, constant>]) {
  // True if the box has centers between b + low and b + high along an axis.
  const auto reached = [&](int b, int low, int high, int axis, int rows) {
    return b + high + rows > direction.box.first[axis] &&
           b + low < direction.box.first[axis] + direction.box.count[axis];
  };
  const auto reaches = [&](bool mirrored) {
    const int b[3] = {thread.x, thread.y, thread.z};
    bool all_axes = direction.nodes > 0;
    for (int axis = 0; axis < 3; ++axis) {
      const int low = mirrored ? direction.least[axis] - sphere_class.parity[axis] : -direction.most[axis];
      const int high = mirrored ? direction.most[axis] - sphere_class.parity[axis] : -direction.least[axis];
      all_axes = all_axes && reached(b[axis], low, high, axis, axis == 1 ? conservative_node_rows<Real, constant> : 1);
    }
    return all_axes;
  };
  const bool first = reaches(false), second = reaches(true);
  if (!first && !second) return;
  const int index = first_transfer + direction.layout.index(thread.n, thread.x, thread.y, thread.z);
  const int mirror =
      index - direction.layout.step(thread.n, sphere_class.parity[0], sphere_class.parity[1], sphere_class.parity[2]);
  if constexpr (seven) {
    const int start[3] = {thread.x, thread.y, thread.z};
    if (first) gather_seven(nodes, sphere_class, direction, thread.n, transferred + index, start, 1, sum);
    if (second) gather_seven(nodes, sphere_class, direction, thread.n, transferred + mirror, start, -1, sum);
  } else {
    for (int t = 0; t < direction.nodes; ++t) {
      const StencilNode<Real> node = nodes[direction.first_node + t];
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
        add(transferred + (mirror + node.to_transferred), thread.x - sphere_class.parity[0] + o[0],
            thread.y - sphere_class.parity[1] + o[1], thread.z - sphere_class.parity[2] + o[2]);
    }
  }
}

/// Adds the transfers of a batch to the sums of the node groups.
template <class Real, bool seven, int constant, bool ball, bool several>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    gather_transfers(StencilTables<Real> tables, SphereBatch batch, unsigned blocks, SphereTransfers<Real> transfers,
                     Real* group_sums) {
  const ThreadNodes<conservative_node_rows<Real, constant>, constant, ball> thread(tables.spheres, blocks);
  if (!thread.inside) return;
  const int first_transfer = first_of_cell<several>(transfers.transferred_of_cell);
  Real sum[conservative_node_rows<Real, constant>] = {};
  const int directions = batch.count * tables.direction_count;
  const auto end = static_cast<int>(thread.share_end(directions));
  for (auto k = static_cast<int>(thread.share(directions)); k < end; ++k)
    gather<seven>(thread, tables.spheres.classes[batch.first + k / tables.direction_count],
                  tables.directions[batch.first * tables.direction_count + k], tables.nodes, transfers.transferred,
                  first_transfer, sum);
  const int nodes = thread.n * thread.n * thread.n;
  Real* const sums = group_sums + (first_of_cell<several>(node_groups) + thread.group) * nodes;
#pragma unroll
  for (int row = 0; row < conservative_node_rows<Real, constant>; ++row)
    if (thread.rows.has(row)) sums[thread.node(row)] += sum[row];
}

/// Adds the losses of the pairs of a batch, less the gains of their inverse collisions, to the sums of the node groups.
template <class Real, bool symmetrized, int constant, bool ball, bool several>
__global__ void __launch_bounds__(sphere_threads, sphere_blocks_resident)
    gather_losses(SphereTablesView tables, SphereBatch batch, unsigned blocks, const Real* f,
                  SphereTransfers<Real> transfers, Real* group_sums) {
  constexpr int rows = conservative_node_rows<Real, constant>;
  const ThreadNodes<rows, constant, ball> thread(tables, blocks);
  const WarpNodes warp(thread);
  if (warp.empty()) return;
  const int nodes = thread.n * thread.n * thread.n, first_node = first_of_cell<several>(nodes),
            first_rate = first_of_cell<several>(transfers.rates_of_cell);
  Real lost[rows] = {}, gained[rows] = {};  // lost: divided by f of the node
  for_each_pair(tables, batch, warp, thread, [&](int row, int index, int partner) {
    lost[row] += f[first_node + partner] * transfers.rate[first_rate + index];
    if constexpr (symmetrized) gained[row] += transfers.inverse[first_rate + index];
  });
  Real* const sums = group_sums + (first_of_cell<several>(node_groups) + thread.group) * nodes;
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (thread.inside && thread.rows.has(row))
      sums[thread.node(row)] += gained[row] - f[first_node + thread.node(row)] * lost[row];
}

}  // namespace shoal::collision
