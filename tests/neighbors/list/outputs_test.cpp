// SPDX-License-Identifier: Apache-2.0
// Optional arrays of a list (64-bit indices, distances, displacements), and the list as a matrix.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neighbors/brute_force.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class NeighborsOutputs : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsOutputs);

const NeighborsOptions all_outputs{
    .wide_indices = true, .distances = true, .displacements = true, .edge_index = true, .shifts = true};

TEST_P(NeighborsOutputs, OfAPairAcrossThePeriodByHand) {
  const Queue on = queue();
  Neighbors<double> neighbors = plan<double>(on, with_this_method({0.25, unit_periodic, all_outputs}));
  Distribution<double> points{"pair", {}, {}, {}};
  points.add(0.0625, 0.5, 0.75);
  points.add(0.9375, 0.625, 0.75);
  const DevicePoints<double> device(on, points);
  neighbors.find(device.points());
  EXPECT_EQ(to_host(on, neighbors.wide_indices()), (std::vector<std::int64_t>{1, 0}));
  const double d = std::sqrt(0.125 * 0.125 + 0.125 * 0.125);
  EXPECT_EQ(to_host(on, neighbors.distances()), (std::vector<double>{d, d}));
  EXPECT_EQ(to_host(on, neighbors.displacements()[0]), (std::vector<double>{0.125, -0.125}));
  EXPECT_EQ(to_host(on, neighbors.displacements()[1]), (std::vector<double>{-0.125, 0.125}));
  EXPECT_EQ(to_host(on, neighbors.displacements()[2]), (std::vector<double>{0, 0}));
  EXPECT_EQ(to_host(on, neighbors.edge_index()), (std::vector<std::int64_t>{0, 1, 1, 0}));
  EXPECT_EQ(to_host(on, neighbors.shifts()), (std::vector<std::int32_t>{-1, 0, 0, 1, 0, 0}));
}

/// Optional arrays of a list on the host.
template <class Real>
struct Outputs {
  std::vector<std::int64_t> wide;
  std::vector<Real> distance;
  std::array<std::vector<Real>, 3> displacement;
  std::vector<std::int64_t> edge_index;
  std::vector<std::int32_t> shifts;
};

template <class Real>
Outputs<Real> outputs_of(const Queue& queue, const Neighbors<Real>& neighbors) {
  const auto [x, y, z] = neighbors.displacements();
  return {to_host(queue, neighbors.wide_indices()),
          to_host(queue, neighbors.distances()),
          {to_host(queue, x), to_host(queue, y), to_host(queue, z)},
          to_host(queue, neighbors.edge_index()),
          to_host(queue, neighbors.shifts())};
}

template <class Real>
Outputs<Real> expected_outputs(const Search& search, const List& list, const BruteForce<Real>& pairs) {
  Outputs<Real> expected;
  for (std::size_t i = 0; i < list.row_count(); ++i)
    for (const std::int32_t j : list.row(i)) {
      const auto source = static_cast<std::size_t>(j);
      expected.wide.push_back(j);
      expected.distance.push_back(std::sqrt(pairs.squared(i, source)));
      for (std::size_t axis = 0; axis < static_cast<std::size_t>(search.box.dimensions); ++axis)
        expected.displacement[axis].push_back(pairs.displacement(i, source)[axis]);
      for (std::size_t axis = 0; axis < 3; ++axis) expected.shifts.push_back(pairs.shift(i, source)[axis]);
      expected.edge_index.push_back(static_cast<std::int64_t>(i));
    }
  expected.edge_index.insert(expected.edge_index.end(), expected.wide.begin(), expected.wide.end());
  return expected;
}

