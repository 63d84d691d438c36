// SPDX-License-Identifier: Apache-2.0
// Work of the threads of a kernel on the sphere centers of a batch and on the nodes, for both approaches with spheres.
#pragma once
#include <array>
#include <vector>

#include "collision/ranks/rank_batches.hpp"
#include "collision/spheres/sphere_tables.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/warp.cuh"

namespace shoal::collision {

/// Sphere tables in device memory.
struct SphereTablesView {
  const SphereClassRecord* classes;
  const PackedDisplacement* displacements;
  const unsigned char* first_nodes;  ///< SupportRows::first_nodes()
  VelocitySupport support;

  /// First row along y with nodes that take part; n if there is none.
  template <bool ball>
  __device__ __forceinline__ int first_row(int n, int x, int z) const {
    return ball ? first_nodes[z * n + x] : 0;
  }
};

/// Number of the class whose centers this block processes.
__device__ inline int class_of_block(const SphereTablesView& tables, const SphereBatch& batch) {
  int low = batch.first,
      high = batch.first + batch.count;  // searches the last class that begins at this block or before
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (tables.classes[middle].first_block <= static_cast<std::int64_t>(blockIdx.x))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Order in which threads cover a box after x. Threads of a block then have a plane, or the same rows of many planes.
/// What stencils read around the rows of many planes is less than around a plane.
enum class ThreadOrder { y_before_z, z_before_y };

/// Rows of a thread in a box: x, first y and first z, counted from the corner of the box.
struct ThreadRows {
  int x, y, z;
  bool inside;

  __device__ __forceinline__ ThreadRows(SphereTile tile, int number, int size_x, int size_y, int size_z,
                                        ThreadOrder order = ThreadOrder::y_before_z) {
    const int along_y = tile.row_tiles(size_y), along_z = tile.plane_tiles(size_z), above = number / size_x;
    x = number % size_x;
    if (order == ThreadOrder::y_before_z) {
      y = above % along_y * tile.rows;
      z = above / along_y * tile.planes;
    } else {
      y = above / along_z * tile.rows;
      z = above % along_z * tile.planes;
    }
    inside = y < size_y && z < size_z;
  }
};

/// Coordinates of a thread's first center, with bounds over all its rows.
/// @tparam planes  planes of rows that the thread processes
template <int planes = 1>
struct ThreadCenter {
  int c[3];

  __device__ __forceinline__ ThreadCenter(const VelocitySupport& support, const int* parity, int x, int y, int z)
      : c{support.center(x, parity[0]), support.center(y, parity[1]), support.center(z, parity[2])} {}

  /// Smallest |c + offset| along an axis over the rows.
  __device__ __forceinline__ int least(int axis, int offset) const {
    const int rows = axis == 0 ? 1 : axis == 1 ? center_rows : planes;
    const int half_extent = rows - 1, middle = c[axis] + offset + half_extent;
    const int size = middle < 0 ? -middle : middle;
    return size > half_extent ? size - half_extent : 0;
  }
  /// Smallest |c + offset|² over the rows.
  __device__ __forceinline__ int least_square(int offset_x, int offset_y, int offset_z) const {
    const int x = least(0, offset_x), y = least(1, offset_y), z = least(2, offset_z);
    return x * x + y * y + z * z;
  }
  /// Mask of the rows with |c + offset|² and |c − offset|² up to a square, one bit for each row.
  __device__ __forceinline__ unsigned rows_within(const int* offset, int square) const {
    unsigned rows = 0;
#pragma unroll
    for (int row = 0; row < center_rows; ++row) {
      const int row_center[3] = {c[0], c[1] + 2 * row, c[2]};
      if (VelocitySupport::farther_square(row_center, offset) <= square) rows |= 1u << row;
    }
    return rows;
  }
};

/// Rows first, ..., end − 1 of a thread; empty if first ≥ end.
struct RowRange {
  int first, end;

  __device__ __forceinline__ RowRange intersection(RowRange range) const {
    return {first > range.first ? first : range.first, end < range.end ? end : range.end};
  }
  /// Returns true if the range, which is not empty, contains a row.
  __device__ __forceinline__ bool has(int row) const {
    return static_cast<unsigned>(row - first) < static_cast<unsigned>(end - first);
  }
};

/// Number of groups of threads that process the nodes. Each group has its own Q. Group g processes the share number g
/// of all displacements of a batch, and of all its directions, class after class.
inline constexpr int node_groups = 16;
template <int node_rows>
inline constexpr SphereTile node_tile{node_rows, 1, sphere_threads};
/// Rows of nodes that a thread processes. More rows share more tests and addresses; small grids need fewer rows to
/// occupy the device.
template <int constant>
inline constexpr int max_node_rows = constant == 64 ? 16 : 8;
/// Bytes of a batch. Batches of small grids stay in the cache; large grids profit from longer kernels.
inline std::int64_t batch_size(int n, std::int64_t small_grid_bytes) {
  return n < 64 ? small_grid_bytes : 4 * small_grid_bytes;
}

/// Nodes that a thread processes.
/// @tparam node_rows  rows of nodes along y
/// @tparam constant   n if it is known at compile time, else 0
/// @tparam ball       true if the support is a ball
template <int node_rows, int constant, bool ball>
struct ThreadNodes : ThreadRows {
  int n, group;
  RowRange rows;  ///< Rows with nodes that take part.

  __device__ __forceinline__ ThreadNodes(const SphereTablesView& tables, unsigned group_blocks,
                                         ThreadOrder order = ThreadOrder::y_before_z)
      : ThreadRows(node_tile<node_rows>,
                   static_cast<int>(blockIdx.x % group_blocks) * sphere_threads + static_cast<int>(threadIdx.x),
                   grid_size(tables), grid_size(tables), grid_size(tables), order),
        n(grid_size(tables)),
        group(static_cast<int>(blockIdx.x / group_blocks)),
        rows{0, node_rows} {
    if (!inside || (!ball && constant > 0 && constant % node_rows == 0)) return;
    const int low = tables.first_row<ball>(n, x, z);
    rows = rows.intersection({low - y, n - low - y});
    inside = rows.first < rows.end;
  }

  __device__ static int grid_size(const SphereTablesView& tables) { return constant > 0 ? constant : tables.support.n; }
  __device__ int node(int row) const { return (z * n + y + row) * n + x; }
  /// Start and end of the group's share of `count` items.
  __device__ std::int64_t share(std::int64_t count) const { return count * group / node_groups; }
  __device__ std::int64_t share_end(std::int64_t count) const { return count * (group + 1) / node_groups; }
};

template <int node_rows>
std::int64_t group_blocks(int n) {
  return node_tile<node_rows>.blocks(n, n, n);
}

/// Bounding box of the nodes of a warp's threads. All threads of the warp construct it together.
struct WarpNodes {
  int low[3], high[3];

  template <class Nodes>
  __device__ __forceinline__ explicit WarpNodes(const Nodes& nodes)
      : WarpNodes(nodes.n, nodes.inside, {nodes.x, nodes.y + nodes.rows.first, nodes.z},
                  {nodes.x, nodes.y + nodes.rows.end - 1, nodes.z}) {}
  /// @param inside       false: the thread has no nodes
  /// @param first, last  corners of the box of the thread's nodes
  __device__ __forceinline__ WarpNodes(int n, bool inside, const int (&first)[3], const int (&last)[3]) {
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      high[axis] = __reduce_max_sync(whole_warp, inside ? last[axis] : -n);
      low[axis] = -__reduce_max_sync(whole_warp, inside ? -first[axis] : -2 * n);
    }
  }
  __device__ bool empty() const { return low[0] > high[0]; }

  /// Returns true if some of the nodes are in a box, which includes its corners.
  template <class Index>
  __device__ __forceinline__ bool meets(const Index (&first)[3], const Index (&last)[3]) const {
    bool in_box = true;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) in_box = in_box && high[axis] >= first[axis] && low[axis] <= last[axis];
    return in_box;
  }

