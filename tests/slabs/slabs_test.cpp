// SPDX-License-Identifier: Apache-2.0
// Slabs: cuts by weight against every possible cut, moves of cuts, and every refused input.
#include <gtest/gtest.h>
#include <shoal/error.hpp>
#include <shoal/ranks/slabs.hpp>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "ranks/slabs_together.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal {
namespace {

using testing_support::message_of;
using Weights = std::vector<std::int64_t>;
using Together = std::vector<Share>;

std::int64_t weight_of(const Weights& weight, const Slabs& slabs, int rank) {
  std::int64_t sum = 0;
  for (std::int64_t layer = slabs.first(rank); layer < slabs.end(rank); ++layer)
    sum += weight[static_cast<std::size_t>(layer)];
  return sum;
}

std::int64_t heaviest(const Weights& weight, const Slabs& slabs) {
  std::int64_t most = 0;
  for (int rank = 0; rank < slabs.ranks(); ++rank) most = std::max(most, weight_of(weight, slabs, rank));
  return most;
}

std::int64_t thinnest(const Slabs& slabs) {
  std::int64_t fewest = slabs.layers();
  for (int rank = 0; rank < slabs.ranks(); ++rank) fewest = std::min(fewest, slabs.count(rank));
  return fewest;
}

/// Returns true if no cut is between layers that stay together.
bool are_apart(const Slabs& slabs, const Together& together) {
  return std::all_of(together.begin(), together.end(), [&](const Share& layers) {
    return layers.count == 0 || slabs.owner(layers.first) == slabs.owner(layers.first + layers.count - 1);
  });
}

/// Tries all cuts in ascending order; keeps the first of the lightest.
void try_cuts(const Weights& weight, int ranks, int least, const Together& together, std::vector<std::int64_t>& cut,
              Slabs& best) {
  const auto layers = static_cast<std::int64_t>(weight.size());
  if (static_cast<int>(cut.size()) == ranks) {
    if (layers - cut.back() < least) return;
    Slabs slabs{cut};
    slabs.cut.push_back(layers);
    if (!are_apart(slabs, together)) return;
    if (best.cut.empty() || heaviest(weight, slabs) < heaviest(weight, best)) best = slabs;
    return;
  }
  for (std::int64_t next = cut.back() + least; next <= layers; ++next) {
    cut.push_back(next);
    try_cuts(weight, ranks, least, together, cut, best);
    cut.pop_back();
  }
}

Slabs lightest_of_all(const Weights& weight, int ranks, int least, const Together& together = {}) {
  Slabs best;
  std::vector<std::int64_t> cut{0};
  try_cuts(weight, ranks, least, together, cut, best);
  return best;
}

TEST(CutByWeight, CutsEqualWeightsIntoEqualSlabs) {
  EXPECT_EQ(cut_by_weight(Weights(12, 5), 4).cut, (std::vector<std::int64_t>{0, 3, 6, 9, 12}));
  EXPECT_EQ(cut_by_weight(Weights(7, 1), 1).cut, (std::vector<std::int64_t>{0, 7}));
}

TEST(CutByWeight, FollowsTheWeights) {
  // The pairs weigh 9 + 1, 2 + 8 and 5 + 5.
  EXPECT_EQ(cut_by_weight(Weights{9, 1, 2, 8, 5, 5}, 3).cut, (std::vector<std::int64_t>{0, 2, 4, 6}));
  EXPECT_EQ(cut_by_weight(Weights{10, 0, 0, 0, 0, 5, 5}, 2, 1).cut, (std::vector<std::int64_t>{0, 1, 7}));
}

TEST(CutByWeight, GivesEmptySlabsWhereTheyAreAllowed) {
  EXPECT_EQ(cut_by_weight(Weights{}, 3, 0).cut, (std::vector<std::int64_t>{0, 0, 0, 0}));
  EXPECT_EQ(cut_by_weight(Weights{7}, 2, 0).cut, (std::vector<std::int64_t>{0, 0, 1}));
}

TEST(CutByWeight, EqualsTheBestOfAllCuts) {
  std::mt19937 random(22);
  for (int repeat = 0; repeat < 1500; ++repeat) {
    const int ranks = 1 + static_cast<int>(random() % 4);
    const int least = static_cast<int>(random() % 4);
    const auto layers = static_cast<std::size_t>(ranks * least) + random() % 6;
    const std::uint32_t most = repeat % 3 == 0 ? 2 : 20;  // small weights have many equal cuts
    Weights weight(layers);
    for (std::int64_t& value : weight) value = random() % 3 == 0 ? 0 : static_cast<std::int64_t>(random() % most);
    EXPECT_EQ(cut_by_weight(weight, ranks, least), lightest_of_all(weight, ranks, least))
        << "repeat " << repeat << ", " << ranks << " ranks, least " << least;
  }
}

/// Random layers that stay together, at most half of them.
Together random_together(std::mt19937& random, std::int64_t layers) {
  Together together(1 + random() % 2);
  for (Share& share : together) {
    share.count = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(layers / 2 + 1));
    share.first = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(layers - share.count + 1));
  }
  return together;
}