template <class Real>
void expect_outputs(const Queue& queue, const Search& search, const Distribution<Real>& destinations,
                    const Distribution<Real>& sources) {
  Neighbors<Real> neighbors = plan<Real>(queue, search);
  const DevicePoints<Real> device_destinations(queue, destinations);
  const DevicePoints<Real> device_sources(queue, sources);
  &destinations == &sources ? neighbors.find(device_sources.points())
                            : neighbors.find(device_destinations.points(), device_sources.points());
  const List list = list_of(queue, neighbors);
  const BruteForce<Real> pairs(search, destinations, sources);
  EXPECT_THAT(list, SameList(pairs.list())) << destinations.name << ", radius " << search.radius;
  const Outputs<Real> outputs = outputs_of(queue, neighbors);
  const Outputs<Real> expected = expected_outputs(search, list, pairs);
  EXPECT_EQ(outputs.wide, expected.wide) << destinations.name << ", radius " << search.radius;
  EXPECT_EQ(outputs.distance, expected.distance) << destinations.name << ", radius " << search.radius;
  EXPECT_EQ(outputs.displacement, expected.displacement) << destinations.name << ", radius " << search.radius;
  EXPECT_EQ(outputs.edge_index, expected.edge_index) << destinations.name << ", radius " << search.radius;
  EXPECT_EQ(outputs.shifts, expected.shifts) << destinations.name << ", radius " << search.radius;
}

template <class Real>
void expect_outputs_of_all(const Queue& queue, const std::string& method) {
  const auto few = clustered<Real>(131);
  for (const Distribution<Real>& points : every_distribution<Real>(500))
    for (const Box& box : {Box{}, unit_periodic, Box{.dimensions = 2}, Box{1, {true, false, false}, {}, {1, 0, 0}}}) {
      const Search search{0.21, box, all_outputs};
      expect_outputs(queue, with_method(search, method), points, points);
      expect_outputs(queue, with_method(search, method), few, points);
    }
}

TEST_P(NeighborsOutputs, HaveTheBitsOfTheFormulasInFloat) { expect_outputs_of_all<float>(queue(), GetParam().name); }
TEST_P(NeighborsOutputs, HaveTheBitsOfTheFormulasInDouble) { expect_outputs_of_all<double>(queue(), GetParam().name); }

TEST_P(NeighborsOutputs, UseTheNearestImageOfPointsAPeriodOutside) {
  auto points = uniform<float>(300);
  for (std::size_t i = 0; i < points.x.size(); i += 3) points.x[i] += i % 2 == 0 ? 1.0F : -1.0F;
  expect_outputs(queue(), with_this_method({0.3, unit_periodic, all_outputs}), points, points);
}

TEST_P(NeighborsOutputs, AreEmptyUnlessEnabled) {
  const Queue on = queue();
  Neighbors<float> neighbors = plan<float>(on, with_this_method({.radius = 0.2}));
  const DevicePoints<float> points(on, uniform<float>(100));
  neighbors.find(points.points());
  EXPECT_TRUE(neighbors.wide_indices().empty());
  EXPECT_TRUE(neighbors.distances().empty());
  EXPECT_TRUE(neighbors.displacements()[0].empty());
  EXPECT_TRUE(neighbors.edge_index().empty());
  EXPECT_TRUE(neighbors.shifts().empty());
}

TEST_P(NeighborsOutputs, HaveDisplacementsOnTheAxesOfTheBox) {
  const Queue on = queue();
  Neighbors<float> neighbors = plan<float>(on, with_this_method({0.2, {.dimensions = 2}, all_outputs}));
  const DevicePoints<float> points(on, uniform<float>(100));
  neighbors.find({points.x, points.y});
  EXPECT_EQ(neighbors.displacements()[1].count, neighbors.indices().count);
  EXPECT_TRUE(neighbors.displacements()[2].empty());
}

class NeighborsMatrix : public NeighborsMethodTest {
 protected:
  /// Points with 1, 2, 2, 2 and 1 neighbors.
  NeighborsMatrix() : points_(on_a_line<float>({3, 0, 1, 1, 2.5F})) {}

  Neighbors<float> five_points(const Queue& on) const {
    Neighbors<float> neighbors = plan<float>(on, with_this_method({1, {}, {.predicate = Predicate::inclusive}}));
    const DevicePoints<float> device(on, points_);
    neighbors.find(device.points());
    return neighbors;
  }
  static std::vector<std::int32_t> matrix(const Queue& on, const Neighbors<float>& neighbors, std::int64_t maximum) {
    Array<std::int32_t> out(on, 5 * maximum);
    neighbors.to_matrix(maximum, out);
    return to_host(on, out);
  }

  Distribution<float> points_;
};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsMatrix);

