// SPDX-License-Identifier: Apache-2.0
// Loop over neighbors without a list, on the host and through sum().
#include <gtest/gtest.h>

#include "neighbors/brute_force.hpp"
#include "neighbors/list/visits.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

const Search visitor_searches[] = {
    {.radius = 0.12},
    {.radius = 0.12, .options = {.predicate = Predicate::inclusive, .include_self = true}},
    {.radius = 0.2, .options = {.half = true}},
    {.radius = 0.2, .box = unit_periodic},
    {.radius = 0.5, .box = unit_periodic, .options = {.predicate = Predicate::inclusive}},
    {.radius = 0.1, .box = {.dimensions = 2}},
    {.radius = 0.05, .box = {1, {true, false, false}, {0, 0, 0}, {1, 1, 1}}},
    {.radius = 1, .options = {.radius = Radius::gather}},
    {.radius = 1, .options = {.radius = Radius::scatter}},
    {.radius = 1, .box = unit_periodic, .options = {.radius = Radius::symmetric, .include_self = true}},
};

template <class Real>
Distribution<Real> with_two_radii(Distribution<Real> points) {
  for (std::size_t i = 0; i < points.x.size(); ++i) points.radius.push_back(i % 4 == 0 ? Real(0.25) : Real(0.03));
  return points;
}

template <class Real>
void expect_visits(const Search& search, const Distribution<Real>& destinations, const Distribution<Real>& sources) {
  const Queue on = Queue::cpu(3);
  Neighbors<Real> neighbors = plan<Real>(on, search);
  const bool one_set = &destinations == &sources;
  one_set ? neighbors.prepare(sources.points()) : neighbors.prepare(destinations.points(), sources.points());
  on.wait();
  const std::vector<Visits<Real>> visits = visits_on_host(neighbors.visitor(), destinations.x.size());
  const BruteForce<Real> pairs(search, destinations, sources);
  for (std::size_t i = 0; i < destinations.x.size(); ++i) {
    std::vector<std::int32_t> row;
    for (const Visit<Real>& visit : visits[i].visits) {
      const auto j = static_cast<std::size_t>(visit.source);
      row.push_back(visit.source);
      EXPECT_EQ(visit.squared, pairs.squared(i, j));
      EXPECT_EQ(visit.displacement, pairs.displacement(i, j));
    }
    std::sort(row.begin(), row.end());
    EXPECT_EQ(row, pairs.row(i)) << destinations.name << ", destination " << i << ", radius " << search.radius;
    EXPECT_EQ(visits[i].occurrences, 1) << "each destination occurs once";
    EXPECT_EQ(visits[i].position[0], destinations.x[i]);
  }
}

TEST(NeighborVisitor, VisitsTheListOnTheHost) {
  const auto few = with_two_radii(clustered<float>(131));
  for (const Search& search : visitor_searches)
    for (const auto& cloud : every_distribution<float>(400)) {
      const auto points = with_two_radii(cloud);
      expect_visits(search, points, points);
      expect_visits(search, few, points);
    }
  const auto points = with_two_radii(uniform<double>(700));
  for (const Search& search : visitor_searches) expect_visits(search, points, points);
}

TEST(NeighborVisitor, GivesTheSortedIndicesOfSources) {
  const Queue on = Queue::cpu(3);
  const auto points = uniform<float>(300);
  Neighbors<float> neighbors(on, 0.2);
  neighbors.prepare(points.points());
  const NeighborVisitor<float> visitor = neighbors.visitor();
  ASSERT_EQ(visitor.source_count(), 300);
  std::int64_t visits = 0;
  for (std::int64_t k = 0; k < visitor.count(); ++k) {
    EXPECT_EQ(visitor.source(k), visitor.destination(k)) << "within one set";
    visitor.visit_places(k, [&](std::int64_t place, std::int32_t source, const Position<float>&, float) {
      EXPECT_EQ(visitor.source(place), source);
      ++visits;
    });
  }
  EXPECT_EQ(visits, static_cast<std::int64_t>(brute_force({.radius = 0.2}, points).indices.size()));
}

