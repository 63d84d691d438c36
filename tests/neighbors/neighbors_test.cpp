// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/neighbors.hpp>

#include <cmath>

#include "neighbors/neighbor_lists.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

const Search searches[] = {
    {.radius = 0.11},
    {.radius = 0.11, .options = {.predicate = Predicate::inclusive, .include_self = true}},
    {.radius = 0.2, .box = unit_periodic},
    {.radius = 0.45, .box = {3, {false, true, false}, {0, 0, 0}, {1, 1, 1}}},
    {.radius = 0.5, .box = unit_periodic, .options = {.predicate = Predicate::inclusive}},
    {.radius = 5},
    {.radius = 1e-4},
    {.radius = 0.05, .box = {2, {true, false, false}, {0, 0, 0}, {1, 1, 0}}},
    {.radius = 0.03, .box = {.dimensions = 2}},
};

class EveryNeighborsMethod : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(EveryNeighborsMethod);

TEST_P(EveryNeighborsMethod, FivePointsOnALineByHand) {
  const auto points = on_a_line<double>({3, 0, 1, 1, 2.5});
  const List strict = find(queue(), with_this_method({.radius = 1}), points);
  EXPECT_EQ(strict.offsets, (std::vector<std::int64_t>{0, 1, 1, 2, 3, 4}));
  EXPECT_EQ(strict.indices, (std::vector<std::int32_t>{4, 3, 2, 0}));
  const List inclusive =
      find(queue(), with_this_method({.radius = 1, .options = {.predicate = Predicate::inclusive}}), points);
  EXPECT_EQ(inclusive.offsets, (std::vector<std::int64_t>{0, 1, 3, 5, 7, 8}));
  EXPECT_EQ(inclusive.indices, (std::vector<std::int32_t>{4, 2, 3, 1, 3, 1, 2, 0}));
  const List self = find(queue(), with_this_method({.radius = 1, .options = {.include_self = true}}), points);
  EXPECT_EQ(self.indices, (std::vector<std::int32_t>{0, 4, 1, 2, 3, 2, 3, 0, 4}));
}

TEST_P(EveryNeighborsMethod, TwoSetsByHand) {
  const auto destinations = on_a_line<float>({0.5, 7, -1});
  const auto sources = on_a_line<float>({1, 0, 0.5, -1.25f});
  const List list = find(queue(), with_this_method({.radius = 0.6}), destinations, sources);
  EXPECT_EQ(list.offsets, (std::vector<std::int64_t>{0, 3, 3, 4}));
  EXPECT_EQ(list.indices, (std::vector<std::int32_t>{0, 1, 2, 3}));
}

TEST_P(EveryNeighborsMethod, APeriodicLatticeHasTheSameShellsEverywhere) {
  // Spacing 1/8 and radius 1.5 spacings: 6 neighbors at 1, 12 at sqrt(2); with sqrt(3) and 2: 8 and 6 more.
  Distribution<double> lattice{"lattice", {}, {}, {}};
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) lattice.add(x / 8.0, y / 8.0, z / 8.0);
  const auto count = [&](double radius, Predicate predicate) {
    const List list = find(queue(), with_this_method({radius, unit_periodic, {.predicate = predicate}}), lattice);
    for (std::size_t i = 0; i < 512; ++i) EXPECT_EQ(list.row(i).size(), list.row(0).size());
    return list.row(0).size();
  };
  EXPECT_EQ(count(1.5 / 8, Predicate::strict), 18u);
  EXPECT_EQ(count(2.0 / 8, Predicate::strict), 26u);
  EXPECT_EQ(count(2.0 / 8, Predicate::inclusive), 32u);
}

TEST_P(EveryNeighborsMethod, DistinctPointsAtOnePositionAreNeighbors) {
  Distribution<float> points{"one position", {}, {}, {}};
  for (int i = 0; i < 700; ++i) points.add(0.25, 0.5, 0.75);
  const List list = find(queue(), with_this_method({.radius = 0.1}), points);
  ASSERT_EQ(list.indices.size(), 700u * 699u);
  for (std::size_t i = 0; i < 700; ++i)
    for (std::size_t j = 0; j < 699; ++j)
      ASSERT_EQ(list.indices[i * 699 + j], static_cast<std::int32_t>(j < i ? j : j + 1));
}

template <class Real>
void expect_serial_bits(const Queue& queue, const std::string& method) {
  for (const std::int64_t n : {0, 1, 131, 1009})
    for (const Distribution<Real>& points : every_distribution<Real>(n))
      for (const Search& search : searches)
        EXPECT_THAT(find(queue, with_method(search, method), points), SameList(serial_list(search, points)))
            << points.name << ", n = " << n << ", radius " << search.radius;
}

TEST_P(EveryNeighborsMethod, GivesTheBitsOfSerialInFloat) { expect_serial_bits<float>(queue(), GetParam().name); }
TEST_P(EveryNeighborsMethod, GivesTheBitsOfSerialInDouble) { expect_serial_bits<double>(queue(), GetParam().name); }

TEST_P(EveryNeighborsMethod, GivesTheBitsOfSerialBetweenTwoSets) {
  for (const std::int64_t n : {0, 1, 131})
    for (const std::int64_t m : {0, 1, 1009})
      for (const Search& search : searches) {
        const auto destinations = clustered<float>(n);
        const auto sources = uniform<float>(m);
        EXPECT_THAT(find(queue(), with_this_method(search), destinations, sources),
                    SameList(serial_list(search, destinations, sources)))
            << n << " destinations, " << m << " sources, radius " << search.radius;
      }
}

