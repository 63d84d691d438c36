// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/pairs/pair_item.hpp"
#include "collision/setup/support_item.hpp"
#include "collision/setup/work_groups.hpp"

namespace shoal {

/// The nodes that take part, row by row, along any axis: by the places of the row on the other two, in any order.
class SupportRows {
 public:
  explicit SupportRows(const VelocitySupport& support) : n_(support.n) {
    for (int z = 0; z < n_; ++z)
      for (int y = 0; y < n_; ++y) {
        int first = 0;
        while (first < n_ && !support.has(first, y, z)) ++first;
        first_.push_back(first);
      }
  }

  int n() const { return n_; }
  /// The first node of a row, n if it has none; the last is n − 1 − first.
  int first(int y, int z) const { return first_[static_cast<std::size_t>(z * n_ + y)]; }
  const std::vector<int>& all() const { return first_; }

 private:
  int n_;
  std::vector<int> first_;
};

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

  /// Calls visit(base, upper, lower, count) for each row of pairs of each displacement whose nodes take part: numbers
  /// of the first base and of the nodes of its pair; those of the next pairs follow.
  template <class Visit>
  void for_each_row_of_pairs(const SupportRows& rows, Visit visit) const {
    const int n = rows.n();
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
          const int of_upper = rows.first(y + up[1], z + up[2]), of_lower = rows.first(y + down[1], z + down[2]);
          const int from = std::max(of_upper - up[0], of_lower - down[0]);
          const int to = std::min(n - of_upper - up[0], n - of_lower - down[0]);
          if (from >= to) continue;
          const std::int64_t base = node(from, y, z);
          visit(base, base + to_upper, base + to_lower, to - from);
        }
    }
  }
};

/// The classes of the nodes that take part; every pair of different ones is in one of them.
class SphereClasses {
 public:
  explicit SphereClasses(const VelocitySupport& support);
  SphereClasses(const SphereClasses&) = delete;

  std::span<const SphereClass> of_group(int group) const { return groups_[static_cast<std::size_t>(group)]; }
  /// All of them, by rising distance.
  std::vector<SphereClass> in_order() const;

 private:
  std::vector<Displacement> displacements_;
  std::vector<SphereClass> groups_[collision_groups];  ///< dealt out in turn, so that all have about as much to do
};

/// Bases of a class, row by row: all that have a pair whose nodes take part, and few others.
class SphereRows {
 public:
  void make(const SphereClass& of, const VelocitySupport& support);

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
