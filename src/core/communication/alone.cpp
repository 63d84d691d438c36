// SPDX-License-Identifier: Apache-2.0
#include "core/communication/alone.hpp"

#include <shoal/array.hpp>
#include <shoal/error.hpp>

#include <cstring>
#include <functional>

namespace shoal {
namespace {

using CopyBytes = std::function<void(const void* source, void* destination, std::size_t bytes)>;

void copy_pieces(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives, const CopyBytes& copy) {
  if (sends.size() != receives.size())
    throw Error("communicator: one rank sends " + std::to_string(sends.size()) + " pieces to itself and receives " +
                std::to_string(receives.size()) + ". This is a defect of shoal; please report it.");
  for (std::size_t piece = 0; piece < sends.size(); ++piece) {
    if (sends[piece].bytes != receives[piece].bytes)
      throw Error("communicator: piece " + std::to_string(piece) + " has " + std::to_string(sends[piece].bytes) +
                  " bytes where it is sent and " + std::to_string(receives[piece].bytes) +
                  " where it is received. This is a defect of shoal; please report it.");
    if (sends[piece].bytes > 0) copy(sends[piece].data, receives[piece].data, sends[piece].bytes);
  }
}

class AloneTransport : public Transport {
 public:
  explicit AloneTransport(Queue queue) : queue_(std::move(queue)) {}

  void exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) override {
    copy_pieces(sends, receives, [this](const void* source, void* destination, std::size_t bytes) {
      copy_bytes(queue_, destination, queue_.device(), source, queue_.device(), bytes);
    });
  }

  void all_max(std::uint64_t*, int) override {}
  std::string name() const override { return "none"; }

 private:
  Queue queue_;
};

class Alone : public RankGroup {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int node_rank() const override { return 0; }
  int node_size() const override { return 1; }
  std::string node_name() const override { return "this machine"; }

  void exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) override {
    copy_pieces(sends, receives, [](const void* source, void* destination, std::size_t bytes) {
      std::memcpy(destination, source, bytes);
    });
  }

  void all_max(std::span<std::uint64_t>) override {}
  void all_sum(std::span<std::int64_t>) override {}
  void all_gather(const void* part, std::size_t bytes, void* gathered) override { std::memcpy(gathered, part, bytes); }
  void broadcast(void*, std::size_t, int) override {}

  std::unique_ptr<Transport> transport(const Queue& queue) override { return std::make_unique<AloneTransport>(queue); }
};

}  // namespace

std::shared_ptr<RankGroup> make_alone() { return std::make_shared<Alone>(); }

}  // namespace shoal
