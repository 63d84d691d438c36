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

  __device__ RowsOfThread(std::int64_t tile, int size_x, int size_y, int size_z) {
    const int tiles_y = (size_y + sphere_rows - 1) / sphere_rows;
    const std::int64_t above = tile / size_x;
    x = static_cast<int>(tile % size_x);
    y = static_cast<int>(above % tiles_y) * sphere_rows;
    z = static_cast<int>(above / tiles_y);
    inside = z < size_z;
  }
};

/// Nodes are worked off by so many groups of threads, each with a Q of its own: group g takes a share of the
/// displacements and of the directions of every class.
inline constexpr int node_groups = 8;

struct NodesOfThread : RowsOfThread {
  int n, group;

  __device__ NodesOfThread(int n_, unsigned blocks_of_group)
      : RowsOfThread(static_cast<std::int64_t>(blockIdx.x % blocks_of_group) * sphere_threads + threadIdx.x, n_, n_,
                     n_),
        n(n_),
        group(static_cast<int>(blockIdx.x / blocks_of_group)) {}

  __device__ int node(int row) const { return (z * n + y + row) * n + x; }
  __device__ bool has(int row) const { return y + row < n; }
};

inline std::int64_t blocks_of_group(int n) { return sphere_blocks(sphere_tiles(n, n, n)); }

/// Calls visit(row, place, partner) for each pair of the group's share of a class that has this thread's node of a row:
/// where the sphere is kept, and the other node.
template <class Visit>
__device__ __forceinline__ void for_each_pair(const NodesOfThread& at, const SphereTable& of,
                                              const PackedDisplacement* displacements, Visit visit) {
  const int first = of.displacements * at.group / node_groups, end = of.displacements * (at.group + 1) / node_groups;
  for (int k = first; k < end; ++k) {
    const PackedDisplacement packed = displacements[of.first_displacement + k];
    for (int sign = 1; sign >= -1; sign -= 2) {
      int d[3], b[3];  // to the partner, and from the node to the base: half way, rounded
      for (int axis = 0; axis < 3; ++axis) {
        d[axis] = -sign * packed.d[axis];
        b[axis] = (d[axis] - of.parity[axis]) / 2;
      }
      const auto in_grid = [&](int i) { return static_cast<unsigned>(i) < static_cast<unsigned>(at.n); };
      if (!in_grid(at.z + d[2]) || !in_grid(at.x + d[0])) continue;
      const int place = of.box.place(at.x + b[0], at.y + b[1], at.z + b[2]);
      const int partner = at.node(0) - sign * (packed.to_upper - packed.to_lower);
#pragma unroll
      for (int row = 0; row < sphere_rows; ++row)
        if (at.has(row) && in_grid(at.y + row + d[1])) visit(row, place + row * of.box.count[0], partner + row * at.n);
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
