// SPDX-License-Identifier: Apache-2.0
// RowOrder::visit: rows in the order in which the visitor visits them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/neighbors/sets.hpp>
#include <shoal/neighbors/stream.hpp>

#include "neighbors/brute_force.hpp"
#include "neighbors/list/visits.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

bool orders_visits(const MethodInfo& method) {
  for (const NeighborsMethod& entry : neighbors_method_table())
    if (entry.name == method.name && entry.device == method.device) return entry.orders_visits;
  return false;
}

class NeighborsVisitOrder : public NeighborsMethodTest {
 protected:
  void SetUp() override {
    NeighborsMethodTest::SetUp();
    if (!IsSkipped() && !orders_visits(GetParam())) GTEST_SKIP() << "this method writes ascending rows only";
  }
};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsVisitOrder);

Search in_visit_order(Search search) {
  search.options.order = RowOrder::visit;
  return search;
}

/// Rows as the visitor of a CPU plan visits them.
template <class Real>
List visited_rows(const Search& search, const Distribution<Real>& destinations, const Distribution<Real>& sources) {
  const Queue cpu = Queue::cpu(1);
  Neighbors<Real> neighbors = plan<Real>(cpu, with_method(search, "rows"));
  &destinations == &sources ? neighbors.prepare(destinations.points())
                            : neighbors.prepare(destinations.points(), sources.points());
  List list{{0}, {}};
  for (const Visits<Real>& visits : visits_on_host(neighbors.visitor(), destinations.x.size())) {
    std::vector<std::int32_t> row;
    for (const Visit<Real>& visit : visits.visits) row.push_back(visit.source);
    list.add_row(row);
  }
  return list;
}

List sorted_rows(const List& list) {
  List sorted{{0}, {}};
  for (std::size_t i = 0; i < list.row_count(); ++i) {
    std::vector<std::int32_t> row = list.row(i);
    std::sort(row.begin(), row.end());
    sorted.add_row(row);
  }
  return sorted;
}

TEST_P(NeighborsVisitOrder, OfCellsOnALineByHand) {
  // Cells of a quarter radius from the first point on: the points are in the cells 3, 0, 0 and 1.
  const auto points = on_a_line<double>({0.9, 0.05, 0.1, 0.5});
  const Search search = with_this_method(in_visit_order({.radius = 1, .box = {.dimensions = 1}}));
  EXPECT_EQ(find(queue(), search, points), (List{{0, 3, 6, 9, 12}, {1, 2, 3, 2, 3, 0, 1, 3, 0, 1, 2, 0}}));
}

TEST_P(NeighborsVisitOrder, OfRowsOfCellsByHand) {
  // Rows of cells are a little more than a radius wide, from y = 0 on: points 0 to 2 are in the rows 1, 2 and 0.
  Distribution<double> points{"rows of cells", {}, {}, {}};
  points.add(0.5, 1.5, 0);
  points.add(0.5, 2.2, 0);
  points.add(0.5, 0.8, 0);
  points.add(3.0, 0.0, 0);
  const Search search = with_this_method(in_visit_order({.radius = 1, .box = {.dimensions = 2}}));
  EXPECT_EQ(find(queue(), search, points), (List{{0, 2, 3, 4, 4}, {2, 1, 0, 0}}));
}

TEST_P(NeighborsVisitOrder, OfPeriodicRowsStartsBelowTheDestination) {
  // Three rows of cells along the periodic y; the row below row 0 is row 2.
  Distribution<double> points{"periodic rows", {}, {}, {}};
  points.add(0, 0.1, 0);
  points.add(0, 0.5, 0);
  points.add(0, 2.9, 0);
  const Search search =
      with_this_method(in_visit_order({.radius = 0.95, .box = {2, {false, true, false}, {0, 0, 0}, {0, 3, 0}}}));
  EXPECT_EQ(find(queue(), search, points), (List{{0, 2, 4, 6}, {2, 1, 2, 0, 0, 1}}));
}

template <class Real>
void expect_visited(const Queue& queue, Search search, const Distribution<Real>& points) {
  const List list = find(queue, in_visit_order(search), points);
  EXPECT_THAT(list, SameList(visited_rows(search, points, points))) << points.name;
  EXPECT_THAT(sorted_rows(list), SameList(brute_force(search, points))) << points.name;
}

