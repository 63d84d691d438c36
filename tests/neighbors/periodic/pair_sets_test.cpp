// SPDX-License-Identifier: Apache-2.0
// Pairs of several sets in arrays of fixed size, on every device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "neighbors/periodic/image_list.hpp"
#include "neighbors/periodic/systems.hpp"
#include "support/messages.hpp"
#include "support/method_suite.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;
using Numbers = std::vector<std::int32_t>;

/// Arrays of sets on the device of a queue, filled with a number that no entry has.
struct SetArrays {
  Queue on;
  std::int64_t sets, capacity;
  Array<std::int32_t> edge_index, shifts, offsets;

  SetArrays(const Queue& queue, std::int64_t count, std::int64_t points, std::int64_t most)
      : on(queue), sets(count), capacity(most) {
    const auto filled = [&](std::int64_t n) { return to_device(on, Numbers(static_cast<std::size_t>(n), -77)); };
    edge_index = filled(2 * sets * most);
    shifts = filled(3 * sets * most);
    offsets = filled(sets * (points + 1));
  }

  PairSets views() { return {sets, capacity, edge_index, shifts, offsets}; }
};

class PairSetsOnDevice : public DeviceTest {};

TEST_P(PairSetsOnDevice, AreTheListsOfEachSetAndThenZeros) {
  const Queue on = queue();
  const PeriodicCell skewed{{{{1, 0, 0}, {0.7, 0.8, 0}, {-0.6, 0.9, 0.7}}}, everywhere};
  const std::int64_t n = 40;
  Distribution<double> points{"sets", {}, {}, {}};
  std::vector<ImageList<double>> lists;
  for (unsigned set = 0; set < 3; ++set) {
    auto one = uniform<double>(n, set);
    for (std::size_t i = 0; i < one.x.size(); ++i) one.x[i] *= 1 + 0.5 * set;
    for (std::size_t i = 0; i < one.x.size(); ++i) points.add(one.x[i], one.y[i], one.z[i]);
    lists.push_back(find_images(0.4, one, skewed, {}, 1));
  }
  std::size_t most = 0;
  for (const auto& list : lists) most = std::max(most, list.i.size());
  ASSERT_GT(most, 100u);
  ASSERT_NE(lists[0].i.size(), lists[1].i.size());
  const DevicePoints<double> set(on, points);
  PeriodicNeighbors<double> neighbors(on, 0.4);
  const std::vector<std::int64_t> starts{0, n, 2 * n, 3 * n};
  neighbors.find(set.points(), starts, {&skewed, 1});
  for (const std::size_t spare : {0, 3}) {
    const std::size_t capacity = most + spare;
    SetArrays arrays(on, 3, n, static_cast<std::int64_t>(capacity));
    neighbors.write_sets(arrays.views());
    Numbers edge_index, shifts, offsets;
    for (const ImageList<double>& list : lists) {
      const auto pad = [](Numbers& target, const auto& values, std::size_t size) {
        target.insert(target.end(), values.begin(), values.end());
        target.insert(target.end(), size - values.size(), 0);
      };
      pad(edge_index, list.i, capacity);
      pad(edge_index, list.j, capacity);
      pad(shifts, list.shifts, 3 * capacity);
      pad(offsets, list.offsets, list.offsets.size());
    }
    EXPECT_EQ(to_host(on, arrays.edge_index), edge_index);
    EXPECT_EQ(to_host(on, arrays.shifts), shifts);
    EXPECT_EQ(to_host(on, arrays.offsets), offsets);
  }
}

TEST_P(PairSetsOnDevice, MayBeEmpty) {
  const Queue on = queue();
  const DevicePoints<float> none(on, Distribution<float>{"none", {}, {}, {}});
  PeriodicNeighbors<float> neighbors(on, 0.4);
  neighbors.find(none.points());
  SetArrays arrays(on, 1, 0, 2), without(on, 1, 0, 0);
  neighbors.write_sets(arrays.views());
  neighbors.write_sets(without.views());
  EXPECT_EQ(to_host(on, arrays.edge_index), Numbers(4, 0));
  EXPECT_EQ(to_host(on, arrays.shifts), Numbers(6, 0));
  EXPECT_EQ(to_host(on, arrays.offsets), Numbers{0});
  EXPECT_EQ(to_host(on, without.offsets), Numbers{0});
}

TEST_P(PairSetsOnDevice, NameWhatDoesNotFit) {
  const Queue on = queue();
  const DevicePoints<float> set(on, Distribution<float>{"pairs", {0, 0, 5, 9}, {0, 0, 0, 0}, {0, 0, 0, 0}});
  PeriodicNeighbors<float> neighbors(on, 1);
  const auto message = [&](std::int64_t sets, std::int64_t points, std::int64_t capacity) {
    SetArrays arrays(on, sets, points, capacity);
    return message_of([&] { neighbors.write_sets(arrays.views()); });
  };
  EXPECT_EQ(message(1, 4, 2), "neighbors: there is no list of pairs. Call find() first.");
  const PeriodicCell open;
  const std::vector<std::int64_t> starts{0, 2, 4};
  neighbors.find(set.points(), starts, {&open, 1});
  EXPECT_EQ(message(2, 2, 2), "no error");
  EXPECT_EQ(message(1, 4, 2), "no error");
  const char* const too_many = "neighbors: 2 pairs, expected at most max_pairs = 1. Use at least that number.";
  EXPECT_EQ(message(2, 2, 1), too_many);
  EXPECT_EQ(message(1, 4, 1), too_many);
  EXPECT_EQ(message(3, 1, 2), "neighbors: 3 sets of 4 points, expected sets of equally many points.");
  EXPECT_EQ(message(2, 1, 2), "neighbors: offsets has 4 elements, expected 6.");
}

INSTANTIATE_TEST_SUITE_P(AllDevices, PairSetsOnDevice, every_device, device_test_name);

}  // namespace
}  // namespace shoal::neighbors
