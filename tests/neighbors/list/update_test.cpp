// SPDX-License-Identifier: Apache-2.0
// update(): the list of points that moved, in the memory of the plan.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neighbors/brute_force.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class NeighborsUpdate : public NeighborsUpdateTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsUpdate);

/// Scales all coordinates. A smaller factor gives more neighbors.
template <class Real>
Distribution<Real> scaled(Distribution<Real> points, Real factor) {
  for (auto* axis : {&points.x, &points.y, &points.z})
    for (Real& coordinate : *axis) coordinate *= factor;
  return points;
}

template <class Real>
std::array<const void*, 5> pointers(const Neighbors<Real>& neighbors) {
  return {neighbors.offsets().data, neighbors.indices().data, neighbors.wide_indices().data, neighbors.distances().data,
          neighbors.displacements()[1].data};
}

/// Edges of the entries that the list uses; there may be room for more.
std::vector<std::int64_t> used_edges(const Queue& queue, const Neighbors<float>& neighbors) {
  const std::vector<std::int64_t> edges = to_host(queue, neighbors.edge_index());
  const auto room = static_cast<std::ptrdiff_t>(edges.size() / 2);
  const std::ptrdiff_t count = to_host(queue, neighbors.offsets()).back();
  std::vector<std::int64_t> used(edges.begin(), edges.begin() + count);
  used.insert(used.end(), edges.begin() + room, edges.begin() + room + count);
  return used;
}

std::vector<std::int32_t> used_shifts(const Queue& queue, const Neighbors<float>& neighbors) {
  std::vector<std::int32_t> shifts = to_host(queue, neighbors.shifts());
  shifts.resize(3 * static_cast<std::size_t>(to_host(queue, neighbors.offsets()).back()));
  return shifts;
}

