// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <sstream>

#include "io/mesh/mesh_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

/// Block with nodes at (i, 10 j + i, 100 k), to which `shift` is added.
struct Block {
  int ni, nj, nk;
  double shift = 0;

  std::vector<double> coordinates(int dimensions) const {
    std::vector<double> values;
    for (int axis = 0; axis < dimensions; ++axis)
      for (int k = 0; k < nk; ++k)
        for (int j = 0; j < nj; ++j)
          for (int i = 0; i < ni; ++i) values.push_back(shift + (axis == 0 ? i : axis == 1 ? 10 * j + i : 100 * k));
    return values;
  }
};

/// File of several blocks: text, Fortran's records or raw numbers.
struct Plot3d {
  std::vector<Block> blocks;
  int dimensions = 3;
  bool counted = true, iblank = false, single = false, swapped = false, marked = true;

  std::vector<std::int32_t> sizes() const {
    std::vector<std::int32_t> counts;
    for (const Block& block : blocks) {
      counts.insert(counts.end(), {block.ni, block.nj});
      if (dimensions == 3) counts.push_back(block.nk);
    }
    return counts;
  }
  std::string text() const {
    std::ostringstream out;
    if (counted) out << blocks.size() << "\n";
    for (const std::int32_t n : sizes()) out << n << " ";
    for (const Block& block : blocks) {
      for (const double value : block.coordinates(dimensions)) out << "\n" << value;
      if (iblank) out << "\n" << block.ni * block.nj * block.nk << "*1";
    }
    return out.str() + "\n";
  }
  std::string record(const std::string& bytes) const {
    const std::string mark = bytes_of<std::int32_t>({static_cast<std::int32_t>(bytes.size())}, swapped);
    return marked ? mark + bytes + mark : bytes;
  }
  /// Same file without the marks of records.
  std::string raw() const {
    Plot3d bare = *this;
    bare.marked = false;
    return bare.binary();
  }
  std::string binary() const {
    std::string out;
    if (counted) out += record(bytes_of<std::int32_t>({static_cast<std::int32_t>(blocks.size())}, swapped));
    out += record(bytes_of(sizes(), swapped));
    for (const Block& block : blocks) {
      const std::vector<double> values = block.coordinates(dimensions);
      std::string bytes =
          single ? bytes_of(std::vector<float>(values.begin(), values.end()), swapped) : bytes_of(values, swapped);
      if (iblank)
        bytes += bytes_of(std::vector<std::int32_t>(values.size() / static_cast<std::size_t>(dimensions), 1), swapped);
      out += record(bytes);
    }
    return out;
  }
};

using Plot3dMeshes = MeshFiles;

void expect_plane(const MeshFile& mesh) {
  EXPECT_EQ(mesh.dimensions, 2);
  EXPECT_EQ(mesh.nodes.count(), 6);
  EXPECT_THAT(mesh.nodes.z, IsEmpty());
  EXPECT_THAT(mesh.nodes.y, ElementsAre(0, 1, 2, 10, 11, 12));
  EXPECT_THAT(mesh.cell_corners, ElementsAre(0, 1, 4, 3, 1, 2, 5, 4));
  ASSERT_THAT(marker_names(mesh), ElementsAre("low"));
  EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(mesh.cell_centers().y, ElementsAre(5.5, 6.5));
}

TEST_F(Plot3dMeshes, OfOnePlaneAreThePapersKind) {
  const MeshFileOptions low = {.index_walls = {index_wall("low=1/:/1")}};
  for (const bool single : {false, true})
    for (const bool swapped : {false, true})
      for (const bool iblank : {false, true})
        for (const bool counted : {false, true})
          for (const int dimensions : {2, 3}) {
            SCOPED_TRACE(testing::Message() << single << swapped << iblank << counted << dimensions);
            const Plot3d file{{{3, 2, 1}}, dimensions, counted, iblank, single, swapped};
            expect_plane(read("m.x", file.binary(), low));
            expect_plane(read("m.x", file.raw(), low));
            expect_plane(read("m.xyz", file.text(), low));
          }
}

