// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/neighbors/sets.hpp>

#include <cmath>

#include "neighbors/host_list.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

const Box periodic_y{3, {false, true, false}, {0, 0, 0}, {1, 1, 1}};

class EveryNeighborSetsMethod : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(EveryNeighborSetsMethod);

TEST_P(EveryNeighborSetsMethod, TwoSetsByHand) {
  const Queue on = queue();
  NeighborSets<double> sets(on, 1, {}, options());
  sets.add("fluid");
  sets.add("wall");
  EXPECT_EQ(sets.names(), (std::vector<std::string>{"fluid", "wall"}));
  EXPECT_FALSE(sets.is_active("fluid", "fluid"));
  sets.activate("fluid", "fluid");
  sets.activate("fluid", "wall");
  EXPECT_TRUE(sets.is_active("fluid", "wall"));
  EXPECT_FALSE(sets.is_active("wall", "fluid"));
  const DevicePoints<double> fluid(on, {"fluid", {0, 0.5, 3}, {0, 0, 0}, {0, 0, 0}});
  const DevicePoints<double> wall(on, {"wall", {3.5, 0.25}, {0, 0}, {0, 0}});
  sets.set_points("fluid", fluid.points());
  sets.set_points("wall", wall.points());
  sets.find();
  const auto within = on_host(on, sets.list("fluid", "fluid"));
  EXPECT_EQ(within.offsets, (std::vector<std::int64_t>{0, 1, 2, 2}));
  EXPECT_EQ(within.indices, (std::vector<std::int32_t>{1, 0}));
  const auto walls = on_host(on, sets.list("fluid", "wall"));
  EXPECT_EQ(walls.offsets, (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(walls.indices, (std::vector<std::int32_t>{1, 1, 0}));
}

/// Three sets, all nine pairs active.
template <class Real>
struct ThreeSets {
  Queue queue;
  double radius;
  Box box;
  NeighborsOptions options;
  std::vector<std::string> names{"fluid", "wall", "probe"};
  std::vector<Points<Real>> points{3};
  NeighborSets<Real> sets;

  ThreeSets(const Queue& on, double radius_, const Box& box_, const NeighborsOptions& options_)
      : queue(on), radius(radius_), box(box_), options(options_), sets(on, radius, box, options) {
    for (const std::string& name : names) sets.add(name);
    for (const std::string& destination : names)
      for (const std::string& source : names) sets.activate(destination, source);
  }

  void set_points(std::size_t s, const Points<Real>& set_points) {
    points[s] = set_points;
    sets.set_points(names[s], set_points);
  }

  /// Compares the lists of all pairs with those of Neighbors.
  void expect_lists_of_neighbors(const std::string& what) {
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t s = 0; s < 3; ++s) {
        const ReferenceSearch<Real> reference{queue, radius, box, options, points[d], points[s], d == s};
        EXPECT_THAT(on_host(queue, sets.list(names[d], names[s])), SameList(reference.list()))
            << what << ": destination " << names[d] << ", source " << names[s];
      }
  }
};

template <class Real>
void expect_pairs_like_neighbors(const Queue& on, NeighborsOptions options) {
  options.wide_indices = options.distances = options.displacements = true;
  for (const std::int64_t n : {0, 1, 313}) {
    ThreeSets<Real> three(on, 0.13, periodic_y, options);
    const DevicePoints<Real> fluid(on, uniform<Real>(n));
    const DevicePoints<Real> wall(on, packed<Real>(131));
    const DevicePoints<Real> probe(on, clustered<Real>(17));
    three.set_points(0, fluid.points());
    three.set_points(1, wall.points());
    three.set_points(2, probe.points());
    three.sets.find();
    three.expect_lists_of_neighbors("n = " + std::to_string(n));
  }
}

TEST_P(EveryNeighborSetsMethod, EveryPairHasTheListOfNeighborsInFloat) {
  expect_pairs_like_neighbors<float>(queue(), options());
}
TEST_P(EveryNeighborSetsMethod, EveryPairHasTheListOfNeighborsInDouble) {
  expect_pairs_like_neighbors<double>(queue(), options());
}

TEST_P(EveryNeighborSetsMethod, HalfListsAndSelfPairsAreForPairsOfOneSet) {
  NeighborsOptions half = options();
  half.half = half.include_self = true;
  expect_pairs_like_neighbors<float>(queue(), half);
}

TEST_P(EveryNeighborSetsMethod, RadiiOfPointsDecideInEveryPair) {
  const Queue on = queue();
  for (const Radius radius : {Radius::gather, Radius::scatter, Radius::symmetric}) {
    NeighborsOptions wanted = options();
    wanted.radius = radius;
    ThreeSets<float> three(on, 2, {}, wanted);
    std::vector<DevicePoints<float>> points;
    std::vector<Array<float>> radii;
    for (std::size_t s = 0; s < 3; ++s) {
      points.emplace_back(on, uniform<float>(150, static_cast<unsigned>(s)));
      std::vector<float> set_radii;
      for (std::size_t i = 0; i < 150; ++i) set_radii.push_back(0.01f * static_cast<float>(1 + (i + s) % 11));
      radii.push_back(to_device(on, set_radii));
    }
    for (std::size_t s = 0; s < 3; ++s) {
      Points<float> with_radii = points[s].points();
      with_radii.radius = radii[s];
      three.set_points(s, with_radii);
    }
    three.sets.find();
    three.expect_lists_of_neighbors(std::string(to_name(radius)));
  }
}

TEST_P(EveryNeighborSetsMethod, AMotionOfOneSetChangesTheGridOfAllSets) {
  const Queue on = queue();
  ThreeSets<float> three(on, 0.1, {}, options());
  const DevicePoints<float> first(on, uniform<float>(500));
  const DevicePoints<float> second(on, uniform<float>(400, 7));
  Distribution<float> stretched = uniform<float>(400, 8);
  for (float& x : stretched.x) x = 3 * x - 1.5f;
  const DevicePoints<float> moved(on, stretched);
  three.set_points(0, first.points());
  three.set_points(1, second.points());
  three.set_points(2, second.points());
  three.sets.find();
  three.set_points(2, moved.points());
  three.sets.find();
  three.expect_lists_of_neighbors("one set moved");
  const std::int64_t before = three.sets.scratch_bytes();
  three.sets.find();
  three.expect_lists_of_neighbors("once more");
  EXPECT_EQ(three.sets.scratch_bytes(), before);
}

TEST_P(EveryNeighborSetsMethod, UpdateFindsThePointsThatMovedWithoutNewMemory) {
  if (!replays(GetParam())) GTEST_SKIP() << "this method cannot update";
  const Queue on = queue();
  ThreeSets<float> three(on, 0.2, {}, options());
  const DevicePoints<float> dense(on, clustered<float>(400));
  const DevicePoints<float> sparse(on, uniform<float>(390, 5));
  for (std::size_t s = 0; s < 3; ++s) three.set_points(s, dense.points());
  three.sets.find();
  const std::int64_t before = three.sets.scratch_bytes();
  const void* const memory = three.sets.list("fluid", "wall").indices.data;
  for (std::size_t s = 0; s < 2; ++s) three.set_points(s, sparse.points());
  three.sets.deactivate("probe", "probe");
  three.sets.update();
  on.wait();
  // On the CPU the number of cell offsets follows the number of cells of this grid.
  if (!on.on_cpu()) {
    EXPECT_EQ(three.sets.scratch_bytes(), before);
  }
  EXPECT_EQ(three.sets.list("fluid", "wall").indices.data, memory);
  for (const std::string& source : three.names) {
    const NeighborListView<float> list = three.sets.list("fluid", source);
    const std::size_t s = source == "probe" ? 2 : 1;
    const auto wanted =
        ReferenceSearch<float>{on, 0.2, {}, options(), sparse.points(), three.points[s], source == "fluid"}.list();
    EXPECT_EQ(to_host(on, list.offsets), wanted.offsets);
    auto indices = to_host(on, list.indices);
    ASSERT_GE(indices.size(), wanted.indices.size());
    indices.resize(wanted.indices.size());
    EXPECT_EQ(indices, wanted.indices);
  }
}

TEST_P(EveryNeighborSetsMethod, AListWithoutRoomIsNamed) {
  if (!replays(GetParam())) GTEST_SKIP() << "this method cannot update";
  const Queue on = queue();
  NeighborSets<float> sets(on, 0.2, {}, options());
  sets.add("fluid");
  sets.add("wall");
  sets.activate("fluid", "fluid");
  sets.activate("wall", "fluid");
  const DevicePoints<float> apart(on, uniform<float>(50));
  const DevicePoints<float> together(on, one_hot<float>(50));
  sets.set_points("fluid", apart.points());
  sets.set_points("wall", apart.points());
  sets.find();
  const std::int64_t room = sets.list("wall", "fluid").indices.count;
  sets.deactivate("fluid", "fluid");
  sets.set_points("fluid", together.points());
  sets.set_points("wall", together.points());
  sets.update();
  EXPECT_EQ(message_of([&] { on.wait(); }),
            "neighbors: the list (wall, fluid) has 2402 entries, but the plan has room for " + std::to_string(room) +
                ". Call find(), which makes room.");
  sets.find();
  EXPECT_EQ(sets.list("wall", "fluid").indices.count, 2402);
}

TEST_P(EveryNeighborSetsMethod, SumVisitsTheNeighborsOfTheList) {
  const Queue on = queue();
  ThreeSets<float> three(on, 0.2, periodic_y, options());
  const std::int64_t counts[] = {300, 200, 0};
  std::vector<DevicePoints<float>> points;
  for (const std::int64_t n : counts) points.emplace_back(on, uniform<float>(n));
  for (std::size_t s = 0; s < 3; ++s) three.set_points(s, points[s].points());
  for (const bool with_lists : {false, true}) {
    with_lists ? three.sets.find() : three.sets.prepare();
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t s = 0; s < 3; ++s) {
        const auto wanted =
            (ReferenceSearch<float>{on, 0.2, periodic_y, options(), points[d].points(), points[s].points(), d == s}
                 .list());
        Array<float> out(on, counts[d]);
        const std::vector<float> ones(static_cast<std::size_t>(counts[s]), 1);
        const Array<float> weights = to_device(on, ones);
        three.sets.sum(three.names[d], three.names[s], weights, out);
        const std::vector<float> sums = to_host(on, out);
        for (std::size_t i = 0; i < sums.size(); ++i)
          ASSERT_EQ(static_cast<std::int64_t>(sums[i]), wanted.offsets[i + 1] - wanted.offsets[i]);
      }
  }
}

