// SPDX-License-Identifier: Apache-2.0
// Shapes, surfaces and particle files in cases of kind = "sph".
#include <gmock/gmock.h>
#include <shoal/io/case_file.hpp>
#include <shoal/io/closed_surface.hpp>
#include <shoal/sph.hpp>

#include <algorithm>

#include "support/devices.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/// Case of one body with these lines, in `dimensions` dimensions.
std::string case_with(const std::string& lines, int dimensions = 2) {
  return "kind = \"sph\"\nrun.duration = 1\nparticles = { dimensions = " + std::to_string(dimensions) +
         ", spacing = 0.1 }\n[material.water]\ndensity = 1000\nsound_speed = 20\n[[body]]\nmaterial = \"water\"\n" +
         lines + "\n";
}

sph::Case parse_shape(const std::string& lines, int dimensions = 2) {
  return parse_case(case_with(lines, dimensions), "case.toml");
}

std::string shape_message(const std::string& lines, int dimensions = 2) {
  return message_of([&] { parse_shape(lines, dimensions); });
}

TEST(CaseShape, EachFormIsReadAndWrittenAgain) {
  for (const char* lines :
       {"sphere = { center = [1, 2], radius = 0.5 }", "cylinder = { from = [0, 0], to = [1, 0], radius = 0.25 }",
        "half_space = { at = [0, 1], normal = [0, 1] }", "box = { from = [0, 0], to = [2, 1] }",
        "union = [{ box = { from = [0, 0], to = [2, 1] } }, { sphere = { center = [2, 0], radius = 1 } }]",
        "difference = [{ box = { from = [0, 0], to = [2, 1] } }, { union = [{ sphere = { center = [2, 0], radius = 1 } "
        "}] }]"}) {
    const sph::Case c = parse_shape(lines);
    EXPECT_THAT(c.text, HasSubstr(lines));
    EXPECT_EQ(parse_case(c.text, "again.toml").text, c.text);
  }
}

TEST(CaseShape, WallsTakeThemToo) {
  const sph::Case c = parse_shape(
      "box = { from = [0, 0], to = [1, 1] }\n[[wall]]\nname = \"post\"\nsolid = true\nsphere = { "
      "center = [3, 0], radius = 0.5 }");
  ASSERT_TRUE(c.walls[0].shape.has_value());
  EXPECT_EQ(c.walls[0].shape->kind, sph::ShapeKind::sphere);
  EXPECT_EQ(c.walls[0].shape->center, (sph::Vector{3, 0, 0}));
  EXPECT_TRUE(c.walls[0].solid);
  EXPECT_THAT(c.text, HasSubstr("solid = true"));
}

TEST(CaseShape, MistakesAreNamedWhereTheyAre) {
  EXPECT_EQ(shape_message("velocity = [1, 0]"),
            "case.toml:7: `body.0` has no shape; expected one of box, sphere, cylinder, half_space, surface, "
            "intersection, union, difference, particles.");
  EXPECT_EQ(shape_message("box = { from = [0, 0], to = [1, 1] }\nsphere = { center = [1, 2], radius = 0.5 }"),
            "case.toml:7: `body.0` has `box` and `sphere`, expected one of them. A union, intersection or difference "
            "makes one shape of several.");
  EXPECT_EQ(shape_message("sphere = { centre = [1, 2], radius = 0.5 }"),
            "case.toml:9: unknown key `body.0.sphere.centre`; did you mean `body.0.sphere.center`?");
  EXPECT_EQ(shape_message("sphere = { center = [1, 2] }"),
            "case.toml:9: missing key `body.0.sphere.radius` (number, m: of the sphere).");
  EXPECT_EQ(shape_message("sphere = { center = [1, 2], radius = -1 }"),
            "case.toml:9: `body.0.sphere.radius` = -1 m, expected a number above 0.");
  EXPECT_EQ(shape_message("sphere = 3"), "case.toml:9: `body.0.sphere` is 3, expected a table with center, radius.");
  EXPECT_THAT(shape_message("union = []"), HasSubstr("case.toml:9: `body.0.union` is [], expected a list of shapes"));
  EXPECT_THAT(shape_message("union = [{ ball = 3 }]"), HasSubstr("unknown key `body.0.union.0.ball`"));
  EXPECT_THAT(shape_message("union = [{}]"), HasSubstr("`body.0.union.0` has no shape"));
  EXPECT_THAT(shape_message("sphre = { center = [1, 2], radius = 1 }"), HasSubstr("did you mean `body.0.sphere`?"));
}