TEST_P(NeighborsMatrix, IsPaddedWithMinusOne) {
  const Queue on = queue();
  const Neighbors<float> neighbors = five_points(on);
  EXPECT_EQ(matrix(on, neighbors, 3), (std::vector<std::int32_t>{4, -1, -1, 2, 3, -1, 1, 3, -1, 1, 2, -1, 0, -1, -1}));
  EXPECT_EQ(matrix(on, neighbors, 2), (std::vector<std::int32_t>{4, -1, 2, 3, 1, 3, 1, 2, 0, -1})) << "just enough";
}

TEST_P(NeighborsMatrix, ReportsTheLengthOfTheLongestRow) {
  const Queue on = queue();
  const Neighbors<float> neighbors = five_points(on);
  const std::string message =
      "neighbors: the longest row has 2 entries, more than the maximum of 1 (the first such row is 1). Use at least "
      "that maximum.";
  EXPECT_EQ(message_of([&] { matrix(on, neighbors, 1); }), message);
  EXPECT_EQ(message_of([&] { matrix(on, neighbors, 1); }), message) << "the second call too";
  EXPECT_EQ(matrix(on, neighbors, 2), (std::vector<std::int32_t>{4, -1, 2, 3, 1, 3, 1, 2, 0, -1})) << "plan is usable";
}

TEST_P(NeighborsMatrix, ReportsTheLongestOfManyRows) {
  const Queue on = queue();
  const auto points = clustered<float>(2'000);
  const Search search = with_this_method({.radius = 0.03});
  Neighbors<float> neighbors = plan<float>(on, search);
  const DevicePoints<float> device(on, points);
  neighbors.find(device.points());
  const List list = brute_force(search, points);
  std::int64_t longest = 0;
  std::size_t first_of_ten = 0;
  for (std::size_t i = list.row_count(); i-- > 0;) {
    const auto length = static_cast<std::int64_t>(list.row(i).size());
    longest = std::max(longest, length);
    if (length > 9) first_of_ten = i;
  }
  Array<std::int32_t> small(on, 2'000 * 9);
  EXPECT_EQ(message_of([&] {
              neighbors.to_matrix(9, small);
              on.wait();
            }),
            "neighbors: the longest row has " + std::to_string(longest) +
                " entries, more than the maximum of 9 (the first such row is " + std::to_string(first_of_ten) +
                "). Use at least that maximum.");
  Array<std::int32_t> out(on, 2'000 * longest);
  neighbors.to_matrix(longest, out);
  const std::vector<std::int32_t> matrix = to_host(on, out);
  for (std::size_t i = 0; i < list.row_count(); ++i) {
    std::vector<std::int32_t> row = list.row(i);
    row.resize(static_cast<std::size_t>(longest), -1);
    EXPECT_TRUE(std::equal(row.begin(), row.end(), matrix.begin() + static_cast<std::int64_t>(i) * longest)) << i;
  }
}

TEST_P(NeighborsMatrix, OfNoPointsIsEmpty) {
  const Queue on = queue();
  Neighbors<float> neighbors = plan<float>(on, with_this_method({}));
  neighbors.find(Points<float>{});
  EXPECT_NO_THROW(neighbors.to_matrix(4, View<std::int32_t>()));
}

TEST_P(NeighborsMatrix, RefusesViewsThatDoNotFit) {
  const Queue on = queue();
  const Neighbors<float> neighbors = five_points(on);
  Array<std::int32_t> out(on, 20);
  const auto message = [&](std::int64_t maximum, View<std::int32_t> view) {
    return message_of([&] { neighbors.to_matrix(maximum, view); });
  };
  EXPECT_EQ(message(0, out), "neighbors: maximum = 0, expected a positive number of columns.");
  EXPECT_EQ(message(3, out), "neighbors: matrix has 20 elements, expected 15.");
  EXPECT_EQ(message(2, {out.data(), 10, on.device(), 2}), "neighbors: matrix is strided, expected a contiguous view.");
  EXPECT_EQ(message(4, {out.data(), 20, {DeviceKind::cuda, 7}}),
            "neighbors: matrix is on cuda:7, the queue works on " + to_string(on.device()) + ". Copy it there first.");
  const Neighbors<float> new_plan = plan<float>(on, with_this_method({}));
  EXPECT_EQ(message_of([&] { new_plan.to_matrix(4, out); }), "neighbors: to_matrix() before find(): there is no list.");
}

}  // namespace
}  // namespace shoal::neighbors
