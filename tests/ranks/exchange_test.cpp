// SPDX-License-Identifier: Apache-2.0
// Exchange between ranks in memory of the host, and their agreement on errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mpi.h>
#include <shoal/error.hpp>
#include <shoal/mpi.hpp>

#include <set>
#include <vector>

#include "mpi/mpi_group.hpp"
#include "support/exchanges.hpp"
#include "support/messages.hpp"

namespace shoal {
namespace {

using testing::HasSubstr;
using testing_support::message_of;

TEST(Ranks, HaveEachNumberOnce) {
  const Communicator ranks = mpi::world();
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  EXPECT_EQ(ranks.size(), count);
  std::vector<int> numbers(static_cast<std::size_t>(count));
  const int rank = ranks.rank();
  ranks.group().all_gather(&rank, sizeof rank, numbers.data());
  EXPECT_EQ(std::set<int>(numbers.begin(), numbers.end()).size(), numbers.size());
  EXPECT_EQ(numbers[static_cast<std::size_t>(rank)], rank);
  EXPECT_EQ(ranks.node_size(), count);  // the tests run on one machine
  EXPECT_EQ(ranks.node_rank(), rank);
  EXPECT_THAT(ranks.name(), HasSubstr("rank " + std::to_string(rank) + " of " + std::to_string(count) + " on "));
}

TEST(Ranks, ExchangeOnTheHost) { testing_support::expect_exchange_on_the_host(mpi::world()); }

TEST(Ranks, ExchangeBetweenQueuesOnTheCpu) {
  testing_support::expect_exchange_between(mpi::world(), Queue::cpu(1));
  EXPECT_EQ(mpi::world().group().transport(Queue::cpu(1))->name(), "MPI");
}

TEST(Ranks, SplitLargePieces) {
  const Communicator ranks(std::make_shared<mpi::MpiGroup>(MPI_COMM_WORLD, 512));
  testing_support::expect_exchange_on_the_host(ranks);
  testing_support::expect_exchange_between(ranks, Queue::cpu(1));
  std::vector<std::uint64_t> words(100, static_cast<std::uint64_t>(ranks.rank()));
  ranks.group().all_max(words);
  EXPECT_EQ(words, std::vector<std::uint64_t>(100, static_cast<std::uint64_t>(ranks.size() - 1)));
}

TEST(Ranks, AgreeOnTheErrorOfTheSmallestRank) {
  const Communicator ranks = mpi::world();
  const int first = ranks.size() / 2;
  const auto fail = [&] {
    if (ranks.rank() >= first) throw OutOfMemory("rank " + std::to_string(ranks.rank()) + " has no memory");
  };
  EXPECT_THROW(ranks.agree(fail), OutOfMemory);
  EXPECT_EQ(message_of([&] { ranks.agree(fail); }), "rank " + std::to_string(first) + " has no memory");
  EXPECT_TRUE(ranks.agreed("rank " + std::to_string(first) + " has no memory"));
  ranks.agree([] {});
}

TEST(Ranks, RefusePiecesOfDifferentLength) {
  const Communicator ranks = mpi::world();
  const int above = (ranks.rank() + 1) % ranks.size();
  const int below = (ranks.rank() + ranks.size() - 1) % ranks.size();
  std::vector<char> memory(8);
  const auto exchange = [&](std::size_t sent, std::size_t received) {
    const std::vector<SentPiece> sends{{memory.data(), sent, above}};
    const std::vector<ReceivedPiece> receives{{memory.data() + 4, received, below}};
    ranks.group().exchange(sends, receives);
  };
  EXPECT_THAT(message_of([&] { exchange(2, 3); }), HasSubstr("has sent 2 bytes where 3 are received"));
  // Open MPI cuts a longer message of a rank to itself without an error.
  if (ranks.size() > 1) {
    EXPECT_THAT(message_of([&] { exchange(4, 3); }), HasSubstr("MPI_ERR_TRUNCATE"));
  }
}

}  // namespace
}  // namespace shoal
