// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/mesh_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

/// Quadrilateral and adjacent triangle, with arbitrary node numbers.
const std::string text_2 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 7 "lower wall"
2 9 "fluid"
$EndPhysicalNames
$Nodes
5
10 0 0 0
20 1 0 0
30 1 1 0
40 0 1 0
99 2 0 0
$EndNodes
$Comments
$Nodes of no mesh
$EndComments
$Elements
6
1 3 2 9 1 10 20 30 40
2 2 2 9 1 20 99 30
3 1 2 7 1 10 20
4 1 2 7 2 20 99
5 1 2 8 3 99 30
6 1 2 0 4 30 40
$EndElements
)";

const std::string text_4 = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
1 7 "lower wall"
1 6 "all"
2 9 "fluid"
$EndPhysicalNames
$Entities
1 3 1 0
1 0 0 0 0
1 0 0 0 2 0 0 2 7 6 2 1 -1
3 1 0 0 2 1 0 1 -8 0
4 0 1 0 1 1 0 0 0
1 0 0 0 2 1 0 1 9 3 1 3 4
$EndEntities
$Nodes
2 5 10 99
2 1 0 4
10
20
30
40
0 0 0
1 0 0
1 1 0
0 1 0
1 3 1 1
99
2 0 0 0.5
$EndNodes
$Elements
5 6 1 6
2 1 3 1
1 10 20 30 40
2 1 2 1
2 20 99 30
1 1 1 2
3 10 20
4 20 99
1 3 1 1
5 99 30
1 4 1 1
6 30 40
$EndElements
)";

using GmshMeshes = MeshFiles;

TEST_F(GmshMeshes, Of22HavePhysicalGroupsAsMarkers) {
  const MeshFile mesh = read("m.msh", text_2);
  expect_two_cells(mesh);
  EXPECT_THAT(marker_names(mesh), ElementsAre("lower wall", "physical curve 8", "curve 4"));
  EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 1, 1, 4));
  EXPECT_THAT(mesh.walls({"lower wall"}).x, ElementsAre(0, 1, 2));
}

TEST_F(GmshMeshes, Of41HaveThemByEntityAndAFaceMayHaveSeveral) {
  const MeshFile mesh = read("m.msh", text_4);
  expect_two_cells(mesh);
  EXPECT_THAT(marker_names(mesh), ElementsAre("lower wall", "all", "physical curve 8", "curve 4"));
  EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 1, 1, 4));
  EXPECT_EQ(mesh.markers[1].corners, mesh.markers[0].corners);
}

std::string binary_2(bool swapped) {
  const auto ints = [&](const std::vector<std::int32_t>& values) { return bytes_of(values, swapped); };
  const auto node = [&](std::int32_t tag, const std::vector<double>& position) {
    return ints({tag}) + bytes_of(position, swapped);
  };
  return "$MeshFormat\n2.2 1 8\n" + ints({1}) + "\n$EndMeshFormat\n$Nodes\n5\n" + node(10, {0, 0, 0}) +
         node(20, {1, 0, 0}) + node(30, {1, 1, 0}) + node(40, {0, 1, 0}) + node(99, {2, 0, 0}) +
         "\n$EndNodes\n$Elements\n4\n" + ints({3, 1, 2, 1, 9, 1, 10, 20, 30, 40}) +
         ints({2, 1, 2, 2, 9, 1, 20, 99, 30}) + ints({1, 2, 2, 3, 7, 1, 10, 20, 4, 7, 1, 20, 99}) + "\n$EndElements\n";
}

std::string binary_4(bool swapped) {
  const auto ints = [&](const std::vector<std::int32_t>& values) { return bytes_of(values, swapped); };
  const auto sizes = [&](const std::vector<std::uint64_t>& values) { return bytes_of(values, swapped); };
  const auto reals = [&](const std::vector<double>& values) { return bytes_of(values, swapped); };
  return "$MeshFormat\n4.1 1 8\n" + ints({1}) + "\n$EndMeshFormat\n$Entities\n" + sizes({0, 1, 1, 0}) + ints({1}) +
         reals({0, 0, 0, 2, 0, 0}) + sizes({1}) + ints({7}) + sizes({0}) + ints({1}) + reals({0, 0, 0, 2, 1, 0}) +
         sizes({0}) + sizes({1}) + ints({1}) + "\n$EndEntities\n$Nodes\n" + sizes({1, 5, 10, 99}) + ints({2, 1, 0}) +
         sizes({5, 10, 20, 30, 40, 99}) + reals({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0}) +
         "\n$EndNodes\n$Elements\n" + sizes({3, 4, 1, 4}) + ints({2, 1, 3}) + sizes({1, 1, 10, 20, 30, 40}) +
         ints({2, 1, 2}) + sizes({1, 2, 20, 99, 30}) + ints({1, 1, 1}) + sizes({2, 3, 10, 20, 4, 20, 99}) +
         "\n$EndElements\n";
}

