// SPDX-License-Identifier: Apache-2.0
// Surfaces in PLY: text, and binary of either order of bytes.
#include <bit>

#include "io/mesh/mesh_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;

const std::string header = R"(ply
format ascii 1.0
comment a tent
element vertex 5
property float x
property uchar red
property double y
property float z
element material 1
property list uchar int parts
element face 2
property int flags
property list uchar int vertex_indices
property float quality
end_header
)";
const std::string tent = header + R"(0 255 0 0
1 0 0 0
1 0 1.5 0
0 1 1 0
0.5 9 0.5 1
3 7 8 9
0 4 0 1 2 3 0.25
-1 3 0 1 4 inf
)";

using PlyMeshes = MeshFiles;

void expect_tent(const MeshFile& mesh) {
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_EQ(mesh.cell_count(), 0);
  EXPECT_THAT(mesh.nodes.x, ElementsAre(0, 1, 1, 0, 0.5));
  EXPECT_THAT(mesh.nodes.y, ElementsAre(0, 0, 1.5, 1, 0.5));
  EXPECT_THAT(mesh.nodes.z, ElementsAre(0, 0, 0, 0, 1));
  EXPECT_THAT(marker_names(mesh), ElementsAre("surface"));
  EXPECT_THAT(mesh.markers[0].face_start, ElementsAre(0, 4, 7));
  EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 1, 2, 3, 0, 1, 4));
  EXPECT_EQ(mesh.walls().face_count(), 2);
}

TEST_F(PlyMeshes, AsTextHavePolygonsAndSkipAllElse) { expect_tent(read("m.ply", tent)); }

/// The tent in binary, with faces before vertices, and without the element that is skipped.
std::string binary(bool big_endian) {
  const bool swapped = big_endian == (std::endian::native == std::endian::little);
  std::string content = "ply\r\nformat binary_";
  content += big_endian ? "big" : "little";
  content +=
      "_endian 1.0\r\nelement face 2\r\nproperty list uint8 uint16 vertex_index\r\nproperty int16 flags\r\n"
      "element vertex 5\r\nproperty float32 x\r\nproperty float64 y\r\nproperty int8 z\r\nend_header\r\n";
  const auto face = [&](const std::vector<std::uint16_t>& corners) {
    content += static_cast<char>(corners.size());
    content += bytes_of(corners, swapped) + bytes_of<std::int16_t>({-3}, swapped);
  };
  face({0, 1, 2, 3});
  face({0, 1, 4});
  const auto vertex = [&](float x, double y, std::int8_t z) {
    content += bytes_of<float>({x}, swapped) + bytes_of<double>({y}, swapped) + bytes_of<std::int8_t>({z});
  };
  vertex(0, 0, 0);
  vertex(1, 0, 0);
  vertex(1, 1.5, 0);
  vertex(0, 1, 0);
  vertex(0.5, 0.5, 1);
  return content;
}

TEST_F(PlyMeshes, AsBytesOfEitherOrderAreTheSame) {
  expect_tent(read("m.ply", binary(false)));
  expect_tent(read("M.PLY", binary(true)));
}

TEST_F(PlyMeshes, ThatAreCutShortOrTooLongAreErrors) {
  expect_cut_short("m.ply", tent, tent.size() - 4);
  const std::string content = binary(false);
  expect_cut_short("m.ply", content, content.size());
  EXPECT_EQ(refusal("m.ply", tent + "0 1 2\n"), "m.ply:24:1: more follows the last element of the header.");
  EXPECT_EQ(refusal("m.ply", content + "xy"), "m.ply: byte " + std::to_string(content.size()) +
                                                  ": too long: 2 bytes follow the last element of the header.");
}

TEST_F(PlyMeshes, WithMalformedHeadersSayWhere) {
  const auto message = [&](const char* before, const char* after) {
    return refusal("m.ply", replaced(tent, before, after));
  };
  EXPECT_EQ(message("ply", "stl"), "m.ply:1:1: this is no PLY: its first line is not \"ply\".");
  EXPECT_EQ(message("format ascii", "format text"),
            "m.ply:2:8: \"text\", expected format ascii, binary_little_endian or binary_big_endian.");
  EXPECT_EQ(message("ascii 1.0", "ascii 2.0"), "m.ply:2:14: version \"2.0\", expected 1.0.");
  EXPECT_EQ(message("comment", "remark"), "m.ply:3:1: \"remark\", expected element, property or end_header.");
  EXPECT_EQ(message("element vertex 5", "property float x"), "m.ply:4:1: a property before the first element.");
  EXPECT_EQ(message("element material 1", "element vertex 1"),
            "m.ply:9:1: element vertex stands twice, expected once.");
  EXPECT_EQ(message("element vertex 5", "element"), "m.ply:4:8: the line ends, expected the name of an element.");
  EXPECT_EQ(message("vertex 5", "vertex -5"), "m.ply:4:16: -5 is negative, expected the number of elements.");
  EXPECT_EQ(
      message("property float x", "property real x"),
      "m.ply:5:10: \"real\" is no type, expected char, uchar, short, ushort, int, uint, float or double, or int8 to "
      "float64.");
  EXPECT_EQ(message("property float x", "property float"),
            "m.ply:5:15: the line ends, expected the name of a property.");
  EXPECT_EQ(message("list uchar int parts", "list float int parts"),
            "m.ply:10:1: the number of entries of a list is no integer.");
  EXPECT_EQ(message("property list uchar int parts\n", ""), "m.ply:9:1: element material has no property.");
  EXPECT_EQ(message("float z", "float w"), "m.ply:4:1: element vertex has no property z with one number.");
  EXPECT_EQ(message("vertex_indices", "nodes"),
            "m.ply:11:1: element face has no list of integers vertex_indices or vertex_index.");
}

TEST_F(PlyMeshes, WithMalformedElementsSayWhere) {
  const auto message = [&](const char* before, const char* after) {
    return refusal("m.ply", replaced(tent, before, after));
  };
  EXPECT_EQ(message("1.5", "nan"), "m.ply:18:5: a coordinate is nan, expected a finite one.");
  EXPECT_EQ(message("0.5 9", "half 9"), "m.ply:20:1: \"half\" is not a number, expected a coordinate.");
  EXPECT_EQ(message("0 4 0 1 2 3", "0 2 0 1"), "m.ply:22:3: a face has 2 corners, expected 3 or more.");
  EXPECT_EQ(message("0 1 2 3", "0 1 2 5"), "m.ply:22:11: node 5, expected 0 to 4.");
  EXPECT_EQ(message("0 1 2 3", "0 1 -2 3"), "m.ply:22:9: node -2, expected 0 or more.");
  EXPECT_EQ(message("3 7 8 9", "3000 7 8 9"),
            "m.ply:21:1: a list of 3000 entries in a file of " + std::to_string(tent.size() + 3) + " bytes.");

  std::string content = binary(false);
  const std::size_t face = content.find("end_header") + 12;
  content[face + 1] = 9;
  EXPECT_EQ(refusal("m.ply", content), "m.ply: an element has node 9, counted from 0, and the file has 5 nodes.");
  content[face] = 1;
  EXPECT_EQ(refusal("m.ply", content),
            "m.ply: byte " + std::to_string(face) + ": a face has 1 corners, expected 3 or more.");
  const MeshFile empty = read("m.ply",
                              "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
                              "property float z\nend_header\n");
  EXPECT_EQ(refusal_of([&] { empty.walls(); }),
            "m.ply: this mesh has no walls: no face of its boundary is in the file.");
}

}  // namespace
}  // namespace shoal::io