  /// Returns true if nodes of the box, displaced by −sign · d, may take part.
  template <bool ball>
  __device__ __forceinline__ bool may_meet(const VelocitySupport& support, const signed char* d, int sign) const {
    int square = 0;
    bool in_grid = true;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      const int first = low[axis] - sign * d[axis], last = high[axis] - sign * d[axis];
      in_grid = in_grid && first < support.n && last >= 0;
      const int above = support.coordinate(first), below = -support.coordinate(last),
                distance = above > below ? above : below;
      square += distance > 0 ? distance * distance : 0;
    }
    return in_grid && (!ball || square <= support.square);
  }
};

/// Calls visit(row, index, partner) for each pair of this thread's node of a row and the displacements first, ...,
/// end − 1 of a class: `index` is that of the pair's sphere in the arrays of the batch, `partner` is the number of the
/// other node. All threads of the warp call it together. Each thread tests one of 32 displacements for the whole warp,
/// and the warp processes those that matter to any of its threads.
template <int node_rows, int constant, bool ball, class Visit>
__device__ __forceinline__ void for_each_pair_of_class(const SphereTablesView& tables, const WarpNodes& warp,
                                                       const ThreadNodes<node_rows, constant, ball>& nodes,
                                                       const SphereClassRecord& sphere_class, int first, int end,
                                                       Visit visit) {
  // The box has the node numbering of the grid but fewer rows in a plane.
  const int center_index = sphere_class.box.index(nodes.n, nodes.x, nodes.y, nodes.z),
            plane_difference = (sphere_class.box.count[1] - nodes.n) * nodes.n;
  const auto in_grid = [&](int i) { return static_cast<unsigned>(i) < static_cast<unsigned>(nodes.n); };
  const auto partner_rows = [&](int x, int y, int z) {  // rows whose partners take part
    const int low = tables.first_row<ball>(nodes.n, x, z), high = nodes.n - low;
    return nodes.rows.intersection({low - y, high - y});
  };
#pragma unroll
  for (int sign = 1; sign >= -1; sign -= 2) {  // the thread's node is the upper node of the pair, then the lower one
    for (int k = first; k < end; k += 32) {
      const PackedDisplacement* chunk = tables.displacements + (sphere_class.first_displacement + k);
      const int lane = static_cast<int>(threadIdx.x % 32);
      const bool matters = k + lane < end && warp.may_meet<ball>(tables.support, chunk[lane].d, sign);
      for (unsigned pending = __ballot_sync(whole_warp, matters); pending != 0; pending &= pending - 1) {
        const PackedDisplacement packed = chunk[__ffs(static_cast<int>(pending)) - 1];
        const int x = nodes.x - sign * packed.d[0], y = nodes.y - sign * packed.d[1], z = nodes.z - sign * packed.d[2];
        if (!nodes.inside || !in_grid(x) || !in_grid(z)) continue;
        const RowRange rows = partner_rows(x, y, z);
        if (rows.first >= rows.end) continue;
        const int to_thread_node = sign > 0 ? packed.to_upper : packed.to_lower;
        const int pair_index =
            center_index - to_thread_node - (sphere_class.parity[2] + sign * packed.d[2]) / 2 * plane_difference;
        const int partner = nodes.node(0) - sign * (packed.to_upper - packed.to_lower);
#pragma unroll
        for (int row = 0; row < node_rows; ++row)
          if (rows.has(row)) visit(row, pair_index + row * nodes.n, partner + row * nodes.n);
      }
    }
  }
}

