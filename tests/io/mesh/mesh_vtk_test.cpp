// SPDX-License-Identifier: Apache-2.0
// Legacy VTK, VTU and VTP.
#include "io/mesh/mesh_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using VtkMeshes = MeshFiles;

/// Quadrilateral and triangle with a point, two edges (one as a line of three points), and marker 5 on one of them.
const std::string head = "# vtk DataFile Version 3.0\na title\n";
const std::string grid_4 = head + R"(ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 float
0 0 0 1 0 0 1 1 0
0 1 0 2 0 0
CELLS 5 18
4 0 1 2 3
3 1 4 2
3 0 1 4
2 4 2
1 0
CELL_TYPES 5
9 5 4 3 1
POINT_DATA 5
SCALARS p double 1
LOOKUP_TABLE default
0 0 0 0 1
CELL_DATA 5
VECTORS u float
0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
FIELD FieldData 2
id 1 5 int
1 2 3 4 5
METADATA
INFORMATION 0

patch 1 5 int
0 0 7 5 0
)";

std::string grid_5() {
  const auto ints = [](const std::vector<std::int64_t>& values) { return bytes_of(values, true) + "\n"; };
  return "# vtk DataFile Version 5.1\na title\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n" +
         bytes_of<double>({0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 0}, true) +
         "\nCELLS 6 13\nOFFSETS vtktypeint64\n" + ints({0, 4, 7, 10, 12, 13}) + "CONNECTIVITY vtktypeint64\n" +
         ints({0, 1, 2, 3, 1, 4, 2, 0, 1, 4, 4, 2, 0}) + "CELL_TYPES 5\n" +
         bytes_of<std::int32_t>({9, 5, 4, 3, 1}, true) +
         "\nCELL_DATA 5\nSCALARS patch unsigned_char\nLOOKUP_TABLE default\n" + std::string("\0\0\7\5\0", 5) + "\n";
}

std::string array(const std::string& type, const std::string& name, const std::string& numbers) {
  return "<DataArray type=\"" + type + "\" Name=\"" + name + "\" format=\"ascii\">" + numbers + "</DataArray>\n";
}
std::string vtu() {
  return "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><UnstructuredGrid>"
         "<Piece NumberOfPoints=\"5\" NumberOfCells=\"5\"><CellData>" +
         array("Int32", "patch", "0 0 7 5 0") +
         "</CellData><Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" format=\"ascii\">"
         "0 0 0 1 0 0 1 1 0 0 1 0 2 0 0</DataArray></Points><Cells>" +
         array("Int64", "connectivity", "0 1 2 3 1 4 2 0 1 4 4 2 0") + array("Int64", "offsets", "4 7 10 12 13") +
         array("UInt8", "types", "9 5 4 3 1") + "</Cells></Piece></UnstructuredGrid></VTKFile>\n";
}

struct Form {
  const char* name;
  std::string content;
};
std::vector<Form> forms() { return {{"m.vtk", grid_4}, {"n.vtk", grid_5()}, {"m.vtu", vtu()}}; }

TEST_F(VtkMeshes, OfCellsAndFacesHaveMarkersByAnArray) {
  for (const auto& [name, content] : forms()) {
    SCOPED_TRACE(name);
    const MeshFile plain = read(name, content);
    expect_two_cells(plain);
    ASSERT_THAT(marker_names(plain), ElementsAre("boundary"));
    EXPECT_THAT(plain.markers[0].corners, ElementsAre(0, 1, 1, 4, 4, 2));
    const MeshFile mesh = read(name, content, {.marker_array = "patch"});
    expect_two_cells(mesh);
    ASSERT_THAT(marker_names(mesh), ElementsAre("7", "5"));
    EXPECT_THAT(mesh.markers[0].corners, ElementsAre(0, 1, 1, 4));
    EXPECT_THAT(mesh.markers[1].corners, ElementsAre(4, 2));
    EXPECT_THAT(refusal(name, content, {.marker_array = "pach"}), HasSubstr("`pach`; did you mean `patch`?"));
  }
  EXPECT_THAT(refusal("m.vtk", grid_4, {.marker_array = "u"}), HasSubstr("u"));
}

TEST_F(VtkMeshes, MayHavePixelsAndVoxels) {
  const std::string voxel =
      head +
      "ASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 8 int\n"
      "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1\nCELLS 2 14\n8 0 1 2 3 4 5 6 7\n4 0 1 2 3\n"
      "CELL_TYPES 2\n11 8\n";
  const MeshFile mesh = read("m.vtk", voxel);
  EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::hexahedron));
  EXPECT_THAT(mesh.cell_corners, ElementsAre(0, 1, 3, 2, 4, 5, 7, 6));
  EXPECT_THAT(mesh.walls().corners, ElementsAre(0, 1, 3, 2));
  EXPECT_DOUBLE_EQ(mesh.cell_centers(CellCenter::centroid).z[0], 0.5);
}

const std::string surface = head + R"(ASCII
DATASET POLYDATA
POINTS 5 double
0 0 0 1 0 0 1 1 0 0 1 0 0.5 2 0
POLYGONS 2 10
5 0 1 2 4 3
3 0 1 2
VERTICES 1 2
1 0
CELL_DATA 3
SCALARS wall int
LOOKUP_TABLE default
9 1 2
)";

