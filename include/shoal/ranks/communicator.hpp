// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace shoal {

class RankGroup;  // private to shoal: src/core/communication/rank_group.hpp

/// Processes ("ranks") that work on one problem, each with a device of its own: one rank per GPU, or one per group of
/// CPU cores.
///
/// Every rank makes the same calls in the same order. What one rank finds wrong, all ranks throw: the error of the
/// smallest rank that has one. Results have the same bits for any number of ranks. Copies share the ranks.
///
///     shoal::Communicator ranks = shoal::mpi::world();   // mpirun -n 4 ./program
///     shoal::Queue queue = shoal::mpi::queue(ranks);
///     shoal::sph::Solver solver(queue, simulation, ranks);
///
/// Cost: none for a single rank, which needs no MPI.
class Communicator {
 public:
  /// This process alone. Every build has it.
  static Communicator alone();

  /// Ranks of an implementation; shoal::mpi makes these.
  explicit Communicator(std::shared_ptr<RankGroup> group);

  int rank() const;       ///< Number of this process: 0 <= rank < size
  int size() const;       ///< Number of ranks
  int node_rank() const;  ///< Number among the ranks of this machine
  int node_size() const;  ///< Number of ranks of this machine

  /// Runs `work` on every rank and returns when all ranks have run it. If it throws on any, all ranks throw: the smallest
  /// such rank its own exception, the others an Error with the same text (an OutOfMemory for an OutOfMemory).
  /// `work` must not communicate, except in calls that agree on their errors themselves.
  void agree(const std::function<void()>& work) const;

  /// Returns true if the last call of agree() threw `message`, so that all ranks have the error and one may report it.
  bool agreed(std::string_view message) const;

  /// "rank 2 of 8 on node17"; for messages.
  std::string name() const;

  RankGroup& group() const { return *group_; }

 private:
  std::shared_ptr<RankGroup> group_;
};

}  // namespace shoal