/// Calls for_each_pair_of_class() for the group's share of the displacements of a batch.
template <int node_rows, int constant, bool ball, class Visit>
__device__ __forceinline__ void for_each_pair(const SphereTablesView& tables, const SphereBatch& batch,
                                              const WarpNodes& warp,
                                              const ThreadNodes<node_rows, constant, ball>& nodes, Visit visit) {
  const std::int64_t batch_first = tables.classes[batch.first].first_displacement;
  const std::int64_t first = batch_first + nodes.share(batch.displacements),
                     end = batch_first + nodes.share_end(batch.displacements);
  int number = batch.first;
  for (int width = batch.count; width > 1;) {  // searches the last class that begins at `first` or before
    const int half = width / 2;
    if (tables.classes[number + half].first_displacement <= first) number += half;
    width -= half;
  }
  for (; number < batch.first + batch.count; ++number) {
    const SphereClassRecord sphere_class = tables.classes[number];
    if (sphere_class.first_displacement >= end) break;
    const auto class_first =
        first > sphere_class.first_displacement ? static_cast<int>(first - sphere_class.first_displacement) : 0;
    const std::int64_t class_end = end - sphere_class.first_displacement;
    for_each_pair_of_class(
        tables, warp, nodes, sphere_class, class_first,
        class_end < sphere_class.displacements ? static_cast<int>(class_end) : sphere_class.displacements, visit);
  }
}

