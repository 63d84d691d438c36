// SPDX-License-Identifier: Apache-2.0
// Points near those of a rank, and lists over ranks, which are threads here: equal to one rank's.
#include <gtest/gtest.h>
#include <shoal/ranks/ghost_points.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "neighbors/neighbor_lists.hpp"
#include "support/messages.hpp"
#include "support/thread_ranks.hpp"

namespace shoal {
namespace {

using namespace testing_support;

/// Part of a distribution.
template <class Real>
Distribution<Real> part_of(const Distribution<Real>& points_of_all, std::size_t begin, std::size_t end) {
  const auto cut = [&](const std::vector<Real>& array) {
    return array.empty() ? array
                         : std::vector<Real>(array.begin() + static_cast<std::ptrdiff_t>(begin),
                                             array.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return {points_of_all.name, cut(points_of_all.x), cut(points_of_all.y), cut(points_of_all.z),
          cut(points_of_all.radius)};
}

/// The same points in the order of z, so that ranks have slabs.
template <class Real>
Distribution<Real> sorted_by_z(const Distribution<Real>& points_of_all) {
  std::vector<std::size_t> order(points_of_all.x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return points_of_all.z[a] < points_of_all.z[b]; });
  Distribution<Real> sorted{points_of_all.name + " sorted", {}, {}, {}};
  for (const std::size_t i : order) {
    sorted.add(points_of_all.x[i], points_of_all.y[i], points_of_all.z[i]);
    if (!points_of_all.radius.empty()) sorted.radius.push_back(points_of_all.radius[i]);
  }
  return sorted;
}

/// Points on a lattice, whose distances are multiples of 1/8: the search radius decides between < and ≤.
template <class Real>
Distribution<Real> lattice() {
  Distribution<Real> points{"lattice", {}, {}, {}};
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 5; ++x) points.add(x / 8.0, y / 8.0, z / 8.0);
  return points;
}

/// First point of each rank: uneven parts; rank 1 of several has none.
std::vector<std::size_t> parts_of(std::size_t count, int ranks) {
  std::vector<std::size_t> begin{0};
  for (int rank = 0; rank < ranks; ++rank)
    begin.push_back(rank + 1 == ranks ? count : count * (rank + 1) / (ranks + 1));
  if (ranks > 2) begin[2] = begin[1];
  return begin;
}

/// Rows of the own points with the numbers of all ranks.
template <class Real>
std::vector<std::vector<std::int64_t>> rows_on_rank(const Queue& queue, const GhostPoints<Real>& ghosts,
                                                    const Search& search) {
  Neighbors<Real> neighbors(queue, search.radius, search.box, search.options);
  neighbors.find_part(ghosts.points(), ghosts.own_begin(), ghosts.own_count());
  const List list = list_of(queue, neighbors);
  const std::vector<std::int64_t> number = to_host(queue, ghosts.number());
  std::vector<std::vector<std::int64_t>> rows(list.row_count());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const std::int32_t source : list.row(i)) rows[i].push_back(number[static_cast<std::size_t>(source)]);
  return rows;
}

template <class Real>
void expect_rows_of_one_rank(DeviceKind device, const Search& search, const Distribution<Real>& points_of_all,
                             int ranks) {
  const Queue alone = queue_on(device);
  Neighbors<Real> neighbors(alone, search.radius, search.box, search.options);
  const DevicePoints<Real> device_all(alone, points_of_all);
  neighbors.find(device_all.points());
  const List expected = list_of(alone, neighbors);
  const std::vector<std::size_t> begin = parts_of(points_of_all.x.size(), ranks);
  run_on_ranks(ranks, [&](const Communicator& group) {
    const Queue queue = queue_on(device);
    const auto rank = static_cast<std::size_t>(group.rank());
    const DevicePoints<Real> part(queue, part_of(points_of_all, begin[rank], begin[rank + 1]));
    GhostPoints<Real> ghosts(queue, group, search.radius, search.box);
    ghosts.find(part.points());
    EXPECT_EQ(ghosts.total(), points_of_all.count());
    const auto rows = rows_on_rank(queue, ghosts, search);
    ASSERT_EQ(rows.size(), begin[rank + 1] - begin[rank]);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::vector<std::int32_t> row = expected.row(begin[rank] + i);
      ASSERT_EQ(rows[i], std::vector<std::int64_t>(row.begin(), row.end()))
          << points_of_all.name << ", point " << begin[rank] + i << " on rank " << rank << " of " << ranks;
    }
  });
}

