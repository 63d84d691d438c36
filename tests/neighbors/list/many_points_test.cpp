// SPDX-License-Identifier: Apache-2.0
// So many points that a GPU thread searches two of them, in cells of a quarter radius and in long cells.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neighbors/neighbor_lists.hpp"

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
    const Search dense = with_this_method({.radius = 0.0054, .options = {.order = order}});  // cells of 1.6 radii
    expect_the_list_of_one_thread(queue(), dense, half_in_a_clump<float>(n));
    expect_the_list_of_one_thread(queue(), dense, half_in_a_clump<double>(n));
  }
}

TEST_P(NeighborsOfManyPoints, WithPeriodsOrAsHalfListsAreThoseOfOneThread) {
  const auto points = half_in_a_clump<float>(n);
  expect_the_list_of_one_thread(queue(), with_this_method({.radius = 0.0054, .box = unit_periodic}), points);
  expect_the_list_of_one_thread(queue(), with_this_method({.radius = 0.0054, .options = {.half = true}}), points);
}

}  // namespace
}  // namespace shoal::neighbors