TEST_F(Plot3dMeshes, OfSeveralBlocksAreHexahedraAndTheirWalls) {
  const Plot3d file{{{2, 2, 2}, {3, 2, 2, 1000}}};
  const MeshFileOptions walls = {
      .index_walls = {index_wall("end=2/-1/:/:"), index_wall("part=2/2:3/:/1"), index_wall("end=1/:/2/1:2")}};
  for (const MeshFile& mesh :
       {read("m.p3d", file.text(), walls), read("m.p3d", file.binary(), walls), read("m.p3d", file.raw(), walls)}) {
    EXPECT_EQ(mesh.dimensions, 3);
    EXPECT_EQ(mesh.nodes.count(), 20);
    EXPECT_EQ(mesh.cell_count(), 3);
    EXPECT_THAT(std::vector(mesh.cell_corners.begin(), mesh.cell_corners.begin() + 8),
                ElementsAre(0, 1, 3, 2, 4, 5, 7, 6));
    ASSERT_THAT(marker_names(mesh), testing::UnorderedElementsAre("end", "part"));
    const WallMesh end = mesh.walls({"end"});
    EXPECT_EQ(end.face_count(), 2);
    EXPECT_THAT(end.face_start, ElementsAre(0, 4, 8));
    const WallMesh part = mesh.walls({"part"});
    EXPECT_THAT(part.x, ElementsAre(1001, 1002, 1001, 1002));
    EXPECT_THAT(part.z, ElementsAre(1000, 1000, 1000, 1000));
  }
}

/// A raw file of four blocks begins like a record of four bytes; only the numbers after that distinguish the two.
TEST_F(Plot3dMeshes, WithoutRecordsMayBeginAsRecordsDo) {
  for (const bool swapped : {false, true}) {
    const Plot3d four{{{2, 2, 1}, {3, 2, 1}, {2, 3, 1}, {2, 2, 1}}, 3, true, false, false, swapped};
    EXPECT_EQ(read("m.x", four.raw()).nodes.count(), 20);
    EXPECT_EQ(read("m.x", four.binary()).nodes.count(), 20);
  }
}

TEST_F(Plot3dMeshes, WithoutRecordsThatAreCutShortOrMalformedSayWhere) {
  const std::string raw = Plot3d{{{3, 2, 1}}}.raw();
  // Cut at these sizes, the file is as long as a file in float or in 2-D would be, and cannot be refused.
  const std::vector<std::size_t> readable = {60, 84, 88, 108, 112, 132, 156};
  for (std::size_t size = 0; size < raw.size(); ++size)
    EXPECT_EQ(refusal("m.x", raw.substr(0, size)) == "no error",
              std::find(readable.begin(), readable.end(), size) != readable.end())
        << size;
  EXPECT_EQ(
      refusal("m.x", raw.substr(0, 100)),
      "m.x: byte 0: neither text nor Fortran's unformatted records, whose first mark would be 4, 8 or 12, nor raw "
      "numbers, whose counts would give 100 bytes: it begins with 1 or, in the other order of bytes, 16777216.");
  EXPECT_EQ(refusal("m.x", replaced(raw, bytes_of<double>({11}), bytes_of<double>({NAN}))),
            "m.x: byte 96: a coordinate is nan, expected a finite one.");
}

TEST_F(Plot3dMeshes, ThatAreSurfacesAreWalls) {
  std::string text = Plot3d{{{3, 2, 1}}}.text();
  text = text.substr(0, text.size() - 2) + "5\n";  // last z
  const MeshFile mesh = read("m.x", text);
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_EQ(mesh.cell_count(), 0);
  EXPECT_THAT(marker_names(mesh), ElementsAre("block 1"));
  EXPECT_EQ(mesh.walls().face_count(), 2);
  EXPECT_EQ(read("m.x", text, {.index_walls = {index_wall("w=1/1:2/:/1")}}).walls().face_count(), 1);
}

TEST_F(Plot3dMeshes, MayHaveFortransWaysWithNumbers) {
  const MeshFile mesh = read("m.x", "1\n2, 2, 1\n0 1.0D0 2*0.5\n2*0,2*1d+0\n4*0.0\n");
  EXPECT_THAT(mesh.nodes.x, ElementsAre(0, 1, 0.5, 0.5));
  EXPECT_THAT(mesh.nodes.y, ElementsAre(0, 0, 1, 1));
  EXPECT_EQ(mesh.dimensions, 2);
  EXPECT_EQ(refusal_of([&] { mesh.walls(); }), "m.x: this mesh has no walls: no face of its boundary is in the file.");
}

