// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <numbers>

#include "wall_distance/geometry/planar_groups.hpp"
#include "wall_distance/quadruple.hpp"

namespace shoal::wall_distance {
namespace {

using namespace testing_support;

/// Largest rounding errors above and below the distance, relative to |w|∞ + size.
struct LargestErrors {
  double above = 0, below = 0;
};

LargestErrors largest_errors(double flatness, double away) {
  RandomFaces faces;
  LargestErrors largest;
  for (int i = 0; i < 100'000; ++i) {
    const Corners c = faces.corners(flatness);
    std::array<double, 3> p = faces.point_near(c);
    for (double& coordinate : p) coordinate += away * faces.next();
    const double origin[3] = {0.25 * faces.next(), 0.25 * faces.next(), 0.25 * faces.next()};
    const PlanarPrimitive planar = planar_primitive(primitive_of(c), origin);
    double w[3], size = 0, farthest = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      w[axis] = p[axis] - origin[axis];
      farthest = std::max(farthest, std::abs(w[axis]));
      for (const auto& corner : c) size = std::max(size, std::abs(corner[axis] - origin[axis]));
    }
    const float bound =
        planar_distance_squared(planar, static_cast<float>(w[0]), static_cast<float>(w[1]), static_cast<float>(w[2]));
    const double error =
        (std::sqrt(static_cast<double>(bound)) - rounded_distance(exact_distance(p, c))) / (farthest + size);
    largest = {std::max(largest.above, error), std::max(largest.below, -error)};
  }
  return largest;
}

TEST(DistanceBound, IsTheDistanceToRounding) {
  for (const double flatness : {1.0, 1e-3, 1e-6, 1e-9, 0.0})
    for (const double away : {0.0, 1.0, 1e4}) {
      const LargestErrors largest = largest_errors(flatness, away);
      EXPECT_LE(largest.above, planar_error / 2) << flatness << ", " << away;
      EXPECT_LE(largest.below, planar_error / 2) << flatness << ", " << away;
      EXPECT_GE(largest.above, 0x1p-27) << "a bound this far below the distance prunes nothing";
    }
}

TEST(DistanceBound, IsMoreAccurateFarAway) {
  RandomFaces faces;
  for (const double flatness : {1.0, 1e-3, 1e-6, 1e-9, 0.0})
    for (const double away : {20.0, 1e3, 1e6}) {
      double worst_error = 0;
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
        if (largest < static_cast<double>(far_ratio) * size) continue;
        const double exact = rounded_distance(exact_distance(p, c));
        const double bound = std::sqrt(
            static_cast<double>(far_distance_squared(planar_primitive(primitive_of(c), origin), w[0], w[1], w[2])));
        worst_error =
            std::max(worst_error, (std::abs(bound - exact) - static_cast<double>(planar_error) / 2 * size) / exact);
      }
      EXPECT_LE(worst_error, 0x1p-22) << flatness << ", " << away;
      EXPECT_GE(worst_error, 0x1p-27) << flatness << ", " << away;
    }
}

/// Sides of regular polygons: rounding leaves no direction across them.
TEST(DistanceBound, OfASegmentIsRightInAnyDirection) {
  RandomFaces faces;
  const double origin[3] = {};
  for (int sides = 3; sides <= 200; ++sides)
    for (int k = 0; k < sides; ++k)
      for (const bool is_first_twice : {false, true}) {
        const auto corner = [&](int i) {
          const double angle = 2 * std::numbers::pi * (i % sides) / sides;
          return std::array<double, 3>{0.2 * std::cos(angle), 0.2 * std::sin(angle), 0};
        };
        const Corners c{corner(k), corner(k + 1), corner(is_first_twice ? k : k + 1)};
        const PlanarPrimitive planar = planar_primitive(primitive_of(c), origin);
        for (const double away : {0.3, 6.0}) {
          const std::array<float, 3> w{static_cast<float>(away * faces.next()), static_cast<float>(away * faces.next()),
                                       0};
          const double exact = rounded_distance(exact_distance({w[0], w[1], w[2]}, c));
          const double bound = std::sqrt(static_cast<double>(planar_distance_squared(planar, w[0], w[1], w[2])));
          EXPECT_NEAR(bound, exact, static_cast<double>(planar_error) * (away + 0.2)) << sides << ", " << k;
        }
      }
}

TEST(DistanceBound, OfASegmentDiffersFromThatOfItsLine) {
  const Corners segment{{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}};
  const double origin[3] = {};
  const PlanarPrimitive planar = planar_primitive(primitive_of(segment), origin);
  EXPECT_EQ(planar_distance_squared(planar, 4, 0, 0), 9);
  EXPECT_EQ(planar_distance_squared(planar, 4, 4, 0), 25);
}

}  // namespace
}  // namespace shoal::wall_distance
