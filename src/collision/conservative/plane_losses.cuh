// SPDX-License-Identifier: Apache-2.0
// Losses of the nodes of all pairs of a batch, less the gains of their inverse collisions, for a box. A thread has nodes of
// two planes, whose pairs with each other share spheres: (x, y, z₀) with the partner at (x − a, y − b, z₁), and (x, y, z₁)
// with that at (x − a, y − b, z₀).
#pragma once
#include "collision/conservative/node_losses.cuh"

namespace shoal::collision {

/// Rows of nodes of a thread in each plane.
inline constexpr int plane_rows = 8;

/// Threads of pairs of planes, by the sum of the planes, then by their distance: those of a sum read the same planes of
/// spheres. The threads of a warp have the same planes.
struct PlaneThreads {
  int n, pairs_of_sum, threads_of_pair;

  SHOAL_HD explicit PlaneThreads(int grid_size)
      : n(grid_size),
        pairs_of_sum((n + 1) / 2),
        threads_of_pair((n * ((n + plane_rows - 1) / plane_rows) + 31) / 32 * 32) {}
  SHOAL_HD std::int64_t count() const { return std::int64_t{2 * n - 1} * pairs_of_sum * threads_of_pair; }
};

/// Nodes of a thread in the planes z[0] and z[1] ≤ z[0].
template <int constant>
struct PlaneNodes {
  int n, x, y, z[2];

  __device__ __forceinline__ explicit PlaneNodes(int grid_size) : n(constant > 0 ? constant : grid_size) {
    const PlaneThreads threads(n);
    const int number = static_cast<int>(blockIdx.x) * sphere_threads + static_cast<int>(threadIdx.x);
    const int planes = number / threads.threads_of_pair, in_plane = number % threads.threads_of_pair;
    const int sum = planes / threads.pairs_of_sum, distance = 2 * (planes % threads.pairs_of_sum) + (sum & 1);
    z[0] = (sum + distance) / 2, z[1] = (sum - distance) / 2;
    x = in_plane % n, y = in_plane / n * plane_rows;
  }
  __device__ int distance() const { return z[0] - z[1]; }
  /// Returns true if the planes are in the grid: for all threads of a warp or for none.
  __device__ bool exist() const { return z[0] < n && z[1] >= 0; }
  __device__ bool inside() const { return y < n; }
  __device__ RowRange range() const { return {0, plane_rows < n - y ? plane_rows : n - y}; }
  /// Nodes of the warp in the upper plane.
  __device__ __forceinline__ WarpNodes warp() const {
    return WarpNodes(n, inside(), {x, y, z[0]}, {x, y + plane_rows - 1, z[0]});
  }
};

/// Adds the losses of the pairs of two planes, less the gains of their inverse collisions.
/// @param first   [n + 1] index of the first pair of nodes in planes so far apart
/// @param losses  [n planes of partners][nodes] overwritten
template <class Real, bool symmetrized, int constant, bool several>
__global__ void __launch_bounds__(sphere_threads, loss_blocks_resident<Real>)
    sum_plane_losses(VelocitySupport support, const NodePairs* pairs, const int* first, const Real* f,
                     SphereTransfers<Real> transfers, Real* losses) {
  const PlaneNodes<constant> nodes(support.n);
  if (!nodes.exist()) return;
  const WarpNodes warp = nodes.warp();
  const int n = nodes.n, node_count = n * n * n, distance = nodes.distance(), column = nodes.y * n + nodes.x;
  const Real* const f_of_cell = f + first_of_cell<several>(node_count);
  const SphereSums<Real>* const spheres = transfers.sums + (first_of_cell<several>(transfers.spheres_of_cell) + column);
  Real lost[2][plane_rows] = {}, gained[plane_rows] = {};  // lost: divided by f of the node
  for_each_node_pair<false>(support, pairs, first[distance], first[distance + 1], warp, [&](const NodePairs& pair) {
    const int x = nodes.x - pair.d[0], y = nodes.y - pair.d[1];
    if (!nodes.inside() || static_cast<unsigned>(x) >= static_cast<unsigned>(n)) return;
    const RowRange rows = nodes.range().intersection({-y, n - y});
    if (rows.first >= rows.end) return;
    const SphereSums<Real>* const sphere = spheres + (pair.to_sphere + nodes.z[0] * pair.rows * n);
    const int partner[2] = {(nodes.z[1] * n + y) * n + x, (nodes.z[0] * n + y) * n + x};
#pragma unroll
    for (int row = 0; row < plane_rows; ++row) {
      if (!rows.has(row)) continue;
      const SphereSums<Real> sums = sphere[row * n];
#pragma unroll
      for (int plane = 0; plane < 2; ++plane) lost[plane][row] += f_of_cell[partner[plane] + row * n] * sums.rate;
      if constexpr (symmetrized) gained[row] += sums.inverse;  // of both planes
    }
  });
#pragma unroll
  for (int plane = 0; plane < 2; ++plane) {
    if (plane == 1 && distance == 0) break;  // a pair within a plane is there for both nodes
    const int node = nodes.z[plane] * n * n + column;
    Real* const sums = losses + (first_of_cell<several>(node_count) * std::int64_t{n} +
                                 std::int64_t{nodes.z[1 - plane]} * node_count + node);
#pragma unroll
    for (int row = 0; row < plane_rows && nodes.y + row < n; ++row)
      sums[row * n] = gained[row] - f_of_cell[node + row * n] * lost[plane][row];
  }
}

/// Adds the losses by partners in each plane to the sums of the node groups, to which the planes belong in turn.
template <class Real>
__global__ void add_plane_losses(const Real* losses, int n, std::int64_t nodes, Real* group_sums) {
  const std::int64_t i = thread_index();
  if (i >= node_groups * nodes) return;
  losses += blockIdx.y * n * nodes + i % nodes;
  Real sum = 0;
  for (std::int64_t plane = i / nodes; plane < n; plane += node_groups) sum += losses[plane * nodes];
  group_sums[blockIdx.y * node_groups * nodes + i] += sum;
}

/// Losses of a box.
struct PlaneLosses {
  Array<NodePairs> pairs;
  Array<int> first_of_distance;              ///< PlanePairs::first_of_distance
  std::vector<std::int64_t> first_of_batch;  ///< PlanePairs::first_of_batch

