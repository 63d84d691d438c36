// SPDX-License-Identifier: Apache-2.0
// Ranks exchange memory of the host by RankGroup, memory of a queue's device by Transport. src/mpi implements both.
#pragma once
#include <shoal/device.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace shoal {

/// Contiguous memory that goes to a rank. Pieces between two ranks pair up in the order in which they are listed, and
/// both sides name the same number of bytes. Pieces of 0 bytes are left out on both sides.
struct SentPiece {
  const void* data = nullptr;
  std::size_t bytes = 0;
  int rank = 0;
};

/// Contiguous memory that comes from a rank.
struct ReceivedPiece {
  void* data = nullptr;
  std::size_t bytes = 0;
  int rank = 0;
};

/// Exchange in memory of a queue's device, in the order of that queue: after its present work, before its later work.
/// The host waits only on the CPU. Every rank makes the same calls in the same order.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual void exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) = 0;

  /// The largest of each word over all ranks, in place.
  virtual void all_max(std::uint64_t* words, int count) = 0;

  /// "MPI", "NCCL" or "MPI through page-locked memory of the host".
  virtual std::string name() const = 0;
};

/// The ranks behind a Communicator, and their exchange in memory of the host. Calls block. Every rank makes the same
/// calls in the same order; counts are at most 2^63 bytes.
class RankGroup {
 public:
  virtual ~RankGroup() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int node_rank() const = 0;
  virtual int node_size() const = 0;
  virtual std::string node_name() const = 0;

  virtual void exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) = 0;

  /// The largest of each word over all ranks, in place.
  virtual void all_max(std::span<std::uint64_t> words) = 0;

  /// The sum of each word over all ranks, in place. Whole numbers only: their sum has no order.
  virtual void all_sum(std::span<std::int64_t> words) = 0;

  /// `part` of every rank, in the order of ranks. @param gathered  [size × bytes]
  virtual void all_gather(const void* part, std::size_t bytes, void* gathered) = 0;

  /// Memory of rank `from` to all ranks.
  virtual void broadcast(void* data, std::size_t bytes, int from) = 0;

  /// An exchange between the devices of these ranks' queues. All ranks call it together, with queues of one kind.
  virtual std::unique_ptr<Transport> transport(const Queue& queue) = 0;

  /// Returns true if ranks are processes with MPI, each of which may use libraries that are for one thread.
  virtual bool are_processes() const { return false; }

  std::string agreed_error;  ///< text that the last Communicator::agree() threw on all ranks; empty: none
};

}  // namespace shoal
