// SPDX-License-Identifier: Apache-2.0
// The k nearest neighbors on every device: brute force, the bits of the CPU, and errors that the device finds.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "neighbors/nearest/nearest_rows.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class NearestOnDevice : public DeviceTest {
 protected:
  template <class Real, class... Sets>
  Nearest<Real> find(int count, const Box& box, bool include_self, const Distribution<Real>& points,
                     const Sets&... sources) const {
    const Queue on = queue();
    const DevicePoints<Real> set(on, points);
    NearestNeighbors<Real> nearest(on, count, box, {.include_self = include_self});
    nearest.find(set.points(), DevicePoints<Real>(on, sources).points()...);
    return host_result(nearest, on);
  }

  template <class Real>
  void expect_brute_force() const {
    const auto few = clustered<Real>(70);
    for (const Distribution<Real>& points : every_distribution<Real>(150))
      for (const Box& box : {Box{}, unit_periodic, Box{.dimensions = 2}, Box{1, {true, false, false}, {}, {1, 0, 0}}})
        for (const int count : {1, 8, 9, 16, 31, 33, 160}) {
          for (const bool include_self : {false, true})
            EXPECT_TRUE(find(count, box, include_self, points) ==
                        brute_force_nearest(count, box, include_self, points, points))
                << points.name << ", " << count;
          EXPECT_TRUE(find(count, box, false, few, points) == brute_force_nearest(count, box, false, few, points))
              << points.name << ", " << count << ", two sets";
        }
  }

  template <class Real>
  void expect_cpu(int count, const Box& box, const Distribution<Real>& points) const {
    EXPECT_TRUE(find(count, box, false, points) == find_nearest(count, box, {}, 1, points))
        << points.name << ", " << points.count() << " points, " << count;
  }
};

TEST_P(NearestOnDevice, IsBruteForceInFloat) { expect_brute_force<float>(); }
TEST_P(NearestOnDevice, IsBruteForceInDouble) { expect_brute_force<double>(); }

TEST_P(NearestOnDevice, HasTheBitsOfOneThreadForEveryNumberOfPoints) {
  for (const std::int64_t n : {0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 129, 4'097}) {
    expect_cpu(4, {}, uniform<float>(n));
    expect_cpu(40, unit_periodic, uniform<double>(n));
  }
}

TEST_P(NearestOnDevice, HasTheBitsOfOneThreadInLargeSets) {
  expect_cpu(5, unit_periodic, half_in_a_clump<double>(40'000));
  expect_cpu(16, {}, tilted_sheet<float>(40'000));
  expect_cpu(33, {}, clustered<float>(10'000));
}

TEST_P(NearestOnDevice, SeparatesClustersOfAllScales) {
  Distribution<double> points{"scales", {}, {}, {}};
  const auto offsets = uniform<double>(300);
  for (const double scale : {1.0, 1e-4, 1e-9, 1e-14})
    for (std::size_t i = 0; i < offsets.x.size(); ++i)
      points.add(0.3 + scale * offsets.x[i], 0.7 - scale * offsets.y[i], scale * offsets.z[i]);
  expect_cpu(7, {}, points);
  points.add(1e12, -1e12, 3);
  expect_cpu(7, {}, points);
}

TEST_P(NearestOnDevice, BreaksTiesByNumberOnALattice) {
  Distribution<float> points{"lattice", {}, {}, {}};
  const auto coordinate = [](int k) { return static_cast<double>(k % 8); };
  for (int i = 0; i < 512; ++i) points.add(coordinate(i), coordinate(i / 8), coordinate(i / 64));
  const Box box{3, {true, true, true}, {0, 0, 0}, {8, 8, 8}};
  for (const int count : {1, 6, 7, 30, 50})
    EXPECT_TRUE(find(count, box, false, points) == brute_force_nearest(count, box, false, points, points)) << count;
}

TEST_P(NearestOnDevice, ReadsPointsWithAStride) {
  const Queue on = queue();
  const auto points = uniform<float>(500);
  std::vector<float> table;
  for (std::size_t i = 0; i < points.x.size(); ++i) table.insert(table.end(), {points.x[i], points.y[i], points.z[i]});
  const Array<float> device_table = to_device(on, table);
  const auto column = [&](int axis) { return View<const float>(device_table.data() + axis, 500, on.device(), 3); };
  NearestNeighbors<float> nearest(on, 6);
  nearest.find({column(0), column(1), column(2)});
  EXPECT_TRUE(host_result(nearest, on) == find_nearest(6, {}, {}, 1, points));
}

TEST_P(NearestOnDevice, OfSetsWithoutPointsAreNone) {
  const Distribution<float> none{"none", {}, {}, {}};
  EXPECT_EQ(find(3, {}, false, none), Nearest<float>{});
  EXPECT_EQ(find(3, {}, false, none, uniform<float>(5)), Nearest<float>{});
  for (const int count : {1, 34})
    EXPECT_EQ(find(count, {}, false, uniform<float>(2), none),
              (Nearest<float>{std::vector<std::int32_t>(2 * count, -1),
                              std::vector<float>(2 * count, std::numeric_limits<float>::infinity())}));
}

TEST_P(NearestOnDevice, ASecondSearchOfEqualSizeNeedsNoMemory) {
  const Queue on = queue();
  const DevicePoints<float> set(on, uniform<float>(500));
  NearestNeighbors<float> nearest(on, 4);
  nearest.find(set.points());
  const Nearest<float> first = host_result(nearest, on);
  const std::int64_t bytes = nearest.scratch_bytes();
  const void* const rows = nearest.indices().data;
  nearest.find(set.points());
  EXPECT_EQ(host_result(nearest, on), first);
  EXPECT_EQ(nearest.scratch_bytes(), bytes);
  EXPECT_EQ(nearest.indices().data, rows);
  EXPECT_EQ(nearest.indices().device, on.device());
}

TEST_P(NearestOnDevice, NamesTheFirstInvalidPoint) {
  const Queue on = queue();
  NearestNeighbors<float> nearest(on, 1, unit_periodic);
  auto points = uniform<float>(3'000);
  const DevicePoints<float> good(on, points);
  points.y[700] = 3;
  points.x[2'900] = -9;
  const DevicePoints<float> far(on, points);
  points.y[7] = std::nanf("");
  const DevicePoints<float> unknown(on, points);
  EXPECT_EQ(message_of([&] { nearest.find(far.points()); }),
            "neighbors: point 700: y = 3 m is more than one period outside the box [0, 1] m. Wrap it into the box.");
  EXPECT_EQ(nearest.indices().count, 0);
  EXPECT_EQ(message_of([&] { nearest.find(good.points(), unknown.points()); }),
            "neighbors: source 7: y is not a number. Repair or remove it.");
  EXPECT_EQ(message_of([&] { nearest.find(unknown.points(), good.points()); }),
            "neighbors: destination 7: y is not a number. Repair or remove it.");
  nearest.find(good.points());
  EXPECT_EQ(nearest.indices().count, 3'000);
}

INSTANTIATE_TEST_SUITE_P(AllDevices, NearestOnDevice, every_device, device_test_name);

}  // namespace
}  // namespace shoal::neighbors