/// STL text of a cube of edge 1: eight corners and twelve triangles with outward normals.
std::string cube_stl(std::size_t triangles = 12) {
  constexpr int corners[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  std::string stl = "solid cube\n";
  for (std::size_t t = 0; t < triangles; ++t) {
    stl += "facet normal 0 0 0\nouter loop\n";
    for (const int c : corners[t])
      stl += "vertex " + std::to_string(c & 1) + " " + std::to_string(c >> 1 & 1) + " " + std::to_string(c >> 2) + "\n";
    stl += "endloop\nendfacet\n";
  }
  return stl + "endsolid cube\n";
}

struct CaseGeometry : testing::Test {
  ScratchFolder folder;

  void write(const std::string& name, const std::string& content) const { write_text(folder / name, content); }
  sph::Case read(const std::string& lines, int dimensions) const {
    write("case.toml", case_with(lines, dimensions));
    return read_case(folder / "case.toml");
  }
};

/// Positions near 7 in single precision have a spacing of 4.8e-7.
constexpr double float_rounding = 1e-6;

TEST_F(CaseGeometry, AClosedSurfaceIsFilled) {
  write("cube.stl", cube_stl());
  const sph::Case c = read("surface = { file = \"cube.stl\" }", 3);
  for (const Queue& queue : {Queue::cpu(1), Queue::best()}) EXPECT_EQ(sph::Solver(queue, c).clock().particles, 1000);
  const sph::Case moved = read("surface = { file = \"cube.stl\", scale = 0.5, move = [7, 0, 0] }", 3);
  const sph::Fields fields = sph::Solver(Queue::cpu(1), moved).fields();
  EXPECT_EQ(fields.id.size(), 125u);
  EXPECT_NEAR(fields.position[0], 7.05, float_rounding);
  EXPECT_EQ(parse_case(c.text, "elsewhere/case.toml").text, c.text) << "names of files are made absolute";
}

TEST_F(CaseGeometry, ALeakingSurfaceSaysHowManyEdgesAndWhere) {
  write("cube.stl", cube_stl(11));
  const std::string leaks = message_of([&] { read("surface = { file = \"cube.stl\" }", 3); });
  EXPECT_THAT(leaks, HasSubstr("cube.stl: this surface encloses nothing: the walls have 3 edges"));
  EXPECT_THAT(leaks, HasSubstr("The first is"));
  EXPECT_THAT(leaks, EndsWith("Close the walls.")) << "a shape cannot do without an inside";
}

TEST_F(CaseGeometry, ASurfaceInSpaceFillsNoPlane) {
  write("cube.stl", cube_stl());
  EXPECT_THAT(message_of([&] { read("surface = { file = \"cube.stl\" }", 2); }),
              HasSubstr("has 3 dimensions, and the case 2"));
  EXPECT_THAT(message_of([&] { read("surface = { file = \"none.stl\" }", 3); }), HasSubstr("none.stl"));
}

TEST_F(CaseGeometry, ParticlesComeFromATable) {
  write("drop.csv", "x,y,u,v\n0,0,1,2\n0.1,0,3,4\n0.05,0.1,5,6\n");
  const sph::Case c = read("particles = { file = \"drop.csv\", velocity = [\"u\", \"v\"] }", 2);
  ASSERT_NE(c.bodies[0].particles, nullptr);
  EXPECT_THAT(c.bodies[0].particles->position,
              ElementsAre(sph::Vector{0, 0, 0}, sph::Vector{0.1, 0, 0}, sph::Vector{0.05, 0.1, 0}));
  const sph::Fields fields = sph::Solver(Queue::cpu(1), c).fields();
  EXPECT_EQ(fields.id.size(), 3u);
  EXPECT_EQ(fields.velocity[6], 5);
  EXPECT_EQ(fields.velocity[7], 6);
  EXPECT_EQ(parse_case(c.text, "case.toml").text, c.text);
}

TEST_F(CaseGeometry, AParticleFileIsHeldAgainstTheCase) {
  write("line.csv", "x\n0\n1\n");
  EXPECT_THAT(message_of([&] { read("particles.file = \"line.csv\"", 2); }), HasSubstr("have 1 dimensions"));
  write("drop.csv", "x,y\n0,0\n");
  EXPECT_THAT(message_of([&] { read("particles = { file = \"drop.csv\", velocity = [\"u\"] }", 2); }),
              HasSubstr("particles.velocity names 1 columns, expected 2"));
  EXPECT_THAT(message_of([&] { read("particles = { file = \"drop.csv\", velocity = [\"u\", \"v\"] }", 2); }),
              HasSubstr("there is no column `u`"));
  write("bad.csv", "x,y\n0,0\nnan,1\n");
  EXPECT_THAT(message_of([&] { read("particles.file = \"bad.csv\"", 2); }),
              HasSubstr("particle 1 of body 0 is at nan"));
}

}  // namespace
}  // namespace shoal::io