/// Adds the sums of a batch, of one array after the other, to the sums of the node groups.
template <class Real>
__global__ void add_batch_sums(BatchPart<Real> batch, int arrays, Real* group_sums) {
  const std::int64_t i = thread_index();
  if (i >= batch.part.count()) return;
  Real sum = group_sums[batch.part.begin + i];
  for (int array = 0; array < arrays; ++array) sum += batch.values[array * batch.stride + i];
  group_sums[batch.part.begin + i] = sum;
}

/// Sums all batches over the node groups.
/// @param arrays      number of kernels of a batch that add to the sums of the node groups
/// @param gather      gather(batch, sums) runs these kernels in turn for a batch; kernel k adds to sums[k]
/// @param cells       evaluated side by side; 1 where ranks share the work of a cell
/// @param group_sums  [cells × node_groups × nodes] overwritten
template <int arrays, class Real, class Gather>
void sum_batches(const CollisionSetup& setup, Scratch& scratch, const std::vector<SphereBatch>& batches,
                 std::int64_t cells, Real* group_sums, Gather gather) {
  const Queue& queue = scratch.queue();
  const std::int64_t count = cells * node_groups * setup.grid.node_count();
  const auto clear = [&](Real* sums, std::int64_t sum_count) {
    fill_bytes(queue, sums, 0, static_cast<std::size_t>(sum_count) * sizeof(Real));
  };
  std::array<Real*, arrays> targets;
  targets.fill(group_sums);
  clear(group_sums, count);
  if (setup.ranks.size() == 1) {  // all kernels add to one array
    for (const SphereBatch& batch : batches) gather(batch, targets);
    return;
  }
  const auto compute = [&](int batch, Real* sums) {
    clear(sums, arrays * count);
    for (int array = 0; array < arrays; ++array) targets[static_cast<std::size_t>(array)] = sums + array * count;
    gather(batches[static_cast<std::size_t>(batch)], targets);
  };
  const auto add = [&](int, const BatchPart<Real>& batch) {
    launch(queue, batch.part.count(), add_batch_sums<Real>, batch, arrays, group_sums);
  };
  add_batches(setup, scratch, static_cast<int>(batches.size()), arrays, count, group_sums, compute, add);
}

/// Adds the sums of the node groups of each cell in order.
template <class Real>
__global__ void add_node_groups(const Real* group_sums, std::int64_t nodes, Real* q) {
  const std::int64_t i = thread_index();
  if (i >= nodes) return;
  group_sums += blockIdx.y * node_groups * nodes;
  q += blockIdx.y * nodes;
  Real sum = group_sums[i];
  for (int group = 1; group < node_groups; ++group) sum += group_sums[group * nodes + i];
  q[i] = sum;
}

}  // namespace shoal::collision
