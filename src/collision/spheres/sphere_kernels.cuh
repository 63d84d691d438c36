// SPDX-License-Identifier: Apache-2.0
// How threads go over the spheres of a batch and over the nodes that they give to; shared by the approaches.
#pragma once
#include "collision/spheres/sphere_tables.hpp"
#include "core/cuda/launch.cuh"
#include "core/cuda/warp_peers.cuh"

namespace shoal {

/// The tables on the device.
struct SphereTablesView {
  const SphereTable* classes;
  const PackedDisplacement* displacements;
  const unsigned char* rows;  ///< SupportRows::all()
  VelocitySupport support;

  /// The rows along y that take part begin at this one; n if there are none.
  template <bool ball>
  __device__ __forceinline__ int first_row(int n, int x, int z) const {
    return ball ? rows[z * n + x] : 0;
  }
};

/// The class whose bases this block takes.
__device__ inline int class_of_block(const SphereTablesView& tables, const SphereBatch& batch) {
  int low = batch.first, high = batch.first + batch.count;  // the last that begins at this block or before
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (tables.classes[middle].first_block <= static_cast<std::int64_t>(blockIdx.x))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/// Where a thread's rows are: x, first y and first z, counted from the corner of a box.
struct RowsOfThread {
  int x, y, z;
  bool inside;

  __device__ __forceinline__ RowsOfThread(SphereTile tile, int number, int size_x, int size_y, int size_z) {
    const int along_y = tile.rows_of(size_y), above = number / size_x;
    x = number % size_x;
    y = above % along_y * tile.rows;
    z = above / along_y * tile.planes;
    inside = z < size_z;
  }
};

/// The center of the pairs at a thread's first base, for its rows.
/// @tparam planes  of rows
template <int planes = 1>
struct CenterOfRows {
  int c[3];

  __device__ __forceinline__ CenterOfRows(const VelocitySupport& support, const int* parity, int x, int y, int z)
      : c{support.center(x, parity[0]), support.center(y, parity[1]), support.center(z, parity[2])} {}

  /// The least |c + away| along an axis over the rows.
  __device__ __forceinline__ int least(int axis, int away) const {
    const int to_middle = (axis == 0 ? 1 : axis == 1 ? sphere_rows : planes) - 1, middle = c[axis] + away + to_middle;
    const int size = middle < 0 ? -middle : middle;
    return size > to_middle ? size - to_middle : 0;
  }
  /// The least |c + away|².
  __device__ __forceinline__ int least_square(int away_x, int away_y, int away_z) const {
    const int x = least(0, away_x), y = least(1, away_y), z = least(2, away_z);
    return x * x + y * y + z * z;
  }
  /// The rows that have |c + away|² and |c − away|² up to a square: a bit a row.
  __device__ __forceinline__ unsigned rows_within(const int* away, int square) const {
    unsigned rows = 0;
#pragma unroll
    for (int row = 0; row < sphere_rows; ++row) {
      const int of_row[3] = {c[0], c[1] + 2 * row, c[2]};
      if (VelocitySupport::farther_square(of_row, away) <= square) rows |= 1u << row;
    }
    return rows;
  }
};

/// Some of a thread's rows: first, ..., end − 1, none if first ≥ end.
struct RowRange {
  int first, end;

  __device__ __forceinline__ RowRange both(RowRange other) const {
    return {first > other.first ? first : other.first, end < other.end ? end : other.end};
  }
  /// @param row  where there are any at all
  __device__ __forceinline__ bool has(int row) const {
    return static_cast<unsigned>(row - first) < static_cast<unsigned>(end - first);
  }
};

/// Nodes are worked off by so many groups of threads, each with a Q of its own: of all displacements of a batch, and of
/// all its directions, class after class, group g takes the share number g.
inline constexpr int node_groups = 16;
template <int node_rows>
inline constexpr SphereTile node_tile{node_rows, 1, sphere_threads};
/// Rows of nodes that a thread takes: more share more tests and addresses, where enough threads are left for the
/// device.
template <int constant>
inline constexpr int most_node_rows = constant == 64 ? 16 : 8;
/// Bytes of a batch: that of few nodes stays in the cache; with more, longer kernels win.
inline std::int64_t bytes_of_batch(int n, std::int64_t of_few_nodes) {
  return n < 64 ? of_few_nodes : 4 * of_few_nodes;
}

/// @tparam node_rows  rows of nodes along y that a thread takes
/// @tparam constant   n where it is known, else 0
/// @tparam ball       that the support is one
template <int node_rows, int constant, bool ball>
struct NodesOfThread : RowsOfThread {
  int n, group;
  RowRange rows;  ///< that take part

  __device__ __forceinline__ NodesOfThread(const SphereTablesView& tables, unsigned blocks_of_group)
      : RowsOfThread(node_tile<node_rows>,
                     static_cast<int>(blockIdx.x % blocks_of_group) * sphere_threads + static_cast<int>(threadIdx.x),
                     along(tables), along(tables), along(tables)),
        n(along(tables)),
        group(static_cast<int>(blockIdx.x / blocks_of_group)),
        rows{0, node_rows} {
    if (!inside || (!ball && constant > 0 && constant % node_rows == 0)) return;
    const int low = tables.first_row<ball>(n, x, z);
    rows = rows.both({low - y, n - low - y});
    inside = rows.first < rows.end;
  }

  __device__ static int along(const SphereTablesView& tables) { return constant > 0 ? constant : tables.support.n; }
  __device__ int node(int row) const { return (z * n + y + row) * n + x; }
  /// Where the group's share of so many begins.
  __device__ std::int64_t share(std::int64_t count) const { return count * group / node_groups; }
  __device__ std::int64_t share_end(std::int64_t count) const { return count * (group + 1) / node_groups; }
};

template <int node_rows>
std::int64_t blocks_of_group(int n) {
  return node_tile<node_rows>.blocks(n, n, n);
}

/// The box of the nodes that a warp's threads have. All threads of the warp make one.
struct NodesOfWarp {
  int low[3], high[3];

  template <class Nodes>
  __device__ __forceinline__ explicit NodesOfWarp(const Nodes& at) {
    const int first[3] = {at.x, at.y + at.rows.first, at.z}, last[3] = {at.x, at.y + at.rows.end - 1, at.z};
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      high[axis] = __reduce_max_sync(whole_warp, at.inside ? last[axis] : -at.n);
      low[axis] = -__reduce_max_sync(whole_warp, at.inside ? -first[axis] : -2 * at.n);
    }
  }
  __device__ bool empty() const { return low[0] > high[0]; }

  /// Whether nodes of the box, so many steps away, may take part.
  template <bool ball>
  __device__ __forceinline__ bool may_meet(const VelocitySupport& support, const signed char* d, int sign) const {
    int square = 0;
    bool in_grid = true;
#pragma unroll
    for (int axis = 0; axis < 3; ++axis) {
      const int from = low[axis] - sign * d[axis], to = high[axis] - sign * d[axis];
      in_grid = in_grid && from < support.n && to >= 0;
      const int above = support.at(from), below = -support.at(to), away = above > below ? above : below;
      square += away > 0 ? away * away : 0;
    }
    return in_grid && (!ball || square <= support.square);
  }
};

/// Calls visit(row, place, partner) for each pair of displacements first, ..., end − 1 of a class that has this
/// thread's node of a row: where the sphere is kept, and the other node. All threads of the warp call it: each looks
/// whether one of 32 displacements can matter to any of them, and they go over those that can.
template <int node_rows, int constant, bool ball, class Visit>
__device__ __forceinline__ void for_each_pair_of_class(const SphereTablesView& tables, const NodesOfWarp& warp,
                                                       const NodesOfThread<node_rows, constant, ball>& at,
                                                       const SphereTable& of, int first, int end, Visit visit) {
  // Places are numbered as nodes are, with fewer rows in a plane.
  const int place = of.box.place(at.n, at.x, at.y, at.z), fewer = (of.box.count[1] - at.n) * at.n;
  const auto in_grid = [&](int i) { return static_cast<unsigned>(i) < static_cast<unsigned>(at.n); };
  const auto rows_of = [&](int x, int y, int z) {  // whose partners, from this one on, take part
    const int low = tables.first_row<ball>(at.n, x, z), high = at.n - low;
    return at.rows.both({low - y, high - y});
  };
#pragma unroll
  for (int sign = 1; sign >= -1; sign -= 2) {  // the thread's node is the upper one, then the lower one
    for (int k = first; k < end; k += 32) {
      const PackedDisplacement* chunk = tables.displacements + (of.first_displacement + k);
      const int lane = static_cast<int>(threadIdx.x % 32);
      const bool mine = k + lane < end && warp.may_meet<ball>(tables.support, chunk[lane].d, sign);
      for (unsigned left = __ballot_sync(whole_warp, mine); left != 0; left &= left - 1) {
        const PackedDisplacement packed = chunk[__ffs(static_cast<int>(left)) - 1];
        const int x = at.x - sign * packed.d[0], y = at.y - sign * packed.d[1], z = at.z - sign * packed.d[2];
        if (!at.inside || !in_grid(x) || !in_grid(z)) continue;
        const RowRange rows = rows_of(x, y, z);
        if (rows.first >= rows.end) continue;
        const int to_node = sign > 0 ? packed.to_upper : packed.to_lower;
        const int base = place - to_node - (of.parity[2] + sign * packed.d[2]) / 2 * fewer;
        const int partner = at.node(0) - sign * (packed.to_upper - packed.to_lower);
#pragma unroll
        for (int row = 0; row < node_rows; ++row)
          if (rows.has(row)) visit(row, base + row * at.n, partner + row * at.n);
      }
    }
  }
}

/// The same for the group's share of the displacements of a batch.
template <int node_rows, int constant, bool ball, class Visit>
__device__ __forceinline__ void for_each_pair(const SphereTablesView& tables, const SphereBatch& batch,
                                              const NodesOfWarp& warp,
                                              const NodesOfThread<node_rows, constant, ball>& at, Visit visit) {
  const std::int64_t all = tables.classes[batch.first].first_displacement;
  const std::int64_t first = all + at.share(batch.displacements), end = all + at.share_end(batch.displacements);
  int number = batch.first;
  for (int width = batch.count; width > 1;) {  // the last class that begins there or before
    const int half = width / 2;
    if (tables.classes[number + half].first_displacement <= first) number += half;
    width -= half;
  }
  for (; number < batch.first + batch.count; ++number) {
    const SphereTable of = tables.classes[number];
    if (of.first_displacement >= end) break;
    const auto from = first > of.first_displacement ? static_cast<int>(first - of.first_displacement) : 0;
    const std::int64_t to = end - of.first_displacement;
    for_each_pair_of_class(tables, warp, at, of, from, to < of.displacements ? static_cast<int>(to) : of.displacements,
                           visit);
  }
}

/// q[i] = Σ of the groups
template <class Real>
__global__ void add_node_groups(const Real* of_group, std::int64_t nodes, Real* q) {
  const std::int64_t i = thread_index();
  if (i >= nodes) return;
  Real sum = of_group[i];
  for (int group = 1; group < node_groups; ++group) sum += of_group[group * nodes + i];
  q[i] = sum;
}

}  // namespace shoal
