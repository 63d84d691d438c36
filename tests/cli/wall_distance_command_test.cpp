// SPDX-License-Identifier: Apache-2.0
// `shoal wall_distance` in a mesh whose distances follow by hand.
#include <shoal/io/mesh_file.hpp>
#include <shoal/io/points_file.hpp>
#include <shoal/methods.hpp>

#include <cmath>
#include <cstdint>

#include "support/command_line.hpp"
#include "support/devices.hpp"
#include "support/hdf5_values.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Unit square with a triangle on top of it. The means of their corners are (0.5, 0.5) and (0.5, 2).
const std::string house = R"(NDIME= 2
NELEM= 2
9 0 1 2 3
5 3 2 4
NPOIN= 5
0 0
1 0
1 1
0 1
0.5 4
NMARK= 3
MARKER_TAG= floor
MARKER_ELEMS= 1
3 0 1
MARKER_TAG= roof
MARKER_ELEMS= 2
3 2 4
3 4 3
MARKER_TAG= sides
MARKER_ELEMS= 2
3 1 2
3 3 0
)";

struct WallDistanceCommand : CommandLineTest {
  std::string mesh = write("house.su2", house);
  std::string device = "cpu --threads 1";

  Result wall_distance(const std::string& arguments) const {
    return run_shoal("wall_distance " + mesh + " --device " + device + " " + arguments);
  }
  /// Array of the file that the command writes.
  template <class T>
  std::vector<T> written(const std::string& arguments, const std::string& dataset) const {
    EXPECT_THAT(wall_distance(arguments + " --force --out " + path("d.vtkhdf")), Succeeds());
    return read_dataset<T>(path("d.vtkhdf"), "VTKHDF/" + dataset);
  }
  void expect_refused(const std::string& arguments, const std::string& message) const {
    const Result result = wall_distance(arguments + " --force --out " + path("d.csv"));
    EXPECT_THAT(result, Refuses(message));
    EXPECT_THAT(result.text, StartsWith("shoal: "));
    EXPECT_FALSE(std::filesystem::exists(path("d.csv")));
  }
};

TEST_F(WallDistanceCommand, HelpListsTheExtensionsOfMeshes) {
  const Result help = run_shoal("wall_distance --help");
  for (const std::string& extension : io::mesh_extensions()) EXPECT_THAT(help.text, HasSubstr(extension));
}

TEST_F(WallDistanceCommand, MeasuresFromCellsAndNodes) {
  EXPECT_THAT(written<double>("--wall floor", "CellData/wall_distance"), ElementsAre(0.5, 2));
  EXPECT_THAT(written<double>("--wall floor", "CellData/nearest_point"), ElementsAre(0.5, 0, 0, 0.5, 0, 0));
  EXPECT_THAT(written<double>("--wall floor --points nodes", "PointData/wall_distance"), ElementsAre(0, 0, 1, 1, 4));
  EXPECT_THAT(written<double>("--wall floor --center centroid", "CellData/wall_distance"), ElementsAre(0.5, 2));
  EXPECT_THAT(written<double>("--wall floor --points nodes --to face_center", "PointData/wall_distance"),
              ElementsAre(0.5, 0.5, testing::DoubleEq(std::sqrt(1.25)), testing::DoubleEq(std::sqrt(1.25)), 4));
}

TEST_F(WallDistanceCommand, NumbersWallsAndTheirFacesInTheOrderOfTheNames) {
  // The upper cell is as near to one side of the roof as to the other: the smaller number is taken.
  EXPECT_THAT(written<std::int64_t>("--wall roof,floor", "CellData/nearest_face"), ElementsAre(2, 0));
  EXPECT_THAT(written<std::int32_t>("--wall roof,floor", "CellData/wall"), ElementsAre(1, 0));
  EXPECT_THAT(written<std::int64_t>("--wall floor --wall roof", "CellData/nearest_face"), ElementsAre(0, 1));
  EXPECT_THAT(written<std::int32_t>("--wall floor --wall roof", "CellData/wall"), ElementsAre(0, 1));
}

struct WallDistanceCommandBy : WallDistanceCommand, testing::WithParamInterface<MethodInfo> {
  void SetUp() override {
    SHOAL_SKIP_WITHOUT(GetParam().device);
    WallDistanceCommand::SetUp();
    if (GetParam().device == DeviceKind::cuda) device = "cuda";
  }
};
INSTANTIATE_TEST_SUITE_P(Rows, WallDistanceCommandBy, testing::ValuesIn(methods("wall_distance")),
                         [](const auto& row) { return row.param.name + "_" + device_word(row.param.device); });

