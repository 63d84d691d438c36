// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads: their exchanges, and Communicator::agree on them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/error.hpp>
#include <shoal/ranks/communicator.hpp>

#include <array>
#include <stdexcept>
#include <vector>

#include "core/communication/rank_group.hpp"
#include "support/devices.hpp"
#include "support/exchanges.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal {
namespace {

using testing::HasSubstr;
using testing_support::expect_exchange_between;
using testing_support::message_of;
using testing_support::run_on_ranks;

class ThreadRanks : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Counts, ThreadRanks, testing::Values(1, 2, 3, 4));

TEST_P(ThreadRanks, HaveEachNumberOnce) {
  std::vector<int> runs(static_cast<std::size_t>(GetParam()));
  run_on_ranks(GetParam(), [&](const Communicator& ranks) {
    EXPECT_EQ(ranks.size(), GetParam());
    EXPECT_EQ(ranks.node_rank(), ranks.rank());
    ++runs[static_cast<std::size_t>(ranks.rank())];
  });
  EXPECT_EQ(runs, std::vector<int>(runs.size(), 1));
}

TEST_P(ThreadRanks, ExchangeOnTheHost) { run_on_ranks(GetParam(), testing_support::expect_exchange_on_the_host); }

TEST_P(ThreadRanks, ExchangeBetweenQueuesOnTheCpu) {
  run_on_ranks(GetParam(), [](const Communicator& ranks) { expect_exchange_between(ranks, Queue::cpu(1)); });
}

TEST_P(ThreadRanks, ExchangeBetweenQueuesOnCuda_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  run_on_ranks(GetParam(), [](const Communicator& ranks) { expect_exchange_between(ranks, Queue::cuda(0)); });
}

TEST_P(ThreadRanks, AgreeOnNoError) {
  run_on_ranks(GetParam(), [](const Communicator& ranks) {
    int runs = 0;
    ranks.agree([&] { ++runs; });
    EXPECT_EQ(runs, 1);
  });
}

TEST_P(ThreadRanks, AgreeOnTheErrorOfOneRank) {
  const int failing = GetParam() - 1;
  run_on_ranks(GetParam(), [failing](const Communicator& ranks) {
    EXPECT_THAT(message_of([&] {
                  ranks.agree([&] {
                    if (ranks.rank() == failing) throw Error("a valve is closed");
                  });
                }),
                HasSubstr("a valve is closed"));
    ranks.agree([] {});  // the ranks still go together
  });
}

TEST_P(ThreadRanks, KeepTheTextThatTheyHaveAgreedOn) {
  run_on_ranks(GetParam(), [](const Communicator& ranks) {
    EXPECT_EQ(ranks.agreed("a valve is closed"), ranks.size() == 1);
    EXPECT_THROW(ranks.agree([] { throw Error("a valve is closed"); }), Error);
    EXPECT_TRUE(ranks.agreed("a valve is closed"));
    EXPECT_EQ(ranks.agreed("a valve is open"), ranks.size() == 1);
    ranks.agree([] {});
    EXPECT_EQ(ranks.agreed("a valve is closed"), ranks.size() == 1);
  });
}

TEST_P(ThreadRanks, AgreeOnTheErrorOfTheSmallestRank) {
  const int first = GetParam() / 2;
  run_on_ranks(GetParam(), [first](const Communicator& ranks) {
    EXPECT_THAT(message_of([&] {
                  ranks.agree([&] {
                    if (ranks.rank() >= first) throw Error("rank " + std::to_string(ranks.rank()) + " fails");
                  });
                }),
                HasSubstr("rank " + std::to_string(first) + " fails"));
  });
}

TEST_P(ThreadRanks, AgreeKeepsOutOfMemoryAndOtherExceptions) {
  run_on_ranks(GetParam(), [](const Communicator& ranks) {
    const bool last = ranks.rank() == ranks.size() - 1;
    EXPECT_THROW(ranks.agree([&] {
      if (last) throw OutOfMemory("too much");
    }),
                 OutOfMemory);
    try {
      ranks.agree([&] {
        if (last) throw std::invalid_argument("not a number");
      });
      ADD_FAILURE() << "no error";
    } catch (const std::invalid_argument& error) {
      EXPECT_TRUE(last);
      EXPECT_STREQ(error.what(), "not a number");
    } catch (const Error& error) {
      EXPECT_FALSE(last);
      EXPECT_STREQ(error.what(), "not a number");
    }
  });
}

TEST(ThreadRanksFaults, EndTogetherWhenOneFails) {
  EXPECT_THAT(message_of([&] {
                run_on_ranks(3, [](const Communicator& ranks) {
                  if (ranks.rank() == 2) throw Error("rank 2 stops");
                  std::array<std::uint64_t, 1> words{};
                  ranks.group().all_max(words);
                });
              }),
              HasSubstr("rank 2 stops"));
}

TEST(ThreadRanksFaults, RefuseDifferentCalls) {
  EXPECT_THAT(message_of([&] {
                run_on_ranks(2, [](const Communicator& ranks) {
                  std::array<std::uint64_t, 1> words{};
                  std::array<std::int64_t, 1> counts{};
                  if (ranks.rank() == 0) ranks.group().all_max(words);
                  if (ranks.rank() == 1) ranks.group().all_sum(counts);
                });
              }),
              HasSubstr("rank 0 calls all_max where rank 1 calls all_sum"));
  EXPECT_THAT(message_of([&] {
                run_on_ranks(2, [](const Communicator& ranks) {
                  if (ranks.rank() == 0) ranks.agree([] {});
                });
              }),
              HasSubstr("has ended"));
}

TEST(ThreadRanksFaults, RefusePiecesThatDoNotPairUp) {
  std::array<int, 2> memory{};
  const auto exchange = [&](std::size_t sent, std::size_t received) {
    run_on_ranks(2, [&](const Communicator& ranks) {
      const std::vector<SentPiece> sends{{memory.data(), sent, 1}};
      const std::vector<ReceivedPiece> receives{{memory.data(), received, 0}};
      if (ranks.rank() == 0) ranks.group().exchange(sends, {});
      if (ranks.rank() == 1) ranks.group().exchange({}, receives);
    });
  };
  EXPECT_THAT(message_of([&] { exchange(4, 8); }), HasSubstr("4 bytes where it is sent and 8 where it is received"));
  EXPECT_THAT(message_of([&] { exchange(0, 8); }),
              HasSubstr("0 pieces are sent from rank 0 to rank 1, and 1 are received"));
}

}  // namespace
}  // namespace shoal
