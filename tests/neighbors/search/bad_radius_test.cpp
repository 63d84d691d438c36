// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "neighbors/neighbor_lists.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class BadRadius : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, BadRadius, every_device, device_test_name);

const NeighborsOptions symmetric{.radius = Radius::symmetric};

template <class Real>
Distribution<Real> good_points(std::int64_t n) {
  auto points = uniform<Real>(n);
  points.radius.assign(static_cast<std::size_t>(n), Real(0.1));
  return points;
}

template <class Real>
std::string message_of_radius(const Queue& queue, Real invalid) {
  Neighbors<Real> neighbors(queue, 1, {}, symmetric);
  auto points = good_points<Real>(5'000);
  points.radius[4'321] = invalid;
  points.radius[4'999] = -7;
  const DevicePoints<Real> device(queue, points);
  return message_of([&] { neighbors.find(device.points()); });
}

TEST_P(BadRadius, IsNamed) {
  const auto in_float = [&](float radius) { return message_of_radius(queue(), radius); };
  const std::string end = " m, expected a positive length whose square float can hold.";
  EXPECT_EQ(in_float(std::nanf("")), "neighbors: point 4321: radius = nan" + end);
  EXPECT_EQ(in_float(0), "neighbors: point 4321: radius = 0" + end);
  EXPECT_EQ(in_float(-0.5F), "neighbors: point 4321: radius = -0.5" + end);
  EXPECT_EQ(in_float(1e-30F), "neighbors: point 4321: radius = 1e-30" + end);
  EXPECT_EQ(in_float(1e30F), "neighbors: point 4321: radius = 1e+30" + end);
  EXPECT_EQ(in_float(std::numeric_limits<float>::infinity()), "neighbors: point 4321: radius = inf" + end);
  EXPECT_EQ(message_of_radius(queue(), 1e-200),
            "neighbors: point 4321: radius = 1e-200 m, expected a positive length whose square double can hold.");
}

TEST_P(BadRadius, IsNamedWithItsSet) {
  const Queue on = queue();
  Neighbors<float> neighbors(on, 1, {}, symmetric);
  auto points = good_points<float>(5);
  const DevicePoints<float> good(on, points);
  points.radius[2] = 0;
  const DevicePoints<float> bad(on, points);
  EXPECT_EQ(message_of([&] { neighbors.find(bad.points(), good.points()); }),
            "neighbors: destination 2: radius = 0 m, expected a positive length whose square float can hold.");
  EXPECT_EQ(message_of([&] { neighbors.find(good.points(), bad.points()); }),
            "neighbors: source 2: radius = 0 m, expected a positive length whose square float can hold.");
}

TEST_P(BadRadius, LeavesThePlanUsable) {
  const Queue on = queue();
  Neighbors<float> neighbors(on, 1, {}, symmetric);
  const auto points = good_points<float>(1'000);
  auto wrong = points;
  wrong.radius[7] = 0;
  const DevicePoints<float> good(on, points);
  const DevicePoints<float> bad(on, wrong);
  EXPECT_NE(message_of([&] { neighbors.find(bad.points(), bad.points()); }), "no error");
  neighbors.find(good.points());  // the wait threw the first error only and cleared both
  EXPECT_THAT(list_of(on, neighbors), SameList(find(on, {.radius = 0.1}, points)));
}

TEST_P(BadRadius, IsMoreThanHalfOfThePeriod) {
  const Queue on = queue();
  const Box box{3, {false, true, false}, {0, -1, 0}, {0, 1, 0}};
  auto points = good_points<float>(100);
  points.radius[41] = 1.1F;
  const DevicePoints<float> device(on, points);
  for (const Radius radius : {Radius::gather, Radius::scatter, Radius::symmetric})
    for (const Predicate predicate : {Predicate::strict, Predicate::inclusive}) {
      Neighbors<float> neighbors(on, 1, box, {.predicate = predicate, .radius = radius});
      EXPECT_EQ(message_of([&] { neighbors.find(device.points()); }),
                "neighbors: the box spans [-1, 1] m along the periodic axis y, less than twice the radius of 1.1 m: a "
                "point could be a neighbor twice. Use a smaller radius or a larger box.");
      points.radius[41] = 1;
      const DevicePoints<float> smaller(on, points);
      EXPECT_EQ(message_of([&] { neighbors.find(smaller.points()); }), "no error");
    }
}

TEST_P(BadRadius, MustBeOnTheDeviceOfTheQueue) {
  const Queue on = queue();
  Neighbors<float> neighbors(on, 1, {}, symmetric);
  const DevicePoints<float> device(on, good_points<float>(3));
  const bool on_cpu = on.on_cpu();
  const Device elsewhere{on_cpu ? DeviceKind::cuda : DeviceKind::cpu, 0};
  Points<float> points = device.points();
  points.radius.device = elsewhere;
  EXPECT_EQ(message_of([&] { neighbors.find(points); }),
            on_cpu ? "neighbors: radius is on cuda:0, the queue works on cpu. Copy it there first."
                   : "neighbors: radius is on cpu, the queue works on cuda:0. Copy it there first.");
  EXPECT_EQ(message_of([&] { neighbors.find(device.points(), points); }),
            on_cpu ? "neighbors (sources): radius is on cuda:0, the queue works on cpu. Copy it there first."
                   : "neighbors (sources): radius is on cpu, the queue works on cuda:0. Copy it there first.");
}

TEST_P(BadRadius, IsRequiredForEveryPoint) {
  const Queue on = queue();
  Neighbors<float> neighbors(on, 1, {}, symmetric);
  const DevicePoints<float> device(on, good_points<float>(3));
  Points<float> points = device.points();
  points.radius = {};
  EXPECT_EQ(message_of([&] { neighbors.find(points); }), "neighbors: radius has 0 elements, expected 3.");
  EXPECT_EQ(message_of([&] { neighbors.find(points, device.points()); }),
            "neighbors (destinations): radius has 0 elements, expected 3.");
}

TEST(BadFactor, IsNamed) {
  const auto message_of_factor = [](double factor) {
    return message_of([&] { Neighbors<float>(Queue::cpu(1), factor, {}, symmetric); });
  };
  EXPECT_EQ(message_of_factor(0), "neighbors: radius = 0, expected a positive factor.");
  EXPECT_EQ(message_of_factor(-2), "neighbors: radius = -2, expected a positive factor.");
  EXPECT_EQ(message_of_factor(std::nan("")), "neighbors: radius = nan, expected a positive factor.");
}

}  // namespace
}  // namespace shoal::neighbors