/// Compares every 600th row with serial, at a size for which serial would take long.
template <class Real>
void expect_serial_rows(const Queue& queue, const Search& search, const Distribution<Real>& points) {
  const List list = find(queue, search, points);
  std::vector<std::size_t> sample;
  for (std::size_t i = 0; i < points.x.size(); i += 600) sample.push_back(i);
  const List expected = serial_list(search, reordered(points, "sample", sample), points);
  for (std::size_t k = 0; k < sample.size(); ++k) {
    std::vector<std::int32_t> row = expected.row(k);
    if (!search.options.include_self) std::erase(row, static_cast<std::int32_t>(sample[k]));
    EXPECT_EQ(list.row(sample[k]), row) << points.name << ", row " << sample[k] << ", radius " << search.radius;
  }
}

TEST_P(EveryNeighborsMethod, AgreesWithSerialAtManyPoints) {
  if (GetParam().name == "serial") GTEST_SKIP() << "serial is the reference";
  const std::int64_t n = GetParam().device == DeviceKind::cuda ? 42'793 : 21'397;  // many blocks of threads
  for (const auto& points : {uniform<float>(n), packed<float>(n), sorted(uniform<float>(n))})
    for (const double radius : {0.03, 0.1, 1.0 / 34}) {
      expect_serial_rows(queue(), with_this_method({.radius = radius}), points);
      expect_serial_rows(queue(), with_this_method({.radius = radius, .box = unit_periodic}), points);
    }
  expect_serial_rows(queue(), with_this_method({.radius = 0.01}), clustered<double>(n));
}

TEST_P(EveryNeighborsMethod, GivesTheSameBitsForEveryNumberOfThreads) {
  if (GetParam().device != DeviceKind::cpu) GTEST_SKIP() << "only CPU methods have a number of threads";
  const auto points = clustered<float>(2'000);
  const Search search = with_this_method({.radius = 0.02});
  const List one = find(Queue::cpu(1), search, points);
  for (const int threads : {2, 5, 16}) EXPECT_THAT(find(Queue::cpu(threads), search, points), SameList(one)) << threads;
}

TEST_P(EveryNeighborsMethod, FarAwayClustersCostNoMoreThanTheirPoints) {
  Distribution<float> points = uniform<float>(1'000);
  points.add(1e6, 1e6, 1e6);
  points.add(1e6, 1e6, 1e6);
  const List list = find(queue(), with_this_method({.radius = 0.1}), points);
  EXPECT_EQ(list.row(1'000), (std::vector<std::int32_t>{1'001}));
  EXPECT_THAT(list, SameList(serial_list(Search{.radius = 0.1}, points)));
}

TEST_P(EveryNeighborsMethod, PointsMayBeAPeriodOutsideThePeriodicBox) {
  const auto points = uniform<double>(500);
  Distribution<double> moved = points;
  for (std::size_t i = 0; i < moved.x.size(); ++i) {
    moved.x[i] = points.x[i] + static_cast<double>(i % 3) - 1;
    moved.z[i] = points.z[i] - static_cast<double>(i % 2);
  }
  const Search search = with_this_method({.radius = 0.2, .box = unit_periodic});
  EXPECT_THAT(find(queue(), search, moved), SameList(serial_list(search, moved)));
}

TEST_P(EveryNeighborsMethod, ASecondSearchAllocatesNothing) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.2});
  Neighbors<float> neighbors(on, search.radius, search.box, search.options);
  const auto moved = uniform<float>(1'009, 8);
  const DevicePoints<float> first(on, clustered<float>(1'009));
  const DevicePoints<float> second(on, moved);
  neighbors.find(first.points());
  const void* offsets = neighbors.offsets().data;
  const void* indices = neighbors.indices().data;
  neighbors.find(second.points());
  EXPECT_EQ(neighbors.offsets().data, offsets);
  EXPECT_EQ(neighbors.indices().data, indices);
  EXPECT_THAT(list_of(on, neighbors), SameList(serial_list(search, moved)));
}

TEST_P(EveryNeighborsMethod, ReadsArraysOfStructures) {
  const Queue on = queue();
  const auto points = uniform<double>(131);
  std::vector<double> interleaved;
  for (std::size_t i = 0; i < points.x.size(); ++i)
    interleaved.insert(interleaved.end(), {points.x[i], points.y[i], points.z[i]});
  const Array<double> array = to_device(on, interleaved);
  const auto member = [&](int k) { return View<const double>(array.data() + k, 131, on.device(), 3); };
  const Search search = with_this_method({.radius = 0.3});
  Neighbors<double> neighbors(on, search.radius, search.box, search.options);
  neighbors.find({member(0), member(1), member(2)});
  EXPECT_THAT(list_of(on, neighbors), SameList(serial_list(search, points)));
}

TEST_P(EveryNeighborsMethod, TheListOfOneSetIsSymmetric) {
  const List list = find(queue(), with_this_method({.radius = 0.1}), uniform<float>(3'000));
  const auto rows = list.offsets.size() - 1;
  for (std::size_t i = 0; i < rows; ++i)
    for (const std::int32_t j : list.row(i)) {
      const auto row = list.row(static_cast<std::size_t>(j));
      ASSERT_TRUE(std::binary_search(row.begin(), row.end(), static_cast<std::int32_t>(i))) << i << " and " << j;
    }
}

TEST(Neighbors, AutoIsRows) {
  EXPECT_EQ(Neighbors<float>(Queue::cpu(), 1).method().name, "rows");
  EXPECT_TRUE(Neighbors<float>(Queue::cpu(), 1).method().deterministic);
}

}  // namespace
}  // namespace shoal::neighbors
