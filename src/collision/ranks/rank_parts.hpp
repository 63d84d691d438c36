// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/ranks/communicator.hpp>
#include <shoal/ranks/slabs.hpp>

#include <cstddef>
#include <cstdint>

#include "collision/setup/collision_setup.hpp"
#include "core/communication/rank_group.hpp"
#include "core/range.hpp"

namespace shoal::collision {

/// Consecutive numbers of an array, a part for each rank, on the device of a transport.
class RankParts {
 public:
  /// @param cut  [ranks + 1] first number of each rank, then the length of the array
  RankParts(const Communicator& ranks, Transport* transport, Slabs cut)
      : ranks_(ranks), transport_(transport), cut_(std::move(cut)) {}

  /// Parts whose lengths differ by at most one.
  static RankParts equal(const CollisionSetup& setup, std::int64_t count);

  /// Parts of whole planes of nodes along z, with as equal numbers of nodes that take part as possible.
  static RankParts of_planes(const CollisionSetup& setup);

  Range part(int rank) const { return {cut_.first(rank), cut_.end(rank)}; }
  Range own_part() const { return part(ranks_.rank()); }

  /// Gives all ranks the parts of all.
  template <class Value>
  void gather(Value* values) const {
    gather_bytes(reinterpret_cast<std::byte*>(values), sizeof(Value));
  }

 private:
  void gather_bytes(std::byte* values, std::size_t value_bytes) const;

  Communicator ranks_;
  Transport* transport_;  ///< null on one rank
  Slabs cut_;
};

}  // namespace shoal::collision