TEST_P(WallDistanceCommandBy, GivesTheSame) {
  const std::string by = "--wall floor,sides --points nodes --method " + GetParam().name;
  EXPECT_THAT(written<double>(by, "PointData/wall_distance"),
              ElementsAre(0, 0, 0, 0, testing::DoubleEq(std::sqrt(9.25))));
  EXPECT_THAT(written<std::int64_t>(by, "PointData/nearest_face"), ElementsAre(0, 0, 1, 2, 1));
  EXPECT_THAT(wall_distance(by).text, HasSubstr("\nmethod    " + GetParam().name + " to the nearest face on "));
  const bool counts = GetParam().device == DeviceKind::cpu;
  EXPECT_THAT(wall_distance(by).text,
              HasSubstr(counts ? " exactly\nmemory " : "\ntested    not counted by this method\n"));
  EXPECT_THAT(wall_distance(by + " --json").text,
              HasSubstr(counts ? R"("faces_per_query": {"bounded": )" : R"("faces_per_query": null, )"));
}

TEST_F(WallDistanceCommand, WritesEveryKindOfFile) {
  EXPECT_THAT(wall_distance("--wall roof,floor --force --out " + path("d.csv")), Succeeds());
  EXPECT_THAT(read_text(path("d.csv")),
              StartsWith("x,y,wall_distance,nearest_face,wall,nearest_point_x,nearest_point_y\n"
                         "0.5,0.5,0.5,2,1,0.5,0\n"
                         "0.5,2,"));
  EXPECT_THAT(wall_distance("--wall floor --force --out " + path("d.vtu")), Succeeds());
  const io::MeshFile written_mesh = io::read_mesh(path("d.vtu"));
  EXPECT_THAT(written_mesh.nodes.y, ElementsAre(0, 0, 1, 1, 4));
  EXPECT_THAT(written_mesh.cell_corners, ElementsAre(0, 1, 2, 3, 3, 2, 4));
}

TEST_F(WallDistanceCommand, PrintsASummary) {
  const Result result = wall_distance("--wall floor,roof --points nodes --method serial");
  EXPECT_THAT(result, Succeeds());
  EXPECT_THAT(result.text, StartsWith("mesh      2 cells and 5 nodes in " + mesh +
                                      ", 2-D\n"
                                      "walls     floor (1 face), roof (2 faces)\n"
                                      "points    5 nodes\n"
                                      "method    serial to the nearest face on cpu, 1 thread\n"
                                      "distance  0 to 0 m, 5 of 5 on a wall\n"
                                      "speed     "));
  EXPECT_THAT(result.text, HasSubstr(" queries/s\ntested    0 faces a query for a bound, 3 exactly\nmemory    "));
  EXPECT_THAT(result.text, HasSubstr(" a face, 0 a query\ntime      reading "));
  EXPECT_THAT(result.text, testing::EndsWith("\n\ndistance in m  points\n"
                                             "            0       5  " +
                                             std::string(80 - 13 - 6 - 4, '#') + "\n"));
  EXPECT_THAT(result.text, Not(HasSubstr("\nfile ")));
  EXPECT_THAT(wall_distance("--wall floor --force --out " + path("d.csv")).text,
              HasSubstr("\nfile      " + path("d.csv") + "\n"));
}

TEST_F(WallDistanceCommand, CountsDistancesByDecades) {
  // Nodes at 0, 0, 1, 1 and 4, and then at what is just below ten, ten, and far below everything else.
  const std::string rest = wall_distance("--wall floor --points nodes").text;
  EXPECT_THAT(rest, HasSubstr("distance  0 to 4 m, 2 of 5 on a wall\n"));
  EXPECT_THAT(rest, HasSubstr("             0       2  #"));
  EXPECT_THAT(rest, HasSubstr("1e+00 to 1e+01       3  #"));
  const auto histogram = [&](const std::string& right, const std::string& top) {
    std::string changed = house;
    changed.replace(changed.find("1 1\n"), 4, "1 " + right + "\n");
    changed.replace(changed.find("0.5 4\n"), 6, "0.5 " + top + "\n");
    write_text(mesh, changed);
    const std::string text = wall_distance("--wall floor --points nodes --json").text;
    const std::size_t from = text.find("\"histogram\": ") + 13;
    return text.substr(from, text.find(']', from) + 1 - from);
  };
  EXPECT_EQ(histogram("9.999999999999998", "10"),
            R"([{"from": 1, "to": 10, "points": 2}, {"from": 10, "to": 100, "points": 1}])");
  EXPECT_EQ(histogram("0.01", "0.00001"),
            R"([{"from": 1e-05, "to": 0.0001, "points": 1}, )"
            R"({"from": 0.0001, "to": 0.001, "points": 0}, )"
            R"({"from": 0.001, "to": 0.01, "points": 0}, )"
            R"({"from": 0.01, "to": 0.1, "points": 1}, )"
            R"({"from": 0.1, "to": 1, "points": 0}, {"from": 1, "to": 10, "points": 1}])");
  EXPECT_THAT(histogram("1e-60", "1"), StartsWith(R"([{"from": 0, "to": 1e-18, "points": 1}, )"))
      << "the nearest of twenty decades takes what is nearer still";
}

