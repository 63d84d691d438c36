// SPDX-License-Identifier: Apache-2.0
// Surfaces without cells: STL and OBJ.
#include "io/mesh/mesh_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::IsEmpty;

std::string facet(const std::string& corners) {
  return "facet normal nan 0 0\n outer loop\n" + corners + " endloop\nendfacet\n";
}
const std::string first = "  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n";
const std::string second = "  vertex 1 0 0\n  vertex 1 1 1e-3\n  vertex -0 1 0\n";
const std::string two_stl_solids =
    "solid left wing\n" + facet(first) + "endsolid left wing\nSOLID\n" + facet(second) + "endsolid\n";

using StlMeshes = MeshFiles;

TEST_F(StlMeshes, AsTextHaveASolidAMarker) {
  const MeshFile mesh = read("m.stl", two_stl_solids);
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_EQ(mesh.cell_count(), 0);
  EXPECT_THAT(marker_names(mesh), ElementsAre("left wing", "solid"));
  EXPECT_EQ(mesh.nodes.count(), 4) << "corners in the same place are one node, also when one is -0";
  EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 1, 2));
  EXPECT_THAT(mesh.markers[1].corners, ElementsAre(1, 3, 2));
  EXPECT_EQ(mesh.nodes.z[3], 1e-3);
  EXPECT_EQ(mesh.walls().face_count(), 2) << "without cells all markers are walls";
  EXPECT_EQ(refusal_of([&] { mesh.cell_centers(); }),
            "m.stl: it has no cells, only faces. Ask about points of your own.");
}

std::string binary(std::uint32_t triangles, const std::vector<float>& numbers, const std::string& header = "solid") {
  std::string content = header + std::string(80 - header.size(), ' ') + bytes_of<std::uint32_t>({triangles});
  for (std::size_t i = 0; i < numbers.size(); i += 9)
    content += bytes_of<float>({0, 0, 1}) +
               bytes_of<float>({numbers.begin() + static_cast<std::ptrdiff_t>(i),
                                numbers.begin() + static_cast<std::ptrdiff_t>(i + 9)}) +
               std::string(2, '\0');
  return content;
}
const std::vector<float> flat = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};

TEST_F(StlMeshes, AsBytesMayBeginWithSolidAndBeFlat) {
  const MeshFile mesh = read("m.stl", binary(2, flat));
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_THAT(marker_names(mesh), ElementsAre("solid"));
  EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 1, 2, 1, 3, 2));
  EXPECT_THAT(mesh.nodes.x, ElementsAre(0, 1, 0, 1));
}

TEST_F(StlMeshes, ThatAreCutShortOrMalformedSayWhere) {
  const std::string content = binary(2, flat, "made by hand");
  EXPECT_EQ(refusal("m.stl", content.substr(0, 183)),
            "m.stl: cut short: as binary STL of 2 triangles (byte 80) it takes 184 bytes, and the file has 183.");
  EXPECT_EQ(refusal("m.stl", content + "x"),
            "m.stl: too long: as binary STL of 2 triangles (byte 80) it takes 184 bytes, and the file has 185.");
  EXPECT_EQ(refusal("m.stl", "SU2"), "m.stl: this is no STL: it has 3 bytes and does not begin with \"solid\".");
  std::vector<float> with_nan = flat;
  with_nan[10] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(refusal("m.stl", binary(2, with_nan)), "m.stl: byte 150: a coordinate is nan, expected a finite one.");
  for (std::size_t size = 0; size < two_stl_solids.size() - 1; ++size) {
    // A valid file of one solid.
    if (size >= two_stl_solids.find("SOLID") - 11 && size <= two_stl_solids.find("SOLID")) continue;
    EXPECT_NE(refusal("m.stl", two_stl_solids.substr(0, size)), "no error") << size;
  }
  const auto message = [&](const char* before, const char* after) {
    return refusal("m.stl", replaced(two_stl_solids, before, after));
  };
  EXPECT_EQ(message("vertex 0 1 0", "vertex 0 inf 0"), "m.stl:6:12: a coordinate is inf, expected a finite one.");
  EXPECT_EQ(message(" endloop", " vertex 0 0 0"), "m.stl:7:2: \"vertex\", expected endloop.");
  EXPECT_EQ(message("endsolid", "end"), "m.stl:9:1: \"end\", expected facet or endsolid.");
  EXPECT_EQ(refusal("m.stl", "solid nothing\nendsolid nothing\n"), "no error");
  EXPECT_EQ(refusal_of([&] { read("m.stl", "solid nothing\nendsolid nothing\n").walls(); }),
            "m.stl: this mesh has no walls: no face of its boundary is in the file.");
}