TEST_P(EveryNeighborSetsMethod, NamesTheSetOfABadPoint) {
  const Queue on = queue();
  ThreeSets<float> three(on, 0.1, {}, options());
  Distribution<float> points = uniform<float>(40);
  const DevicePoints<float> good(on, points);
  points.x[17] = std::nanf("");
  const DevicePoints<float> bad(on, points);
  for (std::size_t s = 0; s < 3; ++s) three.set_points(s, good.points());
  three.sets.find();
  three.set_points(1, bad.points());
  EXPECT_EQ(message_of([&] { three.sets.find(); }),
            "neighbors: point 17 of wall: x is not a number. Repair or remove it.");
  EXPECT_EQ(message_of([&] { three.sets.list("fluid", "probe"); }),
            "neighbors: the pair (fluid, probe) has no list yet. Call find().");
  three.set_points(1, good.points());
  three.sets.find();
  three.expect_lists_of_neighbors("after an error");
}

TEST(NeighborSetsBadCalls, AreReported) {
  NeighborSets<float> sets(Queue::cpu(1), 0.1);
  EXPECT_EQ(message_of([&] { sets.activate("fluid", "fluid"); }),
            "neighbors: there is no set `fluid`. Call add() first.");
  EXPECT_EQ(message_of([&] { sets.add(""); }),
            "neighbors: the name of a set is empty, expected at least one character.");
  sets.add("fluid");
  sets.add("wall");
  EXPECT_EQ(message_of([&] { sets.add("wall"); }), "neighbors: there is a set `wall` already. Choose another name.");
  EXPECT_EQ(message_of([&] { sets.activate("fluid", "walls"); }),
            "neighbors: there is no set `walls`. The sets are fluid, wall.");
  EXPECT_EQ(message_of([&] { sets.find(); }),
            "neighbors: no pair of sets is active. Call activate(destination, source) first.");
  sets.activate("fluid", "wall");
  const std::vector<float> three(3);
  const std::vector<float> two(2);
  EXPECT_EQ(message_of([&] {
              sets.set_points("wall", {three, two, three});
            }),
            "neighbors (wall): y has 2 elements, expected 3.");
  EXPECT_EQ(message_of([&] {
              sets.set_points("air", {three, three, three});
            }),
            "neighbors: there is no set `air`. The sets are fluid, wall.");
  sets.set_points("fluid", {three, three, three});
  EXPECT_EQ(message_of([&] { sets.find(); }),
            "neighbors: the set `wall` has no points. Call set_points(\"wall\", ...); an empty set is allowed.");
  sets.set_points("wall", {});
  EXPECT_EQ(
      message_of([&] { sets.update(); }),
      "neighbors: update() before find() of the pair (fluid, wall). Call find() once, to make room for its list.");
  EXPECT_EQ(message_of([&] { sets.visitor("fluid", "wall"); }),
            "neighbors: visitor() of the pair (fluid, wall) before prepare(), find() or update().");
  sets.find();
  EXPECT_EQ(sets.list("fluid", "wall").offsets.count, 4);
  EXPECT_EQ(message_of([&] { sets.list("wall", "fluid"); }),
            "neighbors: the pair (wall, fluid) is not active. Call activate(\"wall\", \"fluid\") before find().");
  sets.set_points("wall", {two, two, two});
  EXPECT_EQ(message_of([&] { sets.update(); }),
            "neighbors: update() with 2 points of wall, expected at most the 0 of the last find(). Call find(), which "
            "makes room.");
}

}  // namespace
}  // namespace shoal::neighbors
