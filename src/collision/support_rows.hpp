// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "collision/support_item.hpp"

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

}  // namespace shoal
