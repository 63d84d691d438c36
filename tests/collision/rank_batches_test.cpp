// SPDX-License-Identifier: Apache-2.0
// Batches that ranks compute in turn, and parts of arrays: sums in the order of the batches, for any number of ranks.
#include "collision/ranks/rank_batches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/thread_ranks.hpp"

namespace shoal::collision {
namespace {

using testing_support::run_on_ranks;

CollisionSetup setup_of(const Communicator& ranks, const Queue& queue, const CollisionOptions& options = {}) {
  CollisionSetup setup({.nodes = 9, .half_width = 4}, {.rate = 1}, options);
  setup.ranks = ranks;
  if (ranks.size() > 1) setup.transport = ranks.group().transport(queue);
  return setup;
}

/// A value whose sums depend on their order.
float value_of(int batch, int array, std::int64_t number) {
  return std::ldexp(std::sin(static_cast<float>(1 + batch * 7 + array * 3 + number)), (batch * 5 + array) % 23);
}

constexpr int arrays = 2;

std::vector<float> sums_in_order(int batches, std::int64_t count) {
  std::vector<float> sums(static_cast<std::size_t>(count));
  for (int batch = 0; batch < batches; ++batch)
    for (int array = 0; array < arrays; ++array)
      for (std::int64_t i = 0; i < count; ++i) sums[static_cast<std::size_t>(i)] += value_of(batch, array, i);
  return sums;
}

TEST(RankBatches, AreAddedInTheirOrder) {
  for (const int ranks : {1, 2, 3, 4})
    for (const int batches : {0, 1, 3, 8})
      for (const std::int64_t count : {0, 1, 3, 130}) {
        SCOPED_TRACE(testing::Message() << ranks << " ranks, " << batches << " batches of " << count);
        run_on_ranks(ranks, [&](const Communicator& group) {
          const Queue queue = Queue::cpu(1);
          Scratch scratch(queue);
          const CollisionSetup setup = setup_of(group, queue);
          std::vector<float> sums(static_cast<std::size_t>(count));
          const auto compute = [&](int batch, float* values) {
            EXPECT_EQ(batch % group.size(), group.rank());
            for (int array = 0; array < arrays; ++array)
              for (std::int64_t i = 0; i < count; ++i) values[array * count + i] = value_of(batch, array, i);
          };
          const auto add = [&](int, const BatchPart<float>& batch) {
            for (int array = 0; array < arrays; ++array)
              for (std::int64_t i = 0; i < batch.part.count(); ++i)
                sums[static_cast<std::size_t>(batch.part.begin + i)] += batch.values[array * batch.stride + i];
          };
          add_batches(setup, scratch, batches, arrays, count, sums.data(), compute, add);
          EXPECT_EQ(sums, sums_in_order(batches, count));
        });
      }
}

TEST(RankParts, OfPlanesHaveEqualNumbersOfNodesThatTakePart) {
  for (const CollisionSupport support : {CollisionSupport::box, CollisionSupport::ball})
    run_on_ranks(3, [&](const Communicator& group) {
      const CollisionSetup setup = setup_of(group, Queue::cpu(1), {.support = support});
      const RankParts parts = RankParts::of_planes(setup);
      EXPECT_EQ(parts.part(0).begin, 0);
      EXPECT_EQ(parts.part(2).end, 729);
      std::vector<std::int64_t> nodes(3);
      for (int rank = 0; rank < 3; ++rank)
        for (std::int64_t i = parts.part(rank).begin; i < parts.part(rank).end; ++i)
          nodes[static_cast<std::size_t>(rank)] += setup.support().has(i) ? 1 : 0;
      const auto mean = static_cast<double>(nodes[0] + nodes[1] + nodes[2]) / 3;
      EXPECT_LE(static_cast<double>(std::ranges::max(nodes)), (support == CollisionSupport::box ? 1 : 1.3) * mean);
      std::vector<int> values(729, -1);
      for (std::int64_t i = parts.own_part().begin; i < parts.own_part().end; ++i)
        values[static_cast<std::size_t>(i)] = static_cast<int>(i);
      parts.gather(values.data());
      for (int i = 0; i < 729; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i);
    });
}

TEST(RankParts, MayBeEmpty) {
  run_on_ranks(12, [&](const Communicator& group) {
    const RankParts parts = RankParts::of_planes(setup_of(group, Queue::cpu(1)));
    EXPECT_EQ(parts.part(11).end, 729);
    EXPECT_LE(parts.own_part().count(), 81);
  });
}

}  // namespace
}  // namespace shoal::collision
