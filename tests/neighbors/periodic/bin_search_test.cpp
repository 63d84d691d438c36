// SPDX-License-Identifier: Apache-2.0
// Systems whose points are compared with those of the bins around them: bins by hand, the list of the search by images, and
// systems that need another search.
#include <gtest/gtest.h>

#include "neighbors/periodic/bins/bins_item.hpp"
#include "neighbors/periodic/image_list.hpp"
#include "neighbors/periodic/system_cell.hpp"
#include "neighbors/periodic/systems.hpp"
#include "support/method_suite.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

const PeriodicCell skewed{{{{1, 0, 0}, {0.4, 1, 0}, {-0.3, 0.2, 1}}}, everywhere};
const PeriodicCell left_handed{{{{0.2, 0.9, 0.1}, {1, 0.1, -0.3}, {0.1, 0.2, 1.1}}}, everywhere};
const PeriodicCell thin{{{{0.1, 0, 0}, {0.02, 0.11, 0}, {0, 0, 60}}}, everywhere};

/// Bins of a box for points in period 0.
bool bins_of_box(std::array<double, 3> edges, double radius, std::int64_t most, BinGrid& grid) {
  const SystemCell cell =
      system_cell<double>({{{{edges[0], 0, 0}, {0, edges[1], 0}, {0, 0, edges[2]}}}, everywhere}, -1);
  PeriodExtent extent;
  for (int k = 0; k < 3; ++k) extent.least_periods[k] = extent.most_periods[k] = 0;
  extent.largest = 1;
  FixedPeriods margins{};
  return shift_margins<double>(cell, extent, 10, radius, margins) && make_bins(cell, extent, margins, 10, most, grid);
}

TEST(Bins, AreAsWideAsTheRadius) {
  BinGrid grid{};
  ASSERT_TRUE(bins_of_box({5.5, 0.3, 2}, 1, 100, grid));
  const std::int32_t count[] = {5, 1, 1}, reach[] = {1, 4, 1}, periods[] = {1, 4, 1};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(grid.count[k], count[k]) << k;
    EXPECT_EQ(grid.reach[k], reach[k]) << k;
    EXPECT_EQ(grid.periods[k], periods[k]) << k;
  }
  EXPECT_EQ(grid.combinations(), 3 * 9 * 3);
  EXPECT_TRUE(grid.equal_periods);
}

TEST(Bins, AreNoMoreThanTheGivenNumber) {
  BinGrid grid{};
  ASSERT_TRUE(bins_of_box({80.5, 1.5, 1.5}, 1, 30, grid));
  EXPECT_EQ(grid.count[0], 20);
  EXPECT_EQ(grid.reach[0], 1);
  EXPECT_FALSE(bins_of_box({0.1, 0.1, 0.1}, 1, 30, grid)) << "21^3 combinations of periods";
}

TEST(Bins, NumberCombinationsAsShiftsAscend) {
  BinGrid grid{};
  ASSERT_TRUE(bins_of_box({5.5, 0.3, 2}, 1, 100, grid));
  std::int32_t expected = 0;
  for (std::int32_t a = -1; a <= 1; ++a)
    for (std::int32_t b = -4; b <= 4; ++b)
      for (std::int32_t c = -1; c <= 1; ++c, ++expected) {
        EXPECT_EQ(grid.combination({a, b, c}), expected);
        std::int32_t periods[3];
        grid.set_periods(expected, periods);
        EXPECT_EQ((std::array{periods[0], periods[1], periods[2]}), (std::array{a, b, c}));
      }
}

TEST(Bins, OfPlacesOutsideTheCellHaveAPeriod) {
  BinGrid grid{};
  ASSERT_TRUE(bins_of_box({5.5, 2, 2}, 1, 100, grid));
  for (const std::int32_t outside : {-11, -10, -1, 0, 4, 5, 14}) {
    std::int32_t bin = outside;
    const std::int32_t period = take_period(grid, 0, bin);
    EXPECT_EQ(5 * period + bin, outside);
    EXPECT_GE(bin, 0);
    EXPECT_LT(bin, 5);
  }
  const Bin bin = grid.bin_of({{(std::int64_t{-7} << 32) + (std::int64_t{1} << 31), 0, -1}});
  EXPECT_EQ(bin.along[0], 2) << "of 5 bins, half a period after the beginning of period -7";
  EXPECT_EQ(bin.along[2], grid.count[2] - 1);
}

