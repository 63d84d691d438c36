// SPDX-License-Identifier: Apache-2.0
// Messages of plans with a skin, and how they recover.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/neighbors.hpp>
#include <shoal/neighbors/sets.hpp>
#include <shoal/neighbors/stream.hpp>

#include <cmath>

#include "neighbors/skin/skin_lists.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class EverySkinError : public NeighborsUpdateTest {};

SHOAL_FOR_EVERY_NEIGHBORS_METHOD(EverySkinError);

TEST_P(EverySkinError, ReportsCandidatesThatDoNotFitAndRecovers) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.1, .options = {.skin = 0.05}});
  const Distribution<float> spread = uniform<float>(100);
  const Distribution<float> together = one_hot<float>(100);
  DevicePoints<float> device(on, spread);
  Neighbors<float> neighbors(on, search.radius, search.box, search.options);
  neighbors.find(device.points());
  Search candidate_search = search;
  candidate_search.radius += search.options.skin;
  const auto candidates = new_list<float>(candidate_search, spread).indices.size();
  device.copy_from(on, together);
  neighbors.update(device.points());
  EXPECT_EQ(message_of([&] { on.wait(); }),
            "neighbors: the list of candidates has 9702 entries, but the plan has room for " +
                std::to_string(candidates + candidates / 8 + 100) + ". Call find(), which makes room.");
  EXPECT_EQ(message_of([&] { on.wait(); }), "no error");
  device.copy_from(on, spread);
  neighbors.update(device.points());
  on.wait();
  EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<float>(search, spread)));
  device.copy_from(on, together);
  neighbors.find(device.points());
  EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<float>(search, together)));
}

TEST_P(EverySkinError, NamesAnInvalidPointOnceAndRecovers) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.1, .options = {.skin = 0.05}});
  const Distribution<float> good = uniform<float>(100);
  Distribution<float> bad = good;
  bad.y[17] = std::nanf("");
  DevicePoints<float> device(on, good);
  Neighbors<float> neighbors(on, search.radius, search.box, search.options);
  neighbors.find(device.points());
  device.copy_from(on, bad);
  neighbors.update(device.points());
  EXPECT_EQ(message_of([&] { on.wait(); }), "neighbors: point 17: y is not a number. Repair or remove it.");
  EXPECT_EQ(message_of([&] { on.wait(); }), "no error");
  device.copy_from(on, good);
  neighbors.update(device.points());
  on.wait();
  EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<float>(search, good)));
  device.copy_from(on, bad);
  EXPECT_EQ(message_of([&] { neighbors.find(device.points()); }),
            "neighbors: point 17: y is not a number. Repair or remove it.");
  EXPECT_EQ(message_of([&] { neighbors.update(device.points()); }),
            "neighbors: update() before find(). Call find() once, to make room for the list.");
}

TEST(SkinErrors, MustBePositiveAndFitTheBox) {
  const Queue cpu = Queue::cpu(1);
  const auto message = [&](double radius, const Box& box, NeighborsOptions options) {
    return message_of([&] { Neighbors<float>(cpu, radius, box, options); });
  };
  EXPECT_EQ(message(0.1, {}, {.skin = -0.5}), "neighbors: skin = -0.5 m, expected a positive length, or 0 for none.");
  EXPECT_EQ(message(0.1, {}, {.skin = std::nan("")}),
            "neighbors: skin = nan m, expected a positive length, or 0 for none.");
  EXPECT_EQ(message(0.1, {}, {.skin = INFINITY}),
            "neighbors: skin = inf m, expected a positive length, or 0 for none.");
  EXPECT_EQ(
      message(2, {}, {.radius = Radius::gather, .skin = 0.5}),
      "neighbors: skin = 0.5 m, but points have radii: a skin needs one radius for all points. Leave the radii of "
      "points out, or set skin = 0.");
  EXPECT_EQ(
      message(0.25, unit_periodic, {.skin = 0.5}),
      "neighbors: the box spans [0, 1] m along the periodic axis x, less than twice the radius of 0.25 m and the "
      "skin of 0.5 m together: a point could be a candidate twice. Use a smaller skin or radius, or a larger box.");
  EXPECT_EQ(message(0.25, unit_periodic, {.skin = 0.25}), "no error");
  EXPECT_EQ(message(1, {}, {.skin = 1e30}),
            "neighbors: radius and skin together are 1e+30 m, whose square float cannot hold. Choose other units.");
  EXPECT_EQ(message_of([&] { NeighborSets<float>(cpu, 0.1, {}, {.skin = 0.5}); }),
            "neighbors: skin = 0.5 m, but only Neighbors keeps candidates. Set skin = 0.");
  EXPECT_EQ(message_of([&] { NeighborStream<float>(cpu, 0.1, {}, {.skin = 0.5}); }),
            "neighbors: skin = 0.5 m, but only Neighbors keeps candidates. Set skin = 0.");
}

}  // namespace
}  // namespace shoal::neighbors
