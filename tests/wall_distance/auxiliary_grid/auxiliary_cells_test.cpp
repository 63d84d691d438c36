// SPDX-License-Identifier: Apache-2.0
#include "wall_distance/auxiliary_grid/auxiliary_cells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include "wall_distance/auxiliary_grid/growing_radius_item.hpp"
#include "wall_distance/bounding_spheres/sphere_arrays.hpp"
#include "wall_distance/walls.hpp"

namespace shoal::wall_distance {
namespace {

using Sphere = BoundingSphere<double>;

std::vector<std::vector<std::int32_t>> primitives_of(const std::vector<AuxiliaryCell>& cells) {
  std::vector<std::vector<std::int32_t>> primitives;
  for (const AuxiliaryCell& cell : cells) primitives.push_back(cell.primitives);
  return primitives;
}

TEST(AuxiliaryCells, AFaceOnABorderIsInOneCell) {
  std::vector<Sphere> spheres;
  for (int i = 0; i <= 4; ++i) spheres.push_back({static_cast<double>(i), 0, 0, 0.5});
  const std::vector<AuxiliaryCell> cells = auxiliary_cells(spheres, 2, 100);
  EXPECT_EQ(primitives_of(cells), (std::vector<std::vector<std::int32_t>>{{0, 1}, {2, 3, 4}}));
  EXPECT_EQ(cells[0].sphere.x, 1);
  EXPECT_EQ(cells[1].sphere.x, 3);
  EXPECT_NEAR(cells[0].sphere.radius, 1.5, 1e-9);
}

TEST(AuxiliaryCells, AFullCellAppearsAgain) {
  const std::vector<Sphere> spheres(5, Sphere{1, 2, 3, 0});
  EXPECT_EQ(primitives_of(auxiliary_cells(spheres, 79, 2)),
            (std::vector<std::vector<std::int32_t>>{{0, 1}, {2, 3}, {4}}));
}

TEST(AuxiliaryCells, OmitsSpheresAtInfinity) {
  EXPECT_EQ(primitives_of(
                auxiliary_cells({sphere_at_infinity<double>(), {1, 2, 3, 0}, sphere_at_infinity<double>()}, 79, 100)),
            (std::vector<std::vector<std::int32_t>>{{1}}));
  EXPECT_TRUE(auxiliary_cells({}, 79, 100).empty());
}

TEST(BoxPoints, AreCornersAndMiddlesOfEdgesInThePlane) {
  const std::vector<double> points = box_points_around({{0, 10, 5, 1}, {4, 12, 5, 1}, sphere_at_infinity<double>()});
  EXPECT_EQ(points, (std::vector<double>{0,  2,  4,  0,  4,  0,  2,  4,   //
                                         10, 10, 10, 11, 11, 12, 12, 12,  //
                                         5,  5,  5,  5,  5,  5,  5,  5}));
}

TEST(BoxPoints, AreAllButTheMiddleInSpace) {
  const std::vector<double> points = box_points_around({{0, 0, 0, 0}, {2, 4, 6, 0}});
  ASSERT_EQ(points.size(), 3u * most_box_points);
  std::set<std::array<double, 3>> different;
  for (std::size_t k = 0; k < most_box_points; ++k) {
    const std::array<double, 3> point{points[k], points[k + most_box_points], points[k + 2 * most_box_points]};
    different.insert(point);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double half = static_cast<double>(axis) + 1;
      EXPECT_TRUE(point[axis] == 0 || point[axis] == half || point[axis] == 2 * half);
    }
  }
  EXPECT_EQ(different.size(), 26u);
  EXPECT_FALSE(different.contains({1, 2, 3}));
}

TEST(AuxiliaryGrid, HasTheDiagonalOfItsCells) {
  WallMesh mesh{.dimensions = 2};
  mesh.add_point(0, 0), mesh.add_point(2, 0), mesh.add_point(12, 16), mesh.add_point(14, 16);
  const std::int32_t wall = mesh.add_wall("two segments");
  mesh.add_face({0, 1}, wall), mesh.add_face({2, 3}, wall);  // centers (1, 0) and (13, 16)
  const double origin[3] = {};
  const WallPrimitives primitives = wall_primitives(mesh, {});
  EXPECT_EQ(AuxiliaryGrid(primitives, origin, -1, 100, 4).cell_diagonal, 5);
  EXPECT_DOUBLE_EQ(AuxiliaryGrid(primitives, origin, -1, 100, 0).cell_diagonal, 20.0 / 79);
}

/// Cells at x = 10, 20, 30 and 2 with radius 1, one box point at 5, and a query point at 0.
struct GrowingRadius : testing::Test {
  std::vector<double> numbers = std::vector<double>(16, 0.0), box = {5, 0, 0};
  SphereArrays<double> layout{numbers.data(), 4};
  SphereQuery<double> query{{{0, 0}, {0, 0}, {0, 0}}, origin, 0};
  static constexpr double origin[3] = {};

  GrowingRadius() {
    const double x[] = {10, 20, 30, 2};
    for (std::int32_t k = 0; k < 4; ++k) layout.put(k, {x[k], 0, 0, 1});
  }
  double radius(double cell_diagonal) const {
    return growing_whole_cell(layout, 4, query, BoxPoints(box.data(), 1, cell_diagonal));
  }
};

TEST_F(GrowingRadius, StartsAtTheBoxAndGrowsByADiagonalWithEveryCell) {
  EXPECT_EQ(radius(1), 5 + 3 + 1) << "the fourth cell, after three diagonals";
  EXPECT_EQ(radius(16), 5 + 16 + 1) << "the second cell";
  EXPECT_EQ(radius(0), 5 + 1) << "the fourth cell";
}

TEST_F(GrowingRadius, IsTheSmallestOneWhereNoCellIsInside) {
  box = {0, 0, 0};
  EXPECT_EQ(radius(0), 2 + 1);
}

TEST(AuxiliaryCells, ContainEveryFaceOnce) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<int> pick(0, 12);  // many centers are on borders of the 12 cells
  std::vector<Sphere> spheres;
  for (int i = 0; i < 3000; ++i)
    spheres.push_back({pick(random) * 1.0, pick(random) * 1.0, pick(random) * 1.0, pick(random) * 0.1});
  std::vector<std::int32_t> contained;
  for (const AuxiliaryCell& cell : auxiliary_cells(spheres, 12, 100)) {
    EXPECT_TRUE(std::is_sorted(cell.primitives.begin(), cell.primitives.end()));
    for (const std::int32_t primitive : cell.primitives) {
      const Sphere& sphere = spheres[static_cast<std::size_t>(primitive)];
      const double separation =
          std::hypot(sphere.x - cell.sphere.x, sphere.y - cell.sphere.y, sphere.z - cell.sphere.z);
      EXPECT_LE(separation + sphere.radius, cell.sphere.radius);
      EXPECT_LE(separation, std::sqrt(3) / 2 + 1e-9);  // the center is in the cell
      contained.push_back(primitive);
    }
  }
  std::sort(contained.begin(), contained.end());
  ASSERT_EQ(contained.size(), spheres.size());
  for (std::size_t i = 0; i < contained.size(); ++i) EXPECT_EQ(contained[i], static_cast<std::int32_t>(i));
}

}  // namespace
}  // namespace shoal::wall_distance
