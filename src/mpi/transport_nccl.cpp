// SPDX-License-Identifier: Apache-2.0
#include <nccl.h>
#include <shoal/mpi.hpp>
#include <shoal/ranks/communicator.hpp>

#include <optional>
#include <set>

#include "core/device/cuda_device.hpp"
#include "core/device/wait_watch.hpp"
#include "core/text.hpp"
#include "mpi/transports.hpp"

namespace shoal::mpi {
namespace {

void nccl_check(ncclResult_t result, const char* call) {
  require(result == ncclSuccess, "NCCL: ", call, " failed: ", ncclGetErrorString(result), " (",
          ncclGetLastError(nullptr),
          "). With NCCL_DEBUG=WARN it reports more; SHOAL_RANKS_NCCL=0 uses MPI in its place.");
}

#define SHOAL_NCCL_CHECK(call) nccl_check((call), #call)

}  // namespace

/// Connection of the GPUs of all ranks. It stays until the process ends: to end it, all ranks of a machine must come
/// together, and after an exception they do not.
class NcclRanks : public WaitWatch {
 public:
  NcclRanks(MpiGroup& group, int device, const ncclUniqueId& id) : device_(device), group_(group) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.maxCTAs = max_blocks;
    with_cuda_device(
        device, [&] { SHOAL_NCCL_CHECK(ncclCommInitRankConfig(&comm_, group.size(), id, group.rank(), &config)); });
  }

  ncclComm_t comm() const { return comm_; }
  int device() const { return device_; }

  /// NCCL connects two ranks when they first exchange, and blocks the host without a deadline. So they meet by MPI before.
  /// All transports have one connection: where a rank has met a partner, the partner need not use the same transport.
  void meet_new_partners(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) {
    std::set<int> partners;
    for (const SentPiece& piece : sends)
      if (piece.bytes > 0 && !met_.contains(piece.rank)) partners.insert(piece.rank);
    for (const ReceivedPiece& piece : receives)
      if (piece.bytes > 0 && !met_.contains(piece.rank)) partners.insert(piece.rank);
    if (partners.empty()) return;
    std::vector<char> memory(2 * partners.size());
    std::vector<SentPiece> bytes;
    std::vector<ReceivedPiece> answers;
    for (const int partner : partners) {
      bytes.push_back({&memory[2 * bytes.size()], 1, partner});
      answers.push_back({&memory[2 * answers.size() + 1], 1, partner});
    }
    group_.exchange(bytes, answers);
    met_.insert(partners.begin(), partners.end());
  }

  /// Errors of the network, and the deadline.
  void look(double seconds) override {
    ncclResult_t state = ncclSuccess;
    SHOAL_NCCL_CHECK(ncclCommGetAsyncError(comm_, &state));
    if (state != ncclInProgress) nccl_check(state, "an exchange between GPUs");
    if (!wait_ || seconds < waited_) wait_.emplace(group_.watch(), "exchange between GPUs");
    waited_ = seconds;
    wait_->poll();
  }

 private:
  /// Blocks of an exchange: each takes a multiprocessor from the work beside it, and memory for its buffers.
  /// docs/performance/ranks.md has the measurements.
  static constexpr int max_blocks = 4;

  ncclComm_t comm_ = nullptr;
  int device_;
  MpiGroup& group_;    ///< owns this
  std::set<int> met_;  ///< partners of earlier exchanges
  std::optional<RankWait> wait_;
  double waited_ = 0;  ///< s, of the present wait
};

namespace {

class NcclTransport : public Transport {
 public:
  NcclTransport(std::shared_ptr<MpiGroup> group, std::shared_ptr<NcclRanks> ranks, const Queue& queue)
      : group_(std::move(group)), ranks_(std::move(ranks)), queue_(queue) {}

  void exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) override {
    ranks_->meet_new_partners(sends, receives);
    SHOAL_NCCL_CHECK(ncclGroupStart());
    for (const SentPiece& piece : sends)
      if (piece.bytes > 0)
        SHOAL_NCCL_CHECK(ncclSend(piece.data, piece.bytes, ncclUint8, piece.rank, ranks_->comm(), stream()));
    for (const ReceivedPiece& piece : receives)
      if (piece.bytes > 0)
        SHOAL_NCCL_CHECK(ncclRecv(piece.data, piece.bytes, ncclUint8, piece.rank, ranks_->comm(), stream()));
    SHOAL_NCCL_CHECK(ncclGroupEnd());
  }

  void all_max(std::uint64_t* words, int count) override {
    SHOAL_NCCL_CHECK(
        ncclAllReduce(words, words, static_cast<std::size_t>(count), ncclUint64, ncclMax, ranks_->comm(), stream()));
  }

  std::string name() const override { return "NCCL"; }

 private:
  cudaStream_t stream() const { return static_cast<cudaStream_t>(queue_.stream()); }

  std::shared_ptr<MpiGroup> group_;  ///< kept alive for ranks_
  std::shared_ptr<NcclRanks> ranks_;
  Queue queue_;
};

}  // namespace

std::shared_ptr<NcclRanks> connect_by_nccl(MpiGroup& group, int device) {
  ncclUniqueId id{};
  Communicator(group.shared_from_this()).agree([&] {
    if (group.rank() == 0) SHOAL_NCCL_CHECK(ncclGetUniqueId(&id));
  });
  group.broadcast(&id, sizeof id, 0);
  auto ranks = std::make_shared<NcclRanks>(group, device, id);
  add_wait_watch(ranks);
  return ranks;
}

int device_of(const NcclRanks& ranks) { return ranks.device(); }

std::unique_ptr<Transport> make_nccl_transport(std::shared_ptr<MpiGroup> group, std::shared_ptr<NcclRanks> ranks,
                                               const Queue& queue) {
  return std::make_unique<NcclTransport>(std::move(group), std::move(ranks), queue);
}

std::string nccl_version() {
  int version = 0;
  SHOAL_NCCL_CHECK(ncclGetVersion(&version));
  return text(version / 10000, ".", version / 100 % 100, ".", version % 100);
}

}  // namespace shoal::mpi
