// SPDX-License-Identifier: Apache-2.0
// Ranks whose slabs are next to that of a rank, and the memory that goes between them.
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/communication/rank_group.hpp"

namespace shoal::sph {

/// Sides of a slab.
enum SlabSide { below, above };

/// Pieces of memory of one exchange.
struct Pieces {
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
};

/// Ranks below and above a rank.
class NextRanks {
 public:
  /// @param repeats  the domain is periodic across the slabs
  NextRanks(const Communicator& ranks, bool repeats) {
    const int rank = ranks.rank(), last = ranks.size() - 1;
    rank_[below] = rank > 0 ? rank - 1 : repeats ? last : none;
    rank_[above] = rank < last ? rank + 1 : repeats ? 0 : none;
  }

  /// Returns true if a rank is on this side, false at an end of the domain.
  bool has(SlabSide side) const { return rank_[side] != none; }

  /// @name Adds `count` values to the pieces of an exchange. Without a rank on this side, or without values, it adds none.
  /// Two ranks of a periodic domain are each other's neighbors on both sides, so that pieces to below are sent first and
  /// those from above are received first.
  /// @{
  template <class T>
  void send(Pieces& pieces, SlabSide side, const T* data, std::int64_t count) const {
    if (has(side) && count > 0)
      pieces.sends.push_back({data, static_cast<std::size_t>(count) * sizeof(T), rank_[side]});
  }
  template <class T>
  void receive(Pieces& pieces, SlabSide side, T* data, std::int64_t count) const {
    if (has(side) && count > 0)
      pieces.receives.push_back({data, static_cast<std::size_t>(count) * sizeof(T), rank_[side]});
  }
  template <class T>
  void send_both(Pieces& pieces, const T* down, std::int64_t down_count, const T* up, std::int64_t up_count) const {
    send(pieces, below, down, down_count);
    send(pieces, above, up, up_count);
  }
  template <class T>
  void receive_both(Pieces& pieces, T* from_below, std::int64_t below_count, T* from_above,
                    std::int64_t above_count) const {
    receive(pieces, above, from_above, above_count);
    receive(pieces, below, from_below, below_count);
  }
  /// @}

 private:
  static constexpr int none = -1;
  int rank_[2];
};

}  // namespace shoal::sph