TEST_F(WallDistanceCommand, PrintsJson) {
  const Result result = wall_distance("--wall floor --out " + path("d.vtu") + " --json");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_EQ(result.text.find('\n'), result.text.size() - 1);
  EXPECT_THAT(result.text,
              StartsWith("{\"file\": \"" + mesh +
                         R"(", "dimensions": 2, "cells": 2, "nodes": 5, "walls": [{"name": "floor", "faces": 1}], )"
                         R"("points": 2, "points_are": "cells", "to": "face", "method": "bvh", )"
                         R"("device": "cpu, 1 thread", "distance": {"min": 0.5, "max": 2, "on_wall": 0, )"));
  EXPECT_THAT(result.text, HasSubstr(R"(, "faces_per_query": {"bounded": 1, "exact": 1}, "bytes": {"plan": )"));
  EXPECT_THAT(result.text, HasSubstr("\"finding\": "));
}

TEST_F(WallDistanceCommand, TakesWallsByIndexAndSurfaces) {
  mesh = path("plane.x");
  write_text(mesh, "2 3\n0 1 0 1 0 1\n0 0 1 1 3 3\n");
  EXPECT_THAT(written<double>("--index-wall low=1/:/1 --points nodes", "PointData/wall_distance"),
              ElementsAre(0, 0, 1, 1, 3, 3));
  mesh = path("tent.obj");
  write_text(mesh, "v 0 0 0\nv 1 0 0\nv 0 1 1\nf 1 2 3\n");
  EXPECT_THAT(written<double>("--points nodes", "PointData/wall_distance"), Each(0));
  expect_refused(
      "",
      "tent.obj: this is a surface without cells. Name a file of points with --at, give a mesh with cells, or "
      "--points nodes.");
}

/// A cube from 0 to 2 m, as PLY.
constexpr const char* cube = R"(ply
format ascii 1.0
element vertex 8
property float x
property float y
property float z
element face 6
property list uchar int vertex_indices
end_header
0 0 0
2 0 0
0 2 0
2 2 0
0 0 2
2 0 2
0 2 2
2 2 2
4 0 2 3 1
4 4 5 7 6
4 0 1 5 4
4 2 6 7 3
4 0 4 6 2
4 1 3 7 5
)";

struct WallDistanceAt : WallDistanceCommand {
  std::string probes = path("probes.csv");
  WallDistanceAt() {
    mesh = path("cube.ply");
    write_text(mesh, cube);
    write_text(probes, "name,x,y,z\nupper,1,1,5\nedge,5,6,1\ninside,1,0.25,1\n");
  }
  std::string table(const std::string& options) const {
    EXPECT_THAT(wall_distance(options + " --force --out " + path("d.csv")), Succeeds());
    return read_text(path("d.csv"));
  }
};

TEST_F(WallDistanceAt, WritesATableBesideThePoints) {
  EXPECT_EQ(table("--at " + probes),
            "x,y,z,wall_distance,nearest_face,wall,nearest_point_x,nearest_point_y,nearest_point_z\n"
            "1,1,5,3,1,0,1,1,2\n"
            "5,6,1,5,3,0,2,2,1\n"
            "1,0.25,1,0.25,2,0,1,0,1\n");
  EXPECT_THAT(table("--at " + probes + " --signed"), HasSubstr("\n1,0.25,1,-0.25,2,0,1,0,1\n"));
}

