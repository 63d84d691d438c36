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

/// Pairs of a node and of the partner at a displacement of a class, or at the opposite one.
inline NodePairs node_pairs_at(const SphereTables& tables, const SphereClassRecord& sphere_class,
                               const PackedDisplacement& displacement, int sign) {
  const CenterBox& box = sphere_class.box;
  int d[3], to_center[3];
  for (int axis = 0; axis < 3; ++axis) {
    d[axis] = sign * displacement.d[axis];
    to_center[axis] = -(sphere_class.parity[axis] + d[axis]) / 2;
  }
  const auto small = [&](int axis) { return static_cast<signed char>(d[axis]); };
  return {box.index(tables.n, to_center[0], to_center[1], to_center[2]),
          {small(0), small(1), small(2)},
          static_cast<unsigned char>(box.count[1])};
}

/// Pairs of both nodes of all displacements of a class, by d_z. Threads that take them in this order read the same planes of
/// f and of spheres in turn.
inline std::vector<NodePairs> pairs_by_distance(const SphereTables& tables, const SphereClassRecord& sphere_class) {
  std::vector<NodePairs> pairs;
  for (int k = 0; k < sphere_class.displacements; ++k)
    for (const int sign : {-1, 1})
      pairs.push_back(node_pairs_at(tables, sphere_class,
                                    tables.displacements[static_cast<std::size_t>(sphere_class.first_displacement + k)],
                                    sign));
  std::stable_sort(pairs.begin(), pairs.end(), [](const NodePairs& a, const NodePairs& b) { return a.d[2] < b.d[2]; });
  return pairs;
}

/// Pairs of both nodes of all displacements, class after class.
inline std::vector<NodePairs> all_node_pairs(const SphereTables& tables) {
  std::vector<NodePairs> list;
  for (const SphereClassRecord& sphere_class : tables.classes) {
    const std::vector<NodePairs> pairs = pairs_by_distance(tables, sphere_class);
    list.insert(list.end(), pairs.begin(), pairs.end());
  }
  return list;
}

/// Pairs of nodes in two planes, by the distance d_z ≥ 0 of the planes, class after class. Pairs within a plane are there
/// for both nodes.
struct PlanePairs {
  std::vector<NodePairs> pairs;
  std::vector<std::int64_t> first_of_batch;  ///< [batches] index of the first pair
  std::vector<int>
      first_of_distance;  ///< [batches][n + 1] index of the first pair of a distance among those of the batch

  explicit PlanePairs(const SphereTables& tables) {
    for (const SphereBatch& batch : tables.batches) {
      std::vector<std::vector<NodePairs>> by_distance(static_cast<std::size_t>(tables.n));
      for (int number = batch.first; number < batch.first + batch.count; ++number)
        for (const NodePairs& pair : pairs_by_distance(tables, tables.classes[static_cast<std::size_t>(number)]))
          if (pair.d[2] >= 0) by_distance[static_cast<std::size_t>(pair.d[2])].push_back(pair);
      first_of_batch.push_back(static_cast<std::int64_t>(pairs.size()));
      const auto count = [&] {
        return static_cast<int>(static_cast<std::int64_t>(pairs.size()) - first_of_batch.back());
      };
      for (const std::vector<NodePairs>& part : by_distance) {
        first_of_distance.push_back(count());
        pairs.insert(pairs.end(), part.begin(), part.end());
      }
      first_of_distance.push_back(count());
    }
  }
};

}  // namespace shoal::collision
