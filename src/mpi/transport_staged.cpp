// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/device/queue_order.hpp"
#include "core/memory/pinned_array.hpp"
#include "mpi/transports.hpp"

namespace shoal::mpi {
namespace {

/// Pieces go from the device to page-locked memory, from rank to rank by MPI, and to the other device. The host waits for
/// the queue, because MPI reads and writes memory of the host only.
class StagedTransport : public Transport {
 public:
  StagedTransport(std::shared_ptr<MpiGroup> group, const Queue& queue)
      : group_(std::move(group)), queue_(queue), sent_(queue), received_(queue) {}

  ~StagedTransport() override {
    try {
      wait_for_work(queue_);  // copies from received_
    } catch (...) {
      return;  // the device has failed: nothing reads the memory any more
    }
  }

  void exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) override {
    const std::vector<char*> sent = places_in(sent_, sends);
    std::vector<SentPiece> host_sends(sends.begin(), sends.end());
    for (std::size_t piece = 0; piece < sends.size(); ++piece) {
      copy_to_pinned(queue_, sent[piece], sends[piece].data, sends[piece].bytes);
      host_sends[piece].data = sent[piece];
    }
    wait_for_work(queue_);  // also for copies from received_ by the exchange before
    const std::vector<char*> received = places_in(received_, receives);
    std::vector<ReceivedPiece> host_receives(receives.begin(), receives.end());
    for (std::size_t piece = 0; piece < receives.size(); ++piece) host_receives[piece].data = received[piece];
    group_->exchange(host_sends, host_receives);
    for (std::size_t piece = 0; piece < receives.size(); ++piece)
      copy_from_pinned(queue_, receives[piece].data, received[piece], receives[piece].bytes);
  }

  void all_max(std::uint64_t* words, int count) override {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(std::uint64_t);
    wait_for_work(queue_);  // received_ may still be read
    received_.resize(std::max(received_.count(), static_cast<std::int64_t>(bytes)));
    auto* const host = reinterpret_cast<std::uint64_t*>(received_.data());
    copy_to_pinned(queue_, host, words, bytes);
    wait_for_work(queue_);
    group_->all_max({host, static_cast<std::size_t>(count)});
    copy_from_pinned(queue_, words, host, bytes);
  }

  std::string name() const override { return "MPI through page-locked memory of the host"; }

 private:
  /// Memory for every piece, one after the other. Nothing may use the memory, which grows where it is too small.
  template <class Piece>
  static std::vector<char*> places_in(PinnedArray<char>& memory, std::span<const Piece> pieces) {
    constexpr std::size_t line = 64;
    std::size_t bytes = 0;
    std::vector<std::size_t> offsets;
    for (const Piece& piece : pieces) {
      offsets.push_back(bytes);
      bytes += (piece.bytes + line - 1) / line * line;
    }
    memory.resize(std::max(memory.count(), static_cast<std::int64_t>(bytes)));
    std::vector<char*> places;
    for (const std::size_t offset : offsets) places.push_back(memory.data() + offset);
    return places;
  }

  std::shared_ptr<MpiGroup> group_;
  Queue queue_;
  PinnedArray<char> sent_;
  PinnedArray<char> received_;
};

}  // namespace

std::unique_ptr<Transport> make_staged_transport(std::shared_ptr<MpiGroup> group, const Queue& queue) {
  return std::make_unique<StagedTransport>(std::move(group), queue);
}

}  // namespace shoal::mpi