TEST_F(WallDistanceAt, WritesGradients) {
  const std::string lines = table("--at " + probes + " --signed --gradient");
  EXPECT_THAT(lines, HasSubstr(",nearest_point_z,gradient_x,gradient_y,gradient_z\n"));
  EXPECT_THAT(lines, HasSubstr(",1,1,2,0,0,1\n"));
  EXPECT_THAT(lines, HasSubstr(",2,2,1,0.6,0.8,0\n"));
  EXPECT_THAT(lines, testing::EndsWith(",1,0,1,-0,-1,-0\n"));
}

TEST_F(WallDistanceAt, ReadsAndWritesEveryKindOfPointsFile) {
  const std::string expected = table("--at " + probes);
  for (const char* kind : {"d.vtp", "d.vtu", "d.vtkhdf"}) {
    EXPECT_THAT(wall_distance("--at " + probes + " --force --out " + path(kind)), Succeeds()) << kind;
    const io::PointsFile file = io::read_points(path(kind), {.values = {"wall_distance", "nearest_point:1"}});
    EXPECT_THAT(file.z, ElementsAre(5, 1, 1)) << kind;
    EXPECT_THAT(file.values.at("wall_distance"), ElementsAre(3, 5, 0.25)) << kind;
    EXPECT_THAT(file.values.at("nearest_point:1"), ElementsAre(1, 2, 0)) << kind;
    EXPECT_EQ(table(std::string("--at ") + path(kind)), expected) << kind;
  }
  write_text(path("named.csv"), "5;6;1;7\n");
  EXPECT_THAT(table("--at " + path("named.csv") + " --columns x,y,z,mass"), HasSubstr("\n5,6,1,5,"));
  write_text(path("none.csv"), "x,y,z\n");
  EXPECT_THAT(table("--at " + path("none.csv")), testing::EndsWith("nearest_point_z\n"));
}

TEST_F(WallDistanceAt, IsInTheSummary) {
  EXPECT_THAT(wall_distance("--at " + probes).text, HasSubstr("\npoints    3 in " + probes + "\n"));
  EXPECT_THAT(wall_distance("--at " + probes + " --json").text,
              HasSubstr(R"("points": 3, "points_are": "points", "points_file": ")" + probes + R"(", "to": "face")"));
}

TEST_F(WallDistanceAt, TakesPointsOfAPlaneForAMeshInThePlane) {
  write_text(path("flat.csv"), "x,y,z\n0.5,3,7\n2,0,7\n");
  mesh = write("house.su2", house);
  EXPECT_EQ(table("--wall floor --at " + path("flat.csv")),
            "x,y,wall_distance,nearest_face,wall,nearest_point_x,nearest_point_y\n0.5,3,3,0,0,0.5,0\n2,0,1,0,0,1,0\n");
  std::filesystem::remove(path("d.csv"));
  expect_refused("--wall floor --at " + probes,
                 "probes.csv: point 1 has z = 1 and point 0 has 5, expected the same for "
                 "all points, because the mesh " +
                     mesh + " is two-dimensional.");
}

TEST_F(WallDistanceAt, RefusesBadPoints) {
  const auto refuse = [&](const std::string& content, const std::string& message) {
    write_text(probes, content);
    expect_refused("--at " + probes, message);
  };
  refuse("x,y\n1,2\n", "its points have 2 coordinates, and the mesh " + mesh + " has 3. Expected at least as many.");
  refuse("x\n1\n", "its points have 1 coordinate, and the mesh " + mesh + " has 3.");
  refuse("x,y,z\n1,2,3\n1,nan,3\n",
         "probes.csv: point 1 has y = nan, expected a finite coordinate of at most 1e+100 m.");
  refuse("x,y,z\n1,2,-1e101\n",
         "probes.csv: point 0 has z = -1e+101, expected a finite coordinate of at most 1e+100 m.");
  refuse("x,y,z\n1,two,3\n", "probes.csv:2: field 2 (y) is \"two\", expected a number that double can hold.");
  std::filesystem::remove(probes);
  expect_refused("--at " + probes, "probes.csv: there is no such file.");
}

TEST_F(WallDistanceAt, ExcludesThePointsOfTheMesh) {
  EXPECT_THAT(wall_distance("--at " + probes + " --points nodes"), Refuses("--points excludes --at"));
  EXPECT_THAT(wall_distance("--at " + probes + " --center centroid"), Refuses("--center excludes --at"));
  EXPECT_THAT(wall_distance("--points nodes --step 1"), Refuses("--step requires --at"));
  EXPECT_THAT(wall_distance("--at " + probes + " --gradient"), Refuses("--gradient requires --out"));
  EXPECT_THAT(wall_distance("--at " + probes + " --force --out " + probes), Refuses("probes.csv"));
  EXPECT_THAT(read_text(probes), StartsWith("name,x,y,z\n")) << "an input is never replaced";
}

