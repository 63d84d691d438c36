// SPDX-License-Identifier: Apache-2.0
#include "collision/conservative/gather_boxes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace shoal::collision {
namespace {

constexpr int parity[3] = {0, 1, 1};

/// Nearest node (1, −2, 3) of a center, and two of its neighbors.
Stencil stencil_of_three() {
  Stencil stencil;
  stencil.count = 3;
  const int offsets[3][3] = {{1, -2, 3}, {2, -2, 3}, {1, -3, 3}};
  for (int t = 0; t < 3; ++t) std::copy_n(offsets[t], 3, stencil.offset[t]);
  return stencil;
}

TEST(GatherBoxes, AreThoseOfTheStencilsOfAllCenters) {
  const CenterBox centers{{2, 3, 1}, {4, 2, 5}, 0};
  const GatherBoxes boxes(centers, stencil_of_three(), parity, 7);
  EXPECT_EQ(boxes.first_node(), 7);
  for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(boxes.parity(axis), parity[axis]);
  // Centers 2 to 5, 3 to 4 and 1 to 5: the nodes at the offsets, and those at parity − offset.
  const int first[2][3] = {{3, 0, 4}, {0, 6, -1}}, last[2][3] = {{7, 2, 8}, {4, 8, 3}};
  for (int box = 0; box < 2; ++box)
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(boxes.first[box][axis], first[box][axis]) << box << axis;
      EXPECT_EQ(boxes.last[box][axis], last[box][axis]) << box << axis;
    }
}

TEST(GatherBoxes, HaveNoNodesWithoutCentersOrStencil) {
  const CenterBox none{{2, 3, 1}, {0, 0, 0}, 0}, some{{2, 3, 1}, {1, 1, 1}, 0};
  for (const GatherBoxes& boxes :
       {GatherBoxes(none, stencil_of_three(), parity, 0), GatherBoxes(some, Stencil{}, parity, 0)})
    for (int box = 0; box < 2; ++box) EXPECT_LT(boxes.last[box][0], boxes.first[box][0]);
}

}  // namespace
}  // namespace shoal::collision
