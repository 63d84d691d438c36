// SPDX-License-Identifier: Apache-2.0
#include "collision/conservative/pair_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

namespace shoal::collision {
namespace {

/// Tables with several batches.
SphereTables tables_of(const VelocitySupport& support) {
  SphereTables tables(support);
  tables.make_batches(4000, {4, 1, 512}, [](int, std::int64_t) { return std::int64_t{0}; });
  return tables;
}

const VelocitySupport supports[] = {VelocitySupport::box(8), VelocitySupport::box(9), {10, 100, 64}};

TEST(PairTables, DiagonalsOfBoxesAreTheDisplacements) {
  for (const VelocitySupport& support : supports) {
    const SphereTables tables = tables_of(support);
    const DiagonalBoxes boxes(tables);
    ASSERT_EQ(boxes.first.size(), tables.classes.size() + 1);
    for (std::size_t number = 0; number < tables.classes.size(); ++number) {
      std::set<std::array<int, 3>> expected, found;
      const SphereClassRecord& sphere_class = tables.classes[number];
      for (int k = 0; k < sphere_class.displacements; ++k) {
        const signed char* d = tables.displacements[static_cast<std::size_t>(sphere_class.first_displacement + k)].d;
        expected.insert({d[0], d[1], d[2]});
      }
      int count = 0, previous_z = 0;
      for (int k = boxes.first[number]; k < boxes.first[number + 1]; ++k) {
        const DiagonalBox& box = boxes.boxes[static_cast<std::size_t>(k)];
        const int x = box.size[0], y = box.size[1], z = box.size[2];
        EXPECT_GE(z, previous_z);
        previous_z = z;
        for (const int sign_x : {1, -1})
          for (const int sign_y : {1, -1}) {
            if ((sign_x < 0 && !box.has_other_x()) || (sign_y < 0 && !box.has_other_y())) continue;
            ++count;
            std::array<int, 3> d{sign_x * x, sign_y * y, z};
            if (!expected.contains(d)) d = {-d[0], -d[1], -d[2]};  // one of each two opposite ones is in the table
            found.insert(d);
          }
      }
      EXPECT_EQ(found, expected);
      EXPECT_EQ(count, sphere_class.displacements);
    }
  }
}

/// Number of a class by squared distance and parity.
int class_of(const SphereTables& tables, const int* d) {
  for (std::size_t k = 0; k < tables.classes.size(); ++k) {
    const SphereClassRecord& sphere_class = tables.classes[k];
    bool same = sphere_class.distance2 == d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    for (int axis = 0; axis < 3; ++axis) same = same && sphere_class.parity[axis] == (d[axis] & 1);
    if (same) return static_cast<int>(k);
  }
  return -1;
}

TEST(PairTables, NodePairsHaveBothNodesOfEachDisplacementOfAClassByDistance) {
  for (const VelocitySupport& support : supports) {
    const SphereTables tables = tables_of(support);
    const std::vector<NodePairs> pairs = all_node_pairs(tables);
    ASSERT_EQ(pairs.size(), 2 * tables.displacements.size());
    std::map<std::array<int, 3>, int> times;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      const auto& d = pairs[k].d;
      const auto& previous = pairs[k == 0 ? 0 : k - 1].d;
      const int before[] = {previous[0], previous[1], previous[2]}, now[] = {d[0], d[1], d[2]};
      if (class_of(tables, before) == class_of(tables, now)) {
        EXPECT_LE(previous[2], d[2]);
      } else {
        EXPECT_LT(class_of(tables, before), class_of(tables, now));
      }
      ++times[{d[0], d[1], d[2]}];
    }
    for (const auto& [d, count] : times) {
      EXPECT_EQ(count, 1);
      EXPECT_TRUE(times.contains({-d[0], -d[1], -d[2]}));
    }
  }
}

TEST(PairTables, PlanePairsHaveEachDisplacementOnceAndItsSphere) {
  for (const VelocitySupport& support : supports) {
    const SphereTables tables = tables_of(support);
    const int n = support.n;
    ASSERT_GT(tables.batches.size(), 1u);
    const PlanePairs planes(tables);
    ASSERT_EQ(planes.first_of_batch.size(), tables.batches.size());
    std::map<std::array<int, 3>, int> times;
    for (std::size_t batch = 0; batch < tables.batches.size(); ++batch)
      for (int distance = 0; distance < n; ++distance) {
        const int* first =
            &planes.first_of_distance[batch * static_cast<std::size_t>(n + 1) + static_cast<std::size_t>(distance)];
        int previous = -1;
        for (int k = first[0]; k < first[1]; ++k) {
          const NodePairs& pair = planes.pairs[static_cast<std::size_t>(planes.first_of_batch[batch] + k)];
          const int d[3] = {pair.d[0], pair.d[1], pair.d[2]};
          EXPECT_EQ(d[2], distance);
          ++times[{d[0], d[1], d[2]}];
          const int number = class_of(tables, d);
          ASSERT_GE(number, std::max(previous, tables.batches[batch].first));
          ASSERT_LT(number, tables.batches[batch].first + tables.batches[batch].count);
          previous = number;
          const SphereClassRecord& sphere_class = tables.classes[static_cast<std::size_t>(number)];
          int node[3], center[3];  // the node with the smallest coordinates whose partner is in the grid
          for (int axis = 0; axis < 3; ++axis) {
            node[axis] = std::max(0, d[axis]);
            center[axis] = (2 * node[axis] - d[axis] - sphere_class.parity[axis]) / 2;
            EXPECT_TRUE(support.is_box() ? sphere_class.box.has(center[axis], axis) : true);
          }
          EXPECT_EQ(pair.to_sphere + (node[2] * pair.rows + node[1]) * n + node[0],
                    sphere_class.box.index(n, center[0], center[1], center[2]));
        }
      }
    for (const auto& [d, count] : times) {
      EXPECT_EQ(count, 1);
      EXPECT_EQ(times.contains({-d[0], -d[1], -d[2]}), d[2] == 0);
    }
    if (support.is_box()) {
      EXPECT_EQ(times.size(), static_cast<std::size_t>((2 * n - 1) * (2 * n - 1) * n - 1));
    }
  }
}

}  // namespace
}  // namespace shoal::collision