TEST_F(WallDistanceCommand, SignsDistancesInsideOfClosedWalls) {
  mesh = path("wedge.obj");  // 3, 4, 5, and a point within
  write_text(mesh, "v 0 0 0\nv 4 0 0\nv 4 3 0\nv 2 1 0\nl 1 2\nl 2 3\nl 3 1\n");
  EXPECT_THAT(written<double>("--points nodes --signed", "PointData/wall_distance"),
              ElementsAre(0, 0, 0, testing::DoubleEq(-0.4)));
  EXPECT_THAT(wall_distance("--points nodes --signed").text,
              HasSubstr("distance  -0.4 to 0 m, 3 of 4 on a wall, 1 inside\n"));
  const std::string json = wall_distance("--points nodes --signed --json").text;
  EXPECT_THAT(json, HasSubstr(R"("on_wall": 3, "inside": 1, "histogram": [{"from": 0.1, "to": 1, "points": 1}])"));
  EXPECT_THAT(wall_distance("--points nodes --json").text, Not(HasSubstr("inside")));
  write_text(mesh, "v 0 0 0\nv 4 0 0\nv 4 3 0\nl 1 2\nl 2 3\n");
  expect_refused("--points nodes --signed", "the walls have 2 ends with one face only, so they have no inside.");
  write_text(mesh, "v 0 0 0\nv 4 0 0\nv 4 3 0\nv 2 1 0\nl 1 2\nl 2 3\n");
  EXPECT_THAT(written<double>("--points nodes --signed --inside winding_number", "PointData/wall_distance"),
              ElementsAre(0, 0, 0, -1))
      << "two sides fill 198 of 360 degrees around the point";
  EXPECT_THAT(wall_distance("--points nodes --inside winding_number"), Refuses("--inside requires --signed"));
}

TEST_F(WallDistanceCommand, TakesAToleranceFarAway) {
  // The top is 4 m away; what is proven of it is the larger one of 4 m / (1 + 1) and 2.5 m.
  const std::string far = "--wall floor --points nodes --tolerance 1 --beyond 2.5";
  EXPECT_THAT(written<double>(far, "PointData/wall_distance"), ElementsAre(0, 0, 1, 1, 4));
  EXPECT_THAT(written<double>(far, "PointData/lower"), ElementsAre(0, 0, 1, 1, 2.5));
  EXPECT_THAT(written<double>("--wall floor --points nodes --tolerance 0.25", "PointData/lower"),
              ElementsAre(0, 0, testing::DoubleNear(0.8, 1e-12), testing::DoubleNear(0.8, 1e-12),
                          testing::DoubleNear(3.2, 1e-12)));
  EXPECT_THAT(wall_distance(far).text, HasSubstr(" on a wall\nproven    4 of 5 exact, 1 at most 60 % too large\n"));
  EXPECT_THAT(
      wall_distance(far + " --json").text,
      HasSubstr(R"(], "far_field": {"tolerance": 1, "beyond": 2.5, "exact": 4, "excess": 0.6000000000000001}})"));
  EXPECT_THAT(wall_distance(far + " --method serial").text, HasSubstr("\nproven    5 of 5 exact\n"));
  EXPECT_THAT(wall_distance(far + " --force --out " + path("d.csv")), Succeeds());
  EXPECT_THAT(read_text(path("d.csv")),
              StartsWith("x,y,wall_distance,nearest_face,wall,nearest_point_x,nearest_point_y,"
                         "lower\n0,0,0,0,0,0,0,0\n"));
}

TEST_F(WallDistanceCommand, WithoutAToleranceProvesNothing) {
  const Result result = wall_distance("--wall floor --tolerance 0 --beyond 1 --force --out " + path("d.csv"));
  EXPECT_THAT(result, Succeeds());
  EXPECT_THAT(result.text, Not(HasSubstr("proven")));
  EXPECT_THAT(read_text(path("d.csv")), Not(HasSubstr("lower")));
  EXPECT_THAT(wall_distance("--wall floor --json").text, Not(HasSubstr("far_field")));
}

