// SPDX-License-Identifier: Apache-2.0
// The classes of spheres as CUDA kernels read them, and the batches in which they are worked off.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "collision/sphere_classes.hpp"

namespace shoal {

/// A box of bases and where what belongs to them is kept: one number after the other, x fastest. A batch has less than
/// 2³¹ numbers, so places are int.
struct SphereBox {
  int first[3];
  int count[3];
  int start;  ///< in an array that the boxes of a batch share

  SHOAL_HD bool has(int b, int axis) const {
    return static_cast<unsigned>(b - first[axis]) < static_cast<unsigned>(count[axis]);
  }
  SHOAL_HD int place(int x, int y, int z) const {
    return start + ((z - first[2]) * count[1] + (y - first[1])) * count[0] + (x - first[0]);
  }
  /// From the place of a base to that of the one that is so many steps away.
  SHOAL_HD int step(int x, int y, int z) const { return (z * count[1] + y) * count[0] + x; }
  std::int64_t volume() const { return static_cast<std::int64_t>(count[0]) * count[1] * count[2]; }
};

/// A displacement, read at once: grids have 128 nodes at most.
struct alignas(16) PackedDisplacement {
  signed char d[3];
  int to_upper;  ///< from the number of the base, as a node, to those of the pair's nodes
  int to_lower;
};

/// One class; see SphereClass.
struct SphereTable {
  int parity[3];
  int displacements;  ///< of the half
  std::int64_t first_displacement;
  double distance2;          ///< |d|², in spacings
  SphereBox box;             ///< of all its bases
  std::int64_t first_block;  ///< of its batch's launch over bases
};

/// Classes first, ..., first + count − 1.
struct SphereBatch {
  int first = 0;
  int count = 0;
  std::int64_t blocks = 0;    ///< over bases
  std::int64_t elements = 0;  ///< that its boxes share
};

/// Rows along y that a thread takes, of bases as of nodes: what it reads of a class is read once for all of them.
inline constexpr int sphere_rows = 4;
inline constexpr int sphere_threads = 512;

inline std::int64_t sphere_tiles(int x, int y, int z) {
  return static_cast<std::int64_t>(x) * ((y + sphere_rows - 1) / sphere_rows) * z;
}
inline std::int64_t sphere_blocks(std::int64_t tiles) { return (tiles + sphere_threads - 1) / sphere_threads; }

struct SphereTables {
  std::vector<SphereTable> classes;
  std::vector<PackedDisplacement> displacements;
  std::vector<SphereBatch> batches;

  explicit SphereTables(int n) {
    const SphereClasses all(n);
    for (const SphereClass& of : all.in_order()) {
      SphereTable& here = classes.emplace_back();
      std::copy_n(of.parity, 3, here.parity);
      here.displacements = static_cast<int>(of.half.size());
      here.first_displacement = static_cast<std::int64_t>(displacements.size());
      here.distance2 = of.square;
      here.box.start = 0;
      for (int axis = 0; axis < 3; ++axis) {
        int margin = n;
        for (const Displacement& pair : of.half) margin = std::min(margin, of.margin(pair, axis));
        here.box.first[axis] = margin;
        here.box.count[axis] = n - of.parity[axis] - 2 * margin;
      }
      for (const Displacement& pair : of.half) displacements.push_back(packed(of, pair, n));
    }
  }

  /// Deals out the classes to batches of about this many elements, so that what one kernel writes is still in the cache
  /// when the next one reads it, and gives each class its place: start(k, place) places class k's boxes and returns
  /// what they need.
  template <class Start>
  void make_batches(std::int64_t elements, Start start) {
    for (int k = 0; k < static_cast<int>(classes.size()); ++k) {
      if (batches.empty() || batches.back().elements >= elements) batches.push_back({k});
      SphereBatch& batch = batches.back();
      SphereTable& here = classes[static_cast<std::size_t>(k)];
      here.box.start = static_cast<int>(batch.elements);
      here.first_block = batch.blocks;
      batch.elements += here.box.volume();
      batch.elements += start(k, batch.elements);
      batch.blocks += sphere_blocks(sphere_tiles(here.box.count[0], here.box.count[1], here.box.count[2]));
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
    return {{small(0), small(1), small(2)}, (up[2] * n + up[1]) * n + up[0], (down[2] * n + down[1]) * n + down[0]};
  }

  std::int64_t most_elements() const {
    std::int64_t most = 0;
    for (const SphereBatch& batch : batches) most = std::max(most, batch.elements);
    return most;
  }
};

}  // namespace shoal
