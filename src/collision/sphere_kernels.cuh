// SPDX-License-Identifier: Apache-2.0
// How threads go over the spheres of a batch and over the nodes that they give to; shared by the approaches.
#pragma once
#include "collision/sphere_tables.hpp"
#include "core/launch.cuh"

namespace shoal {

/// The tables on the device.
struct SphereTablesView {
  const SphereTable* classes;
  const PackedDisplacement* displacements;
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

/// Where a thread's rows are: x, first y and z, counted from the corner of a box.
struct RowsOfThread {
  int x, y, z;
  bool inside;

  __device__ __forceinline__ RowsOfThread(int tile, int rows, int size_x, int size_y, int size_z) {
    const int tiles_y = (size_y + rows - 1) / rows, above = tile / size_x;
    x = tile % size_x;
    y = above % tiles_y * rows;
    z = above / tiles_y;
    inside = z < size_z;
  }
};

/// Nodes are worked off by so many groups of threads, each with a Q of its own: group g takes a share of the
/// displacements and of the directions of every class.
inline constexpr int node_groups = 16;

/// @tparam constant  n where it is known, else 0
template <int constant>
struct NodesOfThread : RowsOfThread {
  int n, group;

  __device__ __forceinline__ NodesOfThread(int n_, unsigned blocks_of_group)
      : RowsOfThread(static_cast<int>(blockIdx.x % blocks_of_group) * sphere_threads + static_cast<int>(threadIdx.x),
                     node_rows, n_, n_, n_),
        n(n_),
        group(static_cast<int>(blockIdx.x / blocks_of_group)) {}

  __device__ int node(int row) const { return (z * n + y + row) * n + x; }
  __device__ bool has(int row) const {
    if constexpr (constant > 0 && constant % node_rows == 0) return true;
    return y + row < n;
  }
};

inline std::int64_t blocks_of_group(int n) { return sphere_blocks(n, n, n, node_rows); }

/// Calls visit(row, place, partner) for each pair of the group's share of a class that has this thread's node of a row:
/// where the sphere is kept, and the other node.
template <int constant, class Visit>
__device__ __forceinline__ void for_each_pair(const NodesOfThread<constant>& at, const SphereTable& of,
                                              const PackedDisplacement* displacements, Visit visit) {
  const int first = of.displacements * at.group / node_groups, end = of.displacements * (at.group + 1) / node_groups;
  const auto in_grid = [&](int i) { return static_cast<unsigned>(i) < static_cast<unsigned>(at.n); };
  // Places are numbered as nodes are, with fewer rows in a plane.
  const int place = of.box.place(at.n, at.x, at.y, at.z), fewer = (of.box.count[1] - at.n) * at.n;
#pragma unroll
  for (int sign = 1; sign >= -1; sign -= 2) {  // the thread's node is the upper one, then the lower one
    const int reach = sign > 0 ? at.z : at.n - 1 - at.z;
    for (int k = first; k < end; ++k) {
      const PackedDisplacement packed = displacements[of.first_displacement + k];
      if (packed.d[2] > reach) break;  // they come by rising d_z, which is not negative
      const int y = at.y - sign * packed.d[1];
      if (!in_grid(at.x - sign * packed.d[0]) || y <= -node_rows || y >= at.n) continue;
      const int to_node = sign > 0 ? packed.to_upper : packed.to_lower;
      const int base = place - to_node - (of.parity[2] + sign * packed.d[2]) / 2 * fewer;
      const int partner = at.node(0) - sign * (packed.to_upper - packed.to_lower);
#pragma unroll
      for (int row = 0; row < node_rows; ++row)
        if (at.has(row) && in_grid(y + row)) visit(row, base + row * at.n, partner + row * at.n);
    }
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
