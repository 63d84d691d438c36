// SPDX-License-Identifier: Apache-2.0
// Displacements after which update() searches again for candidates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/neighbors.hpp>

#include "neighbors/skin/skin_item.hpp"
#include "neighbors/skin/skin_lists.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class EverySkinRebuild : public NeighborsUpdateTest {};

SHOAL_FOR_EVERY_NEIGHBORS_METHOD(EverySkinRebuild);

TEST_P(EverySkinRebuild, KeepsCandidatesUntilOnePointJumps) {
  const Queue on = queue();
  Distribution<double> points = uniform<double>(2'000);
  DevicePoints<double> device(on, points);
  Neighbors<double> neighbors(on, 0.1, {}, with_this_method({.options = {.skin = 0.0625}}).options);
  neighbors.find(device.points());
  const auto move = [&](std::size_t i, double shift) {
    points.x[i] += shift;
    device.copy_from(on, points);
    neighbors.update(device.points());
    on.wait();
    EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<double>({.radius = 0.1}, points)));
    return neighbors.rebuilds();
  };
  EXPECT_EQ(neighbors.rebuilds(), 0);
  EXPECT_EQ(move(17, 0), 0);
  EXPECT_EQ(move(17, 0.03), 0);
  EXPECT_EQ(move(18, -0.031), 0);
  EXPECT_EQ(move(17, 0.002), 1);  // 0.032 in all, more than half of the skin
  EXPECT_EQ(move(17, 0.03), 1);
  EXPECT_EQ(move(1'999, 0.5), 2);
  neighbors.find(device.points());
  EXPECT_EQ(neighbors.rebuilds(), 0);
}

TEST_P(EverySkinRebuild, BothSetsUseUpTheSkin) {
  const Queue on = queue();
  Distribution<double> probes = uniform<double>(10, 5);
  Distribution<double> points = uniform<double>(1'009);
  DevicePoints<double> device_probes(on, probes);
  DevicePoints<double> device_points(on, points);
  Neighbors<double> neighbors(on, 0.1, {}, with_this_method({.options = {.skin = 0.0625}}).options);
  neighbors.find(device_probes.points(), device_points.points());
  const auto move = [&](Distribution<double>& set, double shift) {
    set.z[3] += shift;
    device_probes.copy_from(on, probes);
    device_points.copy_from(on, points);
    neighbors.update(device_probes.points(), device_points.points());
    on.wait();
    return neighbors.rebuilds();
  };
  EXPECT_EQ(move(points, 0.05), 0);  // more than half of the skin, but the probes do not move
  EXPECT_EQ(move(probes, 0.01), 0);
  EXPECT_EQ(move(probes, 0.01), 1);
}

TEST_P(EverySkinRebuild, PointsThatWrapAroundMoveLittle) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.2, .box = unit_periodic, .options = {.skin = 0.1}});
  Distribution<float> points = uniform<float>(1'009);
  DevicePoints<float> device(on, points);
  Neighbors<float> neighbors(on, search.radius, search.box, search.options);
  neighbors.find(device.points());
  for (std::size_t i = 0; i < points.x.size(); ++i) points.x[i] += (i % 3 == 0 ? 1.0f : 0.0f) - (i % 3 == 1 ? 1.0f : 0);
  device.copy_from(on, points);
  neighbors.update(device.points());
  on.wait();
  EXPECT_EQ(neighbors.rebuilds(), 0);
  EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<float>(search, points)));
}

TEST_P(EverySkinRebuild, ASkinBelowTheRoundingErrorSearchesInEveryUpdate) {
  const Queue on = queue();
  const Distribution<float> points = uniform<float>(131);
  const DevicePoints<float> device(on, points);
  Neighbors<float> neighbors(on, 0.3, unit_periodic, with_this_method({.options = {.skin = 1e-7}}).options);
  neighbors.find(device.points());
  for (int step = 1; step < 4; ++step) {
    neighbors.update(device.points());
    on.wait();
    EXPECT_EQ(neighbors.rebuilds(), step);
    EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<float>({.radius = 0.3, .box = unit_periodic}, points)));
  }
}

TEST(SkinRebuild, IsNeverRebuiltWithoutASkin) {
  const Distribution<float> points = uniform<float>(10);
  Neighbors<float> neighbors(Queue::cpu(1), 0.1);
  neighbors.find(points.points());
  neighbors.update(points.points());
  EXPECT_EQ(neighbors.rebuilds(), 0);
}

TEST(SkinRebuild, DecidesByTheSumOfBothDisplacements) {
  SkinState state{.destinations = 5, .sources = 7};
  const auto needed = [&](double of_destinations, double of_sources, bool one_set) {
    state.squared_displacement[0] = of_destinations * of_destinations;
    state.squared_displacement[1] = of_sources * of_sources;
    state.decide(5, 7, one_set, 1.0);
    return state.needed;
  };
  EXPECT_EQ(needed(0.5, 0.5, false), 0);
  EXPECT_EQ(needed(0.25, 0.875, false), 1);
  EXPECT_EQ(needed(0.5, 0.875, true), 0);
  EXPECT_EQ(needed(0.625, 0, true), 1);
  EXPECT_EQ(state.rebuilds, 2);
  EXPECT_EQ(state.squared_displacement[0], 0);
  state.decide(4, 7, false, 1.0);
  EXPECT_EQ(state.needed, 1);
}

}  // namespace
}  // namespace shoal::neighbors
