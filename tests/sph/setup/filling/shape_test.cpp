// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/filling/shape.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sph/setup/parts/case_parts.hpp"
#include "sph/sph_cases.hpp"
#include "support/messages.hpp"

namespace shoal::sph {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

Shape box(Vector lower, Vector upper) {
  Shape shape;
  shape.box = {lower, upper};
  return shape;
}

Shape sphere(Vector center, double radius) {
  Shape shape;
  shape.kind = ShapeKind::sphere;
  shape.center = center;
  shape.radius = radius;
  return shape;
}

Shape cylinder(Vector first_end, Vector second_end, double radius) {
  Shape shape;
  shape.kind = ShapeKind::cylinder;
  shape.from = first_end;
  shape.to = second_end;
  shape.radius = radius;
  return shape;
}

Shape half_space(Vector point, Vector normal) {
  Shape shape;
  shape.kind = ShapeKind::half_space;
  shape.at = point;
  shape.normal = normal;
  return shape;
}

Shape combined(ShapeKind kind, std::vector<Shape> parts) {
  Shape shape;
  shape.kind = kind;
  shape.parts = std::move(parts);
  return shape;
}

std::vector<std::uint8_t> inside(const Shape& shape, const std::vector<Vector>& points, int dimensions = 3) {
  return sph::inside(shape, dimensions, Queue::cpu(1), points);
}

TEST(Shape, EachHoldsWhatItsFormulaSays) {
  EXPECT_THAT(inside(box({0, 0, 0}, {1, 2, 3}), {{0.5, 1.9, 2.9}, {0.5, 2.1, 1}, {-0.1, 1, 1}}), ElementsAre(1, 0, 0));
  EXPECT_THAT(inside(sphere({1, 1, 1}, 0.5), {{1.4, 1, 1}, {1.4, 1.4, 1}, {1, 1, 0.51}}), ElementsAre(1, 0, 1));
  EXPECT_THAT(inside(cylinder({0, 0, 0}, {0, 0, 2}, 1), {{0.9, 0, 1}, {0.8, 0.8, 1}, {0, 0, 2.1}, {0, 0, -0.1}}),
              ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(inside(half_space({0, 1, 0}, {0, 2, 0}), {{7, 0.9, -7}, {7, 1.1, -7}}), ElementsAre(1, 0));
}

TEST(Shape, InTwoDimensionsASphereIsACircleAndACylinderARectangle) {
  EXPECT_THAT(inside(sphere({0, 0, 5}, 1), {{0.7, 0.7, 0}, {0.8, 0.8, 0}}, 2), ElementsAre(1, 0));
  const double s = std::sqrt(0.5);
  const Shape tilted = cylinder({0, 0, 0}, {4 * s, 4 * s, 0}, 1);
  const auto tilted_point = [s](double along, double across) {
    return Vector{s * (along - across), s * (along + across), 0};
  };
  EXPECT_THAT(
      inside(tilted, {tilted_point(3.9, 0.9), tilted_point(0.1, -0.9), tilted_point(4.1, 0), tilted_point(2, 1.1)}, 2),
      ElementsAre(1, 1, 0, 0));
}

TEST(Shape, UnionsIntersectionsAndDifferences) {
  const std::vector<Vector> points = {{0.5, 0.5, 0.5}, {1.5, 0.5, 0.5}, {2.5, 0.5, 0.5}, {3.5, 0.5, 0.5}};
  const std::vector<Shape> parts = {box({0, 0, 0}, {2, 1, 1}), box({1, 0, 0}, {3, 1, 1})};
  EXPECT_THAT(inside(combined(ShapeKind::union_, parts), points), ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(inside(combined(ShapeKind::intersection, parts), points), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(inside(combined(ShapeKind::difference, parts), points), ElementsAre(1, 0, 0, 0));
}

TEST(Shape, BoundsAreTightWhereTheyCanBe) {
  const Box tilted = bounds_of(cylinder({0, 0, 0}, {3, 4, 0}, 5), 3);  // direction (0.6, 0.8, 0)
  EXPECT_NEAR(tilted.from[0], -4, 1e-12);
  EXPECT_NEAR(tilted.to[0], 7, 1e-12);
  EXPECT_NEAR(tilted.from[1], -3, 1e-12);
  EXPECT_NEAR(tilted.to[2], 5, 1e-12);
  const Shape cut = combined(ShapeKind::intersection, {sphere({0, 0, 0}, 1), half_space({0, 0.25, 0}, {0, 1, 0})});
  EXPECT_EQ(bounds_of(cut, 3).to, (Vector{1, 0.25, 1}));
  EXPECT_EQ(bounds_of(cut, 3).from, (Vector{-1, -1, -1}));
  EXPECT_TRUE(std::isinf(bounds_of(half_space({0, 0, 0}, {1, 1, 0}), 3).to[0]));
}

/// The drop of `shape` in free space, with a spacing of 1 cm.
Case drop(const Shape& shape, int dimensions) {
  Case simulation = block_of_water(1, 1, dimensions == 3 ? 1 : 0);
  simulation.bodies[0].shape = shape;
  return simulation;
}

std::vector<Vector> points_of(const Part& part) {
  std::vector<Vector> points;
  for (std::int64_t plane = 0; plane < part.planes(); ++plane)
    part.for_each(plane, [&](const Vector& point) { points.push_back(point); });
  EXPECT_EQ(static_cast<std::int64_t>(points.size()), part.count());
  return points;
}

std::size_t particles_of(const Case& simulation) {
  return points_of(parts_of(simulation, Queue::cpu(1)).bodies[0]).size();
}

TEST(Shape, ThatIsNestedHasItsBoundsAtOnce) {
  Shape nested = box({0, 0, 0}, {1, 1, 1});
  for (int level = 1; level < deepest_shape; ++level) nested = combined(ShapeKind::union_, {std::move(nested)});
  EXPECT_THAT(bounds_of(nested, 3).to, ElementsAre(1, 1, 1));
  EXPECT_EQ(message_of([&] { require_valid(nested, 3, "body 1"); }), "no error");
  nested = combined(ShapeKind::intersection, {std::move(nested)});
  EXPECT_EQ(message_of([&] { require_valid(nested, 3, "body 1"); }),
            "sph: body 1: its shapes are more than 64 levels deep. Put parts of one kind into one list.");
}

TEST(Parts, ASphereHasItsVolumeInParticles) {
  const double volume = 4.0 / 3 * 3.14159265358979 * std::pow(10, 3);
  EXPECT_NEAR(static_cast<double>(particles_of(drop(sphere({0, 0, 0}, 0.1), 3))), volume, 0.02 * volume);
  const double area = 3.14159265358979 * 20 * 20;
  EXPECT_NEAR(static_cast<double>(particles_of(drop(sphere({1, 1, 0}, 0.2), 2))), area, 0.02 * area);
}

TEST(Parts, AShapeThatIsABoxHasTheParticlesOfTheBox) {
  Case simulation = block_of_water(7, 3);
  const CaseParts of_box = parts_of(simulation, Queue::cpu(1));
  simulation.bodies[0].shape = box(simulation.bodies[0].box.from, simulation.bodies[0].box.to);
  EXPECT_EQ(points_of(parts_of(simulation, Queue::cpu(1)).bodies[0]), points_of(of_box.bodies[0]));
}

TEST(Parts, AWallAroundAShapeThatIsABoxIsTheWallOfTheBox) {
  for (const std::vector<Side>& open : {std::vector<Side>{}, std::vector<Side>{Side::top, Side::left}}) {
    Case simulation = block_of_water(4, 3, 5);
    simulation.walls = {{"tank", simulation.bodies[0].box, open, 2, ""}};
    const CaseParts of_box = parts_of(simulation, Queue::cpu(1));
    EXPECT_EQ(points_of(of_box.walls[0]).size(), open.empty() ? 8u * 7 * 9 - 60 : (4u + 2) * (3 + 4) * (5 + 2) - 60);
    simulation.walls[0].shape = box(simulation.walls[0].box.from, simulation.walls[0].box.to);
    EXPECT_EQ(points_of(parts_of(simulation, Queue::cpu(1)).walls[0]), points_of(of_box.walls[0]));
  }
}

TEST(Parts, EveryFluidParticleInARoundTankSeesAFullSupport) {
  Case simulation = drop(sphere({0.3, 0.3, 0}, 0.2), 2);
  simulation.walls = {{"round", {}, {}, 3, ""}};
  simulation.walls[0].shape = simulation.bodies[0].shape;
  const CaseParts parts = parts_of(simulation, Queue::cpu(1));
  std::set<std::pair<long, long>> there;
  for (const Part* part : {&parts.bodies[0], &parts.walls[0]})
    for (const Vector& p : points_of(*part))
      EXPECT_TRUE(there.emplace(std::lround(p[0] * 1e4), std::lround(p[1] * 1e4)).second);
  for (const Vector& p : points_of(parts.bodies[0]))
    for (int i = -2; i <= 2; ++i)
      for (int j = -2; j <= 2; ++j)
        EXPECT_TRUE(there.contains({std::lround(p[0] * 1e4) + 100 * i, std::lround(p[1] * 1e4) + 100 * j}));
}

TEST(Parts, ASolidWallIsTheShapeAsDeepAsItsLayers) {
  Case simulation = block_of_water(20, 20);
  simulation.bodies[0].box = {{1, 1, 0}, {1.1, 1.1, 0}};
  simulation.walls = {{"block", {{0, 0, 0}, {0.1, 0.1, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  EXPECT_EQ(points_of(parts_of(simulation, Queue::cpu(1)).walls[0]).size(), 100u - 16);
  simulation.walls[0].layers = 5;
  EXPECT_EQ(points_of(parts_of(simulation, Queue::cpu(1)).walls[0]).size(), 100u);
}

TEST(Parts, ShapesShareTheLatticeOfTheFirstBody) {
  Case simulation = block_of_water(20, 20);
  const Shape hole = sphere({0.1, 0.1, 0}, 0.055);
  simulation.bodies[0].shape = combined(ShapeKind::difference, {box({0, 0, 0}, {0.2, 0.2, 0}), hole});
  simulation.walls = {{"pipe", {}, {}, 99, ""}};
  simulation.walls[0].shape = hole;
  simulation.walls[0].solid = true;
  const CaseParts parts = parts_of(simulation, Queue::cpu(1));
  EXPECT_EQ(points_of(parts.bodies[0]).size() + points_of(parts.walls[0]).size(), 400u);
}

TEST(Parts, AWallLeavesOutWhatAnEarlierOneHas) {
  Case simulation = block_of_water(4, 4);
  simulation.walls = {{"floor", {{-0.05, -0.03, 0}, {0.09, 0, 0}}, {}, 3, ""},
                      {"post", {{-0.03, -0.03, 0}, {0, 0.06, 0}}, {}, 3, ""}};
  for (Wall& wall : simulation.walls) wall.solid = true;
  const CaseParts parts = parts_of(simulation, Queue::cpu(1));
  EXPECT_EQ(points_of(parts.walls[0]).size(), 14u * 3);
  EXPECT_EQ(points_of(parts.walls[1]).size(), 3u * 6);
}

std::string message_of_parts(const Case& simulation) {
  return message_of([&] {
    require_valid(simulation);
    parts_of(simulation, Queue::cpu(1));
  });
}

TEST(Parts, BadShapesAreNamed) {
  EXPECT_EQ(message_of_parts(drop(sphere({0, 0, 0}, 0), 2)),
            "sph: body 0: sphere.radius = 0 m, expected a positive number.");
  EXPECT_EQ(message_of_parts(drop(sphere({0, std::nan(""), 0}, 1), 2)),
            "sph: body 0: sphere.center has the component nan, expected finite numbers.");
  EXPECT_EQ(message_of_parts(drop(cylinder({1, 1, 0}, {1, 1, 0}, 1), 2)),
            "sph: body 0: the axis of its cylinder has no length. Give cylinder.from and cylinder.to different "
            "places.");
  EXPECT_EQ(message_of_parts(drop(half_space({1, 1, 0}, {0, 0, 1}), 2)),
            "sph: body 0: half_space.normal has no length, expected the direction out of it.");
  EXPECT_EQ(message_of_parts(drop(combined(ShapeKind::union_, {}), 2)),
            "sph: body 0: union has 0 parts, expected at least one.");
  EXPECT_EQ(message_of_parts(drop(half_space({1, 1, 0}, {0, 1, 0}), 2)),
            "sph: body 0 has no end along x. Make it an intersection with a box.");
  EXPECT_EQ(
      message_of_parts(drop(combined(ShapeKind::difference, {sphere({0, 0, 0}, 0.1), sphere({0, 0, 0}, 0.2)}), 2)),
      "sph: body 0 has no particles: no point of the lattice, 0.01 m apart, is inside its difference. Make it "
      "larger or particles.spacing smaller.");
  Shape surface;
  surface.kind = ShapeKind::surface;
  surface.file = "hull.stl";
  EXPECT_THAT(message_of_parts(drop(surface, 3)), HasSubstr("its surface was not read"));
}

TEST(Parts, RoundBodiesMayNotOverlapOrReachIntoWalls) {
  Case simulation = drop(sphere({0, 0, 0}, 0.1), 2);
  simulation.bodies.push_back(simulation.bodies[0]);
  simulation.bodies[1].shape = sphere({0.15, 0, 0}, 0.1);
  EXPECT_THAT(message_of_parts(simulation), HasSubstr("sph: body 1 and body 0 overlap at ("));
  simulation.bodies[1].shape = sphere({0.21, 0, 0}, 0.1);
  EXPECT_EQ(message_of_parts(simulation), "no error");
  simulation.walls = {{"post", {}, {}, 3, ""}};
  simulation.walls[0].shape = sphere({0.1, 0.05, 0}, 0.03);
  simulation.walls[0].solid = true;
  EXPECT_THAT(message_of_parts(simulation), HasSubstr("sph: body 0 reaches into wall \"post\" at ("));
}

TEST(Parts, PlacedParticlesAreTakenAsTheyAre) {
  Case simulation = block_of_water(4, 4);
  const ParticleList list{{{0.5, 0.5, 0}, {0.51, 0.5, 0}, {0.503, 0.51, 0}}, {}};
  simulation.bodies[0].particles = std::make_shared<const ParticleList>(list);
  EXPECT_EQ(points_of(parts_of(simulation, Queue::cpu(1)).bodies[0]), list.position);
  simulation.walls = {{"post", {{0.497, 0.493, 0}, {0.527, 0.523, 0}}, {}, 3, ""}};
  simulation.walls[0].solid = true;
  EXPECT_THAT(message_of_parts(simulation), HasSubstr("body 0 reaches into wall \"post\""));
}

}  // namespace
}  // namespace shoal::sph
