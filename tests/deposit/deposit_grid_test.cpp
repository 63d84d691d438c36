// SPDX-License-Identifier: Apache-2.0
#include "deposit/deposit_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;

const Grid three_cells{2, {0, 0, 0}, {1, 1, 1}, {3, 1, 1}, {true, false, false}};

TEST(DepositGrid, StretchingSetsTheCells) {
  DepositGrid grid = three_cells;
  EXPECT_EQ(grid.node_count(), 6);
  grid.stretch(0, {1, 2, 4, 5, 9});
  EXPECT_EQ(grid.cell_count(), 4);
  EXPECT_EQ(grid.node_count(), 8);
  grid.stretch(1, {0, 1, 3});
  EXPECT_EQ(grid.cell_count(), 8);
  EXPECT_EQ(grid.node_count(), 12);
  EXPECT_NO_THROW(require_valid(grid));
}

TEST(DepositGrid, RefusesNodesThatMakeNoSense) {
  DepositGrid grid = three_cells;
  EXPECT_EQ(message_of([&] { grid.stretch(2, {0, 1}); }), "deposit: axis 2 to stretch, expected 0 to 1.");
  EXPECT_EQ(message_of([&] { grid.stretch(0, {0}); }), "deposit: 1 nodes along x, expected at least 2.");
  EXPECT_EQ(message_of([&] {
              grid.stretch(1, {0, INFINITY});
            }),
            "deposit: node 1 along y is at inf m, expected a finite coordinate.");
  EXPECT_EQ(message_of([&] {
              grid.stretch(0, {0, 2, 2});
            }),
            "deposit: node 2 along x is at 2 m, node 1 at 2 m; expected ascending coordinates.");
}

TEST(DepositGrid, RefusesMembersThatDisagree) {
  DepositGrid grid = three_cells;
  grid.nodes[0] = {0, 1};
  EXPECT_EQ(message_of([&] { require_valid(grid); }),
            "deposit: 2 nodes along x for 3 cells, expected one more node than cells. Use DepositGrid::stretch().");
  grid.nodes[0].clear();
  grid.nodes[2] = {0, 1};
  EXPECT_EQ(message_of([&] { require_valid(grid); }), "deposit: nodes along z of a 2-D grid. Leave them out.");
  grid.nodes[2].clear();
  grid.blocked = {0, 1};
  EXPECT_EQ(message_of([&] { require_valid(grid); }),
            "deposit: blocked has 2 elements, expected 3, one per cell, or none.");
  grid.grid.cells[0] = 0;
  EXPECT_EQ(message_of([&] { require_valid(grid); }), "grid: 0 cells along x, expected at least 1.");
}

TEST(DepositGrid, RefusesWhatFloatCannotTellApart) {
  DepositGrid grid = three_cells;
  grid.stretch(0, {1e9, 1e9 + 1, 2e9});
  EXPECT_EQ(message_of([&] { Deposit<float>(Queue::cpu(1), grid); }),
            "deposit: nodes 0 and 1 along x are at 1000000000 m and 1000000001 m, which float cannot resolve. Move "
            "the origin nearer or use double.");
  EXPECT_NO_THROW(Deposit<double>(Queue::cpu(1), grid));
  EXPECT_EQ(message_of([&] {
              Deposit<float>(Queue::cpu(1), Grid{2, {1e9, 0, 0}, {1e-3, 1, 1}, {10, 10, 1}, {}});
            }),
            "deposit: the grid spans [1000000000, 1000000000.01] m along x with a spacing of 0.001 m, which float "
            "cannot resolve. Move the origin nearer or use double.");
}

}  // namespace
}  // namespace shoal
