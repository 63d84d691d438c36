// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "wall_distance/flat_piece.hpp"
#include "wall_distance/quadruple.hpp"

namespace shoal {
namespace {

using namespace testing_support;

/// What rounding in float took the bound above the distance by, at most, in parts of |w|∞ + size.
double worst_excess(double flatness, double away) {
  RandomFaces faces;
  double worst = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Corners c = faces.corners(flatness);
    std::array<double, 3> p = faces.point_near(c);
    for (double& coordinate : p) coordinate += away * faces.next();
    const double origin[3] = {0.25 * faces.next(), 0.25 * faces.next(), 0.25 * faces.next()};
    FlatPieces<8> flat;
    put_flat(piece_of(c), origin, flat, 3);
    double w[3], size = 0, reach = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      w[axis] = p[axis] - origin[axis];
      reach = std::max(reach, std::abs(w[axis]));
      for (const auto& corner : c) size = std::max(size, std::abs(corner[axis] - origin[axis]));
    }
    const float bound =
        flat_distance_squared(flat, 3, static_cast<float>(w[0]), static_cast<float>(w[1]), static_cast<float>(w[2]));
    worst = std::max(worst, (std::sqrt(static_cast<double>(bound)) - distance(see(p, c))) / (reach + size));
  }
  return worst;
}

TEST(FaceBound, IsBelowTheDistanceButForRounding) {
  for (const double flatness : {1.0, 1e-3, 1e-6, 1e-9, 0.0})
    for (const double away : {0.0, 1.0, 1e4}) {
      const double worst = worst_excess(flatness, away);
      EXPECT_LE(worst, flat_error / 2) << flatness << ", " << away;
      EXPECT_GE(worst, 0x1p-27) << "a bound this far below the distance prunes nothing";
    }
}

TEST(FaceBound, OfASegmentIsNotThatOfItsLine) {
  const Corners segment{{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}};
  const double origin[3] = {};
  FlatPieces<8> flat;
  put_flat(piece_of(segment), origin, flat, 0);
  EXPECT_EQ(flat_distance_squared(flat, 0, 4, 0, 0), 9);
  EXPECT_EQ(flat_distance_squared(flat, 0, 4, 4, 0), 25);
}

}  // namespace
}  // namespace shoal
