// SPDX-License-Identifier: Apache-2.0
// SU2, and the functions that all kinds of meshes share: walls and cell centers.
#include <cmath>

#include "io/mesh/mesh_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::IsEmpty;

/// Unit square with a triangle on top of it.
const std::string house = R"(% a house
NDIME= 2
NELEM= 2
9 0 1 2 3 0
5 3 2 4 1   % the roof

NPOIN= 5 5
0 0 0
1 0 1
1 1 2
0 1 3
0.5 2 4
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

using Su2Meshes = MeshFiles;

/// A centroid is a quotient of short sums of numbers near 1: a few roundings of 1.1e-16 each.
constexpr double centroid_rounding = 1e-15;

TEST_F(Su2Meshes, In2dHaveCellsAndMarkers) {
  const MeshFile mesh = read("m.su2", house);
  EXPECT_EQ(mesh.dimensions, 2);
  EXPECT_THAT(mesh.nodes.x, ElementsAre(0, 1, 1, 0, 0.5));
  EXPECT_THAT(mesh.nodes.y, ElementsAre(0, 0, 1, 1, 2));
  EXPECT_THAT(mesh.nodes.z, IsEmpty());
  EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::quadrilateral, CellShape::triangle));
  EXPECT_THAT(mesh.cell_start, ElementsAre(0, 4, 7));
  EXPECT_THAT(mesh.cell_corners, ElementsAre(0, 1, 2, 3, 3, 2, 4));
  EXPECT_THAT(marker_names(mesh), ElementsAre("floor", "roof", "sides"));
  EXPECT_EQ(mesh.markers[1].face_count(), 2);
  EXPECT_THAT(mesh.markers[1].corners, ElementsAre(2, 4, 4, 3));
}

TEST_F(Su2Meshes, GiveTheWallsThatAreAskedForWithTheirPointsOnly) {
  const MeshFile mesh = read("m.su2", house);
  const WallMesh walls = mesh.walls({"roof", "floor"});
  EXPECT_EQ(walls.dimensions, 2);
  EXPECT_THAT(walls.wall_names, ElementsAre("roof", "floor"));
  EXPECT_THAT(walls.wall, ElementsAre(0, 0, 1));
  EXPECT_THAT(walls.face_start, ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(walls.corners, ElementsAre(2, 4, 4, 3, 0, 1));
  const WallMesh roof = mesh.walls({"roof"});
  EXPECT_THAT(roof.x, ElementsAre(1, 0, 0.5));  // nodes 2, 3 and 4
  EXPECT_THAT(roof.y, ElementsAre(1, 1, 2));
  EXPECT_THAT(roof.z, IsEmpty());
  EXPECT_THAT(roof.corners, ElementsAre(0, 2, 2, 1));
}

TEST_F(Su2Meshes, NeedNamesOfWallsThatAreThere) {
  const MeshFile mesh = read("m.su2", house);
  EXPECT_EQ(refusal_of([&] { mesh.walls(); }), "m.su2: name the markers that are walls. It has floor, roof, sides.");
  EXPECT_EQ(refusal_of([&] { mesh.walls({"rof"}); }),
            "m.su2: there is no wall `rof`; did you mean `roof`? It has floor, roof, sides.");
  EXPECT_EQ(refusal_of([&] { mesh.walls({"roof", "roof"}); }), "m.su2: wall `roof` is named twice. Name it once.");
  const MeshFile bare = read("m.su2", house.substr(0, house.find("NMARK")));
  EXPECT_EQ(refusal_of([&] { bare.walls(); }),
            "m.su2: this mesh has no walls: no face of its boundary is in the file.");
  const MeshFile one = read("m.su2", replaced(house.substr(0, house.find("MARKER_TAG= roof")), "NMARK= 3", "NMARK= 1"));
  EXPECT_EQ(one.walls().face_count(), 1);
}

TEST_F(Su2Meshes, HaveCentersThatAreMeansOrCentroids) {
  const std::string trapezium = "NDIME=2\nNELEM=1\n9 0 1 2 3\nNPOIN=4\n0 0\n3 0\n1 1\n0 1\n";
  const MeshFile mesh = read("m.su2", trapezium);
  EXPECT_THAT(mesh.cell_centers().x, ElementsAre(1));
  EXPECT_THAT(mesh.cell_centers().y, ElementsAre(0.5));
  // A trapezoid has parallel sides 3 and 1 at heights 0 and 1: y = (3 + 2 * 1) / (3 * (3 + 1)).
  const MeshPoints centroid = mesh.cell_centers(CellCenter::centroid);
  EXPECT_NEAR(centroid.y[0], 5.0 / 12, centroid_rounding);
  // x: a square of area 1 at 1/2 and a triangle of area 1 at 1 + 2/3.
  EXPECT_NEAR(centroid.x[0], 13.0 / 12, centroid_rounding);
  EXPECT_THAT(centroid.z, IsEmpty());
  const std::string sliver = "NDIME=2\nNELEM=1\n5 0 1 2\nNPOIN=3\n0 0\n1 1\n5 5\n";
  EXPECT_THAT(read("m.su2", sliver).cell_centers(CellCenter::centroid).x, ElementsAre(2)) << "no area: the mean";
}

/// All four solid shapes, each with a known centroid.
TEST_F(Su2Meshes, In3dHaveSolidsOfEveryShapeWithTheirCentroids) {
  const std::string solids = R"(NDIME= 3
NELEM= 4
10 0 1 3 4
12 0 1 2 3 4 5 6 7
13 0 1 3 4 5 7
14 0 1 2 3 4
NPOIN= 8
0 0 0
2 0 0
2 2 0
0 2 0
0 0 2
2 0 2
2 2 2
0 2 2
NMARK= 1
MARKER_TAG= faces
MARKER_ELEMS= 2
9 0 1 2 3
5 4 5 7
)";
  const MeshFile mesh = read("m.su2", solids);
  EXPECT_EQ(mesh.dimensions, 3);
  const MeshPoints centroids = mesh.cell_centers(CellCenter::centroid);
  const double expected[4][3] = {{0.5, 0.5, 0.5}, {1, 1, 1}, {2.0 / 3, 2.0 / 3, 1}, {0.75, 0.75, 0.5}};
  for (std::size_t cell = 0; cell < 4; ++cell) {
    EXPECT_NEAR(centroids.x[cell], expected[cell][0], centroid_rounding) << cell;
    EXPECT_NEAR(centroids.y[cell], expected[cell][1], centroid_rounding) << cell;
    EXPECT_NEAR(centroids.z[cell], expected[cell][2], centroid_rounding) << cell;
  }
  EXPECT_DOUBLE_EQ(mesh.cell_centers().x[3], 0.8);  // the mean of a pyramid's corners is not its centroid
  EXPECT_THAT(mesh.walls().face_start, ElementsAre(0, 4, 7));
}

