// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "mpi/rank_watch.hpp"

namespace shoal::mpi {

class NcclRanks;

/// Ranks of an MPI communicator. Calls of MPI do not block: this rank polls them, so that its wait has a deadline.
class MpiGroup : public RankGroup, public std::enable_shared_from_this<MpiGroup> {
 public:
  /// Counts of MPI 3 are int, so larger memory goes in several messages.
  static constexpr std::size_t most_message_bytes = std::size_t{1} << 30;

  /// Duplicates `source`, together with all its ranks.
  /// @param most_bytes  of a message: a multiple of 8; a test sets a small one
  explicit MpiGroup(MPI_Comm source, std::size_t most_bytes = most_message_bytes);
  ~MpiGroup() override;
  MpiGroup(const MpiGroup&) = delete;
  MpiGroup& operator=(const MpiGroup&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int node_rank() const override { return node_rank_; }
  int node_size() const override { return node_size_; }
  std::string node_name() const override { return watch_->node_name(); }

  void exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) override;
  void all_max(std::span<std::uint64_t> words) override;
  void all_sum(std::span<std::int64_t> words) override;
  void all_gather(const void* part, std::size_t bytes, void* gathered) override;
  void broadcast(void* data, std::size_t bytes, int from) override;
  std::unique_ptr<Transport> transport(const Queue& queue) override;
  bool are_processes() const override { return true; }

  RankWatch& watch() { return *watch_; }

 private:
  void reduce(void* words, std::size_t count, MPI_Datatype type, MPI_Op operation, const char* call);
  void wait(MPI_Request request, const char* call);

  std::size_t most_bytes_;            ///< largest size of a message
  MPI_Comm comm_ = MPI_COMM_NULL;     ///< carries data
  MPI_Comm reports_ = MPI_COMM_NULL;  ///< carries reports of ranks that wait
  int rank_ = 0;
  int size_ = 1;
  int node_rank_ = 0;
  int node_size_ = 1;
  std::optional<RankWatch> watch_;
  std::shared_ptr<NcclRanks> nccl_;  ///< connection that all transports of these ranks share; null: none yet
};

}  // namespace shoal::mpi
