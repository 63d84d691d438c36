// SPDX-License-Identifier: Apache-2.0
// The classes of spheres as CUDA kernels read them, and the batches in which they are worked off.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "collision/spheres/sphere_classes.hpp"

namespace shoal {

/// A box of bases and where what belongs to them is kept: rows of n numbers, as long as those of the grid, so that
/// neighboring rows are everywhere equally far apart. A batch has less than 2³¹ numbers, so places are int.
struct SphereBox {
  int first[3];
  int count[3];
  int start;  ///< in an array that the boxes of a batch share

  SHOAL_HD bool has(int b, int axis) const {
    return static_cast<unsigned>(b - first[axis]) < static_cast<unsigned>(count[axis]);
  }
  SHOAL_HD int place(int n, int x, int y, int z) const {
    return start + ((z - first[2]) * count[1] + (y - first[1])) * n + x;
  }
  /// From the place of a base to that of the one that is so many steps away.
  SHOAL_HD int step(int n, int x, int y, int z) const { return (z * count[1] + y) * n + x; }
  std::int64_t elements(int n) const { return static_cast<std::int64_t>(n) * count[1] * count[2]; }
};

/// A displacement, read at once: grids have 128 nodes at most.
struct alignas(16) PackedDisplacement {
  signed char d[4];  ///< the last is not used
  int to_upper;      ///< from the number of the base, as a node, to those of the pair's nodes
  int to_lower;
};

/// One class; see SphereClass.
struct SphereTable {
  int parity[3];
  int displacements;  ///< of the half
  std::int64_t first_displacement;
  double distance2;          ///< |d|², in spacings
  int reach2;                ///< most |c|² of a pair whose nodes may take part, see support_item.hpp
  SphereBox box;             ///< of all its bases
  std::int64_t first_block;  ///< of its batch's launch over bases
};

/// Classes first, ..., first + count − 1.
struct SphereBatch {
  int first = 0;
  int count = 0;
  std::int64_t blocks = 0;         ///< over bases
  std::int64_t elements = 0;       ///< that the boxes of its classes share
  std::int64_t kept = 0;           ///< what else it needs
  std::int64_t displacements = 0;  ///< of its classes; they follow each other
};

/// Calls run(n, ball) with constants: the number of nodes along an axis where it is a usual one, else 0, so that
/// kernels know how far rows are apart and read neighboring ones at constant distances; and whether the support is a
/// ball.
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

/// Rows of bases along y that a thread takes: what it reads of a class is read once for all of them.
inline constexpr int sphere_rows = 4;
inline constexpr int sphere_threads = 512;
inline constexpr int sphere_blocks_resident = 2;  ///< on a multiprocessor: one alone waits for memory most of the time

/// What a thread takes of a box, and how many threads a block has.
struct SphereTile {
  int rows, planes, threads;

  SHOAL_HD int rows_of(int size_y) const { return (size_y + rows - 1) / rows; }
  SHOAL_HD int planes_of(int size_z) const { return (size_z + planes - 1) / planes; }
  /// Blocks that cover a box.
  std::int64_t blocks(int x, int y, int z) const {
    return (static_cast<std::int64_t>(x) * rows_of(y) * planes_of(z) + threads - 1) / threads;
  }
};

struct SphereTables {
  std::vector<SphereTable> classes;
  std::vector<PackedDisplacement> displacements;
  std::vector<unsigned char> rows;  ///< SupportRows::all()
  std::vector<SphereBatch> batches;

  VelocitySupport support;
  int n;

  explicit SphereTables(const VelocitySupport& of_nodes) : support(of_nodes), n(of_nodes.n) {
    const SupportRows support_rows(support);
    for (const int first : support_rows.all()) rows.push_back(static_cast<unsigned char>(first));
    const SphereClasses all(support);
    for (const SphereClass& of : all.in_order()) {
      SphereTable here = {};
      std::copy_n(of.parity, 3, here.parity);
      here.reach2 = support.square - of.square;
      here.displacements = static_cast<int>(of.half.size());
      here.first_displacement = static_cast<std::int64_t>(displacements.size());
      here.distance2 = of.square;
      here.box.start = 0;
      for (int axis = 0; axis < 3; ++axis) {
        int margin = n;
        for (const Displacement& pair : of.half) margin = std::min(margin, of.margin(pair, axis));
        const auto in_reach = [&](int b) {
          const int along = support.center(b, of.parity[axis]);
          return along * along <= here.reach2;
        };
        while (margin < n && !in_reach(margin)) ++margin;
        here.box.first[axis] = margin;
        here.box.count[axis] = n - of.parity[axis] - 2 * margin;
      }
      if (std::min({here.box.count[0], here.box.count[1], here.box.count[2]}) <= 0) continue;
      classes.push_back(here);
      for (const Displacement& pair : of.half) displacements.push_back(packed(of, pair, n));
    }
  }

  /// Deals out the classes to batches of about this many elements, so that what one kernel writes is still in the cache
  /// when the next one reads it, and gives each class its place: start(k, place) places what else is kept of class k
  /// and returns how much it is.
  template <class Start>
  void make_batches(std::int64_t elements, const SphereTile& tile, Start start) {
    for (int k = 0; k < static_cast<int>(classes.size()); ++k) {
      if (batches.empty() || batches.back().elements + batches.back().kept >= elements) batches.push_back({k});
      SphereBatch& batch = batches.back();
      SphereTable& here = classes[static_cast<std::size_t>(k)];
      here.box.start = static_cast<int>(batch.elements);
      here.first_block = batch.blocks;
      batch.elements += here.box.elements(n);
      batch.kept += start(k, batch.kept);
      batch.displacements += here.displacements;
      batch.blocks += tile.blocks(here.box.count[0], here.box.count[1], here.box.count[2]);
      ++batch.count;
    }
  }
  static PackedDisplacement packed(const SphereClass& of, const Displacement& pair, int n) {
    int up[3], down[3];
    for (int axis = 0; axis < 3; ++axis) {
      up[axis] = (of.parity[axis] + pair.d[axis]) / 2;
      down[axis] = (of.parity[axis] - pair.d[axis]) / 2;
    }
    const auto small = [&](int axis) { return static_cast<signed char>(pair.d[axis]); };
    return {{small(0), small(1), small(2), 0}, (up[2] * n + up[1]) * n + up[0], (down[2] * n + down[1]) * n + down[0]};
  }

  /// The most of a member over the batches.
  std::int64_t most(std::int64_t SphereBatch::*member) const {
    std::int64_t most = 0;
    for (const SphereBatch& batch : batches) most = std::max(most, batch.*member);
    return most;
  }
};

}  // namespace shoal
