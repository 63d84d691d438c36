// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <shoal/neighbors.hpp>

#include <cmath>

#include "support/distributions.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

const Box periodic_x{3, {true, false, false}, {0, 0, 0}, {1, 1, 1}};

class NeighborsErrors : public DeviceTest {
 protected:
  std::string message_of_search(const Distribution<float>& points) {
    const Queue on = queue();
    Neighbors<float> neighbors(on, 0.1, periodic_x);
    const DevicePoints<float> device(on, points);
    return message_of([&] { neighbors.find(device.points()); });
  }
};

INSTANTIATE_TEST_SUITE_P(AllDevices, NeighborsErrors, every_device, device_test_name);

TEST_P(NeighborsErrors, NameTheFirstPointThatIsNotFinite) {
  Distribution<float> points = uniform<float>(42'793);
  points.z[40'000] = INFINITY;
  EXPECT_EQ(message_of_search(points),
            "neighbors: point 40000: z = inf m, expected a finite position. Repair or remove it.");
  points.y[39'999] = std::nanf("");
  EXPECT_EQ(message_of_search(points), "neighbors: point 39999: y is not a number. Repair or remove it.");
  points.x[17] = -std::numeric_limits<float>::max();
  EXPECT_EQ(message_of_search(points),
            "neighbors: point 17: x = -3.4028235e+38 m is more than one period outside the box [0, 1] m. Wrap it into "
            "the box.");
}

TEST_P(NeighborsErrors, NamePointsFarOutsideThePeriod) {
  Distribution<float> points = uniform<float>(10);
  points.x[3] = 1.75f;
  EXPECT_EQ(message_of_search(points), "no error");
  points.x[4] = 2.25f;
  EXPECT_EQ(message_of_search(points),
            "neighbors: point 4: x = 2.25 m is more than one period outside the box [0, 1] m. Wrap it into the box.");
}

TEST_P(NeighborsErrors, NameTheSetOfAnInvalidPoint) {
  const Queue on = queue();
  Neighbors<float> neighbors(on, 0.1);
  Distribution<float> points = uniform<float>(5);
  const DevicePoints<float> good(on, points);
  points.x[2] = std::nanf("");
  const DevicePoints<float> bad(on, points);
  EXPECT_EQ(message_of([&] { neighbors.find(bad.points(), good.points()); }),
            "neighbors: destination 2: x is not a number. Repair or remove it.");
  EXPECT_EQ(message_of([&] { neighbors.find(good.points(), bad.points()); }),
            "neighbors: source 2: x is not a number. Repair or remove it.");
  EXPECT_NO_THROW(neighbors.find(good.points()));
}

TEST(NeighborsBadCalls, AreReported) {
  const Queue queue = Queue::cpu(1);
  Neighbors<float> neighbors(queue, 0.1);
  const std::vector<float> three(3);
  const std::vector<float> two(2);
  EXPECT_EQ(message_of([&] { neighbors.find({three, two, three}); }), "neighbors: y has 2 elements, expected 3.");
  EXPECT_EQ(message_of([&] { neighbors.find({three, three}); }), "neighbors: z has 0 elements, expected 3.");
  EXPECT_EQ(message_of([&] {
              neighbors.find({three, three, three}, {two, three, two});
            }),
            "neighbors (sources): y has 3 elements, expected 2.");
  const View<const float> elsewhere(three.data(), 3, {DeviceKind::cuda, 0});
  EXPECT_EQ(message_of([&] {
              neighbors.find({three, elsewhere, three});
            }),
            "neighbors: y is on cuda:0, the queue works on cpu. Copy it there first.");
}

std::string message_of_plan(double radius, const Box& box = {}, const NeighborsOptions& options = {}) {
  return message_of([&] { Neighbors<float>(Queue::cpu(), radius, box, options); });
}

TEST(NeighborsBadPlans, AreReported) {
  EXPECT_EQ(message_of_plan(0), "neighbors: radius = 0 m, expected a positive length.");
  EXPECT_EQ(message_of_plan(-1), "neighbors: radius = -1 m, expected a positive length.");
  EXPECT_EQ(message_of_plan(std::nan("")), "neighbors: radius = nan m, expected a positive length.");
  EXPECT_EQ(message_of_plan(1e-30),
            "neighbors: radius = 1e-30 m, whose square float cannot hold. Choose other units or double.");
  EXPECT_EQ(message_of_plan(1e30),
            "neighbors: radius = 1e+30 m, whose square float cannot hold. Choose other units or double.");
  EXPECT_EQ(message_of_plan(1, {.dimensions = 4}), "neighbors: dimensions = 4, expected 1, 2 or 3.");
  EXPECT_EQ(message_of_plan(0.6, periodic_x),
            "neighbors: the box spans [0, 1] m along the periodic axis x, less than twice the radius of 0.6 m: a point "
            "could be a neighbor twice. Use a smaller radius or a larger box.");
  EXPECT_EQ(message_of_plan(0.6, {3, {false, true, false}, {0, 1, 0}, {0, 1, 0}}),
            "neighbors: the box spans [1, 1] m along the periodic axis y, expected a positive, finite length.");
  EXPECT_EQ(message_of_plan(1, {}, {.method = "linked_list"}),
            "neighbors: method `linked_list` is not available on cpu. This build has on cpu: " +
                cpu_methods("neighbors") + ".");
}

TEST(PredicateNames, ReadBack) {
  EXPECT_EQ(to_name(Predicate::inclusive), "inclusive");
  EXPECT_EQ(from_name<Predicate>("strict"), Predicate::strict);
}

}  // namespace
}  // namespace shoal::neighbors
