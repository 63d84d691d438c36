// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "wall_distance/geometry/planar_groups.hpp"
#include "wall_distance/quadruple.hpp"

namespace shoal {
namespace {

using namespace testing_support;

/// What rounding in float took the bound above and below the distance by, at most, in parts of |w|∞ + size.
struct Worst {
  double above = 0, below = 0;
};

Worst worst_of(double flatness, double away) {
  RandomFaces faces;
  Worst worst;
  for (int i = 0; i < 100'000; ++i) {
    const Corners c = faces.corners(flatness);
    std::array<double, 3> p = faces.point_near(c);
    for (double& coordinate : p) coordinate += away * faces.next();
    const double origin[3] = {0.25 * faces.next(), 0.25 * faces.next(), 0.25 * faces.next()};
    const FlatPiece flat = flat_piece(piece_of(c), origin);
    double w[3], size = 0, reach = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      w[axis] = p[axis] - origin[axis];
      reach = std::max(reach, std::abs(w[axis]));
      for (const auto& corner : c) size = std::max(size, std::abs(corner[axis] - origin[axis]));
    }
    const float bound =
        flat_distance_squared(flat, static_cast<float>(w[0]), static_cast<float>(w[1]), static_cast<float>(w[2]));
    const double error = (std::sqrt(static_cast<double>(bound)) - distance(see(p, c))) / (reach + size);
    worst = {std::max(worst.above, error), std::max(worst.below, -error)};
  }
  return worst;
}

TEST(FaceBound, IsTheDistanceButForRounding) {
  for (const double flatness : {1.0, 1e-3, 1e-6, 1e-9, 0.0})
    for (const double away : {0.0, 1.0, 1e4}) {
      const Worst worst = worst_of(flatness, away);
      EXPECT_LE(worst.above, flat_error / 2) << flatness << ", " << away;
      EXPECT_LE(worst.below, flat_error / 2) << flatness << ", " << away;
      EXPECT_GE(worst.above, 0x1p-27) << "a bound this far below the distance prunes nothing";
    }
}

TEST(FaceBound, IsNearerToTheTruthFarAway) {
  RandomFaces faces;
  for (const double flatness : {1.0, 1e-3, 1e-6, 1e-9, 0.0})
    for (const double away : {20.0, 1e3, 1e6}) {
      double worst = 0;
      for (int i = 0; i < 20'000; ++i) {
        const Corners c = faces.corners(flatness);
        const double origin[3] = {0.25 * faces.next(), 0.25 * faces.next(), 0.25 * faces.next()};
        std::array<float, 3> w{};
        std::array<double, 3> p{};
        double size = 0, largest = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          w[axis] = static_cast<float>(away * faces.next());
          p[axis] = static_cast<double>(w[axis]) + origin[axis];
          largest = std::max(largest, std::abs(static_cast<double>(w[axis])));
          for (const auto& corner : c) size = std::max(size, std::abs(corner[axis] - origin[axis]));
        }
        if (largest < static_cast<double>(far_sizes) * size) continue;
        const double exact = distance(see(p, c));
        const double bound =
            std::sqrt(static_cast<double>(far_distance_squared(flat_piece(piece_of(c), origin), w[0], w[1], w[2])));
        worst = std::max(worst, (std::abs(bound - exact) - static_cast<double>(flat_error) / 2 * size) / exact);
      }
      EXPECT_LE(worst, 0x1p-22) << flatness << ", " << away;
      EXPECT_GE(worst, 0x1p-27) << flatness << ", " << away;
    }
}

TEST(FaceBound, OfASegmentIsNotThatOfItsLine) {
  const Corners segment{{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}};
  const double origin[3] = {};
  const FlatPiece flat = flat_piece(piece_of(segment), origin);
  EXPECT_EQ(flat_distance_squared(flat, 4, 0, 0), 9);
  EXPECT_EQ(flat_distance_squared(flat, 4, 4, 0), 25);
}

}  // namespace
}  // namespace shoal
