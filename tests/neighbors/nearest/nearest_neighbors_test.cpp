// SPDX-License-Identifier: Apache-2.0
// The k nearest neighbors: answers by hand, brute force, ties, and what is refused.
#include <shoal/neighbors/nearest.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "neighbors/nearest/nearest_rows.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

TEST(NearestNeighbors, OfFourPointsOnALineByHand) {
  const auto points = on_a_line<double>({3, 2.5, 0, 2.25});
  const double none = std::numeric_limits<double>::infinity();
  EXPECT_EQ(find_nearest(2, {}, {}, 1, points),
            (Nearest<double>{{1, 3, 3, 0, 3, 1, 1, 0}, {0.5, 0.75, 0.25, 0.5, 2.25, 2.5, 0.25, 0.75}}));
  EXPECT_EQ(find_nearest(1, {}, {.include_self = true}, 1, points), (Nearest<double>{{0, 1, 2, 3}, {0, 0, 0, 0}}));
  EXPECT_EQ(find_nearest(3, {}, {}, 1, on_a_line<double>({0, 4})),
            (Nearest<double>{{1, -1, -1, 0, -1, -1}, {4, none, none, 4, none, none}}));
}

TEST(NearestNeighbors, OfAPointNearTheBoundAreAcrossThePeriod) {
  const auto points = on_a_line<float>({0.125F, 0.5F, 0.875F});
  EXPECT_EQ(find_nearest(1, {1, {true, false, false}, {}, {1, 0, 0}}, {}, 1, points),
            (Nearest<float>{{2, 0, 0}, {0.25F, 0.375F, 0.25F}}));
}

TEST(NearestNeighbors, OfALatticeAreTheSmallestNumbersAmongEqualDistances) {
  Distribution<float> points{"lattice", {}, {}, {}};
  const auto coordinate = [](int k) { return static_cast<double>(k % 8); };
  for (int i = 0; i < 512; ++i) points.add(coordinate(i), coordinate(i / 8), coordinate(i / 64));
  for (const int count : {1, 4, 6, 7, 30}) {
    const Box box{3, {true, true, true}, {0, 0, 0}, {8, 8, 8}};
    const Nearest<float> expected = brute_force_nearest(count, box, false, points, points);
    EXPECT_EQ(expected.distances[0], 1);
    EXPECT_TRUE(find_nearest(count, box, {}, 2, points) == expected) << count;
  }
}

template <class Real>
void expect_brute_force() {
  const auto few = clustered<Real>(70);
  for (const Distribution<Real>& points : every_distribution<Real>(150))
    for (const Box& box : {Box{}, unit_periodic, Box{.dimensions = 2}, Box{1, {true, false, false}, {}, {1, 0, 0}},
                           Box{3, {false, true, true}, {0, 0, -0.5}, {0, 1, 1.5}}})
      for (const int count : {1, 9}) {
        const auto one_set = [&](bool include_self, int threads) {
          return find_nearest(count, box, {.include_self = include_self}, threads, points);
        };
        const Nearest<Real> expected = brute_force_nearest(count, box, false, points, points);
        EXPECT_TRUE(one_set(false, 1) == expected) << points.name << ", " << count;
        EXPECT_TRUE(one_set(false, 3) == expected) << points.name << ", " << count << ", 3 threads";
        EXPECT_TRUE(one_set(true, 2) == brute_force_nearest(count, box, true, points, points)) << points.name;
        EXPECT_TRUE(find_nearest(count, box, {}, 2, few, points) == brute_force_nearest(count, box, false, few, points))
            << points.name << ", " << count << ", two sets";
      }
}

TEST(NearestNeighbors, AreThoseOfBruteForceInFloat) { expect_brute_force<float>(); }
TEST(NearestNeighbors, AreThoseOfBruteForceInDouble) { expect_brute_force<double>(); }