TEST_F(Su2Meshes, OfSeveralZonesShareMarkersOfOneName) {
  const std::string zone =
      "NELEM=1\n5 0 1 2\nNPOIN=3\n0 0\n1 0\n0 1\nNMARK=1\nMARKER_TAG=wall\nMARKER_ELEMS=1\n3 1 2\n";
  const std::string zones = "NZONE=2\nIZONE=1\nNDIME=2\n" + zone + "IZONE=2\nNDIME=2\n" + zone;
  const MeshFile mesh = read("m.su2", zones);
  EXPECT_EQ(mesh.nodes.count(), 6);
  EXPECT_THAT(mesh.cell_corners, ElementsAre(0, 1, 2, 3, 4, 5));
  ASSERT_THAT(marker_names(mesh), ElementsAre("wall"));
  EXPECT_THAT(mesh.markers[0].corners, ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(mesh.walls().corners, ElementsAre(0, 1, 0, 1)) << "points in the same place are one";
  EXPECT_EQ(refusal("m.su2", replaced(zones, "NZONE=2", "NZONE=3")),
            "m.su2:26:1: cut short: 2 zones, expected NZONE= 3.");
  EXPECT_EQ(refusal("m.su2", replaced(zones, "IZONE=2\nNDIME=2", "IZONE=2\nNDIME=3")),
            "m.su2:15:8: NDIME= 3, and a zone before has 2: 2-D and 3-D are mixed. Expected one of them.");
}

TEST_F(Su2Meshes, WithElementsBeforeTheFirstZoneAreRefused) {
  const std::string zone = "NELEM= 1\n5 0 1 2\nNPOIN= 3\n0 0\n1 0\n0 1\nNMARK= 0\n";
  EXPECT_EQ(refusal("m.su2", "NDIME= 2\nMARKER_TAG= wall\nMARKER_ELEMS= 1\n3 7 2\nIZONE= 1\n" + zone),
            "m.su2:5:7: cut short: expected NPOIN= and the nodes.");
}

TEST_F(Su2Meshes, MayHaveHaloAndBoxesThatMeanNothingHere) {
  const std::string halo = "MARKER_TAG= SEND_RECEIVE\nMARKER_ELEMS= 2\nSEND_TO= -1\n1 0 0\n1 1 0\n";
  const std::string boxes = "FFD_NBOX= 1\nFFD_CORNER_POINTS= 2\n0 0\n1 1\n";
  const MeshFile mesh = read("m.su2", replaced(house, "NMARK= 3\n", "NMARK= 4\n" + halo) + boxes);
  EXPECT_THAT(marker_names(mesh), ElementsAre("floor", "roof", "sides"));
}

TEST_F(Su2Meshes, ThatAreCutShortSayWhere) {
  // A file that ends before NMARK is valid and has no markers. A file that ends elsewhere is cut short.
  const std::size_t nodes_end = house.find("NMARK") - 4, markers = house.find("NMARK") + 8;
  for (std::size_t size = 0; size < house.size() - 2; ++size)
    if (size < nodes_end || size > markers) {
      EXPECT_NE(refusal("m.su2", house.substr(0, size)), "no error") << size;
    }
  EXPECT_EQ(refusal("m.su2", house.substr(0, house.find("1 1 2"))),
            "m.su2:10:1: cut short: the file ends before node 2 of 5.");
  EXPECT_EQ(refusal("m.su2", house.substr(0, house.find("3 4 3"))),
            "m.su2:20:1: cut short: the file ends before element 1 of 2.");
  EXPECT_EQ(refusal("m.su2", house.substr(0, house.find("MARKER_TAG= sides"))),
            "m.su2:21:1: cut short: expected 1 more MARKER_TAG=, as NMARK= says.");
  EXPECT_EQ(refusal("m.su2", "NDIME= 2\n"), "m.su2:2:1: cut short: expected NPOIN= and the nodes.");
}

TEST_F(Su2Meshes, ThatAreMalformedSayWhere) {
  const auto message = [&](const char* before, const char* after) {
    return refusal("m.su2", replaced(house, before, after));
  };
  EXPECT_EQ(message("5 3 2 4 1", "5 3 2 5 1"), "m.su2:5:7: node 5, expected 0 to 4.");
  EXPECT_EQ(message("\n3 2 4", "\n3 -2 4"), "m.su2:19:3: -2 is negative, expected the number of a node.");
  EXPECT_EQ(message("5 3 2 4 1", "5 3 2"), "m.su2:5:19: the line ends, expected the number of a node.");
  EXPECT_EQ(message("1 1 2", "1 nan 2"), "m.su2:10:3: a coordinate is nan, expected a finite one.");
  EXPECT_EQ(message("1 1 2", "1 one 2"), "m.su2:10:3: \"one\" is not a number, expected a coordinate.");
  EXPECT_EQ(message("9 0 1 2 3 0", "12 0 1 2 3 4 1 2 3"),
            "m.su2:4:1: a hexahedron as cell of a 2-D mesh: 2-D and 3-D are mixed.");
  EXPECT_EQ(message("3 0 1\n", "5 0 1 2\n"), "m.su2:16:1: a triangle as face of a 2-D mesh: 2-D and 3-D are mixed.");
  EXPECT_EQ(message("9 0 1 2 3 0", "22 0 1 2 3 4 1"),
            "m.su2:4:1: shape 22, expected 3 (segment), 5 (triangle), 9 (quadrilateral), 10 (tetrahedron), 12 "
            "(hexahedron), 13 (prism) or 14 (pyramid). Elements of higher order are not read.");
  EXPECT_EQ(message("NDIME= 2", "NDIME= 4"), "m.su2:2:9: NDIME= 4, expected 2 or 3.");
  EXPECT_EQ(message("NDIME= 2\n", ""), "m.su2:2:7: expected NDIME= before this.");
  EXPECT_EQ(message("NMARK= 3", "3"), "m.su2:13:1: expected KEY= value.");
  EXPECT_EQ(message("NELEM= 2", "NELEM= 2000000"),
            "m.su2:3:8: cut short: 2000000 as a number of elements, and the file has only " +
                std::to_string(house.size() + 6) + " bytes.");
  EXPECT_EQ(message("\n3 2 4", "\n3 9223372036854775807 4"),
            "m.su2:19:3: cut short: 9223372036854775807 as the number of a node, and the file has only " +
                std::to_string(house.size() + 18) + " bytes.");
  EXPECT_EQ(message("MARKER_ELEMS= 2", "MARKER= 2"), "m.su2:18:8: expected MARKER_ELEMS= after MARKER_TAG= roof.");
}

TEST_F(Su2Meshes, HaveOneOfTheExtensionsThatThePageLists) {
  const std::string page = read_text(std::filesystem::path(SHOAL_CASES) / "../docs/meshes.md");
  EXPECT_THAT(mesh_extensions(), testing::IsSupersetOf({".su2", ".cgns", ".p3d"}));
  for (const std::string& extension : mesh_extensions()) {
    EXPECT_THAT(page, testing::HasSubstr("`" + extension + "`")) << "docs/meshes.md";
    const std::string name = "none" + extension;
    EXPECT_EQ(refusal_of([&] { read_mesh(folder / name); }), name + ": there is no such file.");
  }
}

TEST_F(Su2Meshes, OfAnotherKindAreRefused) {
  EXPECT_EQ(refusal_of([&] { read_mesh(folder / "m.su2"); }), "m.su2: there is no such file.");
  EXPECT_THAT(refusal("m.stp", ""),
              testing::StartsWith("m.stp: cannot tell what kind of file this is; a mesh ends with .su2, .stl, "));
  EXPECT_EQ(refusal("m.su2", house, {.marker_array = "id"}),
            "m.su2: a .su2 file names its markers itself; `marker_array` is for VTK.");
  EXPECT_EQ(refusal("m.su2", house, {.index_walls = {index_wall("w=1/1/:")}}),
            "m.su2: a .su2 file names its walls itself; walls by index are for Plot3D.");
}

}  // namespace
}  // namespace shoal::io
