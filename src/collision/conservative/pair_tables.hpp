// SPDX-License-Identifier: Apache-2.0
// Tables of the pairs of spheres for kernels of the conservative approach.
#pragma once
#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <vector>

#include "collision/spheres/sphere_tables.hpp"

namespace shoal::collision {

/// Sizes |d| along the axes of a box whose diagonals are displacements of a class.
struct alignas(4) DiagonalBox {
  unsigned char size[3];
  unsigned char padding;

  /// Returns true if exchanging the ends along x gives further diagonals, or those along y.
  SHOAL_HD bool has_other_x() const { return size[0] != 0 && size[2] != 0; }
  SHOAL_HD bool has_other_y() const { return size[1] != 0 && (size[0] != 0 || size[2] != 0); }
};

/// Boxes of all classes, by size along z, then y, then x.
struct DiagonalBoxes {
  std::vector<DiagonalBox> boxes;
  std::vector<int> first;  ///< [classes + 1] index of the first box of each class

  explicit DiagonalBoxes(const SphereTables& tables) {
    for (const SphereClassRecord& sphere_class : tables.classes) {
      first.push_back(static_cast<int>(boxes.size()));
      std::set<std::array<int, 3>> sizes;
      for (int k = 0; k < sphere_class.displacements; ++k) {
        const signed char* d = tables.displacements[static_cast<std::size_t>(sphere_class.first_displacement + k)].d;
        sizes.insert({std::abs(d[2]), std::abs(d[1]), std::abs(d[0])});
      }
      for (const auto& [z, y, x] : sizes)
        boxes.push_back(
            {{static_cast<unsigned char>(x), static_cast<unsigned char>(y), static_cast<unsigned char>(z)}, 0});
    }
    first.push_back(static_cast<int>(boxes.size()));
  }
};

/// Pairs of all nodes and of the partners at a displacement. Threads exchange it in two registers.
struct alignas(8) NodePairs {
  int to_sphere;     ///< Index of the pair's sphere in the arrays of the batch less (z · rows + y) n + x of the node.
  signed char d[3];  ///< Displacement: node less partner.
  unsigned char rows;  ///< Rows in a plane of the class's box.
};

/// Returns the pairs of both nodes of all displacements, class after class; those of a class by d_z. Threads that take a
/// class in this order read the same planes of f and of its spheres in turn.
inline std::vector<NodePairs> node_pairs(const SphereTables& tables) {
  std::vector<NodePairs> pairs;
  pairs.reserve(2 * tables.displacements.size());
  for (const SphereClassRecord& sphere_class : tables.classes) {
    const CenterBox& box = sphere_class.box;
    const auto class_begin = static_cast<std::ptrdiff_t>(pairs.size());
    for (int k = 0; k < sphere_class.displacements; ++k)
      for (int sign = -1; sign <= 1; sign += 2) {
        const auto& packed = tables.displacements[static_cast<std::size_t>(sphere_class.first_displacement + k)];
        int d[3], to_center[3];
        for (int axis = 0; axis < 3; ++axis) {
          d[axis] = sign * packed.d[axis];
          to_center[axis] = -(sphere_class.parity[axis] + d[axis]) / 2;
        }
        const auto small = [&](int axis) { return static_cast<signed char>(d[axis]); };
        pairs.push_back({box.index(tables.n, to_center[0], to_center[1], to_center[2]),
                         {small(0), small(1), small(2)},
                         static_cast<unsigned char>(box.count[1])});
      }
    std::stable_sort(pairs.begin() + class_begin, pairs.end(),
                     [](const NodePairs& a, const NodePairs& b) { return a.d[2] < b.d[2]; });
  }
  return pairs;
}

}  // namespace shoal::collision