const std::vector<Search>& searches() {
  static const std::vector<Search> points_of_all = {
      {.radius = 0.125},
      {.radius = 0.125, .box = unit_periodic, .options = {.predicate = Predicate::inclusive}},
      {.radius = 0.3, .box = {3, {false, false, true}, {0, 0, 0}, {1, 1, 1}}, .options = {.include_self = true}},
      {.radius = 0.125, .box = {2}, .options = {.predicate = Predicate::inclusive, .half = true}},
      {.radius = 0.02, .box = {1, {true}, {0}, {1}}},
  };
  return points_of_all;
}

/// Tests that run once for each device.
class GhostPointsTest : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, GhostPointsTest, every_device, device_test_name);

template <class Real>
void expect_rows_for_all_searches(DeviceKind device) {
  for (const Search& search : searches())
    for (const Distribution<Real>& points :
         {uniform<Real>(400), sorted_by_z(uniform<Real>(700)), sorted_by_z(clustered<Real>(300)), lattice<Real>(),
          uniform<Real>(3), uniform<Real>(0)})
      for (const int ranks : {1, 2, 3, 4}) expect_rows_of_one_rank(device, search, points, ranks);
}

TEST_P(GhostPointsTest, GiveTheRowsOfOneRankInFloat) { expect_rows_for_all_searches<float>(GetParam()); }
TEST_P(GhostPointsTest, GiveTheRowsOfOneRankInDouble) { expect_rows_for_all_searches<double>(GetParam()); }

TEST_P(GhostPointsTest, GiveTheRowsOfOneRankFarFromTheOriginAndOutsideTheBox) {
  Distribution<float> far = sorted_by_z(uniform<float>(500));
  for (float& x : far.x) x += 4000;
  for (std::size_t i = 0; i < far.z.size(); i += 3) far.z[i] -= 0.75F;  // up to one period outside
  const Search search{.radius = 0.2, .box = {3, {false, true, true}, {0, 0, 0}, {1, 1, 1}}};
  for (const int ranks : {2, 4}) expect_rows_of_one_rank(GetParam(), search, far, ranks);
}

TEST_P(GhostPointsTest, GiveTheRowsOfOneRankWithRadiiOfPoints) {
  Distribution<double> points = sorted_by_z(uniform<double>(600));
  for (std::size_t i = 0; i < points.x.size(); ++i) points.radius.push_back(i == 0 ? 0.3 : 0.05 + 0.0001 * (i % 7));
  for (const Radius radius : {Radius::gather, Radius::scatter, Radius::symmetric})
    expect_rows_of_one_rank(GetParam(), {.radius = 1.5, .box = unit_periodic, .options = {.radius = radius}}, points,
                            3);
}

