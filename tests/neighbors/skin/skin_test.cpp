// SPDX-License-Identifier: Apache-2.0
// Lists with a skin equal those of a new plan, however the points moved.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/neighbors.hpp>

#include <limits>
#include <random>

#include "neighbors/skin/skin_lists.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

class EverySkin : public NeighborsUpdateTest {
 protected:
  /// Compares the lists during a random walk of all points, with many small steps and a few large ones.
  template <class Real>
  void expect_equal_on_a_walk(const Search& search, Distribution<Real> points) const {
    const Queue on = queue();
    std::mt19937_64 random(7);
    Neighbors<Real> neighbors(on, search.radius, search.box, with_this_method(search).options);
    shake(points, 1.5 * search.options.skin, random);  // a lattice would later need more room than at find()
    DevicePoints<Real> device(on, points);
    neighbors.find(device.points());
    EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<Real>(search, points))) << points.name;
    std::int64_t filtered_updates = 0;
    for (int step = 0; step < 24; ++step) {
      const std::int64_t rebuilds = neighbors.rebuilds();
      shake(points, (step % 8 == 7 ? 1.5 : 0.06) * search.options.skin, random);
      device.copy_from(on, points);
      neighbors.update(device.points());
      on.wait();
      EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<Real>(search, points)))
          << points.name << ", step " << step;
      filtered_updates += neighbors.rebuilds() == rebuilds ? 1 : 0;
    }
    EXPECT_GE(filtered_updates, 10);
    EXPECT_GE(neighbors.rebuilds(), 3);
  }
};

SHOAL_FOR_EVERY_NEIGHBORS_METHOD(EverySkin);

TEST_P(EverySkin, FindsTheListOfANewPlanOnEveryStep) {
  const Search searches[] = {
      {.radius = 0.1, .options = {.skin = 0.02}},
      {.radius = 0.1, .options = {.include_self = true, .skin = 0.3}},
      {.radius = 0.1, .options = {.half = true, .distances = true, .displacements = true, .skin = 0.03}},
      {.radius = 0.15, .box = {3, {false, true, false}, {0, 0, 0}, {1, 1, 1}}, .options = {.skin = 0.05}},
      {.radius = 0.3, .box = unit_periodic, .options = {.wide_indices = true, .skin = 0.05}},
      {.radius = 0.05, .box = {.dimensions = 2}, .options = {.skin = 0.01}},
      {.radius = 0.01, .box = {1, {true, false, false}, {0, 0, 0}, {1, 0, 0}}, .options = {.skin = 0.002}},
  };
  for (const Search& search : searches) {
    expect_equal_on_a_walk(search, uniform<float>(1'009));
    expect_equal_on_a_walk(search, clustered<double>(343));
  }
}

TEST_P(EverySkin, FindsTheListOfANewPlanBetweenTwoSets) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.15, .options = {.distances = true, .skin = 0.05}});
  std::mt19937_64 random(3);
  Distribution<float> probes = uniform<float>(131, 5);
  Distribution<float> points = uniform<float>(1'009);
  DevicePoints<float> device_probes(on, probes);
  DevicePoints<float> device_points(on, points);
  Neighbors<float> neighbors(on, search.radius, search.box, search.options);
  neighbors.find(device_probes.points(), device_points.points());
  for (int step = 0; step < 16; ++step) {
    shake(step % 2 == 0 ? probes : points, step == 13 ? 0.2 : 0.002, random);
    device_probes.copy_from(on, probes);
    device_points.copy_from(on, points);
    neighbors.update(device_probes.points(), device_points.points());
    on.wait();
    EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<float>(search, probes, points))) << "step " << step;
    EXPECT_EQ(neighbors.rebuilds(), step < 13 ? 0 : 1) << "step " << step;
  }
}

TEST_P(EverySkin, PairsAtExactlyTheRadiusAreDecidedByThePredicate) {
  // A lattice of spacing 1/8 that moves by multiples of 2^-10: every difference is exact.
  for (const Predicate predicate : {Predicate::strict, Predicate::inclusive}) {
    const Queue on = queue();
    const Search search = with_this_method({.radius = 0.25, .options = {.predicate = predicate, .skin = 1.0 / 64}});
    Distribution<float> lattice{"lattice", {}, {}, {}};
    for (int i = 0; i < 512; ++i) lattice.add(i % 8 / 8.0, i / 8 % 8 / 8.0, i / 64 / 8.0);
    DevicePoints<float> device(on, lattice);
    Neighbors<float> neighbors(on, search.radius, search.box, search.options);
    neighbors.find(device.points());
    for (int step = 0; step < 12; ++step) {
      for (std::size_t i = 0; i < 512; ++i) lattice.x[i] += 0x1p-10f * static_cast<float>(i % 2 == 0 ? 1 : step % 2);
      device.copy_from(on, lattice);
      neighbors.update(device.points());
      on.wait();
      EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<float>(search, lattice))) << "step " << step;
    }
  }
}

