// SPDX-License-Identifier: Apache-2.0
// Sphere classes as CUDA kernels read them, and the batches in which the kernels process them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "collision/spheres/sphere_classes.hpp"

namespace shoal::collision {

/// Box of center indices and the layout of the values at these centers. Rows have n values, as in the grid, so that the
/// distance of neighboring rows is the same in all arrays. A batch has less than 2³¹ values, so indices are int.
struct CenterBox {
  int first[3];
  int count[3];
  int start;  ///< Index of the first value in the array that the boxes of a batch share.

  SHOAL_HD bool has(int b, int axis) const {
    return static_cast<unsigned>(b - first[axis]) < static_cast<unsigned>(count[axis]);
  }
  /// Index of the value at a center.
  SHOAL_HD int index(int n, int x, int y, int z) const {
    return start + ((z - first[2]) * count[1] + (y - first[1])) * n + x;
  }
  /// Difference of the indices of two centers that are x, y, z apart.
  SHOAL_HD int step(int n, int x, int y, int z) const { return (z * count[1] + y) * n + x; }
  std::int64_t elements(int n) const { return static_cast<std::int64_t>(n) * count[1] * count[2]; }
};

/// Displacement packed for a single 16-byte load. Grids have at most 128 nodes along an axis.
struct alignas(16) PackedDisplacement {
  signed char d[4];  ///< Displacement; the last element is padding.
  int to_upper;      ///< Offset from the node number of the center index to the upper node of the pair.
  int to_lower;      ///< Offset to the lower node of the pair.
};

/// SphereClass as kernels read it.
struct SphereClassRecord {
  int parity[3];
  int displacements;                ///< Number of displacements; one of each two opposite ones.
  std::int64_t first_displacement;  ///< Index of the first displacement in SphereTables::displacements.
  double distance2;                 ///< |d|² in spacings.
  int reach2;                       ///< Largest |c|² of a pair whose nodes may take part, see support_item.hpp.
  CenterBox box;                    ///< All centers of the class.
  std::int64_t first_block;         ///< First block of the class in the batch's launch over centers.
};

/// Classes first, ..., first + count − 1, which one launch processes.
struct SphereBatch {
  int first = 0;
  int count = 0;
  std::int64_t blocks = 0;          ///< Blocks of a launch over the centers.
  std::int64_t elements = 0;        ///< Values that the boxes of the classes share.
  std::int64_t extra_elements = 0;  ///< Further values that the method stores.
  std::int64_t displacements = 0;   ///< Displacements of all classes; they are consecutive.
};

/// Calls run(n, ball) with compile-time constants: the number of nodes along an axis if it is 32 or 64, else 0; and
/// true if the support is a ball. With a constant n, kernels read neighboring rows at constant offsets.
template <class Run>
void with_constants(const VelocitySupport& support, Run run) {
  const auto with_rows = [&](auto ball) {
    if (support.n == 64)
      run(std::integral_constant<int, 64>(), ball);
    else if (support.n == 32)
      run(std::integral_constant<int, 32>(), ball);
    else
      run(std::integral_constant<int, 0>(), ball);
  };
  if (support.is_box())
    with_rows(std::false_type());
  else
    with_rows(std::true_type());
}

/// Rows of centers along y that a thread processes; they share the loads of the class tables.
inline constexpr int center_rows = 4;
inline constexpr int sphere_threads = 512;
/// Blocks resident on a multiprocessor: a single block would wait for memory most of the time.
inline constexpr int sphere_blocks_resident = 2;

/// Rows and planes of a box that a thread processes, and threads of a block.
struct SphereTile {
  int rows, planes, threads;

