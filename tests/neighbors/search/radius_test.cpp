// SPDX-License-Identifier: Apache-2.0
// Radii of points: gather, scatter and symmetric.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neighbors/brute_force.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class NeighborsRadius : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(NeighborsRadius);

constexpr Radius radius_modes[] = {Radius::gather, Radius::scatter, Radius::symmetric};

template <class Real>
Distribution<Real> with_radii(Distribution<Real> points, const std::vector<double>& radii) {
  points.radius.assign(radii.begin(), radii.end());
  return points;
}

/// Adds radii from `min` to `max`, uniform on a logarithmic scale.
template <class Real>
Distribution<Real> with_spread_radii(Distribution<Real> points, double min, double max, unsigned seed = 9) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> exponent(std::log(min), std::log(max));
  for (std::size_t i = 0; i < points.x.size(); ++i)
    points.radius.push_back(static_cast<Real>(std::exp(exponent(random))));
  return points;
}

TEST_P(NeighborsRadius, ThreePointsOnALineByHand) {
  // Distances: 1 between 0 and 1, 3 between 0 and 2, 2 between 1 and 2.
  const auto points = with_radii(on_a_line<float>({0, 1, 3}), {1.5, 0.5, 2.5});
  const auto rows = [&](Radius radius) { return find(queue(), with_this_method({1, {}, {.radius = radius}}), points); };
  EXPECT_EQ(rows(Radius::gather), list_of_rows({{1}, {}, {1}}));
  EXPECT_EQ(rows(Radius::scatter), list_of_rows({{}, {0, 2}, {}}));
  EXPECT_EQ(rows(Radius::symmetric), list_of_rows({{1}, {0, 2}, {1}}));
}

TEST_P(NeighborsRadius, OfThePlanIsAFactor) {
  // Radii of 3, 1 and 5: the pair at distance 3 is at the radius of point 0, that at 1 at the radius of point 1.
  const auto points = with_radii(on_a_line<double>({0, 1, 3}), {1.5, 0.5, 2.5});
  const auto rows = [&](Radius radius, Predicate predicate) {
    return find(queue(), with_this_method({2, {}, {.predicate = predicate, .radius = radius}}), points);
  };
  EXPECT_EQ(rows(Radius::gather, Predicate::strict), list_of_rows({{1}, {}, {0, 1}}));
  EXPECT_EQ(rows(Radius::gather, Predicate::inclusive), list_of_rows({{1, 2}, {0}, {0, 1}}));
  EXPECT_EQ(rows(Radius::scatter, Predicate::strict), list_of_rows({{2}, {0, 2}, {}}));
  EXPECT_EQ(rows(Radius::scatter, Predicate::inclusive), list_of_rows({{1, 2}, {0, 2}, {0}}));
  EXPECT_EQ(rows(Radius::symmetric, Predicate::strict), list_of_rows({{1, 2}, {0, 2}, {0, 1}}));
}

TEST_P(NeighborsRadius, TwoSetsByHand) {
  const auto destinations = with_radii(on_a_line<float>({0, 5}), {1.25, 0.25});
  const auto sources = with_radii(on_a_line<float>({-1, 2, 4.5}), {0.5, 2.5, 1});
  const auto rows = [&](Radius radius) {
    return find(queue(), with_this_method({1, {}, {.radius = radius}}), destinations, sources);
  };
  EXPECT_EQ(rows(Radius::gather), list_of_rows({{0}, {}}));
  EXPECT_EQ(rows(Radius::scatter), list_of_rows({{1}, {2}}));
  EXPECT_EQ(rows(Radius::symmetric), list_of_rows({{0, 1}, {2}}));
}

const Box boxes[] = {
    {},
    {.dimensions = 2},
    {.dimensions = 1},
    unit_periodic,
    {2, {false, true, false}, {0, 0, 0}, {1, 1, 1}},
    {1, {true, false, false}, {0, 0, 0}, {1, 1, 1}},
};

template <class Real>
void expect_brute_force(const Queue& queue, const std::string& method, const Distribution<Real>& destinations,
                        const Distribution<Real>& sources) {
  const bool one_set = &destinations == &sources;
  for (const Box& box : boxes)
    for (const Radius radius : radius_modes)
      for (const Predicate predicate : {Predicate::strict, Predicate::inclusive}) {
        const Search search{1.5, box, {.method = method, .predicate = predicate, .radius = radius}};
        const List list = one_set ? find(queue, search, sources) : find(queue, search, destinations, sources);
        EXPECT_THAT(list, SameList(brute_force(search, destinations, sources)))
            << destinations.name << " near " << sources.name << ", " << box.dimensions << " dimensions, "
            << to_name(radius) << ", " << to_name(predicate);
      }
}

