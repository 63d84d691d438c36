// SPDX-License-Identifier: Apache-2.0
#include "support/thread_ranks.hpp"

#include <shoal/array.hpp>
#include <shoal/error.hpp>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/communication/rank_group.hpp"

namespace shoal::testing_support {

namespace {

/// A rank has ended while this one waits for it: a consequence, so run_on_ranks() prefers every other error.
class RankHasEnded : public Error {
 public:
  using Error::Error;
};

/// Meeting point of the threads. A call starts when every rank has made it, and ends when every rank has done its part:
/// until then the memory that a rank offers to the others stays as it is.
class ThreadMeeting {
 public:
  /// Arguments of one rank's call.
  struct Call {
    std::string name;
    std::span<const SentPiece> sends{};
    const void* data = nullptr;
    std::size_t bytes = 0;
  };

  explicit ThreadMeeting(int size) : calls_(static_cast<std::size_t>(size)) {}

  int size() const { return static_cast<int>(calls_.size()); }

  /// Runs `part` with the calls of all ranks.
  /// @throws Error         ranks have made different calls
  /// @throws RankHasEnded  a rank has ended and will not come
  void meet(int rank, Call call, const std::function<void(const std::vector<Call>&)>& part) {
    const std::string name = call.name;
    calls_[static_cast<std::size_t>(rank)] = std::move(call);
    wait_for_all(rank, name);
    std::exception_ptr failure;
    try {
      require_same_name();
      part(calls_);
    } catch (...) {
      failure = std::current_exception();
    }
    wait_for_all(rank, name);
    if (failure) std::rethrow_exception(failure);
  }

  /// A rank that has ended, with or without an error, does not come to further calls.
  void end(int rank) {
    const std::lock_guard lock(mutex_);
    if (ended_ < 0) ended_ = rank;
    changed_.notify_all();
  }

 private:
  void wait_for_all(int rank, const std::string& name) {
    std::unique_lock lock(mutex_);
    if (ended_ >= 0) throw_has_ended(rank, name);
    const std::uint64_t present = meetings_;
    if (++waiting_ == size()) {
      waiting_ = 0;
      ++meetings_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return meetings_ != present || ended_ >= 0; });
    if (meetings_ == present) throw_has_ended(rank, name);
  }

  [[noreturn]] void throw_has_ended(int rank, const std::string& name) const {
    throw RankHasEnded("thread ranks: rank " + std::to_string(rank) + " waits in " + name + ", but rank " +
                       std::to_string(ended_) + " has ended. Every rank must make the same calls.");
  }

  void require_same_name() const {
    for (std::size_t rank = 1; rank < calls_.size(); ++rank)
      if (calls_[rank].name != calls_[0].name)
        throw Error("thread ranks: rank 0 calls " + calls_[0].name + " where rank " + std::to_string(rank) + " calls " +
                    calls_[rank].name + ". Every rank must make the same calls in the same order.");
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Call> calls_;  ///< [ranks] each written by its rank before a meeting, read by all after it
  int waiting_ = 0;
  int ended_ = -1;              ///< first rank that has ended; -1: none
  std::uint64_t meetings_ = 0;  ///< completed ones
};

/// One rank of a group of threads.
class ThreadRank : public RankGroup {
 public:
  using Call = ThreadMeeting::Call;

  ThreadRank(std::shared_ptr<ThreadMeeting> meeting, int rank) : meeting_(std::move(meeting)), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return meeting_->size(); }
  int node_rank() const override { return rank_; }
  int node_size() const override { return meeting_->size(); }
  std::string node_name() const override { return "this machine"; }

  void exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) override {
    meeting_->meet(rank_, {.name = "exchange", .sends = sends}, [&](const std::vector<Call>& calls) {
      for (int from = 0; from < size(); ++from)
        receive_from(from, calls[static_cast<std::size_t>(from)].sends, receives);
    });
  }

  void all_max(std::span<std::uint64_t> words) override {
    reduce("all_max", words, [](std::uint64_t first, std::uint64_t second) { return std::max(first, second); });
  }

  void all_sum(std::span<std::int64_t> words) override {
    reduce("all_sum", words, [](std::int64_t first, std::int64_t second) { return first + second; });
  }

  void all_gather(const void* part, std::size_t bytes, void* gathered) override {
    meeting_->meet(rank_, {.name = "all_gather", .data = part, .bytes = bytes}, [&](const std::vector<Call>& calls) {
      require_same_bytes(calls);
      for (std::size_t from = 0; bytes > 0 && from < calls.size(); ++from)
        std::memcpy(static_cast<char*>(gathered) + from * bytes, calls[from].data, bytes);
    });
  }

  void broadcast(void* data, std::size_t bytes, int from) override {
    meeting_->meet(rank_, {.name = "broadcast", .data = data, .bytes = bytes}, [&](const std::vector<Call>& calls) {
      require_same_bytes(calls);
      if (rank_ != from && bytes > 0) std::memcpy(data, calls[static_cast<std::size_t>(from)].data, bytes);
    });
  }

  std::unique_ptr<Transport> transport(const Queue& queue) override;

