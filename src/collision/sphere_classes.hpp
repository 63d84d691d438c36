// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "collision/group_count.hpp"
#include "collision/lattice_item.hpp"

namespace shoal {

/// All pairs with the same parity and distance. Those of them with the same base collide on the same sphere, and the
/// sphere lies on the lattice in the same way for every base.
struct SphereClass {
  int parity[3];
  int square;                          ///< |d|²
  std::span<const Displacement> half;  ///< one of d and −d

  double length() const { return std::sqrt(static_cast<double>(square)); }

  /// A pair has base b along an axis, with both its nodes in a grid of n, if margin ≤ b < n − parity − margin.
  int margin(const Displacement& pair, int axis) const {
    const int size = pair.d[axis] < 0 ? -pair.d[axis] : pair.d[axis];
    return (size - parity[axis]) / 2;
  }

  /// Calls visit(base, upper, lower, count) for each row of pairs of each displacement: numbers of the first base and
  /// of the nodes of its pair; those of the next pairs follow.
  template <class Visit>
  void for_each_row_of_pairs(int n, Visit visit) const {
    const auto node = [n](int x, int y, int z) { return (static_cast<std::int64_t>(z) * n + y) * n + x; };
    for (const Displacement& pair : half) {
      int first[3], end[3], up[3], down[3];
      for (int axis = 0; axis < 3; ++axis) {
        first[axis] = margin(pair, axis);
        end[axis] = n - parity[axis] - first[axis];
        up[axis] = (parity[axis] + pair.d[axis]) / 2;
        down[axis] = (parity[axis] - pair.d[axis]) / 2;
      }
      const std::int64_t to_upper = node(up[0], up[1], up[2]), to_lower = node(down[0], down[1], down[2]);
      for (int z = first[2]; z < end[2]; ++z)
        for (int y = first[1]; y < end[1]; ++y) {
          const std::int64_t base = node(first[0], y, z);
          visit(base, base + to_upper, base + to_lower, end[0] - first[0]);
        }
    }
  }
};

/// The classes of a grid of n³ nodes; every pair of different nodes is in one of them.
class SphereClasses {
 public:
  explicit SphereClasses(int n);
  SphereClasses(const SphereClasses&) = delete;

  std::span<const SphereClass> of_group(int group) const { return groups_[static_cast<std::size_t>(group)]; }
  /// All of them, by rising distance.
  std::vector<SphereClass> in_order() const;

 private:
  std::vector<Displacement> displacements_;
  std::vector<SphereClass> groups_[collision_groups];  ///< dealt out in turn, so that all have about as much to do
};

/// The bases of a class that have a pair at all, row by row.
class SphereRows {
 public:
  void make(const SphereClass& of, int n);

  /// Along x in the row y, z: first base; the end is n − parity − first. No base if there is none.
  int first(int y, int z) const { return least_[static_cast<std::size_t>(edge(z, 2) * stride_ + edge(y, 1))]; }
  int count(int y, int z) const {
    const int length = n_ - parity_[0] - 2 * first(y, z);
    return length > 0 ? length : 0;
  }

  /// Calls visit(first, count, y, z) for each row.
  template <class Visit>
  void for_each(Visit visit) const {
    for (int z = 0; z < n_ - parity_[2]; ++z)
      for (int y = 0; y < n_ - parity_[1]; ++y)
        if (const int length = count(y, z); length > 0) visit(first(y, z), length, y, z);
  }

 private:
  int edge(int b, int axis) const {
    const int other = n_ - 1 - parity_[axis] - b;
    return b < other ? b : other;
  }

  int n_ = 0;
  int stride_ = 0;
  int parity_[3] = {};
  std::vector<int> least_;  ///< margin along x by distances of the row from the edges along y and z
};

}  // namespace shoal