/// Compares the lists of two points at about radius + skin that approach each other by about the skin, both within a
/// few units in the last place.
template <class Real>
void expect_no_pair_lost_at_the_margin(const Queue& queue, const Search& search, double origin) {
  const double candidate_radius = search.radius + search.options.skin;
  const double ulp = candidate_radius * std::numeric_limits<Real>::epsilon();
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> units(-8, 8);
  Neighbors<Real> neighbors(queue, search.radius, search.box, search.options);
  for (int trial = 0; trial < 50; ++trial) {
    const double left_point = origin + units(random) / 64;
    const double distance = candidate_radius + ulp * units(random);
    const double left_shift = search.options.skin / 2 + ulp * (units(random) - 8);
    const double right_shift = search.options.skin / 2 + ulp * (units(random) - 8);
    Distribution<Real> points{"pair", {}, {}, {}};
    points.add(left_point, 0.5, 0.5);
    points.add(left_point + distance, 0.5, 0.5);
    DevicePoints<Real> device(queue, points);
    neighbors.find(device.points());
    points.x[0] = static_cast<Real>(left_point + left_shift);
    points.x[1] = static_cast<Real>(left_point + distance - right_shift);
    device.copy_from(queue, points);
    neighbors.update(device.points());
    queue.wait();
    ASSERT_THAT(entries_of(queue, neighbors), SameList(new_list<Real>(search, points)))
        << "trial " << trial << " at " << origin;
  }
}

TEST_P(EverySkin, LosesNoPairAtTheMargin) {
  const Search open = with_this_method({.radius = 0.1, .options = {.skin = 0.03}});
  Search periodic = open;
  periodic.box = unit_periodic;
  for (const double origin : {0.0, 0.45, 100.0}) {
    expect_no_pair_lost_at_the_margin<float>(queue(), open, origin);
    expect_no_pair_lost_at_the_margin<double>(queue(), open, origin);
  }
  for (const double origin : {0.2, 0.95, 1.7}) {
    expect_no_pair_lost_at_the_margin<float>(queue(), periodic, origin);
    expect_no_pair_lost_at_the_margin<double>(queue(), periodic, origin);
  }
}

TEST_P(EverySkin, AcceptsFewerPointsAndLaterAllOfThem) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.2, .options = {.skin = 0.05}});
  const Distribution<float> points = uniform<float>(500);
  Neighbors<float> neighbors(on, search.radius, search.box, search.options);
  const DevicePoints<float> device(on, points);
  neighbors.find(device.points());
  std::int64_t rebuilds = 0;
  for (const std::int64_t n : {500, 131, 131, 0, 0, 1, 500}) {
    Distribution<float> part{"part", {}, {}, {}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) part.add(points.x[i], points.y[i], points.z[i]);
    const auto cut = [&](const Array<float>& axis) { return View<const float>(axis.data(), n, on.device()); };
    neighbors.update({cut(device.x), cut(device.y), cut(device.z)});
    on.wait();
    EXPECT_THAT(entries_of(on, neighbors), SameList(new_list<float>(search, part))) << n;
    rebuilds = neighbors.rebuilds();
  }
  EXPECT_EQ(rebuilds, 4);
}

TEST_P(EverySkin, UpdatesAllocateNothing) {
  const Queue on = queue();
  Neighbors<float> neighbors(on, 0.1, {}, with_this_method({.options = {.distances = true, .skin = 0.02}}).options);
  const DevicePoints<float> first(on, uniform<float>(1'009));
  const DevicePoints<float> second(on, uniform<float>(1'009, 8));
  neighbors.find(first.points());
  const std::int64_t bytes = neighbors.scratch_bytes();
  const void* const indices = neighbors.indices().data;
  const void* const distances = neighbors.distances().data;
  EXPECT_EQ(neighbors.indices().count, to_host(on, neighbors.offsets()).back());
  for (const auto* points : {&first, &second, &first}) {
    neighbors.update(points->points());
    on.wait();
    EXPECT_EQ(neighbors.scratch_bytes(), bytes);
    EXPECT_EQ(neighbors.indices().data, indices);
    EXPECT_EQ(neighbors.distances().data, distances);
  }
}

TEST_P(EverySkin, SumsOverThePositionsOfTheLastUpdate) {
  const Queue on = queue();
  const Search search = with_this_method({.radius = 0.2, .options = {.skin = 0.1}});
  Distribution<float> points = uniform<float>(1'009);
  const Array<float> weights = to_device(on, points.y);
  Array<float> out(on, 1'009);
  const auto sums = [&](Neighbors<float>& neighbors) {
    neighbors.sum(weights, out);
    return to_host(on, out);
  };
  DevicePoints<float> device(on, points);
  Neighbors<float> neighbors(on, search.radius, search.box, search.options);
  neighbors.find(device.points());
  std::mt19937_64 random(5);
  shake(points, 0.01, random);
  device.copy_from(on, points);
  neighbors.update(device.points());
  Neighbors<float> expected(on, search.radius);
  expected.prepare(device.points());
  EXPECT_EQ(sums(neighbors), sums(expected));
  EXPECT_EQ(neighbors.rebuilds(), 0);
}

}  // namespace
}  // namespace shoal::neighbors