TEST_F(Plot3dMeshes, WithWallsThatAreNotThereAreRefused) {
  const auto message = [&](const char* wall) {
    return refusal("m.x", Plot3d{{{3, 2, 1}}}.text(), {.index_walls = {index_wall(wall)}});
  };
  EXPECT_EQ(message("w=2/1/:"), "m.x: wall `w` is of block 2, and the file has 1 to 1.");
  EXPECT_EQ(message("w=1/4/:"), "m.x: wall `w`: i = 4, and block 1 has 1 to 3 (or -3 to -1).");
  EXPECT_EQ(message("w=1/1/0"), "m.x: wall `w`: j = 0, and block 1 has 1 to 2 (or -2 to -1).");
  EXPECT_EQ(message("w=1/3:2/1"), "m.x: wall `w`: i goes from 3 to 2, expected the smaller one first.");
  EXPECT_EQ(
      message("w=1/:/:"),
      "m.x: wall `w` has nodes in 2 directions, expected 1 in 2-D: the others of i, j and k do not change, as j in "
      "name=1/:/1/:.");
  EXPECT_EQ(
      message("w=1/2/1"),
      "m.x: wall `w` has nodes in 0 directions, expected 1 in 2-D: the others of i, j and k do not change, as j in "
      "name=1/:/1/:.");
}

TEST(IndexWall, IsReadFromText) {
  const IndexWall wall = index_wall("tip=12/-1/3:-4/:");
  EXPECT_EQ(wall.name, "tip");
  EXPECT_EQ(wall.block, 12);
  EXPECT_THAT(wall.from, ElementsAre(-1, 3, 1));
  EXPECT_THAT(wall.to, ElementsAre(-1, -4, -1));
  for (const char* wrong :
       {"", "tip", "=1/1/1/1", "tip=1", "tip=1/1", "tip=1/1/1/1/1", "tip=a/1/1", "tip=1/1:/1", "tip=1/x/1", "tip=1//1"})
    EXPECT_THAT(message_of([&] { index_wall(wrong); }), StartsWith("\"" + std::string(wrong) + "\" is no wall"))
        << wrong;
}

TEST_F(Plot3dMeshes, ThatAreCutShortOrMalformedSayWhere) {
  const std::string binary = Plot3d{{{3, 2, 1}}}.binary(), text = Plot3d{{{3, 2, 1}}}.text();
  expect_cut_short("m.x", binary, binary.size());
  EXPECT_EQ(refusal("m.x", binary.substr(0, 100)),
            "m.x: byte 36: cut short: 144 bytes are to come, the coordinates of a block, and the file has 64 more.");
  EXPECT_EQ(refusal("m.x", binary + "abc"), "m.x: byte 184: 3 bytes are left after the last block.");
  EXPECT_EQ(
      refusal("m.x", replaced(binary, bytes_of<std::int32_t>({3, 2, 1}), bytes_of<std::int32_t>({3, 2, 3}))),
      "m.x: byte 32: the record of the coordinates of 3 x 2 x 3 nodes has 144 bytes, expected 432 (double) or 216 "
      "(float), and perhaps 72 more for iblank.");
  EXPECT_EQ(refusal("m.x", replaced(binary, bytes_of<std::int32_t>({3, 2, 1}), bytes_of<std::int32_t>({3, 0, 1}))),
            "m.x: byte 12: block 1 has 0 nodes, expected 1 or more.");
  EXPECT_EQ(
      refusal("m.x", bytes_of<std::int32_t>({5, 1, 4})),
      "m.x: byte 0: neither text nor Fortran's unformatted records, whose first mark would be 4, 8 or 12, nor raw "
      "numbers, whose counts would give 12 bytes: it begins with 5 or, in the other order of bytes, 83886080.");
  EXPECT_EQ(refusal("m.x", text + "7"),
            "m.x: cut short or no Plot3D: it has 23 numbers, expected 22 for 1 block in 3-D; 15 for 1 block in 2-D; 21 "
            "for 1 block in 3-D without a number of blocks; 8 for 1 block in 2-D without a number of blocks.");
  EXPECT_EQ(refusal("m.x", "1\n2 2 1 0 0 x"), "m.x:2:11: \"x\" is not a number.");
  EXPECT_EQ(refusal("m.x", "1\n2 2 1 0 0 nan"), "m.x:2:11: a coordinate is nan, expected a finite one.");
  EXPECT_EQ(refusal("m.x", "1\n2 2 1\n268435456*0 268435456*0\n"),
            "m.x:3:1: a number is repeated 268435456 times, and a grid in a file of 32 bytes has at most 64 numbers.");
  EXPECT_EQ(refusal("m.x", Plot3d{{{2, 2, 2}, {2, 2, 1}}}.text()),
            "m.x: block 2 has 2 x 2 x 1 nodes: 2-D and 3-D are mixed. Expected only one of them.");
  EXPECT_EQ(
      refusal("m.x", Plot3d{{{9, 1, 1}}}.text()),
      "m.x: block 1 has 9 x 1 x 1 nodes: it has no cells. Expected two or three directions with 2 nodes or more.");
}

}  // namespace
}  // namespace shoal::io