TEST_P(NeighborsUpdate, GivesTheBitsOfFindAfterMotion) {
  const Queue on = queue();
  const auto dense = scaled(uniform<float>(1'009), 0.8F);
  for (const Box& box : {Box{}, unit_periodic}) {
    const Search search = with_this_method(
        {0.15,
         box,
         {.wide_indices = true, .distances = true, .displacements = true, .edge_index = true, .shifts = true}});
    Neighbors<float> neighbors = plan<float>(on, search);
    DevicePoints<float> device(on, dense);
    neighbors.find(device.points());
    const auto before = pointers(neighbors);
    for (const auto& moved : {uniform<float>(1'009, 8), uniform<float>(1'009, 12), dense}) {
      device.copy_from(on, moved);
      neighbors.update(device.points());
      on.wait();
      EXPECT_EQ(pointers(neighbors), before);
      const List list = list_of(on, neighbors);
      EXPECT_THAT(list, SameList(brute_force(search, moved)));
      Neighbors<float> new_plan = plan<float>(on, search);
      new_plan.find(device.points());
      EXPECT_EQ(entries(on, neighbors.wide_indices(), list), to_host(on, new_plan.wide_indices()));
      EXPECT_EQ(entries(on, neighbors.distances(), list), to_host(on, new_plan.distances()));
      for (std::size_t axis = 0; axis < 3; ++axis)
        EXPECT_EQ(entries(on, neighbors.displacements()[axis], list), to_host(on, new_plan.displacements()[axis]));
      EXPECT_EQ(used_edges(on, neighbors), to_host(on, new_plan.edge_index()));
      EXPECT_EQ(used_shifts(on, neighbors), to_host(on, new_plan.shifts()));
    }
  }
}

TEST_P(NeighborsUpdate, WithASkinGivesTheEdgesOfAPlanWithout) {
  const Queue on = queue();
  const NeighborsOptions options{.edge_index = true, .shifts = true};
  const Search search = with_this_method({0.15, unit_periodic, options});
  Search with_skin = search;
  with_skin.options.skin = 0.05;
  Neighbors<float> neighbors = plan<float>(on, with_skin);
  auto points = uniform<float>(1'009);
  DevicePoints<float> device(on, points);
  neighbors.find(device.points());
  for (const float factor : {1.0F, 0.999F, 0.998F}) {
    device.copy_from(on, scaled(points, factor));
    neighbors.update(device.points());
    on.wait();
    Neighbors<float> new_plan = plan<float>(on, search);
    new_plan.find(device.points());
    EXPECT_EQ(used_edges(on, neighbors), to_host(on, new_plan.edge_index())) << factor;
    EXPECT_EQ(used_shifts(on, neighbors), to_host(on, new_plan.shifts())) << factor;
  }
  neighbors.find(device.points());
  EXPECT_EQ(used_edges(on, neighbors).size(), 2 * static_cast<std::size_t>(to_host(on, neighbors.offsets()).back()));
  Neighbors<float> new_plan = plan<float>(on, search);
  new_plan.find(device.points());
  EXPECT_EQ(used_edges(on, neighbors), to_host(on, new_plan.edge_index()));
}

TEST_P(NeighborsUpdate, GivesTheBitsOfFindBetweenTwoSetsWithRadii) {
  const Queue on = queue();
  const Search search = with_this_method({1, {}, {.radius = Radius::symmetric}});
  auto destinations = clustered<double>(700);
  auto sources = scaled(uniform<double>(1'009), 0.7);
  for (std::size_t i = 0; i < 700; ++i) destinations.radius.push_back(i % 5 == 0 ? 0.2 : 0.05);
  for (std::size_t i = 0; i < 1'009; ++i) sources.radius.push_back(i % 3 == 0 ? 0.1 : 0.01);
  Neighbors<double> neighbors = plan<double>(on, search);
  DevicePoints<double> device_destinations(on, destinations);
  DevicePoints<double> device_sources(on, sources);
  neighbors.find(device_destinations.points(), device_sources.points());
  sources = scaled(sources, 1.4);
  sources.radius[3] = 0.15;
  device_sources.copy_from(on, sources);
  neighbors.update(device_destinations.points(), device_sources.points());
  on.wait();
  EXPECT_THAT(list_of(on, neighbors), SameList(brute_force(search, destinations, sources)));
}

TEST_P(NeighborsUpdate, AcceptsFewerPoints) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.2});
  Neighbors<float> neighbors = plan<float>(on, search);
  const DevicePoints<float> many(on, uniform<float>(1'009));
  neighbors.find(many.points());
  for (const std::int64_t n : {700, 1, 0, 1'009}) {
    const auto points = uniform<float>(n);
    const DevicePoints<float> some(on, points);
    neighbors.update(some.points());
    on.wait();
    EXPECT_THAT(list_of(on, neighbors), SameList(brute_force(search, points))) << n;
  }
}

TEST_P(NeighborsUpdate, RefusesMorePoints) {
  const Queue on = queue();
  Neighbors<float> neighbors = plan<float>(on, with_this_method({.radius = 0.2}));
  const DevicePoints<float> five(on, uniform<float>(5));
  const DevicePoints<float> six(on, uniform<float>(6));
  neighbors.find(five.points());
  EXPECT_EQ(message_of([&] { neighbors.update(six.points()); }),
            "neighbors: update() with 6 destinations and 6 sources, expected at most the 5 and 5 of the last find(). "
            "Call find(), which makes room.");
  neighbors.find(five.points(), five.points());
  EXPECT_EQ(message_of([&] { neighbors.update(five.points(), six.points()); }),
            "neighbors: update() with 5 destinations and 6 sources, expected at most the 5 and 5 of the last find(). "
            "Call find(), which makes room.");
  EXPECT_NO_THROW(neighbors.find(six.points()));
  EXPECT_NO_THROW(neighbors.update(six.points()));
}

TEST_P(NeighborsUpdate, RequiresFind) {
  const Queue on = queue();
  Neighbors<float> neighbors = plan<float>(on, with_this_method({.radius = 0.2}));
  auto cloud = uniform<float>(5);
  const DevicePoints<float> points(on, cloud);
  const std::string message = "neighbors: update() before find(). Call find() once, to make room for the list.";
  EXPECT_EQ(message_of([&] { neighbors.update(points.points()); }), message);
  neighbors.prepare(points.points());
  EXPECT_EQ(message_of([&] { neighbors.update(points.points()); }), message) << "prepare() makes no room";
  cloud.x[3] = std::nanf("");
  const DevicePoints<float> bad(on, cloud);
  EXPECT_THROW(neighbors.find(bad.points()), Error);
  EXPECT_EQ(message_of([&] { neighbors.update(points.points()); }), message) << "a failed find() makes no room";
}

TEST_P(NeighborsUpdate, ReportsTheLengthOfAListWithoutRoom) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.15, .options = {.distances = true}});
  const auto sparse = uniform<float>(1'009);
  const auto dense = scaled(sparse, 0.5F);
  const std::size_t room = brute_force(search, sparse).indices.size();
  const std::size_t total = brute_force(search, dense).indices.size();
  Neighbors<float> neighbors = plan<float>(on, search);
  const DevicePoints<float> first(on, sparse);
  const DevicePoints<float> second(on, dense);
  neighbors.find(first.points());
  Array<std::int32_t> matrix(on, 1'009 * 100);
  EXPECT_EQ(message_of([&] {
              neighbors.update(second.points());
              neighbors.to_matrix(100, matrix);  // there is no list: nothing is read or written
              on.wait();
            }),
            "neighbors: the list has " + std::to_string(total) + " entries, but the plan has room for " +
                std::to_string(room) + ". Call find(), which makes room.");

  neighbors.update(first.points());
  on.wait();
  EXPECT_THAT(list_of(on, neighbors), SameList(brute_force(search, sparse))) << "the room of the first list remains";
  neighbors.find(second.points());
  EXPECT_THAT(list_of(on, neighbors), SameList(brute_force(search, dense))) << "find() makes room";
  neighbors.update(second.points());
  on.wait();
  EXPECT_THAT(list_of(on, neighbors), SameList(brute_force(search, dense)));
}

TEST_P(NeighborsUpdate, NamesBadPointsAtTheWait) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.2});
  Neighbors<float> neighbors = plan<float>(on, search);
  const auto points = uniform<float>(1'009);
  auto wrong = points;
  wrong.y[77] = std::nanf("");
  DevicePoints<float> device(on, points);
  neighbors.find(device.points());
  device.copy_from(on, wrong);
  EXPECT_NO_THROW(neighbors.update(device.points()));
  EXPECT_EQ(message_of([&] { on.wait(); }), "neighbors: point 77: y is not a number. Repair or remove it.");
  device.copy_from(on, points);
  neighbors.update(device.points());
  on.wait();
  EXPECT_THAT(list_of(on, neighbors), SameList(brute_force(search, points)));
}

class NeighborsWithoutUpdate : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsWithoutUpdate);

TEST_P(NeighborsWithoutUpdate, RefuseUpdate) {
  if (replays(GetParam())) GTEST_SKIP() << "this method can update";
  const Queue on = queue();
  Neighbors<float> neighbors = plan<float>(on, with_this_method({.radius = 0.2}));
  const DevicePoints<float> points(on, uniform<float>(5));
  neighbors.find(points.points());
  EXPECT_EQ(message_of([&] { neighbors.update(points.points()); }),
            "neighbors: method `" + GetParam().name +
                "` cannot update without waiting. Call find(), or choose another method.");
}

}  // namespace
}  // namespace shoal::neighbors
