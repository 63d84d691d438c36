// SPDX-License-Identifier: Apache-2.0
// Meshes with values, written and read back. The library's own reader, which mesh_vtk_test.cpp tests, reads the .vtu
// files.
#include <shoal/io/mesh_values.hpp>

#include "io/formats/vtk/vtk_xml.hpp"
#include "io/mesh/mesh_cases.hpp"
#include "support/hdf5_values.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::ElementsAreArray;

/// Tetrahedron, and a pyramid that shares three nodes with it.
MeshFile two_solids() {
  MeshFile mesh;
  mesh.name = "two_solids";
  mesh.dimensions = 3;
  mesh.nodes = {{0, 1, 0, 0, 2, 2}, {0, 0, 1, 0, 0, 1}, {0, 0, 0, 1, 0, 0.25}};
  mesh.cell_shape = {CellShape::tetrahedron, CellShape::pyramid};
  mesh.cell_start = {0, 4, 9};
  mesh.cell_corners = {0, 1, 2, 3, 1, 4, 5, 2, 3};
  return mesh;
}

struct MeshValuesFiles : testing::Test {
  ScratchFolder folder;
  MeshFile mesh = two_solids();
  MeshPoints centers = mesh.cell_centers();
  std::vector<double> height = {0.1, 1e-300}, place = {1, 2, 3, 4, 5, 6};
  std::vector<std::int64_t> face = {std::int64_t{1} << 40, -1};
  std::vector<std::int32_t> wall = {7, 8};

  MeshValues on_cells() const {
    return {mesh,
            MeshPart::cells,
            centers,
            {{"height", View<const double>(height)},
             {"face", View<const std::int64_t>(face)},
             {"wall", View<const std::int32_t>(wall)},
             {"place", View<const double>(place), 3}}};
  }
  std::string refusal(const std::string& name, const MeshValues& values) const {
    return message_of([&] { write_mesh_values(folder / name, values); });
  }
};

TEST_F(MeshValuesFiles, AreUnstructuredGridsInVtkHdf) {
  const auto file = folder / "m.vtkhdf";
  write_mesh_values(file, on_cells());
  EXPECT_THAT(read_dataset<std::int64_t>(file, "VTKHDF/NumberOfPoints"), ElementsAre(6));
  EXPECT_THAT(read_dataset<std::int64_t>(file, "VTKHDF/NumberOfCells"), ElementsAre(2));
  EXPECT_THAT(read_dataset<std::int64_t>(file, "VTKHDF/NumberOfConnectivityIds"), ElementsAre(9));
  EXPECT_THAT(read_dataset<double>(file, "VTKHDF/Points"),
              ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 2, 1, 0.25));
  EXPECT_THAT(read_dataset<std::int64_t>(file, "VTKHDF/Connectivity"), ElementsAreArray(mesh.cell_corners));
  EXPECT_THAT(read_dataset<std::int64_t>(file, "VTKHDF/Offsets"), ElementsAre(0, 4, 9));
  EXPECT_THAT(read_dataset<std::uint8_t>(file, "VTKHDF/Types"), ElementsAre(10, 14)) << "VTK's numbers";
  EXPECT_THAT(read_dataset<double>(file, "VTKHDF/CellData/height"), ElementsAreArray(height));
  EXPECT_THAT(read_dataset<std::int64_t>(file, "VTKHDF/CellData/face"), ElementsAreArray(face));
  EXPECT_THAT(read_dataset<std::int32_t>(file, "VTKHDF/CellData/wall"), ElementsAreArray(wall));
  EXPECT_THAT(read_dataset<double>(file, "VTKHDF/CellData/place"), ElementsAreArray(place));
  const hdf5::Handle in = hdf5::open_for_reading(file), vtk(H5Gopen2(in, "VTKHDF", H5P_DEFAULT), H5Gclose, "VTKHDF");
  EXPECT_EQ(hdf5::read_text_attribute(vtk, "Type"), "UnstructuredGrid");
}

