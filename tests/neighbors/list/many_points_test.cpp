// SPDX-License-Identifier: Apache-2.0
// So many points that a GPU thread searches two of them, in cells of a quarter radius and in long cells; and numbers of
// points around that up to which a GPU spends several threads on each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neighbors/neighbor_lists.hpp"
#include "neighbors/tuning.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class NeighborsOfManyPoints : public NeighborsMethodTest {
 protected:
  void SetUp() override {
    NeighborsMethodTest::SetUp();
    if (!IsSkipped() && GetParam().name != "rows") GTEST_SKIP() << "too many points for this method";
  }
};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsOfManyPoints);

constexpr std::int64_t n = 300'000;

template <class Real>
void expect_the_list_of_one_thread(const Queue& queue, const Search& search, const Distribution<Real>& points) {
  EXPECT_THAT(find(queue, search, points), SameList(find(Queue::cpu(1), search, points))) << points.name;
}

TEST_P(NeighborsOfManyPoints, AreThoseOfOneThread) {
  for (const RowOrder order : {RowOrder::ascending, RowOrder::visit}) {
    const Search sparse = with_this_method({.radius = 0.025, .options = {.order = order}});
    expect_the_list_of_one_thread(queue(), sparse, uniform<float>(n));
    expect_the_list_of_one_thread(queue(), sparse, uniform<double>(n));
    const Search dense = with_this_method({.radius = 0.0054, .options = {.order = order}});  // long cells
    expect_the_list_of_one_thread(queue(), dense, half_in_a_clump<float>(n));
    expect_the_list_of_one_thread(queue(), dense, half_in_a_clump<double>(n));
  }
}

TEST_P(NeighborsOfManyPoints, InRowsOfAnyLengthAreThoseOfOneThread) {
  // Radii with 0.1 to 270 neighbors on average.
  for (const double radius : {0.01, 0.023, 0.039, 0.05, 0.071, 0.1, 0.117, 0.13, 0.16})
    for (const RowOrder order : {RowOrder::ascending, RowOrder::visit})
      expect_the_list_of_one_thread(queue(), with_this_method({.radius = radius, .options = {.order = order}}),
                                    uniform<float>(20'000));
}

TEST_P(NeighborsOfManyPoints, WithPeriodsOrAsHalfListsAreThoseOfOneThread) {
  const auto points = half_in_a_clump<float>(n);
  expect_the_list_of_one_thread(queue(), with_this_method({.radius = 0.0054, .box = unit_periodic}), points);
  expect_the_list_of_one_thread(queue(), with_this_method({.radius = 0.0054, .options = {.half = true}}), points);
}

TEST_P(NeighborsOfManyPoints, AreThoseOfOneThreadAroundTheLimitOfFewPoints) {
  for (const std::int64_t count : {tuning::few_points, tuning::few_points + 1})
    for (const RowOrder order : {RowOrder::ascending, RowOrder::visit}) {
      const Search search = with_this_method({.radius = 0.1, .options = {.order = order}});
      expect_the_list_of_one_thread(queue(), search, uniform<float>(count));
      expect_the_list_of_one_thread(queue(), with_this_method({.radius = 0.002}), half_in_a_clump<double>(count));
      expect_the_list_of_one_thread(queue(), with_this_method({.radius = 1e-4}), uniform<double>(count));
    }
}

/// Compares the rows of a part, which are few, with those of all points, which are not.
template <class Real>
void expect_part_of_whole(const Queue& queue, const Search& search, const Distribution<Real>& points) {
  constexpr std::int64_t first = 14'000;
  constexpr std::int64_t part = 3'000;
  const List whole = find(queue, search, points);
  Neighbors<Real> neighbors = plan<Real>(queue, search);
  const DevicePoints<Real> device(queue, points);
  neighbors.find_part(device.points(), first, part);
  List expected;
  for (std::size_t i = 0; i < part; ++i) expected.add_row(whole.row(first + i));
  EXPECT_THAT(list_of(queue, neighbors), SameList(expected)) << points.name;
}

TEST_P(NeighborsOfManyPoints, HaveTheRowsOfTheirParts) {
  Distribution<float> points = half_in_a_clump<float>(20'000);
  for (std::size_t i = 0; i < points.x.size(); ++i)
    points.radius.push_back(0.01f + 0.0001f * static_cast<float>(i % 91));
  for (const Box& box : {Box{}, unit_periodic})
    for (const RowOrder order : {RowOrder::ascending, RowOrder::visit}) {
      for (const Radius radius : {Radius::gather, Radius::scatter, Radius::symmetric})
        expect_part_of_whole(queue(), with_this_method({1, box, {.radius = radius, .order = order}}), points);
      expect_part_of_whole(queue(), with_this_method({0.02, box, {.order = order, .half = true}}), points);
      expect_part_of_whole(queue(), with_this_method({0.02, box, {.include_self = true, .order = order}}), points);
    }
}

}  // namespace
}  // namespace shoal::neighbors
