// SPDX-License-Identifier: Apache-2.0
#include "sph/ranks/slab_work.hpp"

#include <gtest/gtest.h>

namespace shoal::sph {
namespace {

TEST(SlabWork, IsComparedEachHundredthStepAndByTimesSoonAfterTheStart) {
  std::vector<std::int64_t> times, weights;
  for (std::int64_t step = 1; step <= 250; ++step) {
    if (compares_times(step)) times.push_back(step);
    if (compares_weights(step)) weights.push_back(step);
  }
  EXPECT_EQ(times, (std::vector<std::int64_t>{10, 20, 50, 100, 200}));
  EXPECT_EQ(weights, (std::vector<std::int64_t>{100, 200}));
}

TEST(SlabWork, IsMeasuredInTheFourStepsBeforeAComparison) {
  for (const std::int64_t step : {7, 8, 9, 10, 47, 100}) EXPECT_TRUE(measures_work(step)) << step;
  for (const std::int64_t step : {1, 6, 11, 46, 96, 101}) EXPECT_FALSE(measures_work(step)) << step;
}

TEST(SlabWork, OfOneRankThatIsTwoPercentAboveTheMeanIsUneven) {
  EXPECT_FALSE(is_uneven(std::vector<SlabWork>{{0, 102}, {0, 98}}));
  EXPECT_TRUE(is_uneven(std::vector<SlabWork>{{0, 103}, {0, 97}}));
}

TEST(SlabWork, CountsByTimesIfAllRanksHaveOne) {
  EXPECT_TRUE(is_uneven(std::vector<SlabWork>{{1.03, 100}, {0.97, 100}}));
  EXPECT_FALSE(is_uneven(std::vector<SlabWork>{{1.0, 130}, {1.0, 100}}));
  EXPECT_FALSE(is_uneven(std::vector<SlabWork>{{0, 100}, {0.97, 100}}));  // without the time of the first rank
}

TEST(SlabWork, OfTimesMakesTheLayersOfASlowRankHeavier) {
  const Slabs slabs{{0, 2, 4}};
  std::vector<std::int64_t> weight{10, 30, 20, 20};
  scale_to_times(weight, slabs, std::vector<SlabWork>{{3.0, 40}, {1.0, 40}});
  // A weight takes 3/40 s and 1/40 s, the mean is 2/40 s: factors 1.5 and 0.5 times 1,024.
  EXPECT_EQ(weight, (std::vector<std::int64_t>{15360, 46080, 10240, 10240}));
  EXPECT_EQ(cut_by_weight(weight, 2).cut, (std::vector<std::int64_t>{0, 2, 4}));
}

TEST(SlabWork, WithoutTimesLeavesWeights) {
  std::vector<std::int64_t> weight{10, 30};
  scale_to_times(weight, Slabs{{0, 1, 2}}, std::vector<SlabWork>{{0, 10}, {2.0, 30}});
  EXPECT_EQ(weight, (std::vector<std::int64_t>{10, 30}));
  scale_to_times(weight, Slabs{{0, 1, 2}}, {});
  EXPECT_EQ(weight, (std::vector<std::int64_t>{10, 30}));
}

}  // namespace
}  // namespace shoal::sph