TEST_P(NeighborsVisitOrder, IsThatOfTheVisitorForAllSizesAndDistributions) {
  for (const std::int64_t n : {0, 1, 2, 40, 1'009})
    for (const auto& points : every_distribution<float>(n)) {
      expect_visited(queue(), with_this_method({.radius = 0.1}), points);
      expect_visited(queue(), with_this_method({.radius = 0.2, .box = unit_periodic}), points);
      expect_visited(queue(), with_this_method({.radius = 0.05, .box = {.dimensions = 2}}), points);
    }
  for (const auto& points : every_distribution<double>(700))
    expect_visited(queue(), with_this_method({.radius = 0.15}), points);
}

TEST_P(NeighborsVisitOrder, HoldsForAllRulesOfPairs) {
  const auto points = clustered<float>(900);
  for (const NeighborsOptions& options :
       {NeighborsOptions{.include_self = true}, NeighborsOptions{.half = true},
        NeighborsOptions{.predicate = Predicate::inclusive, .include_self = true, .half = true}})
    for (const Box& box : {Box{}, unit_periodic})
      expect_visited(queue(), with_this_method({0.12, box, options}), points);
  auto graded = uniform<double>(800);
  for (const double x : graded.x) graded.radius.push_back(0.05 + 0.1 * x);
  for (const Radius radius : {Radius::gather, Radius::scatter, Radius::symmetric})
    expect_visited(queue(), with_this_method({1, {}, {.radius = radius}}), graded);
}

TEST_P(NeighborsVisitOrder, HoldsForRowsOfAllLengths) {
  const auto points = uniform<float>(2'000);
  for (const double radius : {0.2, 0.25, 0.35, 0.6, 1.8}) {
    const Search search = with_this_method({.radius = radius});
    EXPECT_THAT(find(queue(), in_visit_order(search), points), SameList(visited_rows(search, points, points)));
  }
}

TEST_P(NeighborsVisitOrder, HoldsForTwoSetsAndForAPart) {
  const auto destinations = uniform<float>(500, 3);
  const auto sources = clustered<float>(900);
  const Search search = with_this_method({.radius = 0.15});
  EXPECT_THAT(find(queue(), in_visit_order(search), destinations, sources),
              SameList(visited_rows(search, destinations, sources)));
  Neighbors<float> neighbors = plan<float>(queue(), in_visit_order(search));
  const DevicePoints<float> device(queue(), sources);
  neighbors.find_part(device.points(), 200, 300);
  const List whole = visited_rows(search, sources, sources);
  List part{{0}, {}};
  for (std::size_t i = 200; i < 500; ++i) part.add_row(whole.row(i));
  EXPECT_THAT(list_of(queue(), neighbors), SameList(part));
}

TEST_P(NeighborsVisitOrder, HoldsForNamedSetsAndStreams) {
  const auto points = clustered<float>(900);
  const Search search = in_visit_order(with_this_method({.radius = 0.1}));
  const List expected = visited_rows(search, points, points);
  const DevicePoints<float> device(queue(), points);
  NeighborSets<float> sets(queue(), search.radius, search.box, search.options);
  sets.add("fluid");
  sets.activate("fluid", "fluid");
  sets.set_points("fluid", device.points());
  sets.find();
  const auto list = sets.list("fluid", "fluid");
  EXPECT_EQ(to_host(queue(), list.indices), expected.indices);
  NeighborStream<float> stream(queue(), search.radius, search.box, search.options, {4'096});
  const auto streamed = stream.find_to_host(device.points());
  EXPECT_EQ(to_host(Queue::cpu(1), streamed.indices.view()), expected.indices);
}

TEST_P(NeighborsVisitOrder, OfDistancesIsThatOfTheEntries) {
  const auto points = uniform<double>(600);
  const Search search = in_visit_order(with_this_method({.radius = 0.2, .options = {.distances = true}}));
  Neighbors<double> neighbors = plan<double>(queue(), search);
  const DevicePoints<double> device(queue(), points);
  neighbors.find(device.points());
  const List list = list_of(queue(), neighbors);
  const std::vector<double> distances = to_host(queue(), neighbors.distances());
  const BruteForce<double> reference(search, points, points);
  for (std::size_t i = 0; i < list.row_count(); ++i)
    for (std::int64_t e = list.offsets[i]; e < list.offsets[i + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      ASSERT_EQ(distances[entry], std::sqrt(reference.squared(i, static_cast<std::size_t>(list.indices[entry]))));
    }
}

TEST_P(NeighborsVisitOrder, FollowsPointsThatMoved) {
  if (!replays(GetParam())) GTEST_SKIP() << "this method cannot update";
  const Queue on = queue();  // update() does not wait
  const Search search = with_this_method({.radius = 0.15});
  Neighbors<float> neighbors = plan<float>(on, in_visit_order(search));
  DevicePoints<float> device(on, clustered<float>(1'009));
  neighbors.find(device.points());
  const auto moved = uniform<float>(1'009, 8);
  device.copy_from(on, moved);
  neighbors.update(device.points());
  on.wait();
  EXPECT_THAT(list_of(on, neighbors), SameList(visited_rows(search, moved, moved)));
}

TEST(NeighborsVisitOrderErrors, NameTheMethodAndTheWayOut) {
  const auto make = [](const NeighborsOptions& options) { Neighbors<float>(Queue::cpu(1), 0.1, {}, options); };
  EXPECT_EQ(message_of([&] { make({.method = "cell_list", .order = RowOrder::visit}); }),
            "neighbors: order = \"visit\", but method `cell_list` writes ascending rows only. Use method `rows`, or "
            "order = \"ascending\".");
  EXPECT_EQ(
      message_of([&] { make({.order = RowOrder::visit, .skin = 0.01}); }),
      "neighbors: skin = 0.01 m with order = \"visit\", which changes whenever a point changes its cell. Set skin = "
      "0, or order = \"ascending\".");
}

}  // namespace
}  // namespace shoal::neighbors
