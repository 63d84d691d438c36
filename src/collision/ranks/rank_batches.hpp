// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "collision/ranks/rank_parts.hpp"
#include "core/memory/scratch.hpp"

namespace shoal::collision {

/// Values of a batch that a rank adds: some arrays, which begin `stride` values apart, each with the numbers `part` of the
/// sums.
template <class Value>
struct BatchPart {
  Range part;
  const Value* values;
  std::int64_t stride;
};

/// Memory and exchange of a round, in which each rank computes a batch and gets its part of the values of all of them.
template <class Value>
class BatchRound {
 public:
  /// @param arrays  number of arrays of values that a batch has
  /// @param count   length of each array
  BatchRound(const CollisionSetup& setup, ScratchFrame& frame, int arrays, std::int64_t count)
      : ranks_(setup.ranks),
        transport_(setup.transport.get()),
        parts_(RankParts::equal(setup, count)),
        arrays_(arrays),
        count_(count),
        values_(frame.array<Value>(arrays * count).data),
        received_(frame.array<Value>((ranks_.size() - 1) * arrays * own_count()).data) {}

  /// Values of this rank's batch, [arrays × count].
  Value* values() const { return values_; }
  const RankParts& parts() const { return parts_; }

  /// @param batches  number of batches in this round: those of the first ranks
  void exchange(int batches) const {
    if (ranks_.size() == 1) return;
    std::vector<SentPiece> sends;
    std::vector<ReceivedPiece> receives;
    for (int peer = 0; peer < ranks_.size(); ++peer) {
      if (peer == ranks_.rank()) continue;
      const Range part = parts_.part(peer);
      for (int array = 0; array < arrays_; ++array) {
        if (ranks_.rank() < batches)
          sends.push_back({values_ + array * count_ + part.begin, bytes(part.count()), peer});
        if (peer < batches) receives.push_back({received(peer) + array * own_count(), bytes(own_count()), peer});
      }
    }
    transport_->exchange(sends, receives);
  }

  /// This rank's part of a rank's batch, after the exchange.
  BatchPart<Value> batch_of(int rank) const {
    const Range own_part = parts_.own_part();
    if (rank == ranks_.rank()) return {own_part, values_ + own_part.begin, count_};
    return {own_part, received(rank), own_count()};
  }

 private:
  static std::size_t bytes(std::int64_t count) { return static_cast<std::size_t>(count) * sizeof(Value); }
  std::int64_t own_count() const { return parts_.own_part().count(); }
  Value* received(int peer) const {
    return received_ + (peer < ranks_.rank() ? peer : peer - 1) * arrays_ * own_count();
  }

  Communicator ranks_;
  Transport* transport_;  ///< null on one rank
  RankParts parts_;
  int arrays_;
  std::int64_t count_;
  Value* values_;
  Value* received_;  ///< [ranks − 1][arrays × own_count()]
};

/// Computes and adds the batches of the work of one cell, which ranks take in turn. Every rank adds a part of the numbers
/// of all batches, in the order of the batches, so that the sums have the bits of one rank.
/// @param arrays   number of arrays of values that a batch has
/// @param count    length of such an array, and of the sums
/// @param compute  compute(batch, values) overwrites values [arrays × count] with those of a batch
/// @param add      add(batch, BatchPart) adds a part of the values of a batch to the sums
/// @param sums     [count] to which `add` adds; whole on every rank after the call
template <class Value, class Compute, class Add>
void add_batches(const CollisionSetup& setup, Scratch& scratch, int batches, int arrays, std::int64_t count,
                 Value* sums, Compute compute, Add add) {
  const int size = setup.ranks.size(), rank = setup.ranks.rank();
  ScratchFrame frame(scratch);
  const BatchRound<Value> round(setup, frame, arrays, count);
  for (int first = 0; first < batches; first += size) {
    const int in_round = std::min(size, batches - first);
    if (rank < in_round) compute(first + rank, round.values());
    round.exchange(in_round);
    for (int k = 0; k < in_round; ++k) add(first + k, round.batch_of(k));
  }
  round.parts().gather(sums);
}

}  // namespace shoal::collision
