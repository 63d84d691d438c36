// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/pairs/pair_item.hpp"
#include "collision/setup/support_item.hpp"
#include "collision/setup/work_group_count.hpp"

namespace shoal::collision {

/// First node of the support in each row of nodes. The support is symmetric, so a row may run along any axis, with its
/// indices on the other two axes in any order.
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
  /// First node of a row, n if no node of the row takes part. The last node is n − 1 − first.
  int first(int y, int z) const { return first_[static_cast<std::size_t>(z * n_ + y)]; }
  /// [n²] first(y, z), y fastest
  const std::vector<int>& first_nodes() const { return first_; }

 private:
  int n_;
  std::vector<int> first_;
};

/// All pairs with the same parity and distance. Pairs of a class with the same center share one collision sphere, the
/// set of their velocities after the collision. The sphere lies on the lattice in the same way for every center.
struct SphereClass {
  int parity[3];
  int distance2;                                ///< |d|²
  std::span<const Displacement> displacements;  ///< One of each two opposite displacements d and −d.

  double distance() const { return std::sqrt(static_cast<double>(distance2)); }

  /// Smallest center index of a pair along an axis. Both its nodes lie in a grid of n nodes if the center index b is in
  /// margin ≤ b < n − parity − margin.
  int margin(const Displacement& pair, int axis) const {
    const int size = pair.d[axis] < 0 ? -pair.d[axis] : pair.d[axis];
    return (size - parity[axis]) / 2;
  }

  /// Calls visit(center, upper, lower, count) for each row of pairs of each displacement whose nodes take part. The
  /// arguments are the node numbers of the first center index and of the two nodes of its pair, and the number of
  /// pairs; the numbers of the following pairs are consecutive.
  template <class Visit>
  void for_each_row_of_pairs(const SupportRows& rows, Visit visit) const {
    const int n = rows.n();
    const auto node = [n](int x, int y, int z) { return (static_cast<std::int64_t>(z) * n + y) * n + x; };
    for (const Displacement& pair : displacements) {
      int first[3], end[3], up[3], down[3];
      for (int axis = 0; axis < 3; ++axis) {
        first[axis] = margin(pair, axis);
        end[axis] = n - parity[axis] - first[axis];
        up[axis] = (parity[axis] + pair.d[axis]) / 2;
        down[axis] = (parity[axis] - pair.d[axis]) / 2;
      }
      const std::int64_t upper_offset = node(up[0], up[1], up[2]), lower_offset = node(down[0], down[1], down[2]);
      for (int z = first[2]; z < end[2]; ++z)
        for (int y = first[1]; y < end[1]; ++y) {
          const int first_upper = rows.first(y + up[1], z + up[2]), first_lower = rows.first(y + down[1], z + down[2]);
          const int first_x = std::max(first_upper - up[0], first_lower - down[0]);
          const int end_x = std::min(n - first_upper - up[0], n - first_lower - down[0]);
          if (first_x >= end_x) continue;
          const std::int64_t center = node(first_x, y, z);
          visit(center, center + upper_offset, center + lower_offset, end_x - first_x);
        }
    }
  }
};

/// All sphere classes of a support. Every pair of different nodes of the support belongs to one class.
class SphereClasses {
 public:
  explicit SphereClasses(const VelocitySupport& support);
  SphereClasses(const SphereClasses&) = delete;

  /// Classes of a work group, 0 to work_groups − 1.
  std::span<const SphereClass> group(int group) const { return groups_[static_cast<std::size_t>(group)]; }
  /// All classes in the order of their distance.
  std::vector<SphereClass> by_distance() const;

 private:
  std::vector<Displacement> displacements_;
  std::vector<SphereClass> groups_[work_groups];  ///< Classes assigned to the groups in turn, for balance.
};

/// Rows of center indices of a class: all centers with a pair whose nodes take part, and few others.
class CenterRows {
 public:
  void make(const SphereClass& sphere_class, const VelocitySupport& support);

  /// First center index of the row y, z along x; the end is n − parity − first. The row is empty if that is not larger.
  int first(int y, int z) const { return margin_[static_cast<std::size_t>(edge(z, 2) * stride_ + edge(y, 1))]; }
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
  /// Distance of a center index from the nearer edge along an axis.
  int edge(int b, int axis) const {
    const int from_end = n_ - 1 - parity_[axis] - b;
    return b < from_end ? b : from_end;
  }

  int n_ = 0;
  int stride_ = 0;
  int parity_[3] = {};
  std::vector<int> margin_;  ///< Smallest margin along x by the distances of the row from the edges along y and z.
};

}  // namespace shoal::collision