TEST_F(VtkMeshes, OfPolygonsAreSurfacesAndOfLinesOutlines) {
  const MeshFile mesh = read("m.vtk", surface, {.marker_array = "wall"});
  EXPECT_EQ(mesh.dimensions, 3) << "also when it is flat";
  EXPECT_EQ(mesh.cell_count(), 0);
  EXPECT_THAT(marker_names(mesh), ElementsAre("1", "2"));
  EXPECT_THAT(mesh.walls({"1"}).face_start, ElementsAre(0, 5));
  const std::string lines = replaced(surface, "POLYGONS", "LINES");
  EXPECT_EQ(read("m.vtk", lines).dimensions, 2);
  EXPECT_THAT(read("m.vtk", lines).walls().corners, ElementsAre(0, 1, 1, 2, 2, 4, 4, 3, 0, 1, 1, 2));
  EXPECT_EQ(refusal("m.vtk", replaced(surface, "VERTICES 1 2\n1 0", "LINES 1 3\n2 0 1")),
            "m.vtk: it has 1 lines and 2 polygons: 2-D and 3-D are mixed. Expected only one of them.");
  const std::string vtp =
      "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"3\" NumberOfPolys=\"1\"><Points>"
      "<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 1</DataArray></Points>"
      "<Polys>" +
      array("Int32", "connectivity", "0 1 2") + array("Int32", "offsets", "3") +
      "</Polys></Piece></PolyData></VTKFile>";
  EXPECT_EQ(read("m.vtp", vtp).walls().face_count(), 1);
}

TEST_F(VtkMeshes, ThatAreCutShortSayWhere) {
  const std::string five = grid_5(), xml = vtu();
  const std::size_t cells_4 = grid_4.find("CELL_TYPES 5\n") + 22, cells_5 = five.find("CELL_DATA");
  expect_cut_short("m.vtk", grid_4, cells_4 - 1);
  expect_cut_short("m.vtk", five, cells_5 - 1);
  expect_cut_short("m.vtu", xml, xml.size() - 10);
  EXPECT_EQ(refusal("m.vtk", grid_4.substr(0, grid_4.find("0 1 0 2 0 0"))),
            "m.vtk:7:1: cut short: the file ends, expected a number.");
  EXPECT_EQ(refusal("m.vtk", five.substr(0, five.find("CELLS") - 3)),
            "m.vtk: byte 196: cut short: 8 bytes are to come, an array, and the file has 6 more.");
}

TEST_F(VtkMeshes, ThatAreMalformedSayWhat) {
  const auto message = [&](const char* before, const char* after) {
    return refusal("m.vtk", replaced(grid_4, before, after));
  };
  EXPECT_EQ(message("3 1 4 2", "3 1 5 2"), "m.vtk: cell 1 has node 5, expected 0 to 4.");
  EXPECT_EQ(message("3 1 4 2", "3 1 -4 2"), "m.vtk: cell 1 has node -4, expected 0 to 4.");
  EXPECT_EQ(message("2 0 0\n", "2 0 nan\n"), "m.vtk:7:11: it is nan, expected a finite coordinate.");
  EXPECT_EQ(message("9 5 4 3 1", "9 22 4 3 1"),
            "m.vtk: cell 1 is of VTK's type 22, expected 1 to 5, or 7 to 14: strips, polyhedra and elements of higher "
            "order are not read. Write triangles, or elements with straight edges.");
  EXPECT_EQ(message("9 5 4 3 1", "9 9 4 3 1"), "m.vtk: cell 1 has 3 corners, expected 4 of a quadrilateral.");
  EXPECT_EQ(message("CELL_TYPES 5\n9 5 4 3 1", "CELL_TYPES 4\n9 5 4 3"),
            "m.vtk: it has 4 types of cells and 5 offsets, expected as many.");
  EXPECT_EQ(message("3 1 4 2", "9 1 4 2"),
            "m.vtk:9:1: the corners of cell 3 of 5 are not among the 18 numbers that "
            "the section has.");
  EXPECT_EQ(message("UNSTRUCTURED_GRID", "STRUCTURED_GRID"),
            "m.vtk:4:9: \"STRUCTURED_GRID\", expected UNSTRUCTURED_GRID or POLYDATA.");
  EXPECT_EQ(message("POINTS 5 float", "POINTS 5 bit"),
            "m.vtk:6:1: numbers of type bit, expected float, double or an integer.");
  EXPECT_EQ(message("# vtk", "# vkt"),
            "m.vtk: this is no legacy VTK file: it does not begin with \"# vtk DataFile Version\".");
  const std::string values = "CELL_DATA 4\nSCALARS s int 9223372036854775808\nLOOKUP_TABLE default\n1 2 3 4\n";
  EXPECT_THAT(refusal("m.vtk", grid_4.substr(0, grid_4.find("CELL_DATA")) + values, {.marker_array = "m"}),
              HasSubstr("cut short: 4 tuples of 9223372036854775808 components"));
  const auto xml = [&](const char* before, const char* after) {
    return refusal("m.vtu", replaced(vtu(), before, after));
  };
  EXPECT_EQ(xml("1 4 2 0", "1 9 2 0"), "m.vtu: cell 1 has node 9, expected 0 to 4.");
  EXPECT_EQ(xml("4 7 10 12 13", "4 7 6 12 13"), "m.vtu: the corners of cell 2 end at 6, before they begin, at 7.");
  EXPECT_THAT(xml("1 1 0 0 1 0", "1 1 0 inf 1 0"), HasSubstr("a coordinate of point 3 is inf, expected a finite one."));
  EXPECT_EQ(xml("\"types\"", "\"typ\""),
            "m.vtu: there is no array of Cells `types`; did you mean `typ`? It has connectivity, offsets, typ.");
}

}  // namespace
}  // namespace shoal::io