 private:
  /// Copies what `from` sends to this rank into the receives from that rank, both in their order.
  void receive_from(int from, std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) {
    std::vector<SentPiece> sent;
    std::ranges::copy_if(sends, std::back_inserter(sent),
                         [this](const SentPiece& piece) { return piece.rank == rank_ && piece.bytes > 0; });
    std::vector<ReceivedPiece> received;
    std::ranges::copy_if(receives, std::back_inserter(received),
                         [from](const ReceivedPiece& piece) { return piece.rank == from && piece.bytes > 0; });
    const std::string ranks = "from rank " + std::to_string(from) + " to rank " + std::to_string(rank_);
    if (sent.size() != received.size())
      throw Error("thread ranks: " + std::to_string(sent.size()) + " pieces are sent " + ranks + ", and " +
                  std::to_string(received.size()) + " are received.");
    for (std::size_t piece = 0; piece < sent.size(); ++piece) {
      if (sent[piece].bytes != received[piece].bytes)
        throw Error("thread ranks: piece " + std::to_string(piece) + " " + ranks + " has " +
                    std::to_string(sent[piece].bytes) + " bytes where it is sent and " +
                    std::to_string(received[piece].bytes) + " where it is received.");
      std::memcpy(received[piece].data, sent[piece].data, sent[piece].bytes);
    }
  }

  template <class Word, class Combine>
  void reduce(const char* name, std::span<Word> words, const Combine& combine) {
    std::vector<Word> result(words.begin(), words.end());
    const Call call{.name = name, .data = words.data(), .bytes = words.size_bytes()};
    meeting_->meet(rank_, call, [&](const std::vector<Call>& calls) {
      require_same_bytes(calls);
      for (std::size_t from = 0; from < calls.size(); ++from) {
        if (static_cast<int>(from) == rank_) continue;
        const auto* more = static_cast<const Word*>(calls[from].data);
        std::transform(result.begin(), result.end(), more, result.begin(), combine);
      }
    });
    std::ranges::copy(result, words.begin());
  }

  static void require_same_bytes(const std::vector<Call>& calls) {
    for (std::size_t rank = 1; rank < calls.size(); ++rank)
      if (calls[rank].bytes != calls[0].bytes)
        throw Error("thread ranks: " + calls[0].name + " with " + std::to_string(calls[0].bytes) +
                    " bytes on rank 0 and " + std::to_string(calls[rank].bytes) + " on rank " + std::to_string(rank) +
                    ".");
  }

  std::shared_ptr<ThreadMeeting> meeting_;
  int rank_;
};

/// Exchange between the queues of threads. Memory of a GPU goes through pageable memory of the host.
class ThreadTransport : public Transport {
 public:
  ThreadTransport(Queue queue, ThreadRank& rank) : queue_(std::move(queue)), rank_(rank) {}

  void exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) override {
    if (queue_.on_cpu()) return rank_.exchange(sends, receives);
    std::vector<std::vector<char>> memory;
    std::vector<SentPiece> host_sends(sends.begin(), sends.end());
    for (SentPiece& piece : host_sends) {
      memory.emplace_back(piece.bytes);
      if (piece.bytes > 0) copy_bytes(queue_, memory.back().data(), Device{}, piece.data, queue_.device(), piece.bytes);
      piece.data = memory.back().data();
    }
    queue_.wait();
    std::vector<ReceivedPiece> host_receives(receives.begin(), receives.end());
    for (ReceivedPiece& piece : host_receives) piece.data = memory.emplace_back(piece.bytes).data();
    rank_.exchange(host_sends, host_receives);
    for (std::size_t piece = 0; piece < receives.size(); ++piece)
      if (receives[piece].bytes > 0)
        copy_bytes(queue_, receives[piece].data, queue_.device(), host_receives[piece].data, Device{},
                   receives[piece].bytes);
    queue_.wait();
  }

  void all_max(std::uint64_t* words, int count) override {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(std::uint64_t);
    if (queue_.on_cpu()) return rank_.all_max({words, static_cast<std::size_t>(count)});
    std::vector<std::uint64_t> host(static_cast<std::size_t>(count));
    copy_bytes(queue_, host.data(), Device{}, words, queue_.device(), bytes);
    queue_.wait();
    rank_.all_max(host);
    copy_bytes(queue_, words, queue_.device(), host.data(), Device{}, bytes);
    queue_.wait();
  }

  std::string name() const override { return "threads"; }

 private:
  Queue queue_;
  ThreadRank& rank_;
};

std::unique_ptr<Transport> ThreadRank::transport(const Queue& queue) {
  return std::make_unique<ThreadTransport>(queue, *this);
}

}  // namespace

void run_on_ranks(int count, const std::function<void(const Communicator&)>& work) {
  if (count < 1) throw Error("run_on_ranks: " + std::to_string(count) + " ranks; expected at least 1.");
  const auto meeting = std::make_shared<ThreadMeeting>(count);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
  std::vector<std::exception_ptr> consequences(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      const auto number = static_cast<std::size_t>(rank);
      try {
        work(Communicator(std::make_shared<ThreadRank>(meeting, rank)));
      } catch (const RankHasEnded&) {
        consequences[number] = std::current_exception();
      } catch (...) {
        failures[number] = std::current_exception();
      }
      meeting->end(rank);
    });
  for (std::thread& thread : threads) thread.join();
  for (const auto& kind : {failures, consequences})
    for (const std::exception_ptr& failure : kind)
      if (failure) std::rethrow_exception(failure);
}

}  // namespace shoal::testing_support
