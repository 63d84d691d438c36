// SPDX-License-Identifier: Apache-2.0
#include "mpi/mpi_group.hpp"

#include <algorithm>
#include <numeric>

#include "mpi/mpi_check.hpp"
#include "mpi/transports.hpp"

namespace shoal::mpi {
namespace {

constexpr int exchange_tag = 0;

/// Calls `use(offset, count)` for consecutive parts of `bytes`.
template <class Use>
void for_each_part(std::size_t bytes, std::size_t most_bytes, const Use& use) {
  for (std::size_t offset = 0; offset < bytes; offset += most_bytes)
    use(offset, static_cast<int>(std::min(most_bytes, bytes - offset)));
}

/// Messages of one exchange that have been started.
class Messages {
 public:
  Messages(MPI_Comm comm, std::size_t most_bytes, RankWatch& watch)
      : comm_(comm), most_bytes_(most_bytes), watch_(watch) {}

  void receive(const ReceivedPiece& piece) {
    for_each_part(piece.bytes, most_bytes_, [&](std::size_t offset, int bytes) {
      SHOAL_MPI_CHECK(MPI_Irecv(static_cast<char*>(piece.data) + offset, bytes, MPI_BYTE, piece.rank, exchange_tag,
                                comm_, add(piece.rank, bytes)));
    });
  }

  void send(const SentPiece& piece) {
    for_each_part(piece.bytes, most_bytes_, [&](std::size_t offset, int bytes) {
      SHOAL_MPI_CHECK(MPI_Isend(static_cast<const char*>(piece.data) + offset, bytes, MPI_BYTE, piece.rank,
                                exchange_tag, comm_, add(piece.rank, sent)));
    });
  }

  /// Polls until all have ended.
  void wait() {
    const int count = static_cast<int>(requests_.size());
    std::vector<int> ended(requests_.size());
    std::vector<MPI_Status> statuses(requests_.size());
    RankWait wait(watch_, "exchange");
    for (int remaining = count; remaining > 0;) {
      int number = 0;
      const int result = MPI_Testsome(count, requests_.data(), &number, ended.data(), statuses.data());
      if (result != MPI_ERR_IN_STATUS) mpi_check(result, "MPI_Testsome");
      for (int entry = 0; entry < number; ++entry) {
        const MPI_Status& status = statuses[static_cast<std::size_t>(entry)];
        if (result == MPI_ERR_IN_STATUS) mpi_check(status.MPI_ERROR, "MPI_Testsome");
        check_length(static_cast<std::size_t>(ended[static_cast<std::size_t>(entry)]), status);
      }
      remaining -= number;
      if (remaining > 0 && number == 0) wait.poll(partner_of_first());
    }
  }

 private:
  static constexpr int sent = -1;  ///< length of a message that is sent

  MPI_Request* add(int rank, int bytes) {
    ranks_.push_back(rank);
    lengths_.push_back(bytes);
    return &requests_.emplace_back(MPI_REQUEST_NULL);
  }

  int partner_of_first() const {
    const auto open = std::ranges::find_if(requests_, [](MPI_Request request) { return request != MPI_REQUEST_NULL; });
    return ranks_[static_cast<std::size_t>(open - requests_.begin())];
  }

  void check_length(std::size_t message, const MPI_Status& status) const {
    if (lengths_[message] == sent) return;
    int bytes = 0;
    SHOAL_MPI_CHECK(MPI_Get_count(&status, MPI_BYTE, &bytes));
    require(bytes == lengths_[message], "communicator: rank ", ranks_[message], " has sent ", bytes, " bytes where ",
            lengths_[message], " are received. This is a defect of shoal; please report it.");
  }