TEST_F(MeshValuesFiles, AreMeshesAgainInVtu) {
  const auto file = folder / "m.vtu";
  write_mesh_values(file, on_cells());
  const MeshFile read = read_mesh(file);
  EXPECT_EQ(read.dimensions, 3);
  EXPECT_EQ(read.nodes.x, mesh.nodes.x);
  EXPECT_EQ(read.nodes.y, mesh.nodes.y);
  EXPECT_EQ(read.nodes.z, mesh.nodes.z);
  EXPECT_EQ(read.cell_shape, mesh.cell_shape);
  EXPECT_EQ(read.cell_start, mesh.cell_start);
  EXPECT_EQ(read.cell_corners, mesh.cell_corners);
  const VtkXml xml(file);
  const std::vector<VtkArray>& arrays = xml.pieces().at(0).arrays("CellData");
  EXPECT_THAT(names_of(arrays), ElementsAre("height", "face", "wall", "place"));
  const auto numbers = [&](std::size_t k) { return read_vtk_array(arrays[k], xml.encoding(), 2); };
  EXPECT_THAT(numbers(0), ElementsAreArray(height));
  EXPECT_THAT(numbers(1), ElementsAreArray(face));
  EXPECT_THAT(numbers(2), ElementsAreArray(wall));
  EXPECT_THAT(numbers(3), ElementsAreArray(place));
}

TEST_F(MeshValuesFiles, OfPolygonsArePolyDataInVtp) {
  mesh.dimensions = 2;
  mesh.nodes = {{0, 1, 1, 0, 2}, {0, 0, 1, 1, 0.5}, {}};
  mesh.cell_shape = {CellShape::quadrilateral, CellShape::triangle};
  mesh.cell_start = {0, 4, 7};
  mesh.cell_corners = {0, 1, 2, 3, 1, 4, 2};
  centers = mesh.cell_centers();
  const auto file = folder / "m.vtp";
  write_mesh_values(file, on_cells());
  const VtkXml xml(file);
  const VtkPiece& piece = xml.pieces().at(0);
  EXPECT_EQ(piece.count("NumberOfPolys"), 2);
  EXPECT_EQ(piece.count("NumberOfVerts"), 0);
  EXPECT_THAT(names_of(piece.arrays("CellData")), ElementsAre("height", "face", "wall", "place"));
  const MeshFile read = read_mesh(file);
  EXPECT_EQ(read.nodes.x, mesh.nodes.x);
  ASSERT_EQ(read.markers.size(), 1U);
  EXPECT_EQ(read.markers[0].face_start, mesh.cell_start);
  EXPECT_EQ(read.markers[0].corners, mesh.cell_corners);
}

TEST_F(MeshValuesFiles, OfPointsHaveAVertexForEach) {
  const MeshFile points = mesh_of_points(2, {{3, 1}, {4, 1}, {}});
  const MeshValues values{points, MeshPart::nodes, points.nodes, {{"height", View<const double>(height)}}};
  write_mesh_values(folder / "p.vtp", values);
  const VtkXml xml(folder / "p.vtp");
  const VtkPiece& piece = xml.pieces().at(0);
  EXPECT_EQ(piece.count("NumberOfVerts"), 2);
  EXPECT_EQ(piece.count("NumberOfPolys"), 0);
  const std::vector<VtkArray>& arrays = piece.arrays("Verts");
  EXPECT_THAT(names_of(arrays), ElementsAre("connectivity", "offsets"));
  EXPECT_THAT(read_vtk_array(arrays[0], xml.encoding(), 2), ElementsAre(0, 1));
  EXPECT_THAT(read_vtk_array(arrays[1], xml.encoding(), 2), ElementsAre(1, 2));
  write_mesh_values(folder / "p.vtkhdf", values);
  EXPECT_THAT(read_dataset<std::uint8_t>(folder / "p.vtkhdf", "VTKHDF/Types"), ElementsAre(1, 1));
  EXPECT_THAT(read_dataset<double>(folder / "p.vtkhdf", "VTKHDF/Points"), ElementsAre(3, 4, 0, 1, 1, 0));
}

TEST_F(MeshValuesFiles, OfVolumesDoNotFitInVtp) {
  EXPECT_EQ(refusal("m.vtp", on_cells()),
            (folder / "m.vtp").string() +
                ": a .vtp file holds points or polygons, and two_solids has other cells. Write .vtu or .vtkhdf.");
  mesh.cell_shape = {CellShape::point, CellShape::triangle};
  EXPECT_THAT(message_of([&] { require_cells_fit(folder / "m.vtp", mesh); }), testing::HasSubstr("holds points or"))
      << "values of cells have another order if both are present";
  EXPECT_EQ(message_of([&] { require_cells_fit(folder / "m.vtu", mesh); }), "no error");
}