TEST_P(GhostPointsTest, AreThoseNearTheBoundsOfTheRank) {
  const Distribution<double> points = sorted_by_z(lattice<double>());  // layers of 25 points at z = 0, 1/8, ...
  run_on_ranks(4, [&](const Communicator& group) {
    const Queue on = queue();
    const auto rank = static_cast<std::size_t>(group.rank());
    const DevicePoints<double> part(on, part_of(points, 50 * rank, 50 * (rank + 1)));
    GhostPoints<double> ghosts(on, group, 0.13, {3, {false, false, true}, {0, 0, 0}, {1, 1, 1}});
    ghosts.find(part.points());
    const std::vector<std::int64_t> number = to_host(on, ghosts.number());
    ASSERT_EQ(number.size(), 100U);  // one layer on either side
    EXPECT_TRUE(std::is_sorted(number.begin(), number.end()));
    EXPECT_EQ(ghosts.own_count(), 50);
    EXPECT_EQ(number[static_cast<std::size_t>(ghosts.own_begin())], static_cast<std::int64_t>(50 * rank));
    const std::vector<double> z = to_host(on, ghosts.points().z);
    for (std::size_t i = 0; i < z.size(); ++i) EXPECT_EQ(z[i], points.z[static_cast<std::size_t>(number[i])]);
  });
}

TEST_P(GhostPointsTest, UpdateOtherArraysInTheSameOrder) {
  const Distribution<float> points = sorted_by_z(uniform<float>(300));
  const std::vector<std::size_t> begin = parts_of(300, 3);
  for (const int ranks : {1, 3})
    run_on_ranks(ranks, [&](const Communicator& group) {
      const Queue on = queue();
      const auto rank = static_cast<std::size_t>(group.rank());
      const std::size_t first = ranks == 1 ? 0 : begin[rank];
      const std::size_t end = ranks == 1 ? 300 : begin[rank + 1];
      const DevicePoints<float> part(on, part_of(points, first, end));
      GhostPoints<float> ghosts(on, group, 0.1);
      ghosts.find(part.points());
      std::vector<double> pairs;  // every second one is the value of a point
      for (std::size_t i = first; i < end; ++i) pairs.insert(pairs.end(), {std::sqrt(static_cast<double>(i)), -1});
      const Array<double> values = to_device(on, pairs);
      const auto own_count = static_cast<std::int64_t>(end - first);
      Array<double> result(on, ghosts.points().count());
      ghosts.update(View<const double>(values.data(), own_count, on.device(), 2), result.view());
      std::vector<std::int64_t> own_ids(end - first);
      std::iota(own_ids.begin(), own_ids.end(), static_cast<std::int64_t>(first));
      const Array<std::int64_t> device_ids = to_device(on, own_ids);
      Array<std::int64_t> ids(on, ghosts.points().count());
      ghosts.update(device_ids.view(), ids.view());
      const std::vector<std::int64_t> number = to_host(on, ghosts.number());
      EXPECT_EQ(to_host(on, ids), number);
      const std::vector<double> values_of_all = to_host(on, result);
      for (std::size_t i = 0; i < number.size(); ++i)
        EXPECT_EQ(values_of_all[i], std::sqrt(static_cast<double>(number[i])));
    });
}

/// Messages of all ranks of a search that one of them makes wrongly.
template <class Call>
void expect_on_all(int ranks, const std::string& expected, const Call& call) {
  std::vector<std::string> messages(static_cast<std::size_t>(ranks));
  run_on_ranks(ranks, [&](const Communicator& group) {
    messages[static_cast<std::size_t>(group.rank())] = message_of([&] { call(group); });
  });
  for (const std::string& message : messages) EXPECT_EQ(message, expected);
}