TEST(NeighborVisitor, HasNothingToVisitWithoutPoints) {
  const Queue on = Queue::cpu(3);
  Neighbors<float> neighbors(on, 0.1);
  neighbors.prepare(Points<float>{});
  EXPECT_EQ(neighbors.visitor().count(), 0);
  const auto points = uniform<float>(3);
  neighbors.prepare(points.points(), Points<float>{});
  const NeighborVisitor<float> visitor = neighbors.visitor();
  ASSERT_EQ(visitor.count(), 3);
  visitor.visit(1, [](std::int32_t, const Position<float>&, float) { FAIL() << "there are no sources"; });
}

class NeighborsSum : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsSum);

/// Weights whose sum depends on the order.
template <class Real>
std::vector<Real> uneven_weights(std::size_t n) {
  std::mt19937_64 random(6);
  std::normal_distribution<double> exponent(0, 4);
  std::vector<Real> weights(n);
  for (Real& weight : weights) weight = static_cast<Real>(std::exp(exponent(random)));
  return weights;
}

/// Returns sums in the order of a host loop.
template <class Real>
std::vector<Real> sums_on_host(const Search& search, const Distribution<Real>& destinations,
                               const Distribution<Real>& sources, const std::vector<Real>& weights) {
  const Queue on = Queue::cpu(1);
  Neighbors<Real> neighbors = plan<Real>(on, with_method(search, "auto"));
  const bool one_set = &destinations == &sources;
  one_set ? neighbors.prepare(sources.points()) : neighbors.prepare(destinations.points(), sources.points());
  std::vector<Real> sums;
  for (const Visits<Real>& destination : visits_on_host(neighbors.visitor(), destinations.x.size())) {
    Real sum = 0;
    for (const Visit<Real>& visit : destination.visits) sum += weights[static_cast<std::size_t>(visit.source)];
    sums.push_back(sum);
  }
  return sums;
}

template <class Real>
void expect_sums(const Queue& on, const Search& search, const Distribution<Real>& destinations,
                 const Distribution<Real>& sources) {
  Neighbors<Real> neighbors = plan<Real>(on, search);
  const DevicePoints<Real> device_destinations(on, destinations);
  const DevicePoints<Real> device_sources(on, sources);
  &destinations == &sources ? neighbors.prepare(device_sources.points())
                            : neighbors.prepare(device_destinations.points(), device_sources.points());
  const std::vector<Real> weights = uneven_weights<Real>(sources.x.size());
  const Array<Real> device_weights = to_device(on, weights);
  Array<Real> sums(on, destinations.count());
  neighbors.sum(device_weights, sums);
  EXPECT_EQ(to_host(on, sums), sums_on_host(search, destinations, sources, weights))
      << destinations.name << ", radius " << search.radius;
}