TEST_F(MeshValuesFiles, HaveTheirPointsInCsv) {
  write_mesh_values(folder / "m.csv", on_cells());
  EXPECT_EQ(read_text(folder / "m.csv"),
            "x,y,z,height,face,wall,place_x,place_y,place_z\n"
            "0.25,0.25,0.25,0.1,1099511627776,7,1,2,3\n"
            "1,0.4,0.25,1e-300,-1,8,4,5,6\n");
}

TEST_F(MeshValuesFiles, In2dHaveFlatPointsAndTablesWithoutZ) {
  mesh.dimensions = 2;
  mesh.nodes = {{0, 1, 0}, {0, 0, 1}, {}};
  mesh.cell_shape = {CellShape::triangle};
  mesh.cell_start = {0, 3};
  mesh.cell_corners = {0, 1, 2};
  height = {1, 2, 3}, place = {1, 2, 0, 4, 5, 0, 7, 8, 0};
  const MeshValues values{mesh,
                          MeshPart::nodes,
                          mesh.nodes,
                          {{"a,b", View<const double>(height)}, {"place", View<const double>(place), 3}}};
  write_mesh_values(folder / "m.vtkhdf", values);
  write_mesh_values(folder / "m.vtu", values);
  write_mesh_values(folder / "m.csv", values);
  EXPECT_THAT(read_dataset<double>(folder / "m.vtkhdf", "VTKHDF/Points"), ElementsAre(0, 0, 0, 1, 0, 0, 0, 1, 0));
  EXPECT_THAT(read_dataset<double>(folder / "m.vtkhdf", "VTKHDF/PointData/a,b"), ElementsAre(1, 2, 3));
  EXPECT_EQ(read_mesh(folder / "m.vtu").dimensions, 2);
  EXPECT_EQ(read_text(folder / "m.csv"), "x,y,\"a,b\",place_x,place_y\n0,0,1,1,2\n1,0,2,4,5\n0,1,3,7,8\n");
}

TEST_F(MeshValuesFiles, AreWholeOrNotThere) {
  const std::string path = (folder / "").string();
  write_text(folder / "m.csv", "kept");
  MeshValues values = on_cells();
  values.arrays[0].values = View<const double>(place);
  EXPECT_EQ(refusal("m.csv", values), "mesh: height has 6 values, and 2 cells take 2.");
  values.arrays[0].values = View<const double>(place.data(), 2, {}, 2);
  EXPECT_EQ(refusal("m.csv", values), "mesh: height has stride 2, expected 1.");
  values.arrays[0] = {"height", View<const double>(height), 2};
  EXPECT_EQ(refusal("m.csv", values), "mesh: height has 2 columns, expected 1 or 3.");
  values.arrays[0] = {"wall", View<const double>(height)};
  EXPECT_EQ(refusal("m.csv", values),
            path + "m.csv: there are two arrays called \"wall\". Give each a name of its own.");
  EXPECT_EQ(refusal("m.csv", {mesh, MeshPart::nodes, centers}), "mesh: 2 points, and the mesh has 6 nodes.");
  EXPECT_EQ(read_text(folder / "m.csv"), "kept");
  EXPECT_EQ(refusal("m.stl", on_cells()),
            path +
                "m.stl: cannot tell what kind of file this is; a mesh with values ends with .vtkhdf, .vtu, .vtp, "
                ".csv.");
  EXPECT_EQ(refusal("no/m.csv", on_cells()), path + "no/m.csv: there is no folder " + path + "no.");
  for (const char* name : {"m.vtu", "m.csv", "m.vtkhdf"}) {
    std::filesystem::create_directories(folder / (std::string(name) + ".partial"));  // blocks the temporary file
    EXPECT_THAT(refusal(name, on_cells()), testing::HasSubstr(std::string(name) + ": writing the mesh failed: "));
  }
  EXPECT_EQ(read_text(folder / "m.csv"), "kept");
  EXPECT_FALSE(std::filesystem::exists(folder / "m.vtu"));
}

}  // namespace
}  // namespace shoal::io
