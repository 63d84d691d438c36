// SPDX-License-Identifier: Apache-2.0
// Subsets of lattice points against one byte a point: rows shorter and longer than a word of bits.
#include "sph/setup/filling/lattice_region.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "support/thread_ranks.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;

using Points = std::set<LatticeIndex>;

Points points_of(const LatticeRegion& region) {
  Points points;
  std::int64_t count = 0;
  for (std::int64_t plane = 0; plane < region.planes(); ++plane) {
    const std::size_t before = points.size();
    region.for_each(plane, [&](const LatticeIndex& index) { points.insert(index); });
    EXPECT_EQ(static_cast<std::int64_t>(points.size() - before), region.count(plane));
    count += region.count(plane);
  }
  EXPECT_EQ(count, region.count());
  return points;
}

template <class Visit>
void for_each_in(const Block& block, const Visit& visit) {
  LatticeIndex index{};
  for (index[2] = block.first[2]; index[2] < block.end[2]; ++index[2])
    for (index[1] = block.first[1]; index[1] < block.end[1]; ++index[1])
      for (index[0] = block.first[0]; index[0] < block.end[0]; ++index[0]) visit(index);
}

Block block_of(int dimensions, std::int64_t length) {
  Block block{{-3, 0, 0}, {-3 + length, 1, 1}};
  if (dimensions > 1) block.first[1] = 5, block.end[1] = 11;
  if (dimensions > 2) block.first[2] = -7, block.end[2] = -2;
  return block;
}

LatticeRegion random_region(int dimensions, const Block& block, double share) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> pick(0, 1);
  LatticeRegion region({}, 1, dimensions, block);
  for_each_in(block, [&](const LatticeIndex& index) {
    if (pick(random) < share) region.take(index);
  });
  return region;
}

bool is_near(const Points& points, const LatticeIndex& index, int layers, int dimensions) {
  return std::any_of(points.begin(), points.end(), [&](const LatticeIndex& point) {
    for (int axis = 0; axis < dimensions; ++axis)
      if (std::abs(point[axis] - index[axis]) > layers) return false;
    return true;
  });
}

Block padded(Block block, int layers, int dimensions) {
  for (int axis = 0; axis < dimensions; ++axis) {
    block.first[axis] -= layers;
    block.end[axis] += layers;
  }
  return block;
}

/// Calls visit(region, points, layers, dimensions) for regions with few and with many points.
template <class Visit>
void for_each_region(const Visit& visit) {
  for (const int dimensions : {1, 2, 3})
    for (const std::int64_t length : {1, 7, 63, 64, 65, 130})
      for (const double share : {0.02, 0.97})
        for (const int layers : {1, 3}) {
          const LatticeRegion region = random_region(dimensions, block_of(dimensions, length), share);
          SCOPED_TRACE(testing::Message() << dimensions << "-D, " << length << " points along x, " << layers);
          visit(region, points_of(region), layers, dimensions);
        }
}

TEST(LatticeRegion, HasThePointsThatWereTaken) {
  for_each_region([](const LatticeRegion& region, const Points& points, int, int dimensions) {
    for_each_in(padded(region.block(), 1, dimensions),
                [&](const LatticeIndex& index) { EXPECT_EQ(region.has(index), points.contains(index)); });
  });
  const LatticeRegion whole({}, 1, 3, block_of(3, 70), true);
  EXPECT_EQ(points_of(whole).size(), 70u * 6 * 5);
}

TEST(LatticeRegion, TheShellAroundIsNearAndNotInside) {
  for_each_region([](const LatticeRegion& region, const Points& points, int layers, int dimensions) {
    Block block = padded(region.block(), layers, dimensions);
    block.end[0] -= layers;  // an open side
    Points expected;
    for_each_in(block, [&](const LatticeIndex& index) {
      if (!points.contains(index) && is_near(points, index, layers, dimensions)) expected.insert(index);
    });
    EXPECT_EQ(points_of(region.around(block, layers)), expected);
  });
}

TEST(LatticeRegion, TheRindIsInsideAndNearTheOutside) {
  for_each_region([](const LatticeRegion& region, const Points& points, int layers, int dimensions) {
    Points outside, expected;
    for_each_in(padded(region.block(), 1, dimensions), [&](const LatticeIndex& index) {
      if (!points.contains(index)) outside.insert(index);
    });
    for (const LatticeIndex& index : points)
      if (is_near(outside, index, layers, dimensions)) expected.insert(index);
    EXPECT_EQ(points_of(region.rind(layers)), expected);
  });
}

TEST(LatticeRegion, TrimmedHasTheSamePointsInTheSmallestBlock) {
  for_each_region([](const LatticeRegion& region, const Points& points, int, int) {
    if (points.empty()) return;
    const LatticeRegion trimmed = region.trimmed();
    EXPECT_EQ(points_of(trimmed), points);
    std::int64_t smallest = points.begin()->front();
    for (const LatticeIndex& index : points) smallest = std::min(smallest, index[0]);
    EXPECT_EQ(trimmed.block().first[0], smallest);
  });
}

TEST(LatticeRegion, RanksJoinTheirPoints) {
  for (const int dimensions : {1, 2, 3}) {
    const LatticeRegion whole = random_region(dimensions, block_of(dimensions, 130), 0.5);
    run_on_ranks(3, [&](const Communicator& ranks) {
      LatticeRegion part = whole.emptied();
      std::int64_t number = 0;
      for (const LatticeIndex& index : points_of(whole))
        if (number++ % 3 == ranks.rank()) part.take(index);
      part.join(ranks);
      EXPECT_EQ(points_of(part), points_of(whole));
    });
  }
}

}  // namespace
}  // namespace shoal::sph