TEST_F(GmshMeshes, MayBeBinaryOfEitherOrderOfBytes) {
  for (const bool swapped : {false, true})
    for (const std::string& content : {binary_2(swapped), binary_4(swapped)}) {
      const MeshFile mesh = read("m.msh", content);
      expect_two_cells(mesh);
      ASSERT_THAT(marker_names(mesh), ElementsAre("physical curve 7"));
      EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 1, 1, 4));
    }
}

TEST_F(GmshMeshes, ThatAreNotFlatAreSurfacesOr3d) {
  const MeshFile surface = read("m.msh", replaced(text_2, "99 2 0 0", "99 2 0 1"));
  EXPECT_EQ(surface.dimensions, 3);
  EXPECT_EQ(surface.cell_count(), 0);
  EXPECT_THAT(marker_names(surface), ElementsAre("fluid"));
  EXPECT_EQ(surface.walls().face_count(), 2);
  const std::string solid =
      replaced(replaced(text_2, "99 2 0 0", "99 2 0 1"), "6 1 2 0 4 30 40", "6 4 2 3 1 10 20 30 99");
  const MeshFile mesh = read("m.msh", solid);
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::tetrahedron));
  EXPECT_THAT(marker_names(mesh), ElementsAre("fluid"));
}

TEST_F(GmshMeshes, ThatAreCutShortSayWhere) {
  for (const std::string& content : {text_2, text_4, binary_2(false), binary_4(true)})
    expect_cut_short("m.msh", content, content.size() - 1);
  const std::size_t node = text_2.find("30 1 1 0");
  EXPECT_EQ(refusal("m.msh", text_2.substr(0, node)),
            "m.msh:13:1: cut short: the file ends, expected the number of a node.");
  EXPECT_EQ(refusal("m.msh", text_2.substr(0, text_2.find("$Elements"))),
            "m.msh:20:1: cut short: expected $Nodes and $Elements.");
  const std::string binary = binary_4(false);
  EXPECT_EQ(refusal("m.msh", binary.substr(0, binary.size() - 20)),
            "m.msh: byte " + std::to_string(binary.size() - 22) +
                ": cut short: 8 bytes are to come, a node, and the file has 2 more.");
}

TEST_F(GmshMeshes, ThatAreMalformedSayWhere) {
  const auto message = [&](const std::string& content, const char* before, const char* after) {
    return refusal("m.msh", replaced(content, before, after));
  };
  EXPECT_EQ(message(text_2, "20 99 30", "20 98 30"), "m.msh:23:14: there is no node 98.");
  EXPECT_EQ(message(text_2, "99 2 0 0", "10 2 0 0"), "m.msh:15:1: node 10 is there twice.");
  EXPECT_EQ(message(text_2, "99 2 0 0", "99 2 nan 0"), "m.msh:15:6: a coordinate is nan, expected a finite one.");
  EXPECT_EQ(message(text_2, "2.2", "3.1"),
            "m.msh:2:4: MSH 3.1, expected 2.2 or 4.1. Write it so with gmsh's -format msh41.");
  EXPECT_EQ(message(text_2, "0 8", "0 4"), "m.msh:2:8: numbers of 4 bytes, expected 8.");
  EXPECT_EQ(message(text_2, "$Elements\n6", "$Elements\n5"), "m.msh:27:1: \"6\", expected $EndElements.");
  EXPECT_EQ(message(text_2, "$MeshFormat", "$Format"), "m.msh:1:1: expected $MeshFormat first.");
  EXPECT_EQ(message(text_2, "$EndComments", "$EndComment"), "m.msh:18:1: cut short: $Comments does not end.");
  EXPECT_EQ(message(text_2, "2 2 2 9 1 20 99 30", "2 9 2 9 1 20 99 30 10 20 30"),
            "m.msh:23:3: an element of type 9, expected 1 to 7 or 15: those with straight edges. Write the mesh with "
            "order 1.");
  EXPECT_EQ(message(text_4, "2 1 3 1\n", "1 1 3 1\n"), "m.msh:35:5: a quadrilateral as element of dimension 1.");
}

}  // namespace
}  // namespace shoal::io