  MPI_Comm comm_;
  std::size_t most_bytes_;
  RankWatch& watch_;
  std::vector<MPI_Request> requests_;
  std::vector<int> ranks_;
  std::vector<int> lengths_;  ///< bytes that a receive expects; `sent` for a send
};

}  // namespace

MpiGroup::MpiGroup(MPI_Comm source, std::size_t most_bytes) : most_bytes_(most_bytes) {
  SHOAL_MPI_CHECK(MPI_Comm_dup(source, &comm_));
  SHOAL_MPI_CHECK(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN));
  SHOAL_MPI_CHECK(MPI_Comm_dup(comm_, &reports_));
  SHOAL_MPI_CHECK(MPI_Comm_rank(comm_, &rank_));
  SHOAL_MPI_CHECK(MPI_Comm_size(comm_, &size_));
  MPI_Comm node = MPI_COMM_NULL;
  SHOAL_MPI_CHECK(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node));
  SHOAL_MPI_CHECK(MPI_Comm_rank(node, &node_rank_));
  SHOAL_MPI_CHECK(MPI_Comm_size(node, &node_size_));
  SHOAL_MPI_CHECK(MPI_Comm_free(&node));
  watch_.emplace(reports_);
}

MpiGroup::~MpiGroup() {
  int ended = 0;
  if (MPI_Finalized(&ended) != MPI_SUCCESS || ended) return;
  // MPI_Comm_free would wait for ranks that do not come, where an exception has left this one.
  if (std::uncaught_exceptions() > 0) return;
  MPI_Comm_free(&reports_);
  MPI_Comm_free(&comm_);
}

void MpiGroup::exchange(std::span<const SentPiece> sends, std::span<const ReceivedPiece> receives) {
  Messages messages(comm_, most_bytes_, *watch_);
  for (const ReceivedPiece& piece : receives) messages.receive(piece);
  for (const SentPiece& piece : sends) messages.send(piece);
  messages.wait();
}

void MpiGroup::all_max(std::span<std::uint64_t> words) {
  reduce(words.data(), words.size(), MPI_UINT64_T, MPI_MAX, "all_max");
}

void MpiGroup::all_sum(std::span<std::int64_t> words) {
  reduce(words.data(), words.size(), MPI_INT64_T, MPI_SUM, "all_sum");
}

void MpiGroup::reduce(void* words, std::size_t count, MPI_Datatype type, MPI_Op operation, const char* call) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  for_each_part(count * word, most_bytes_, [&](std::size_t offset, int bytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    SHOAL_MPI_CHECK(MPI_Iallreduce(MPI_IN_PLACE, static_cast<char*>(words) + offset, bytes / static_cast<int>(word),
                                   type, operation, comm_, &request));
    wait(request, call);
  });
}

void MpiGroup::all_gather(const void* part, std::size_t bytes, void* gathered) {
  if (bytes <= most_bytes_) {
    MPI_Request request = MPI_REQUEST_NULL;
    SHOAL_MPI_CHECK(MPI_Iallgather(part, static_cast<int>(bytes), MPI_BYTE, gathered, static_cast<int>(bytes), MPI_BYTE,
                                   comm_, &request));
    return wait(request, "all_gather");
  }
  std::vector<SentPiece> sends;
  std::vector<ReceivedPiece> receives;
  for (int rank = 0; rank < size_; ++rank) {
    sends.push_back({part, bytes, rank});
    receives.push_back({static_cast<char*>(gathered) + static_cast<std::size_t>(rank) * bytes, bytes, rank});
  }
  exchange(sends, receives);
}

void MpiGroup::broadcast(void* data, std::size_t bytes, int from) {
  for_each_part(bytes, most_bytes_, [&](std::size_t offset, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    SHOAL_MPI_CHECK(MPI_Ibcast(static_cast<char*>(data) + offset, count, MPI_BYTE, from, comm_, &request));
    wait(request, "broadcast");
  });
}

void MpiGroup::wait(MPI_Request request, const char* call) {
  RankWait wait(*watch_, call);
  for (;;) {
    int ended = 0;
    SHOAL_MPI_CHECK(MPI_Test(&request, &ended, MPI_STATUS_IGNORE));
    if (ended) return;
    wait.poll();
  }
}

}  // namespace shoal::mpi