const std::string box = R"(# two faces of a box
o box
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0 1 # a weight
vn 0 0 1
usemtl blue
f 1//1 2//1 3//1 4//1
g top edge
v 0 0 1
v 1 0 1
v 1 1 1
v 2 1 1
v 0 1 1
f -5/2/1 -4/2 -3
f 5 6 8 7 9
)";

using ObjMeshes = MeshFiles;

TEST_F(ObjMeshes, HavePolygonsInGroups) {
  const MeshFile mesh = read("m.obj", box);
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_THAT(marker_names(mesh), ElementsAre("box", "top", "edge"));
  EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 1, 2, 3));
  for (const std::size_t marker : {1, 2}) {
    EXPECT_THAT(mesh.markers[marker].face_start, ElementsAre(0, 3, 8));
    EXPECT_THAT(mesh.markers[marker].corners, ElementsAre(4, 5, 6, 4, 5, 7, 6, 8));
  }
  EXPECT_EQ(mesh.walls({"edge"}).point_count(), 5);
}

TEST_F(ObjMeshes, WithLinesAreOutlinesIn2d) {
  const MeshFile mesh = read("m.obj", "v 0 0 7\nv 1 0 7\nv 1 1 7\nl 1 2 3\ng\nl 3 1\n");
  EXPECT_EQ(mesh.dimensions, 2);
  EXPECT_THAT(mesh.nodes.z, IsEmpty());
  EXPECT_THAT(marker_names(mesh), ElementsAre("default"));
  EXPECT_THAT(mesh.markers[0].face_start, ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 1, 1, 2, 2, 0));
}

TEST_F(ObjMeshes, ThatAreMalformedSayWhere) {
  EXPECT_EQ(refusal("m.obj", replaced(box, "f 5 6 8 7 9", "f 5 6 8 7 12")), "m.obj:17:11: node 12, expected 1 to 9.");
  EXPECT_EQ(refusal("m.obj", replaced(box, "f 5 6", "f 0 6")),
            "m.obj:17:3: \"0\" is no node, expected 1 or more, or -1 to -9.");
  EXPECT_EQ(refusal("m.obj", replaced(box, "f 5 6 8 7 9", "f 5 6")),
            "m.obj:17:6: it has 2 corners, expected 3 or more.");
  EXPECT_EQ(refusal("m.obj", replaced(box, "v 2 1 1", "v 2 1")), "m.obj:14:6: the line ends, expected a coordinate.");
  EXPECT_EQ(refusal("m.obj", replaced(box, "v 2 1 1", "v 2 nan 1")),
            "m.obj:14:5: a coordinate is nan, expected a finite one.");
  EXPECT_EQ(refusal("m.obj", box + "l 1 2\n"),
            "m.obj:18:1: it has faces (f) and lines (l): 2-D and 3-D are mixed. Expected one of them.");
  EXPECT_EQ(refusal("m.obj", "v 0 0 0\nv 1 0 1\nl 1 2\n"),
            "m.obj: it has only lines, and they do not lie in a plane z = constant. Walls are lines in 2-D, triangles, "
            "quadrilaterals or polygons in 3-D.");
  EXPECT_EQ(refusal("m.obj", "v 0 0 0\n"), "m.obj: it has no cells and no faces.");
}

}  // namespace
}  // namespace shoal::io