TEST(NearestNeighbors, OfManyThreadsBuildTheSameTree) {
  const auto points = half_in_a_clump<double>(40'000);
  EXPECT_TRUE(find_nearest(5, unit_periodic, {}, 1, points) == find_nearest(5, unit_periodic, {}, 4, points));
}

TEST(NearestNeighbors, WithinTheRadiusOfTheFarthestAreTheListOfNeighbors) {
  const auto points = uniform<float>(2'000);
  const Nearest<float> nearest = find_nearest(12, {}, {}, 2, points);
  for (const std::size_t i : {0u, 700u, 1'999u}) {
    const double farthest = nearest.distances[12 * i + 11];
    std::vector<std::int32_t> row(nearest.indices.begin() + 12 * static_cast<std::ptrdiff_t>(i),
                                  nearest.indices.begin() + 12 * static_cast<std::ptrdiff_t>(i) + 12);
    std::sort(row.begin(), row.end());
    EXPECT_EQ(find(Queue::cpu(2), {.radius = std::nextafter(static_cast<float>(farthest), 2.0F)}, points).row(i), row);
  }
}

TEST(NearestNeighbors, OfSetsWithoutPointsAreNone) {
  const Distribution<float> none{"none", {}, {}, {}};
  EXPECT_EQ(find_nearest(3, {}, {}, 1, none), Nearest<float>{});
  EXPECT_EQ(find_nearest(3, {}, {}, 1, none, uniform<float>(5)), Nearest<float>{});
  EXPECT_EQ(find_nearest(1, {}, {}, 1, uniform<float>(2), none),
            (Nearest<float>{{-1, -1}, std::vector<float>(2, std::numeric_limits<float>::infinity())}));
}

TEST(NearestNeighbors, OfASecondSearchOfEqualSizeNeedNoMemory) {
  NearestNeighbors<float> nearest(Queue::cpu(2), 4);
  const auto points = uniform<float>(500);
  nearest.find(points.points());
  const Nearest<float> first = host_result(nearest);
  const std::int64_t bytes = nearest.scratch_bytes();
  const void* const rows = nearest.indices().data;
  nearest.find(points.points());
  EXPECT_EQ(host_result(nearest), first);
  EXPECT_EQ(nearest.scratch_bytes(), bytes);
  EXPECT_EQ(nearest.indices().data, rows);
}

TEST(NearestNeighborsBadCalls, AreReported) {
  const Queue queue = Queue::cpu(1);
  EXPECT_EQ(message_of([&] { NearestNeighbors<float>(queue, 0); }),
            "neighbors: count = 0 nearest points, expected at least 1.");
  EXPECT_EQ(message_of([&] { NearestNeighbors<float>(queue, 1, {.dimensions = 4}); }),
            "neighbors: dimensions = 4, expected 1, 2 or 3.");
  EXPECT_EQ(message_of([&] {
              NearestNeighbors<float>(queue, 1, {1, {true, false, false}, {}, {}});
            }),
            "neighbors: the box spans [0, 0] m along the periodic axis x, expected a positive, finite length.");
  NearestNeighbors<float> nearest(queue, 1, unit_periodic);
  auto points = uniform<float>(20);
  const auto good = uniform<float>(3);
  points.y[7] = 3;
  EXPECT_EQ(message_of([&] { nearest.find(points.points()); }),
            "neighbors: point 7: y = 3 m is more than one period outside the box [0, 1] m. Wrap it into the box.");
  EXPECT_EQ(nearest.indices().count, 0) << "no result";
  points.y[7] = std::nanf("");
  EXPECT_EQ(message_of([&] { nearest.find(good.points(), points.points()); }),
            "neighbors: source 7: y is not a number. Repair or remove it.");
  EXPECT_EQ(message_of([&] { nearest.find(points.points(), good.points()); }),
            "neighbors: destination 7: y is not a number. Repair or remove it.");
  EXPECT_EQ(message_of([&] { nearest.find({points.x, points.y}); }), "neighbors: z has 0 elements, expected 20.");
  EXPECT_NO_THROW(nearest.find(good.points()));
  EXPECT_EQ(nearest.indices().count, 3);
}

}  // namespace
}  // namespace shoal::neighbors
