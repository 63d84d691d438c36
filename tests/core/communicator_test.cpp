// SPDX-License-Identifier: Apache-2.0
// One rank alone: its numbers, its agreement on errors, and pieces that it sends to itself.
#include <gtest/gtest.h>
#include <shoal/array.hpp>
#include <shoal/error.hpp>
#include <shoal/ranks/communicator.hpp>

#include <array>
#include <vector>

#include "core/communication/rank_group.hpp"

namespace shoal {
namespace {

TEST(Communicator, AloneIsRankZeroOfOne) {
  const Communicator ranks = Communicator::alone();
  EXPECT_EQ(ranks.rank(), 0);
  EXPECT_EQ(ranks.size(), 1);
  EXPECT_EQ(ranks.node_rank(), 0);
  EXPECT_EQ(ranks.node_size(), 1);
  EXPECT_EQ(ranks.name(), "rank 0 of 1 on this machine");
}

TEST(Communicator, AloneThrowsWhatTheWorkThrows) {
  const Communicator ranks = Communicator::alone();
  int runs = 0;
  ranks.agree([&] { ++runs; });
  EXPECT_EQ(runs, 1);
  EXPECT_THROW(ranks.agree([] { throw OutOfMemory("too much"); }), OutOfMemory);
}

TEST(Communicator, RefusesNoRanks) { EXPECT_THROW(Communicator(nullptr), Error); }

TEST(Communicator, AloneCopiesPiecesToItselfInTheirOrder) {
  const Communicator ranks = Communicator::alone();
  const std::array first{1, 2, 3};
  const std::array second{4};
  std::array<int, 3> from_first{};
  std::array<int, 1> from_second{};
  const std::vector<SentPiece> sends{{first.data(), sizeof first, 0}, {second.data(), sizeof second, 0}};
  const std::vector<ReceivedPiece> receives{{from_first.data(), sizeof from_first, 0},
                                            {from_second.data(), sizeof from_second, 0}};
  ranks.group().exchange(sends, receives);
  EXPECT_EQ(from_first, first);
  EXPECT_EQ(from_second, second);
  from_first = {};
  from_second = {};
  ranks.group().transport(Queue::cpu(1))->exchange(sends, receives);
  EXPECT_EQ(from_first, first);
  EXPECT_EQ(from_second, second);
}

TEST(Communicator, AloneRefusesPiecesThatDoNotPairUp) {
  const Communicator ranks = Communicator::alone();
  std::array<int, 2> memory{};
  const std::vector<SentPiece> sends{{memory.data(), 4, 0}};
  const std::vector<ReceivedPiece> longer{{memory.data(), 8, 0}};
  EXPECT_THROW(ranks.group().exchange(sends, longer), Error);
  EXPECT_THROW(ranks.group().exchange(sends, {}), Error);
}

}  // namespace
}  // namespace shoal