  SHOAL_HD int row_tiles(int size_y) const { return (size_y + rows - 1) / rows; }
  SHOAL_HD int plane_tiles(int size_z) const { return (size_z + planes - 1) / planes; }
  /// Number of blocks that cover a box.
  std::int64_t blocks(int x, int y, int z) const {
    return (static_cast<std::int64_t>(x) * row_tiles(y) * plane_tiles(z) + threads - 1) / threads;
  }
};

/// Tables of all sphere classes of a support.
struct SphereTables {
  std::vector<SphereClassRecord> classes;
  std::vector<PackedDisplacement> displacements;
  std::vector<unsigned char> first_nodes;  ///< SupportRows::first_nodes()
  std::vector<SphereBatch> batches;

  VelocitySupport support;
  int n;

  explicit SphereTables(const VelocitySupport& node_support) : support(node_support), n(node_support.n) {
    const SupportRows rows(support);
    for (const int first : rows.first_nodes()) first_nodes.push_back(static_cast<unsigned char>(first));
    const SphereClasses sphere_classes(support);
    for (const SphereClass& sphere_class : sphere_classes.by_distance()) {
      SphereClassRecord record = {};
      std::copy_n(sphere_class.parity, 3, record.parity);
      record.reach2 = support.square - sphere_class.distance2;
      record.displacements = static_cast<int>(sphere_class.displacements.size());
      record.first_displacement = static_cast<std::int64_t>(displacements.size());
      record.distance2 = sphere_class.distance2;
      record.box.start = 0;
      for (int axis = 0; axis < 3; ++axis) {
        int margin = n;
        for (const Displacement& pair : sphere_class.displacements)
          margin = std::min(margin, sphere_class.margin(pair, axis));
        const auto in_reach = [&](int b) {
          const int c = support.center(b, sphere_class.parity[axis]);
          return c * c <= record.reach2;
        };
        while (margin < n && !in_reach(margin)) ++margin;
        record.box.first[axis] = margin;
        record.box.count[axis] = n - sphere_class.parity[axis] - 2 * margin;
      }
      if (std::min({record.box.count[0], record.box.count[1], record.box.count[2]}) <= 0) continue;
      classes.push_back(record);
      for (const Displacement& pair : sphere_class.displacements)
        displacements.push_back(packed(sphere_class, pair, n));
    }
  }

  /// Divides the classes into batches of about `elements` values, so that a kernel finds what the previous kernel wrote
  /// in the cache, and sets the start of each class.
  /// @param place_extra  place_extra(k, start) places the further values of class k from `start` on and returns their
  ///                     number
  template <class PlaceExtra>
  void make_batches(std::int64_t elements, const SphereTile& tile, PlaceExtra place_extra) {
    for (int k = 0; k < static_cast<int>(classes.size()); ++k) {
      if (batches.empty() || batches.back().elements + batches.back().extra_elements >= elements)
        batches.push_back({k});
      SphereBatch& batch = batches.back();
      SphereClassRecord& record = classes[static_cast<std::size_t>(k)];
      record.box.start = static_cast<int>(batch.elements);
      record.first_block = batch.blocks;
      batch.elements += record.box.elements(n);
      batch.extra_elements += place_extra(k, batch.extra_elements);
      batch.displacements += record.displacements;
      batch.blocks += tile.blocks(record.box.count[0], record.box.count[1], record.box.count[2]);
      ++batch.count;
    }
  }

  static PackedDisplacement packed(const SphereClass& sphere_class, const Displacement& pair, int n) {
    int up[3], down[3];
    for (int axis = 0; axis < 3; ++axis) {
      up[axis] = (sphere_class.parity[axis] + pair.d[axis]) / 2;
      down[axis] = (sphere_class.parity[axis] - pair.d[axis]) / 2;
    }
    const auto small = [&](int axis) { return static_cast<signed char>(pair.d[axis]); };
    return {{small(0), small(1), small(2), 0}, (up[2] * n + up[1]) * n + up[0], (down[2] * n + down[1]) * n + down[0]};
  }

  /// Largest value of a member over the batches.
  std::int64_t largest(std::int64_t SphereBatch::*member) const {
    std::int64_t size = 0;
    for (const SphereBatch& batch : batches) size = std::max(size, batch.*member);
    return size;
  }
};

}  // namespace shoal::collision
