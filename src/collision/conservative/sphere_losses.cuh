// SPDX-License-Identifier: Apache-2.0
// Losses of the nodes of all pairs of a batch, less the gains of their inverse collisions.
#pragma once
#include "collision/conservative/sphere_transfers.cuh"

namespace shoal::collision {

/// Blocks resident on a multiprocessor. In double, registers of a single block hold the accesses of all rows of a
/// displacement; in float those of two blocks do.
template <class Real>
inline constexpr int loss_blocks_resident = sizeof(Real) == 4 ? 2 : 1;

/// Calls visit(row, sphere, partner) for each pair of the thread's nodes and the displacements of its group: `sphere` is
/// the index in the arrays of the batch, `partner` the number of the other node. All threads of the warp call it
/// together. Each tests one of 32 displacements for the whole warp, which processes those that matter to any thread.
template <int node_rows, int constant, bool ball, class Visit>
__device__ __forceinline__ void for_each_node_pair(const SphereTablesView& tables, const NodePairs* pairs,
                                                   std::int64_t count, const WarpNodes& warp,
                                                   const ThreadNodes<node_rows, constant, ball>& nodes, Visit visit) {
  const auto in_grid = [&](int i) { return static_cast<unsigned>(i) < static_cast<unsigned>(nodes.n); };
  const int lane = static_cast<int>(threadIdx.x % 32), column = nodes.y * nodes.n + nodes.x;
  const std::int64_t end = nodes.share_end(count);
  for (std::int64_t k = nodes.share(count); k < end; k += 32) {
    const bool exists = k + lane < end;
    const int2 record = exists ? __builtin_bit_cast(int2, pairs[k + lane]) : int2{};
    const bool matters = exists && warp.may_meet<ball>(tables.support, __builtin_bit_cast(NodePairs, record).d, 1);
    for (unsigned pending = __ballot_sync(whole_warp, matters); pending != 0; pending &= pending - 1) {
      const int source = __ffs(static_cast<int>(pending)) - 1;
      const int2 sent{__shfl_sync(whole_warp, record.x, source), __shfl_sync(whole_warp, record.y, source)};
      const auto pair = __builtin_bit_cast(NodePairs, sent);
      const int x = nodes.x - pair.d[0], y = nodes.y - pair.d[1], z = nodes.z - pair.d[2];
      if (!nodes.inside || !in_grid(x) || !in_grid(z)) continue;
      const int low = tables.first_row<ball>(nodes.n, x, z);
      const RowRange rows = nodes.rows.intersection({low - y, nodes.n - low - y});
      if (rows.first >= rows.end) continue;
      const int sphere = pair.to_sphere + nodes.z * pair.rows * nodes.n + column;
      const int partner = (z * nodes.n + y) * nodes.n + x;
#pragma unroll
      for (int row = 0; row < node_rows; ++row)
        if (rows.has(row)) visit(row, sphere + row * nodes.n, partner + row * nodes.n);
    }
  }
}

/// Adds the losses of the pairs of a batch, less the gains of their inverse collisions, to the sums of the node groups.
/// @param pairs  of the batch, two for each displacement
template <class Real, bool symmetrized, int constant, bool ball, bool several>
__global__ void __launch_bounds__(sphere_threads, loss_blocks_resident<Real>)
    gather_losses(SphereTablesView tables, const NodePairs* pairs, std::int64_t pair_count, unsigned blocks,
                  const Real* f, SphereTransfers<Real> transfers, Real* group_sums) {
  constexpr int rows = conservative_node_rows<Real, constant>;
  const ThreadNodes<rows, constant, ball> thread(tables, blocks);
  const WarpNodes warp(thread);
  if (warp.empty()) return;
  const int nodes = thread.n * thread.n * thread.n, first_node = first_of_cell<several>(nodes),
            first_sphere = first_of_cell<several>(transfers.spheres_of_cell);
  Real lost[rows] = {}, gained[rows] = {};  // lost: divided by f of the node
  for_each_node_pair(tables, pairs, pair_count, warp, thread, [&](int row, int sphere, int partner) {
    const SphereSums<Real> sums = transfers.sums[first_sphere + sphere];
    lost[row] += f[first_node + partner] * sums.rate;
    if constexpr (symmetrized) gained[row] += sums.inverse;
  });
  Real* const sums = group_sums + (first_of_cell<several>(node_groups) + thread.group) * nodes;
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (thread.inside && thread.rows.has(row))
      sums[thread.node(row)] += gained[row] - f[first_node + thread.node(row)] * lost[row];
}

}  // namespace shoal::collision
