// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <shoal/cells.hpp>

#include <cmath>

#include "support/method_suite.hpp"
#include "support/points_outside.hpp"

namespace shoal {
namespace {

using namespace testing_support;

const Grid unit = unit_grid();

template <class Real>
std::string message_of_binning(const Queue& queue, const Grid& grid, const Distribution<Real>& points) {
  Cells<Real> cells(queue, grid);
  const DevicePoints<Real> device(queue, points);
  cells.bin(device.x, device.y, device.z);
  return message_of([&] { queue.wait(); });
}

class CellsErrors : public DeviceTest {};

INSTANTIATE_TEST_SUITE_P(AllDevices, CellsErrors, every_device, device_test_name);

TEST_P(CellsErrors, NameTheFirstPointOutside) {
  EXPECT_EQ(
      message_of_binning(queue(), unit, first_outside_is_31234()),
      "cells: point 31234 is outside the grid: y = 1.0000001 m, allowed [0, 1] m. Enlarge the grid or set outside "
      "to \"bucket\".");
}

TEST_P(CellsErrors, PrintFloatsAsFloats) {
  Distribution<float> points = uniform<float>(5);
  points.x[3] = -0.1f;
  EXPECT_EQ(message_of_binning(queue(), Grid::fill(3, {0, 0, 0}, {0.7, 1, 1}, 0.1), points).substr(0, 71),
            "cells: point 3 is outside the grid: x = -0.1 m, allowed [0, 0.7] m. Enl");
}

TEST_P(CellsErrors, NameNanAndInfinity) {
  Distribution<float> points = uniform<float>(10);
  points.z[4] = std::nanf("");
  EXPECT_EQ(
      message_of_binning(queue(), unit, points),
      "cells: point 4 has no cell: z = nan; expected a finite coordinate. Repair it or set outside to \"bucket\".");
  points.y[2] = INFINITY;
  EXPECT_EQ(message_of_binning(queue(), unit, points),
            "cells: point 2 is outside the grid: y = inf m, allowed [0, 1] m. Enlarge the grid or set outside to "
            "\"bucket\".");
}

TEST_P(CellsErrors, PeriodicAxesRefuseInfinity) {
  Distribution<double> points = uniform<double>(3);
  points.x[0] = 5;
  points.x[1] = INFINITY;
  EXPECT_EQ(message_of_binning(queue(), Grid::fill(3, {}, {1, 1, 1}, 0.25, {true, true, true}), points).substr(0, 45),
            "cells: point 1 is outside the grid: x = inf m");
}

using BinnedPoints = GoodAndBadPoints<Cells<float>, float>;

TEST_P(CellsErrors, AreReportedOnce) {
  BinnedPoints points(queue());
  points.bin(points.bad);
  EXPECT_THROW(points.queue.wait(), Error);
  EXPECT_NO_THROW(points.queue.wait());
  points.bin(points.good);
  EXPECT_NO_THROW(points.queue.wait());
}

TEST_P(CellsErrors, KeepTheValueOfAnEarlierCall) {
  BinnedPoints points(queue());
  points.bin(points.bad);
  points.bin(points.good);
  EXPECT_EQ(points.message_of_wait().substr(0, 43), "cells: point 2 is outside the grid: x = 9 m");
}

TEST_P(CellsErrors, LeaveNoOrderToReorderBy) {
  BinnedPoints points(queue());
  Array<float> out(points.queue, 5);
  const auto reorder = [&] { points.plan.reorder(View<const float>(points.good.x), View<float>(out)); };
  points.bin(points.bad);
  EXPECT_THROW(points.queue.wait(), Error);
  EXPECT_EQ(message_of(reorder),
            "cells: there is no order, since the last bin() refused its points. Call bin() first.");
  points.bin(points.good);
  EXPECT_NO_THROW(reorder());
}

TEST(CellsBadCalls, SayWhatWasExpected) {
  const Queue queue = Queue::cpu(1);
  Cells<double> cells(queue, unit);
  const std::vector<double> three(3);
  const std::vector<double> two(2);
  std::vector<double> out(2);
  EXPECT_EQ(message_of([&] { cells.bin(three, two, three); }), "cells: y has 2 elements, expected 3.");
  EXPECT_EQ(message_of([&] { cells.bin(three, three); }),
            "cells: the grid has 3 dimensions, got x and y alone. Pass z too.");
  const View<const double> elsewhere(three.data(), 3, {DeviceKind::cuda, 1});
  EXPECT_EQ(message_of([&] { cells.bin(three, three, elsewhere); }),
            "cells: z is on cuda:1, the queue works on cpu. Copy it there first.");
  const View<const double> many(nullptr, 3'000'000'000);
  EXPECT_EQ(message_of([&] { cells.bin(many, many, many); }),
            "cells: 3000000000 points, expected at most 2147483646. Split them into several sets.");
  cells.bin(three, three, three);
  EXPECT_EQ(message_of([&] { cells.reorder(View<const double>(three), View<double>(out)); }),
            "cells: the reordered array has 2 elements, expected 3.");
}

TEST(CellsBadCalls, AnUnknownMethodListsTheMethods) {
  EXPECT_EQ(message_of([] { Cells<float>(Queue::cpu(), unit, {.method = "hash"}); }),
            "cells: method `hash` is not available on cpu. This build has on cpu: " + cpu_methods("cells") + ".");
}

TEST(CellsBadCalls, AGridTooFarAwayForFloat) {
  EXPECT_EQ(message_of([] {
              Cells<float>(Queue::cpu(), Grid{2, {1e9, 0, 0}, {1e-3, 1, 1}, {10, 10, 1}, {}});
            }),
            "cells: the grid spans [1000000000, 1000000000.01] m along x with a spacing of 0.001 m, which float cannot "
            "resolve. "
            "Move the origin nearer or use double.");
  EXPECT_EQ(message_of([] {
              Cells<float>(Queue::cpu(), Grid{.cells = {0, 1, 1}});
            }),
            "grid: 0 cells along x, expected at least 1.");
}

TEST(OutsideNames, ReadBack) {
  EXPECT_EQ(to_name(Outside::bucket), "bucket");
  EXPECT_EQ(from_name<Outside>("error"), Outside::error);
  EXPECT_EQ(message_of([] { from_name<Outside>("clamp"); }), "unknown name \"clamp\"; expected one of error, bucket.");
}

}  // namespace
}  // namespace shoal