class BinSearchOnDevice : public DeviceTest {
 protected:
  /// Expects the list of the search by images, which the method `serial` takes.
  template <class Real>
  void expect_list_of_images(double radius, const Distribution<Real>& points, const PeriodicCell& cell,
                             PeriodicNeighborsOptions options = with_all_outputs) const {
    const Queue on = queue();
    const DevicePoints<Real> set(on, points);
    PeriodicNeighbors<Real> neighbors(on, radius, options);
    neighbors.find(set.points(), cell);
    EXPECT_EQ(neighbors.image_count(), 0) << points.name << ": not by bins";
    options.method = "rows";
    const ImageList<Real> expected = find_images(radius, points, cell, options);
    EXPECT_GT(expected.i.size(), 0u);
    EXPECT_TRUE(image_list(neighbors, on) == expected) << points.name << ", " << points.count() << " points";
  }
};

TEST_P(BinSearchOnDevice, HasTheListOfImages) {
  for (const PeriodicCell& cell : {skewed, left_handed})
    for (const double radius : {0.03, 0.1, 0.18}) {
      expect_list_of_images(radius, uniform<float>(1'500), cell);
      expect_list_of_images(radius, uniform<double>(2'100), cell);
      expect_list_of_images(radius / 2 + 0.07, packed<double>(13 * 13 * 13), cell);
    }
}

TEST_P(BinSearchOnDevice, FindsThePairsOfPointsInDifferentPeriods) {
  auto points = uniform<double>(1'300);
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    points.x[i] += static_cast<double>(i % 5) - 2;
    points.y[i] -= static_cast<double>(i % 300) * 7;
  }
  for (const PeriodicCell& cell : {skewed, left_handed}) expect_list_of_images(0.15, points, cell);
}

TEST_P(BinSearchOnDevice, FindsManyImagesInCellsSmallerThanTheRadius) {
  auto points = uniform<float>(1'100);
  for (float& z : points.z) z *= 60;
  expect_list_of_images(0.3, points, thin);
}

TEST_P(BinSearchOnDevice, SelectsPairsByOptions) {
  for (const auto predicate : {Predicate::strict, Predicate::inclusive})
    for (const bool include_self : {false, true})
      for (const bool half : {false, true})
        expect_list_of_images(0.125, packed<double>(12 * 12 * 12), skewed,
                              {.predicate = predicate, .include_self = include_self, .half = half, .distances = half});
}

TEST_P(BinSearchOnDevice, FindsLongRows) {
  Distribution<double> points = uniform<double>(12'000);
  const Distribution<double> ball = uniform<double>(600, 2);
  for (std::size_t i = 0; i < ball.x.size(); ++i)
    points.add(0.5 + 0.01 * ball.x[i], 0.5 + 0.01 * ball.y[i], 0.5 + 0.01 * ball.z[i]);
  const Queue on = queue();
  const DevicePoints<double> set(on, points);
  PeriodicNeighbors<double> neighbors(on, 0.05, with_all_outputs);
  neighbors.find(set.points(), skewed);
  EXPECT_TRUE(image_list(neighbors, on) ==
              find_images(0.05, points, skewed, {.method = "rows", .distances = true, .displacements = true}));
}

TEST_P(BinSearchOnDevice, LeavesClustersAndOpenDirectionsToImages) {
  const Queue on = queue();
  const PeriodicCell slab{{{{1, 0, 0}, {0, 1, 0}, {}}}, {true, true, false}};
  const auto images = [&](double radius, const Distribution<float>& points, const PeriodicCell& cell) {
    const DevicePoints<float> set(on, points);
    PeriodicNeighbors<float> neighbors(on, radius);
    neighbors.find(set.points(), cell);
    return neighbors.image_count();
  };
  Distribution<float> cluster = uniform<float>(3'000);
  for (std::vector<float>* axis : {&cluster.x, &cluster.y, &cluster.z})
    for (float& x : *axis) x *= 0.01F;
  EXPECT_GT(images(0.02, cluster, skewed), 0);
  EXPECT_GT(images(0.1, uniform<float>(3'000), slab), 0);
  EXPECT_EQ(images(0.1, uniform<float>(3'000), skewed), 0);
}

INSTANTIATE_TEST_SUITE_P(AllDevices, BinSearchOnDevice, every_device, device_test_name);

}  // namespace
}  // namespace shoal::neighbors