TEST(CutTogether, EqualsTheBestOfAllCutsThatKeepLayersTogether) {
  std::mt19937 random(23);
  int refused = 0;
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const int ranks = 1 + static_cast<int>(random() % 4);
    const int least = 1 + static_cast<int>(random() % 2);
    Weights weight(static_cast<std::size_t>(ranks * least) + random() % 6);
    for (std::int64_t& value : weight) value = static_cast<std::int64_t>(random() % 20);
    const Together together = random_together(random, static_cast<std::int64_t>(weight.size()));
    const Slabs best = lightest_of_all(weight, ranks, least, together);
    refused += best.cut.empty();
    if (best.cut.empty())
      EXPECT_THROW(cut_together(weight, ranks, least, together), Error) << "repeat " << repeat;
    else
      EXPECT_EQ(cut_together(weight, ranks, least, together), best) << "repeat " << repeat;
  }
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 500);
}

TEST(CutTogether, NamesTheLayersWhereThereAreNoCuts) {
  const Together together{{1, 4}, {4, 3}};
  EXPECT_EQ(
      message_of([&] { cut_together(Weights(8, 1), 3, 2, together); }),
      "slabs: 8 layers of cells for 3 ranks with at least 2 each, of which one rank must have layers 1 to 4, 4 to "
      "6. Use fewer ranks, or smaller cells.");
}

TEST(CutByWeight, TakesTheLargestWeights) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(cut_by_weight(Weights{most - 1, 0, 1, 0}, 2).cut, (std::vector<std::int64_t>{0, 2, 4}));
}

TEST(CutByWeight, RefusesTooFewLayers) {
  EXPECT_EQ(
      message_of([] { cut_by_weight(Weights(7, 1), 4); }),
      "slabs: 7 layers of cells for 4 ranks, expected at least 8: 2 a rank. Use at most 3 ranks, or smaller cells.");
  EXPECT_EQ(message_of([] { cut_by_weight(Weights(1, 1), 4); }),
            "slabs: 1 layers of cells for 4 ranks, expected at least 8: 2 a rank. Use smaller cells.");
}

TEST(CutByWeight, RefusesInvalidInput) {
  EXPECT_EQ(message_of([] { cut_by_weight(Weights(7, 1), 0); }), "slabs: 0 ranks, expected at least 1.");
  EXPECT_EQ(message_of([] { cut_by_weight(Weights(7, 1), 2, -1); }),
            "slabs: at least -1 layers a rank, expected 0 or more.");
  EXPECT_EQ(message_of([] {
              cut_by_weight(Weights{3, 0, -4, -5}, 2);
            }),
            "slabs: the weight of layer 2 is -4, expected at least 0.");
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(message_of([&] {
              cut_by_weight(Weights{0, most, 1, 0}, 2);
            }),
            "slabs: the weights of layers 0 to 2 add up to more than 9223372036854775807. Use smaller weights, for "
            "example numbers of particles.");
}

TEST(Slabs, FindOwnersOfLayers) {
  const Slabs slabs{{0, 2, 2, 5}};  // rank 1 has none
  EXPECT_EQ(slabs.ranks(), 3);
  EXPECT_EQ(slabs.layers(), 5);
  EXPECT_EQ(slabs.count(1), 0);
  for (int rank = 0; rank < slabs.ranks(); ++rank)
    for (std::int64_t layer = slabs.first(rank); layer < slabs.end(rank); ++layer) EXPECT_EQ(slabs.owner(layer), rank);
}

TEST(Slabs, AreRefusedUnlessCutsAscendFromZero) {
  EXPECT_EQ(message_of([] { require_valid(Slabs{{0, 2, 2, 5}}); }), "no error");
  EXPECT_EQ(message_of([] { require_valid(Slabs{}); }),
            "slabs: 0 cuts, expected at least 2: 0 and the number of layers.");
  EXPECT_EQ(message_of([] { require_valid(Slabs{{1, 4}}); }), "slabs: rank 0 begins at layer 1, expected 0.");
  EXPECT_EQ(message_of([] {
              require_valid(Slabs{{0, 4, 3, 5}});
            }),
            "slabs: rank 1 begins at layer 4 and ends at layer 3. Cuts must ascend.");
}

TEST(MoveToward, StopsInTheMiddleOfTheSlabThatACutEnters) {
  EXPECT_EQ(move_toward(Slabs{{0, 4, 12}}, Slabs{{0, 10, 12}}).cut, (std::vector<std::int64_t>{0, 8, 12}));
  EXPECT_EQ(move_toward(Slabs{{0, 5, 12}}, Slabs{{0, 1, 12}}).cut, (std::vector<std::int64_t>{0, 3, 12}));
  EXPECT_EQ(move_toward(Slabs{{0, 5, 12}}, Slabs{{0, 7, 12}}).cut, (std::vector<std::int64_t>{0, 7, 12}));
}

