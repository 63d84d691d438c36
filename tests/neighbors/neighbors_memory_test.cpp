// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "neighbors/neighbor_lists.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class NeighborsMemory : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsMemory);

TEST_P(NeighborsMemory, DoesNotGrowInASecondSearchOfEqualSize) {
  const Queue on = queue();
  Neighbors<double> neighbors(on, 0.2, {}, options());
  const DevicePoints<double> points(on, clustered<double>(1'009));
  const DevicePoints<double> sources(on, uniform<double>(131));
  neighbors.find(points.points());
  neighbors.find(points.points(), sources.points());
  neighbors.prepare(points.points());
  const std::int64_t before = neighbors.scratch_bytes();
  EXPECT_GT(before, 0);
  neighbors.find(points.points());
  neighbors.find(points.points(), sources.points());
  if (replays(GetParam())) neighbors.update(points.points(), sources.points());
  EXPECT_EQ(neighbors.scratch_bytes(), before);
}

/// Returns true for the paper's methods on CUDA, whose tables have rows as long as the fullest cell.
bool holds_tables(const MethodInfo& method) {
  return method.device == DeviceKind::cuda && method.source.find("Godbole") != std::string::npos;
}

TEST_P(NeighborsMemory, IsBoundedByThePoints) {
  if (GetParam().name == "serial") GTEST_SKIP() << "takes long and sorts nothing";
  if (holds_tables(GetParam())) GTEST_SKIP() << "its tables are bounded by the fullest cell";
  const Queue on = queue();
  constexpr std::int64_t n = 42'793;
  constexpr std::int64_t bytes_per_point = 320;
  constexpr std::int64_t fixed_bytes = std::int64_t{4} << 20;
  Distribution<float> spread = uniform<float>(n);
  spread.add(1e6, 1e6, 1e6);  // a box of 10^21 cells
  for (const auto& points : {uniform<float>(n), clustered<float>(n), spread}) {
    Neighbors<float> neighbors(on, 0.01, {}, options());
    const DevicePoints<float> device(on, points);
    neighbors.find(device.points());
    EXPECT_LE(neighbors.scratch_bytes(), bytes_per_point * points.count() + fixed_bytes) << points.name;
  }
}

TEST_P(NeighborsMemory, IsSmallBeforeTheFirstSearch) {
  constexpr std::int64_t small_bytes = 4096;
  EXPECT_LE(Neighbors<float>(queue(), 0.1, {}, options()).scratch_bytes(), small_bytes);
}

TEST_P(NeighborsMemory, DoesNotCountTheList) {
  if (holds_tables(GetParam())) GTEST_SKIP() << "its tables are as long as the list";
  const Queue on = queue();
  Neighbors<float> neighbors(on, 10, {}, options());
  const DevicePoints<float> points(on, uniform<float>(1'009));
  neighbors.find(points.points());
  const std::int64_t entries = neighbors.indices().count;
  EXPECT_EQ(entries, 1'009 * 1'008);
  EXPECT_LT(neighbors.scratch_bytes(), 4 * entries);
}

/// Expects a plan without a list, as after an error.
template <class Real>
void expect_no_list(Neighbors<Real>& neighbors) {
  EXPECT_EQ(neighbors.offsets().count, 0);
  EXPECT_EQ(neighbors.indices().count, 0);
  EXPECT_EQ(neighbors.wide_indices().count, 0);
  EXPECT_EQ(neighbors.distances().count, 0);
  EXPECT_EQ(neighbors.displacements()[0].count, 0);
  EXPECT_EQ(message_of([&] { neighbors.to_matrix(1, {}); }), "neighbors: to_matrix() before find(): there is no list.");
}

TEST_P(NeighborsMemory, ABadPointLeavesNoListBehind) {
  const Queue on = queue();
  NeighborsOptions wanted = options();
  wanted.wide_indices = wanted.distances = wanted.displacements = true;
  Neighbors<float> neighbors(on, 0.3, {}, wanted);
  Distribution<float> points = uniform<float>(100);
  const DevicePoints<float> good(on, points);
  points.y[7] = INFINITY;
  const DevicePoints<float> bad(on, points);
  neighbors.find(good.points());
  const auto expected = to_host(on, neighbors.indices());
  EXPECT_THROW(neighbors.find(bad.points()), Error);
  expect_no_list(neighbors);
  EXPECT_EQ(message_of([&] { neighbors.visitor(); }),
            "neighbors: visitor() or sum() before prepare(), find() or update(). Call one of them first.");
  neighbors.find(good.points());
  EXPECT_EQ(to_host(on, neighbors.indices()), expected);
}

TEST_P(NeighborsMemory, AListThatDoesNotFitLeavesThePlanUsable) {
  if (GetParam().device == DeviceKind::cpu) GTEST_SKIP() << "the host may grant memory that it does not have";
  const Queue on = queue();
  constexpr std::int64_t n = 300'000;  // 9e10 entries, 360 GB
  Neighbors<float> neighbors(on, 0.3, {}, options());
  const DevicePoints<float> single_cell(on, one_hot<float>(n));
  const auto few = uniform<float>(100);
  const DevicePoints<float> device(on, few);
  neighbors.find(device.points());
  const auto expected = to_host(on, neighbors.indices());
  const std::string message = message_of([&] { neighbors.find(single_cell.points()); });
  EXPECT_EQ(message.rfind("neighbors: no room for the list of 300000 destinations: ", 0), 0u) << message;
  const char* need = holds_tables(GetParam()) ? "needs 300000 x 300001 x 4 bytes = 335.3 GiB (360001200000 bytes), and "
                                              : "need 335.3 GiB (359996400008 bytes), have ";
  EXPECT_NE(message.find(need), std::string::npos) << message;
  EXPECT_NE(message.find("A NeighborStream hands out lists that do not fit."), std::string::npos) << message;
  expect_no_list(neighbors);
  neighbors.find(device.points());
  EXPECT_EQ(to_host(on, neighbors.indices()), expected);
}

TEST_P(NeighborsMemory, UpdateReportsAListThatNeedsMoreRoom) {
  if (!replays(GetParam())) GTEST_SKIP() << "this method cannot update";
  const Queue on = queue();
  NeighborsOptions wanted = options();
  wanted.wide_indices = wanted.distances = true;
  Neighbors<float> neighbors(on, 0.2, {}, wanted);
  const DevicePoints<float> apart(on, uniform<float>(50));
  const DevicePoints<float> together(on, one_hot<float>(50));
  neighbors.find(apart.points());
  const std::int64_t room = neighbors.indices().count;
  neighbors.update(together.points());
  EXPECT_EQ(message_of([&] { on.wait(); }), "neighbors: the list has 2352 entries, but the plan has room for " +
                                                std::to_string(room) + ". Call find(), which makes room.");
  neighbors.find(together.points());
  EXPECT_EQ(neighbors.indices().count, 49 * 48);
  neighbors.update(apart.points());
  on.wait();
  EXPECT_EQ(to_host(on, neighbors.offsets()).back(), room);
}

TEST_P(NeighborsMemory, UpdateTakesTheSetsOfTheLastFind) {
  if (!replays(GetParam())) GTEST_SKIP() << "this method cannot update";
  const Queue on = queue();
  Neighbors<float> neighbors(on, 0.2, {}, options());
  const DevicePoints<float> ten(on, uniform<float>(10));
  const DevicePoints<float> eleven(on, uniform<float>(11));
  neighbors.find(ten.points());
  EXPECT_EQ(message_of([&] { neighbors.update(ten.points(), ten.points()); }),
            "neighbors: update() of two sets after find() of one set. Call find(), which makes room.");
  EXPECT_EQ(message_of([&] { neighbors.update(eleven.points()); }),
            "neighbors: update() with 11 destinations and 11 sources, expected at most the 10 and 10 of the last "
            "find(). Call find(), which makes room.");
  EXPECT_NO_THROW(neighbors.update(ten.points()));
  EXPECT_NO_THROW(on.wait());
}

TEST(NeighborsFixedRadius, OfPointsIsIgnoredByAPlanWithAFixedRadius) {
  const Queue on = Queue::cpu(1);
  const auto points = uniform<float>(100);
  const std::vector<float> bad(100, -1.0f);
  Neighbors<float> neighbors(on, 0.2);
  neighbors.find(points.points());
  const auto expected = to_host(on, neighbors.indices());
  neighbors.find({points.x, points.y, points.z, bad});
  EXPECT_EQ(to_host(on, neighbors.indices()), expected);
}

}  // namespace
}  // namespace shoal::neighbors