  PlaneLosses(const Queue& queue, const SphereTables& tables) : PlaneLosses(queue, PlanePairs(tables)) {}

  /// Adds those of a batch to the sums of the node groups of each cell.
  template <class Real, bool symmetrized, int constant, bool several>
  void add(Scratch& scratch, const SphereTables& host_tables, const SphereTablesView& tables, const SphereBatch& batch,
           std::int64_t cells, const Real* f, const SphereTransfers<Real>& transfers, Real* group_sums) const {
    const Queue& queue = scratch.queue();
    const std::int64_t n = host_tables.n, number = &batch - host_tables.batches.data();
    ScratchFrame frame(scratch);
    Real* losses = frame.array<Real>(cells * n * n * n * n).data;
    launch_cells<sphere_threads>(queue, PlaneThreads(host_tables.n).count(), cells,
                                 sum_plane_losses<Real, symmetrized, constant, several>, tables.support,
                                 pairs.data() + first_of_batch[static_cast<std::size_t>(number)],
                                 first_of_distance.data() + number * (n + 1), f, transfers, losses);
    launch_cells(queue, node_groups * n * n * n, cells, add_plane_losses<Real>, losses, host_tables.n, n * n * n,
                 group_sums);
  }

 private:
  PlaneLosses(const Queue& queue, const PlanePairs& planes)
      : pairs(to_device(queue, planes.pairs)),
        first_of_distance(to_device(queue, planes.first_of_distance)),
        first_of_batch(planes.first_of_batch) {
    queue.wait();  // before the host's pairs are destroyed
  }
};

}  // namespace shoal::collision