TEST_P(NeighborsSum, HasTheBitsOfAHostLoopInItsOrder) {
  const auto few = with_two_radii(clustered<float>(131));
  for (const Search& search : visitor_searches)
    for (const auto& cloud : every_distribution<float>(1'009)) {
      const auto points = with_two_radii(cloud);
      expect_sums(queue(), with_this_method(search), points, points);
      expect_sums(queue(), with_this_method(search), few, points);
    }
  const auto points = with_two_radii(half_in_a_clump<double>(2'000));
  for (const Search& search : visitor_searches) expect_sums(queue(), with_this_method(search), points, points);
}

TEST_P(NeighborsSum, OfOnesIsTheLengthOfTheRow) {
  const Queue on = queue();
  const auto points = clustered<double>(1'009);
  const Search search = with_this_method({.radius = 0.05});
  Neighbors<double> neighbors = plan<double>(on, search);
  const DevicePoints<double> device(on, points);
  const Array<double> ones = to_device(on, std::vector<double>(1'009, 1));
  Array<double> sums(on, 1'009);
  neighbors.find(device.points());
  neighbors.sum(ones, sums);
  const List list = brute_force(search, points);
  const std::vector<double> lengths = to_host(on, sums);
  for (std::size_t i = 0; i < list.row_count(); ++i)
    EXPECT_EQ(lengths[i], static_cast<double>(list.row(i).size())) << i;
}

TEST_P(NeighborsSum, ReadsAndWritesStridedViews) {
  const Queue on = queue();
  const auto points = on_a_line<float>({0, 1, 1.5, 9});
  Neighbors<float> neighbors = plan<float>(on, with_this_method({.radius = 1.25}));
  const DevicePoints<float> device(on, points);
  neighbors.prepare(device.points());
  const Array<float> weights = to_device<float>(on, {1, -1, 2, -1, 4, -1, 8, -1});
  Array<float> out = to_device<float>(on, {-7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7});
  neighbors.sum(View<const float>(weights.data(), 4, on.device(), 2), View<float>(out.data(), 4, on.device(), 3));
  EXPECT_EQ(to_host(on, out), (std::vector<float>{2, -7, -7, 5, -7, -7, 2, -7, -7, 0, -7, -7}));
}

TEST_P(NeighborsSum, FollowsTheLastSearch) {
  const Queue on = queue();
  Neighbors<float> neighbors = plan<float>(on, with_this_method({.radius = 1.25}));
  const DevicePoints<float> near(on, on_a_line<float>({0, 1}));
  const DevicePoints<float> far(on, on_a_line<float>({0, 2}));
  const Array<float> weights = to_device<float>(on, {1, 2});
  Array<float> sums(on, 2);
  const auto sum = [&] {
    neighbors.sum(weights, sums);
    return to_host(on, sums);
  };
  neighbors.prepare(near.points());
  EXPECT_EQ(sum(), (std::vector<float>{2, 1}));
  neighbors.find(far.points());
  EXPECT_EQ(sum(), (std::vector<float>{0, 0}));
  neighbors.find(near.points(), near.points());
  EXPECT_EQ(sum(), (std::vector<float>{3, 3})) << "a point in both sets finds itself";
}

TEST_P(NeighborsSum, NeedsPointsAndFittingViews) {
  const Queue on = queue();
  Neighbors<float> neighbors = plan<float>(on, with_this_method({.radius = 1}));
  const DevicePoints<float> points(on, uniform<float>(3));
  Array<float> three(on, 3);
  Array<float> two(on, 2);
  const std::string message =
      "neighbors: visitor() or sum() before prepare(), find() or update(). Call one of them first.";
  EXPECT_EQ(message_of([&] { neighbors.visitor(); }), message);
  EXPECT_EQ(message_of([&] { neighbors.sum(three, three); }), message);
  neighbors.prepare(points.points());
  EXPECT_EQ(message_of([&] { neighbors.sum(two, three); }), "neighbors: weights has 2 elements, expected 3.");
  EXPECT_EQ(message_of([&] { neighbors.sum(three, two); }), "neighbors: out has 2 elements, expected 3.");
  EXPECT_EQ(message_of([&] {
              neighbors.sum(three, View<float>(three.data(), 3, {DeviceKind::cuda, 7}));
            }),
            "neighbors: out is on cuda:7, the queue works on " + to_string(on.device()) + ". Copy it there first.");
  EXPECT_EQ(message_of([&] { neighbors.prepare({three, two, three}); }), "neighbors: y has 2 elements, expected 3.");
}

TEST_P(NeighborsSum, NamesBadPointsAtTheWait) {
  const Queue on = queue();
  Neighbors<float> neighbors = plan<float>(on, with_this_method({.radius = 1}));
  auto points = uniform<float>(300);
  points.z[31] = INFINITY;
  const DevicePoints<float> device(on, points);
  neighbors.prepare(device.points());
  EXPECT_EQ(message_of([&] { on.wait(); }),
            "neighbors: point 31: z = inf m, expected a finite position. Repair or remove it.");
}

}  // namespace
}  // namespace shoal::neighbors
