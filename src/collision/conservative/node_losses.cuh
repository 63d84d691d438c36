// SPDX-License-Identifier: Apache-2.0
// Losses of the nodes of all pairs of a batch, less the gains of their inverse collisions, for a ball: node by node.
#pragma once
#include "collision/conservative/sphere_transfers.cuh"
#include "core/cuda/warp.cuh"
#include "core/memory/memory.hpp"

namespace shoal::collision {

/// Blocks resident on a multiprocessor. In double, registers of a single block hold the accesses of all rows of a
/// displacement; in float those of two blocks do.
template <class Real>
inline constexpr int loss_blocks_resident = sizeof(Real) == 4 ? 2 : 1;

/// Calls visit(pair) for the pairs first, ..., end − 1 that may have nodes of the warp and partners that take part. All
/// threads of the warp call it together. Each tests one of 32 pairs for the whole warp.
template <bool ball, class Visit>
__device__ __forceinline__ void for_each_node_pair(const VelocitySupport& support, const NodePairs* pairs,
                                                   std::int64_t first, std::int64_t end, const WarpNodes& warp,
                                                   Visit visit) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (std::int64_t k = first; k < end; k += 32) {
    const bool exists = k + lane < end;
    const int2 record = exists ? __builtin_bit_cast(int2, pairs[k + lane]) : int2{};
    const bool matters = exists && warp.may_meet<ball>(support, __builtin_bit_cast(NodePairs, record).d, 1);
    for (unsigned pending = __ballot_sync(whole_warp, matters); pending != 0; pending &= pending - 1) {
      const int source = __ffs(static_cast<int>(pending)) - 1;
      const int2 sent{__shfl_sync(whole_warp, record.x, source), __shfl_sync(whole_warp, record.y, source)};
      visit(__builtin_bit_cast(NodePairs, sent));
    }
  }
}

/// Adds the losses of the pairs of a batch, less the gains of their inverse collisions, to the sums of the node groups.
/// @param pairs  of the batch, two for each displacement
template <class Real, bool symmetrized, int constant, bool several>
__global__ void __launch_bounds__(sphere_threads, loss_blocks_resident<Real>)
    gather_losses(SphereTablesView tables, const NodePairs* pairs, std::int64_t pair_count, unsigned blocks,
                  const Real* f, SphereTransfers<Real> transfers, Real* group_sums) {
  constexpr int rows = conservative_node_rows<Real, constant>;
  const ThreadNodes<rows, constant, true> thread(tables, blocks);
  const WarpNodes warp(thread);
  if (warp.empty()) return;
  const int nodes = thread.n * thread.n * thread.n, first_node = first_of_cell<several>(nodes),
            first_sphere = first_of_cell<several>(transfers.spheres_of_cell);
  Real lost[rows] = {}, gained[rows] = {};  // lost: divided by f of the node
  const int column = thread.y * thread.n + thread.x;
  for_each_node_pair<true>(
      tables.support, pairs, thread.share(pair_count), thread.share_end(pair_count), warp, [&](const NodePairs& pair) {
        const int x = thread.x - pair.d[0], y = thread.y - pair.d[1], z = thread.z - pair.d[2];
        const auto in_grid = [&](int i) { return static_cast<unsigned>(i) < static_cast<unsigned>(thread.n); };
        if (!thread.inside || !in_grid(x) || !in_grid(z)) return;
        const int low = tables.first_row<true>(thread.n, x, z);
        const RowRange in_ball = thread.rows.intersection({low - y, thread.n - low - y});
        if (in_ball.first >= in_ball.end) return;
        const int sphere = first_sphere + pair.to_sphere + thread.z * pair.rows * thread.n + column;
        const int partner = first_node + (z * thread.n + y) * thread.n + x;
#pragma unroll
        for (int row = 0; row < rows; ++row) {
          if (!in_ball.has(row)) continue;
          const SphereSums<Real> sums = transfers.sums[sphere + row * thread.n];
          lost[row] += f[partner + row * thread.n] * sums.rate;
          if constexpr (symmetrized) gained[row] += sums.inverse;
        }
      });
  Real* const sums = group_sums + (first_of_cell<several>(node_groups) + thread.group) * nodes;
#pragma unroll
  for (int row = 0; row < rows; ++row)
    if (thread.inside && thread.rows.has(row))
      sums[thread.node(row)] += gained[row] - f[first_node + thread.node(row)] * lost[row];
}

/// Losses of a ball.
struct NodeLosses {
  Array<NodePairs> pairs;  ///< all_node_pairs()

  NodeLosses(const Queue& queue, const SphereTables& tables) : NodeLosses(queue, all_node_pairs(tables)) {}

  /// Adds those of a batch to the sums of the node groups of each cell.
  template <class Real, bool symmetrized, int constant, bool several>
  void add(Scratch& scratch, const SphereTables& host_tables, const SphereTablesView& tables, const SphereBatch& batch,
           std::int64_t cells, const Real* f, const SphereTransfers<Real>& transfers, Real* group_sums) const {
    const std::int64_t first = 2 * host_tables.classes[static_cast<std::size_t>(batch.first)].first_displacement;
    const auto blocks = static_cast<unsigned>(group_blocks<conservative_node_rows<Real, constant>>(host_tables.n));
    launch_cells<sphere_threads>(scratch.queue(), std::int64_t{node_groups} * blocks * sphere_threads, cells,
                                 gather_losses<Real, symmetrized, constant, several>, tables, pairs.data() + first,
                                 2 * batch.displacements, blocks, f, transfers, group_sums);
  }

 private:
  NodeLosses(const Queue& queue, const std::vector<NodePairs>& host_pairs) : pairs(to_device(queue, host_pairs)) {
    queue.wait();  // before the host's pairs are destroyed
  }
};

}  // namespace shoal::collision