TEST(ShareOf, IsConsecutiveAndEven) {
  for (const std::int64_t count : {0, 2, 11})
    for (const int ranks : {1, 3, 4}) {
      std::vector<Share> shares(static_cast<std::size_t>(ranks));
      testing_support::run_on_ranks(ranks, [&](const Communicator& group) {
        shares[static_cast<std::size_t>(group.rank())] = share_of(count, group);
      });
      std::int64_t next = 0;
      for (const Share& share : shares) {
        EXPECT_EQ(share.first, next);
        EXPECT_TRUE(share.count == count / ranks || share.count == count / ranks + 1);
        next += share.count;
      }
      EXPECT_EQ(next, count);
    }
  EXPECT_EQ(message_of([] { share_of(-1, Communicator::alone()); }),
            "ranks: -1 items to share out, expected 0 or more.");
}

/// Random slabs of at least `least` layers a rank.
Slabs random_slabs(std::mt19937& random, int ranks, std::int64_t layers, std::int64_t least) {
  std::vector<std::int64_t> rest;
  for (int rank = 1; rank < ranks; ++rank)
    rest.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(layers - ranks * least + 1)));
  std::sort(rest.begin(), rest.end());
  Slabs slabs{{0}};
  for (int rank = 1; rank < ranks; ++rank) slabs.cut.push_back(rest[static_cast<std::size_t>(rank - 1)] + rank * least);
  slabs.cut.push_back(layers);
  return slabs;
}

TEST(MoveToward, KeepsLayersOnEveryRankAndArrives) {
  std::mt19937 random(5);
  for (int repeat = 0; repeat < 300; ++repeat) {
    const int ranks = 1 + static_cast<int>(random() % 6);
    const auto least = static_cast<std::int64_t>(1 + random() % 3);
    const std::int64_t layers = ranks * least + static_cast<std::int64_t>(random() % 40);
    Slabs slabs = random_slabs(random, ranks, layers, least);
    const Slabs wanted = random_slabs(random, ranks, layers, least);
    for (std::int64_t move = 0; move <= layers && slabs != wanted; ++move) {
      const Slabs moved = move_toward(slabs, wanted);
      EXPECT_NO_THROW(require_valid(moved));
      EXPECT_GE(thinnest(moved), std::min(thinnest(slabs), thinnest(wanted)));
      for (int rank = 0; rank < ranks; ++rank) {  // layers come from this rank or the next ones
        EXPECT_GE(moved.first(rank), slabs.first(std::max(0, rank - 1)));
        EXPECT_LE(moved.end(rank), slabs.end(std::min(ranks - 1, rank + 1)));
      }
      slabs = moved;
    }
    EXPECT_EQ(slabs, wanted) << "repeat " << repeat;
  }
}

TEST(MoveTogether, KeepsLayersTogetherOnTheirWay) {
  std::mt19937 random(6);
  int moves = 0;
  for (int repeat = 0; repeat < 300; ++repeat) {
    const int ranks = 2 + static_cast<int>(random() % 4);
    const std::int64_t least = 2, layers = ranks * least + static_cast<std::int64_t>(random() % 40);
    const Slabs present = random_slabs(random, ranks, layers, least);
    const Slabs wanted = random_slabs(random, ranks, layers, least);
    Together together = random_together(random, layers);
    std::erase_if(together,
                  [&](const Share& share) { return !are_apart(present, {share}) || !are_apart(wanted, {share}); });
    const Slabs moved = move_together(present, wanted, together);
    moves += moved != present;
    EXPECT_NO_THROW(require_valid(moved));
    EXPECT_TRUE(are_apart(moved, together)) << "repeat " << repeat;
    EXPECT_GE(thinnest(moved), std::min(thinnest(present), thinnest(wanted)));
    for (int rank = 0; rank < ranks; ++rank) {  // layers come from this rank or the next ones
      EXPECT_GE(moved.first(rank), present.first(std::max(0, rank - 1)));
      EXPECT_LE(moved.end(rank), present.end(std::min(ranks - 1, rank + 1)));
    }
  }
  EXPECT_GT(moves, 150);
}

TEST(MoveToward, RefusesSlabsThatDoNotBelongTogether) {
  EXPECT_EQ(message_of([] {
              move_toward(Slabs{{0, 4, 12}}, Slabs{{0, 13}});
            }),
            "slabs: 12 layers of 2 ranks, but 13 layers of 1 ranks are wanted. Expected equal numbers.");
  EXPECT_THROW(move_toward(Slabs{}, Slabs{{0, 4}}), Error);
  EXPECT_THROW(move_toward(Slabs{{0, 4}}, Slabs{{0, 5, 4}}), Error);
}

}  // namespace
}  // namespace shoal