TEST_P(GhostPointsTest, ABadPointIsTheSameErrorOnAllRanks) {
  const auto find_with = [&](const Box& box, const std::function<void(Distribution<double>&)>& change) {
    return [this, box, change](const Communicator& group) {
      const Queue on = queue();
      Distribution<double> points = uniform<double>(group.rank() == 0 ? 0 : 9);
      if (group.rank() == 1) change(points);
      const DevicePoints<double> part(on, points);
      GhostPoints<double> ghosts(on, group, 0.1, box);
      ghosts.find(part.points());
    };
  };
  expect_on_all(3,
                "ghost points: point 4 has y = nan; expected a finite coordinate. Repair or remove it. (rank 1 of 3 on "
                "this machine)",
                find_with({}, [](auto& points) { points.y[4] = std::nan(""), points.y[7] = INFINITY; }));
  expect_on_all(
      3,
      "ghost points: point 7 has z = 2.5 m, more than one period outside the box; expected -1 to 2 m. Move it "
      "into the box. (rank 1 of 3 on this machine)",
      find_with(unit_periodic, [](auto& points) { points.z[7] = 2.5; }));
  expect_on_all(3, "ghost points: y has 8 elements, expected 9. (rank 1 of 3 on this machine)",
                find_with({}, [](auto& points) { points.y.pop_back(); }));
  expect_on_all(
      3,
      "ghost points: the points of rank 2 have no radii, those of others have. Give radii on all ranks, or on "
      "none.",
      find_with({}, [](auto& points) { points.radius.assign(9, 1); }));
}

TEST_P(GhostPointsTest, InvalidArgumentsAreTheSameErrorOnAllRanks) {
  expect_on_all(
      2, "ghost points: radius = -1, expected a positive number. (rank 1 of 2 on this machine)",
      [&](const Communicator& group) { const GhostPoints<float> ghosts(queue(), group, group.rank() == 1 ? -1 : 1); });
  expect_on_all(2, "ghost points: the box has 4 dimensions, expected 1 to 3. (rank 0 of 2 on this machine)",
                [&](const Communicator& group) { const GhostPoints<float> ghosts(queue(), group, 1, {4}); });
  expect_on_all(
      2,
      "ghost points: the box spans [1, 1] m along periodic axis 0, expected a positive length. (rank 0 of 2 on "
      "this machine)",
      [&](const Communicator& group) {
        const GhostPoints<float> ghosts(queue(), group, 1, {1, {true}, {1}, {1}});
      });
  expect_on_all(2,
                "ghost points: there are none, since find() was not called or refused the points. Call find() first. "
                "(rank 0 of 2 on this machine)",
                [&](const Communicator& group) {
                  GhostPoints<float> ghosts(queue(), group, 1);
                  ghosts.update(View<const float>(), View<float>());
                });
}

class FindPart : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(FindPart);

TEST_P(FindPart, GivesSomeRowsOfTheWholeList) {
  const Distribution<float> points = clustered<float>(700);
  for (const Search& base : searches()) {
    const Search search = with_this_method(base);
    const List expected = find(queue(), search, points);
    const Queue on = queue();
    Neighbors<float> neighbors = plan<float>(on, search);
    const DevicePoints<float> device(on, points);
    for (const auto& [first, count] : {std::pair{0, 700}, std::pair{100, 333}, std::pair{699, 1}, std::pair{700, 0}}) {
      neighbors.find_part(device.points(), first, count);
      const List list = list_of(on, neighbors);
      ASSERT_EQ(list.row_count(), static_cast<std::size_t>(count));
      for (std::size_t i = 0; i < list.row_count(); ++i)
        ASSERT_EQ(list.row(i), expected.row(static_cast<std::size_t>(first) + i)) << first << " + " << i;
    }
  }
}

TEST_P(FindPart, RefusesWhatIsNoPart) {
  const Queue on = queue();
  const DevicePoints<float> device(on, uniform<float>(10));
  Neighbors<float> neighbors(on, 0.1, {}, options());
  EXPECT_EQ(message_of([&] { neighbors.find_part(device.points(), 4, 7); }),
            "neighbors: part of 7 points from point 4 on, of a set of 10. Expected points of the set.");
  EXPECT_THROW(neighbors.find_part(device.points(), -1, 2), Error);
  EXPECT_THROW(neighbors.find_part(device.points(), 1, -1), Error);
  EXPECT_THROW(neighbors.update(device.points()), Error);
  Neighbors<float> with_skin(on, 0.1, {}, {.skin = 0.01});
  EXPECT_THROW(with_skin.find_part(device.points(), 0, 10), Error);
}

}  // namespace
}  // namespace shoal
