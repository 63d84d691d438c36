// SPDX-License-Identifier: Apache-2.0
// Systems whose points are all compared with each other: shifts by hand, cells that are nearly flat, and the choice of the
// search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neighbors/periodic/direct/shifts_item.hpp"
#include "neighbors/periodic/image_list.hpp"
#include "neighbors/periodic/system_cell.hpp"
#include "neighbors/periodic/systems.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

/// Multiples of 2^-32 periods.
FixedPeriods fixed(double a, double b, double c) {
  const auto units = [](double periods) { return static_cast<std::int64_t>(0x1p32 * periods); };
  return {{units(a), units(b), units(c)}};
}

TEST(ShiftRanges, BringThePlaceOfTheSecondPointWithinTheMargins) {
  const ShiftRange range(fixed(0.125, 0, 5.5), fixed(0.875, 0, -3.25), fixed(0.375, 0.25, 1.75));
  // -0.75 ± 0.375, 0 ± 0.25 and 8.75 ± 1.75
  const std::int32_t first[] = {-1, 0, 7}, count[] = {1, 1, 4};
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(range.first[k], first[k]) << k;
    EXPECT_EQ(range.count[k], count[k]) << k;
  }
  EXPECT_EQ(range.total(), 4);
}

TEST(ShiftRanges, AreEmptyIfNoShiftBringsThePointsTogether) {
  EXPECT_EQ(ShiftRange(fixed(0, 0, 0), fixed(0.5, 0, 0), fixed(0.25, 1, 1)).total(), 0);
  EXPECT_EQ(ShiftRange(fixed(0, 0, 0), fixed(0.5, 0, 0.5), fixed(0.25, 1, 0.25)).total(), 0) << "two negative counts";
}

TEST(ShiftMargins, OfACubeAreTheRadiusInPeriods) {
  const PeriodicCell cube{{{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}}, everywhere};
  PeriodExtent extent;
  for (int k = 0; k < 3; ++k) extent.least_periods[k] = extent.most_periods[k] = 0;
  extent.largest = 4;
  FixedPeriods margins{};
  ASSERT_TRUE(shift_margins<double>(system_cell<double>(cube, -1), extent, 10, 1, margins));
  for (const std::int64_t margin : margins.along) {
    EXPECT_GE(margin, (std::int64_t{1} << 30) + 2);
    EXPECT_LE(margin, (std::int64_t{1} << 30) + 3);
  }
  EXPECT_FALSE(shift_margins<double>(system_cell<double>(cube, -1), extent, 10, 4 * 51, margins)) << "103^3 shifts";
}

class DirectSearchOnDevice : public DeviceTest {
 protected:
  template <class Real>
  ImageList<Real> find(double radius, const Distribution<Real>& points, const PeriodicCell& cell,
                       const char* method) const {
    const Queue on = queue();
    const DevicePoints<Real> set(on, points);
    PeriodicNeighborsOptions options = with_all_outputs;
    options.method = method;
    PeriodicNeighbors<Real> neighbors(on, radius, options);
    neighbors.find(set.points(), cell);
    return image_list(neighbors, on);
  }

  template <class Real>
  void expect_equal_searches(double radius, const Distribution<Real>& points, const PeriodicCell& cell) const {
    const ImageList<Real> list = find(radius, points, cell, "auto");
    EXPECT_GT(list.i.size(), 0u);
    EXPECT_TRUE(list == find(radius, points, cell, "rows")) << points.name;
  }
};

TEST_P(DirectSearchOnDevice, LosesNoPairInNearlyFlatCells) {
  const auto flat = [](double height) { return PeriodicCell{{{{1, 0, 0}, {1, height, 0}, {}}}, {true, true, false}}; };
  expect_equal_searches(0.02, uniform<double>(12), flat(1e-4));
  expect_equal_searches(0.02, uniform<double>(12), flat(1e-2));
  expect_equal_searches(0.02, uniform<float>(12), flat(1e-2));
}

TEST_P(DirectSearchOnDevice, FindsPointsThatAreManyPeriodsApart) {
  auto points = uniform<double>(40);
  for (std::size_t i = 0; i < points.x.size(); ++i) points.x[i] += 1e6 * static_cast<double>(i % 7);
  const PeriodicCell skewed{{{{1, 0, 0}, {0.7, 0.8, 0}, {-0.6, 0.9, 0.7}}}, everywhere};
  expect_equal_searches(0.7, points, skewed);
}

TEST_P(DirectSearchOnDevice, FindsThousandsOfShiftsOfFewPoints) {
  const PeriodicCell small{{{{0.1, 0, 0}, {0.03, 0.09, 0}, {0, 0.01, 0.12}}}, everywhere};
  expect_equal_searches(1.1, uniform<float>(3), small);
}

TEST_P(DirectSearchOnDevice, IsChosenForSmallSystems) {
  const Queue on = queue();
  const PeriodicCell slab{{{{1, 0, 0}, {0, 1, 0}, {}}}, {true, true, false}};
  for (const std::int64_t n : {60, 5'000}) {
    const DevicePoints<float> set(on, uniform<float>(n));
    PeriodicNeighbors<float> neighbors(on, 0.1);
    neighbors.find(set.points(), slab);
    EXPECT_EQ(neighbors.image_count() > 0, n > 60);
    EXPECT_GT(neighbors.pair_count(), 0);
  }
}

TEST_P(DirectSearchOnDevice, NeedsNoCommonPlaceOfWideSystems) {
  const Queue on = queue();
  Distribution<double> points{"wide", {}, {}, {}};
  std::vector<std::int64_t> starts{0};
  for (int system = 0; system < 50; ++system) {
    for (const double x : {0.0, 0.5, 1e13}) points.add(x, 0, 0);
    starts.push_back(points.count());
  }
  const DevicePoints<double> set(on, points);
  const PeriodicCell open[1];
  const auto find = [&](const char* method) {
    PeriodicNeighbors<double> neighbors(on, 1, {.method = method});
    neighbors.find(set.points(), starts, open);
    return neighbors.pair_count();
  };
  EXPECT_EQ(find("auto"), 100);
  EXPECT_THAT(message_of([&] { find("rows"); }), testing::HasSubstr("m wide together"));
}

INSTANTIATE_TEST_SUITE_P(AllDevices, DirectSearchOnDevice, every_device, device_test_name);

}  // namespace
}  // namespace shoal::neighbors
