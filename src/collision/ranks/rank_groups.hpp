// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>

#include "collision/ranks/rank_parts.hpp"

namespace shoal::collision {

/// Work groups of one cell, shared out over ranks in turn, and the exchange that adds them. Every rank adds a part of the
/// nodes of all groups, in the order of the groups, so that the sum has the bits of one rank.
template <class Real>
class RankGroups {
 public:
  /// @param groups  number of work groups of all ranks
  RankGroups(const CollisionSetup& setup, int groups, std::int64_t count)
      : ranks_(setup.ranks),
        transport_(*setup.transport),
        parts_(RankParts::equal(setup, count)),
        groups_(groups),
        count_(count) {}

  /// Returns true if a group is one of this rank.
  bool has(int group) const { return rank_of(group) == ranks_.rank(); }

  /// @param sums       [groups × count] those of this rank are given
  /// @param add_part   add_part(range) adds all groups of these numbers to q
  /// @param q          [count] overwritten
  void add(Real* sums, const std::function<void(Range)>& add_part, Real* q) const;

 private:
  int rank_of(int group) const { return group % ranks_.size(); }

  Communicator ranks_;
  Transport& transport_;
  RankParts parts_;
  int groups_;
  std::int64_t count_;
};

}  // namespace shoal::collision