TEST_F(WallDistanceCommand, SetsTheAuxiliaryGrid) {
  EXPECT_THAT(wall_distance("--wall floor --method advancing_boundary_pointers --auxiliary-cells 3"), Succeeds());
  expect_refused("--wall floor --method advancing_boundary_pointers --auxiliary-cells -3",
                 "auxiliary_cells is -3, expected 1 to 1000000 cells along each axis, or 0 for the default.");
  expect_refused("--wall floor --auxiliary-cells 3", "method `bvh` has no auxiliary grid.");
}

TEST_F(WallDistanceCommand, RefusesBadTolerances) {
  expect_refused("--wall floor --tolerance 2", "the tolerance of the far field is 2, expected 0 to 1.");
  expect_refused("--wall floor --tolerance nan", "the tolerance of the far field is nan, expected 0 to 1.");
  expect_refused("--wall floor --tolerance 0.1 --beyond -1", "the far field begins at -1 m, expected 0 to 1e100.");
  expect_refused("--wall floor,sides,roof --signed --tolerance 0.1",
                 "signs need the nearest face, which a far field with a tolerance does not guarantee.");
  EXPECT_THAT(wall_distance("--wall floor --beyond 1"), Refuses("--beyond requires --tolerance"));
}

TEST_F(WallDistanceCommand, RefusesBadArguments) {
  expect_refused("", "house.su2: name the markers that are walls. It has floor, roof, sides.");
  expect_refused("--wall flor", "there is no wall `flor`; did you mean `floor`? It has floor, roof, sides.");
  expect_refused("--wall floor,floor", "wall `floor` is named twice.");
  expect_refused("--wall floor --method fastest", "method `fastest` is not available on cpu");
  expect_refused("--wall floor --index-wall low=1/:/1", "a .su2 file names its walls itself");
  expect_refused("--wall floor --marker-array wall", "a .su2 file names its markers itself");
  EXPECT_THAT(wall_distance("--wall floor --points faces"), Refuses("--points"));
  EXPECT_THAT(wall_distance("--wall floor --center middle"), Refuses("--center"));
  EXPECT_THAT(wall_distance("--wall floor --to edge"), Refuses("--to"));
  EXPECT_THAT(wall_distance("--wall floor --out d.png"),
              Refuses("d.png: cannot tell what kind of file this is; a mesh with values ends with "));
  EXPECT_THAT(wall_distance("--wall floor --out no/d.vtu"), Refuses("no/d.vtu: there is no folder no."));
}

TEST_F(WallDistanceCommand, RefusesBadFilesAndKeepsWhatWasThere) {
  write_text(path("kept.vtu"), "kept");
  write_text(mesh, house.substr(0, house.find("NMARK")) + "NMARK= 0\n");
  expect_refused("", "house.su2: this mesh has no walls: no face of its boundary is in the file.");
  std::string broken = house;
  write_text(mesh, broken.replace(broken.find("0.5 4\n"), 6, "nan 4\n"));
  expect_refused("--wall floor", "house.su2:10:1: a coordinate is nan, expected a finite one.");
  EXPECT_EQ(wall_distance("--wall floor --out " + path("kept.vtu")).code, 2);
  EXPECT_EQ(read_text(path("kept.vtu")), "kept");
  write_text(mesh, house.substr(0, 40));
  expect_refused("--wall floor", "house.su2:");
  std::filesystem::remove(mesh);
  expect_refused("--wall floor", "house.su2: there is no such file.");
}

TEST_F(WallDistanceCommand, AddsAFieldToARestartFileOfSu2) {
  const std::string restart = write("flow.csv", "PointID,x\n0,0\n1,1\n2,1\n3,0\n4,0.5\nEXT_ITER= 2\n");
  const std::string options = "--wall floor --points nodes --su2-restart " + restart + " --su2 " + path("with.csv");
  EXPECT_THAT(wall_distance(options), Succeeds());
  EXPECT_EQ(read_text(path("with.csv")),
            "PointID,x,Wall_Distance\n0,0,0.000000000000000e+00\n1,1,0.000000000000000e+00\n"
            "2,1,1.000000000000000e+00\n3,0,1.000000000000000e+00\n4,0.5,4.000000000000000e+00\nEXT_ITER= 2\n");
  EXPECT_THAT(wall_distance(options), Refuses("with.csv"));
  EXPECT_THAT(wall_distance(options + " --force"), Succeeds());
  EXPECT_THAT(wall_distance("--wall floor --su2-restart " + restart + " --su2 " + path("cells.csv")),
              Refuses("Add --points nodes."));
}

}  // namespace
}  // namespace shoal
