// SPDX-License-Identifier: Apache-2.0
// The deadline of a rank that waits for others.
#pragma once
#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::mpi {

/// Deadline of the waits of this rank. A rank that waits for long reports it to all; the ranks
/// that have not reported when the deadline is over are those that everyone waits for.
class RankWatch {
 public:
  /// @param comm  for the reports alone; owned by the caller
  /// @throws Error  the variable SHOAL_RANKS_TIMEOUT is not a number of seconds
  explicit RankWatch(MPI_Comm comm);

  /// "rank 3 of 8 on node17 (cuda:3)".
  std::string name() const;
  const std::string& node_name() const { return node_name_; }
  /// Device of this rank, for messages.
  void set_device(std::string device) { device_ = std::move(device); }

  double timeout() const { return timeout_; }  ///< s

  /// Tells all ranks that this one waits.
  void report();

  /// Ends all ranks: this one has waited for too long.
  /// @param call     "exchange"
  /// @param partner  a rank from which something is missing; -1: not known
  [[noreturn]] void end_at_deadline(std::string_view call, int partner);

  /// Prints "shoal: <name>: <message>", and ends all ranks.
  [[noreturn]] void abort(std::string_view message, int exit_code) const;

 private:
  std::vector<bool> reported_lately();
  [[noreturn]] void print_and_end(const std::string& message, int exit_code) const;

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 1;
  std::string node_name_;
  std::string device_;
  double timeout_ = 300;
  std::int64_t report_ = 0;            ///< sent: the time of this machine in nanoseconds
  std::vector<std::int64_t> reports_;  ///< [ranks] latest one of each rank
};

/// One wait for other ranks: call poll() between two looks at what is waited for. Time in which this process is stopped is
/// no part of the wait: a rank that goes on does not report those that it kept waiting.
class RankWait {
 public:
  RankWait(RankWatch& watch, std::string_view call)
      : watch_(watch), call_(call), poll_(std::chrono::steady_clock::now()) {}

  /// Gives the core to others; ends all ranks when the deadline is over.
  /// @param partner  a rank from which something is missing; -1: not known
  void poll(int partner = -1);

 private:
  RankWatch& watch_;
  std::string_view call_;
  std::chrono::steady_clock::time_point poll_;  ///< time of the last poll
  double waited_ = 0;                           ///< s
  bool reported_ = false;
};

}  // namespace shoal::mpi