TEST_P(NeighborsRadius, VariesAHundredfoldWithinOneSet) {
  const auto in_float = with_spread_radii(uniform<float>(700), 0.003, 0.3);
  expect_brute_force(queue(), GetParam().name, in_float, in_float);
  const auto in_double = with_spread_radii(half_in_a_clump<double>(700), 0.003, 0.3);
  expect_brute_force(queue(), GetParam().name, in_double, in_double);
}

TEST_P(NeighborsRadius, VariesAHundredfoldBetweenTwoSets) {
  const auto destinations = with_spread_radii(clustered<float>(131), 0.003, 0.3, 10);
  const auto sources = with_spread_radii(uniform<float>(1'009), 0.002, 0.05, 11);
  expect_brute_force(queue(), GetParam().name, destinations, sources);
  expect_brute_force(queue(), GetParam().name, sources, destinations);
}

TEST_P(NeighborsRadius, MayFollowTheLocalSpacing) {
  // As in adaptive SPH: small radii in the cluster, large ones around it.
  auto points = half_in_a_clump<float>(3'000);
  for (std::size_t i = 0; i < points.x.size(); ++i) points.radius.push_back(i % 2 == 0 ? 0.01F : 0.12F);
  for (const Radius radius : radius_modes) {
    const Search search = with_this_method({1, {}, {.radius = radius, .include_self = true}});
    EXPECT_THAT(find(queue(), search, points), SameList(brute_force(search, points))) << to_name(radius);
  }
}

TEST_P(NeighborsRadius, ScatterIsTheTransposeOfGather) {
  const auto points = with_spread_radii(clustered<double>(1'009), 0.003, 0.1);
  const List gather = find(queue(), with_this_method({1, {}, {.radius = Radius::gather}}), points);
  const List scatter = find(queue(), with_this_method({1, {}, {.radius = Radius::scatter}}), points);
  std::vector<std::vector<std::int32_t>> transposed(points.x.size());
  for (std::size_t i = 0; i < gather.row_count(); ++i)
    for (const std::int32_t j : gather.row(i))
      transposed[static_cast<std::size_t>(j)].push_back(static_cast<std::int32_t>(i));
  EXPECT_THAT(scatter, SameList(list_of_rows(transposed)));
}

TEST_P(NeighborsRadius, EqualRadiiAreOneRadius) {
  const auto points = uniform<float>(1'009);
  const auto radii = with_radii(points, std::vector<double>(1'009, 0.1));
  const List fixed = find(queue(), with_this_method({.radius = 0.1}), points);
  for (const Radius radius : radius_modes)
    EXPECT_THAT(find(queue(), with_this_method({1, {}, {.radius = radius}}), radii), SameList(fixed))
        << to_name(radius);
}

TEST_P(NeighborsRadius, OfPointsIsIgnoredIfTheRadiusIsFixed) {
  const auto points = uniform<float>(500);
  const auto radii = with_radii(points, {0, -1, 1e9});
  const Search search = with_this_method({.radius = 0.1});
  EXPECT_THAT(find(queue(), search, radii), SameList(find(queue(), search, points)));
}

TEST_P(NeighborsRadius, MayBeHalfOfThePeriod) {
  // 0.3 is not a float: the root of its rounded square must round back to it.
  const Box box{3, {true, true, true}, {0, 0, 0}, {0.6, 0.6, 0.6}};
  auto points = uniform<float>(100);
  points.radius.assign(100, 0.3F);
  for (const Predicate predicate : {Predicate::strict, Predicate::inclusive}) {
    const Search search = with_this_method({1, box, {.predicate = predicate, .radius = Radius::symmetric}});
    EXPECT_THAT(find(queue(), search, points), SameList(brute_force(search, points))) << to_name(predicate);
  }
}

TEST_P(NeighborsRadius, ComesFromAnArrayOfStructures) {
  const Queue on = queue();
  const auto points = with_spread_radii(uniform<double>(131), 0.03, 0.3);
  std::vector<double> interleaved;
  for (std::size_t i = 0; i < points.x.size(); ++i)
    interleaved.insert(interleaved.end(), {points.x[i], points.y[i], points.z[i], points.radius[i]});
  const Array<double> array = to_device(on, interleaved);
  const auto member = [&](int k) { return View<const double>(array.data() + k, 131, on.device(), 4); };
  const Search search = with_this_method({1, {}, {.radius = Radius::symmetric}});
  Neighbors<double> neighbors = plan<double>(on, search);
  neighbors.find({member(0), member(1), member(2), member(3)});
  EXPECT_THAT(list_of(on, neighbors), SameList(brute_force(search, points)));
}

}  // namespace
}  // namespace shoal::neighbors
