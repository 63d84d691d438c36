// SPDX-License-Identifier: Apache-2.0
// Polyhedra of CGNS. The mesh is that of cube_and_polyhedron(): a cube, and one of
// which a side is in two triangles. Faces are elements 1 to 12, cells 13 and 14.
#include <numeric>

#include "io/mesh/cgns/cgns_nodes.hpp"
#include "io/mesh/cgns/cgns_writer.hpp"
#include "io/mesh/openfoam/foam_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using Numbers = std::vector<int>;

/// Lists of the mesh as CGNS stores them.
struct Lists {
  Numbers corners, corner_start = {0}, faces, face_start = {0}, parents;
};

Lists lists_of(const FoamMesh& mesh) {
  Lists lists;
  const auto count = static_cast<int>(mesh.faces.size());
  for (const auto& face : mesh.faces) {
    for (const std::int64_t corner : face) lists.corners.push_back(static_cast<int>(corner) + 1);
    lists.corner_start.push_back(static_cast<int>(lists.corners.size()));
  }
  for (int cell = 0; cell < 2; ++cell) {
    for (int face = 0; face < count; ++face) {
      if (mesh.owner[static_cast<std::size_t>(face)] == cell) lists.faces.push_back(face + 1);
      if (face == 0 && cell == 1) lists.faces.push_back(-1);
    }
    lists.face_start.push_back(static_cast<int>(lists.faces.size()));
  }
  for (const std::int64_t owner : mesh.owner) lists.parents.push_back(static_cast<int>(owner) + count + 1);
  lists.parents.push_back(count + 2);
  lists.parents.resize(2 * mesh.faces.size(), 0);
  return lists;
}

/// Lists of CGNS before 3.4: the length of each element precedes it.
Numbers with_lengths(const Numbers& entries, const Numbers& start) {
  Numbers list;
  for (std::size_t i = 0; i + 1 < start.size(); ++i) {
    list.push_back(start[i + 1] - start[i]);
    list.insert(list.end(), entries.begin() + start[i], entries.begin() + start[i + 1]);
  }
  return list;
}

std::vector<std::vector<double>> coordinates_of(const FoamMesh& mesh) {
  std::vector<std::vector<double>> coordinates(3);
  for (const auto& point : mesh.points)
    for (std::size_t axis = 0; axis < 3; ++axis) coordinates[axis].push_back(point[axis]);
  return coordinates;
}

constexpr int ngon = 22, nface = 23;

struct PolyhedralCgnsMeshes : MeshFiles {
  std::filesystem::path path = folder / "m.cgns";
  Lists lists = lists_of(cube_and_polyhedron());
  float version = 3.4F;
  bool has_cells = true, has_parents = false;

  void write() const {
    CgnsNodes out(path, version);
    const bool has_offsets = version > 3.3F;
    out.integers("base", "CGNSBase_t", {3, 3});
    out.integers("base/zone", "Zone_t", {12, 2, 0}, 3);
    out.text("base/zone/ZoneType", "ZoneType_t", "Unstructured");
    out.node("base/zone/GridCoordinates", "GridCoordinates_t");
    const auto coordinates = coordinates_of(cube_and_polyhedron());
    const char* const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    for (std::size_t axis = 0; axis < 3; ++axis)
      out.reals(std::string("base/zone/GridCoordinates/") + names[axis], "DataArray_t", coordinates[axis]);
    out.section("base/zone/polygons", ngon, 1, 12,
                has_offsets ? lists.corners : with_lengths(lists.corners, lists.corner_start),
                has_offsets ? lists.corner_start : Numbers{}, has_parents ? lists.parents : Numbers{});
    if (has_cells)
      out.section("base/zone/cells", nface, 13, 14,
                  has_offsets ? lists.faces : with_lengths(lists.faces, lists.face_start),
                  has_offsets ? lists.face_start : Numbers{});
    out.node("base/zone/ZoneBC", "ZoneBC_t");
    const auto add_condition = [&](const std::string& name, const char* type, const char* set, const Numbers& faces) {
      out.text("base/zone/ZoneBC/" + name, "BC_t", type);
      out.integers("base/zone/ZoneBC/" + name + "/" + set,
                   std::string_view(set) == "PointRange" ? "IndexRange_t" : "IndexArray_t", faces, faces.size());
      out.text("base/zone/ZoneBC/" + name + "/GridLocation", "GridLocation_t", "FaceCenter");
    };
    add_condition("floor", "BCWallViscous", "PointRange", {2, 3});
    add_condition("roof", "BCWallInviscid", "PointList", {5, 4});
  }
  MeshFile read() const {
    write();
    return read_mesh(path);
  }
  std::string refused() const {
    return refusal_of([&] { read(); });
  }
};

void expect_cube_and_polyhedron(const MeshFile& mesh) {
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_THAT(mesh.nodes.x, ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2));
  EXPECT_THAT(mesh.cell_shape, ElementsAre(CellShape::hexahedron, CellShape::polyhedron));
  EXPECT_THAT(mesh.cell_start, ElementsAre(0, 8, 16));
  EXPECT_THAT(mesh.polyhedron_faces.cell_start, ElementsAre(0, 0, 7));
  EXPECT_EQ(mesh.polyhedron_faces.corners.size(), 5 * 4 + 2 * 3);
  for (const CellCenter center : {CellCenter::mean, CellCenter::centroid}) {
    EXPECT_THAT(mesh.cell_centers(center).x, ElementsAre(0.5, 1.5));
    EXPECT_THAT(mesh.cell_centers(center).z, ElementsAre(0.5, 0.5));
  }
  EXPECT_THAT(marker_names(mesh), testing::UnorderedElementsAre("floor", "roof", "polygons"));
  EXPECT_EQ(mesh.walls({"roof"}).face_count(), 2);
  EXPECT_EQ(mesh.walls({"polygons"}).face_count(), 7) << "ends and sides, without the face between the cells";
  const WallMesh walls = mesh.walls();
  EXPECT_THAT(walls.wall_names, ElementsAre("floor")) << "the only viscous wall";
  EXPECT_THAT(walls.z, Each(0));
  EXPECT_THAT(walls.corners, ElementsAre(0, 3, 4, 1, 1, 4, 5, 2));
}

/// Checks that all faces of the polyhedron have normals that point out of it.
void expect_outward_faces(const MeshFile& mesh) {
  const PolyhedronFaces& faces = mesh.polyhedron_faces;
  for (std::size_t face = 0; face + 1 < faces.face_start.size(); ++face) {
    const auto corner = [&](std::int64_t i, const std::vector<double>& along) {
      return along[static_cast<std::size_t>(faces.corners[static_cast<std::size_t>(faces.face_start[face] + i)])];
    };
    const auto& [x, y, z] = std::tie(mesh.nodes.x, mesh.nodes.y, mesh.nodes.z);
    const double u[] = {corner(1, x) - corner(0, x), corner(1, y) - corner(0, y), corner(1, z) - corner(0, z)};
    const double v[] = {corner(2, x) - corner(0, x), corner(2, y) - corner(0, y), corner(2, z) - corner(0, z)};
    const double outward = (u[1] * v[2] - u[2] * v[1]) * (corner(0, x) - 1.5) +
                           (u[2] * v[0] - u[0] * v[2]) * (corner(0, y) - 0.5) +
                           (u[0] * v[1] - u[1] * v[0]) * (corner(0, z) - 0.5);
    EXPECT_GT(outward, 0) << face;
  }
}

TEST_F(PolyhedralCgnsMeshes, HaveCellsByTheirFacesInBothConventions) {
  for (const float file_version : {3.4F, 3.21F, 3.1F}) {
    SCOPED_TRACE(file_version);
    version = file_version;
    const MeshFile mesh = read();
    expect_cube_and_polyhedron(mesh);
    expect_outward_faces(mesh);
  }
}

TEST_F(PolyhedralCgnsMeshes, HaveCellsByTheParentsOfFaces) {
  has_cells = false, has_parents = true;
  for (const int shift : {0, 12}) {  // cells are numbered after the faces, or from 1
    SCOPED_TRACE(shift);
    for (int& parent : lists.parents)
      if (parent > 0) parent -= shift;
    for (const float file_version : {3.4F, 3.21F}) {
      version = file_version;
      const MeshFile mesh = read();
      expect_cube_and_polyhedron(mesh);
      expect_outward_faces(mesh);
    }
  }
}

TEST_F(PolyhedralCgnsMeshes, NeedNoSigns) {
  for (const int sign : {1, -1}) {
    for (int& face : lists.faces) face = sign * std::abs(face);
    const MeshFile mesh = read();
    expect_cube_and_polyhedron(mesh);
    expect_outward_faces(mesh);
  }
}

TEST_F(PolyhedralCgnsMeshes, OfNewerVersionsThanTheLibraryAreRefused) {
  version = CGNS_VERSION / 1000 + 1.25F;
  const std::string newer = std::to_string(CGNS_VERSION / 1000 + 1);
  EXPECT_THAT(refused(), StartsWith("m.cgns: it is of version " + newer + ".25 of CGNS, expected one before " + newer));
}

TEST_F(PolyhedralCgnsMeshes, WithoutCellsAreSurfaces) {
  has_cells = false;
  const MeshFile mesh = read();
  EXPECT_EQ(mesh.cell_count(), 0);
  EXPECT_EQ(mesh.walls({"polygons"}).face_count(), 8);
}

/// The library writes the same mesh as CgnsNodes.
TEST_F(PolyhedralCgnsMeshes, OfTheLibraryAreTheSame) {
  const auto as = [](const Numbers& numbers) { return std::vector<cgsize_t>(numbers.begin(), numbers.end()); };
  {
    CgnsWriter out(path, 3, 3);
    out.add_zone(CGNS_ENUMV(Unstructured), {12, 2, 0}, coordinates_of(cube_and_polyhedron()));
    const int section = out.add_lists("polygons", CGNS_ENUMV(NGON_n), 1, 12, as(lists.corners), as(lists.corner_start));
    std::vector<cgsize_t> parents = as(lists.parents);
    parents.resize(4 * 12);
    cg_parent_data_write(out.file, out.base, out.zone, section, parents.data());
    out.add_lists("cells", CGNS_ENUMV(NFACE_n), 13, 14, as(lists.faces), as(lists.face_start));
    out.add_condition("floor", CGNS_ENUMV(PointRange), {2, 3}, 2, CGNS_ENUMV(FaceCenter));
    out.add_condition("roof", CGNS_ENUMV(PointList), {4, 5}, 2, CGNS_ENUMV(FaceCenter), CGNS_ENUMV(BCWallInviscid));
  }
  const MeshFile mesh = read_mesh(path);
  expect_cube_and_polyhedron(mesh);
  has_parents = true;
  const MeshFile same = read();
  EXPECT_EQ(mesh.cell_corners, same.cell_corners);
  EXPECT_EQ(mesh.polyhedron_faces.corners, same.polyhedron_faces.corners);
  for (std::size_t marker = 0; marker < 3; ++marker)
    EXPECT_EQ(mesh.walls({mesh.markers[marker].name}).corners, same.walls({mesh.markers[marker].name}).corners);
}

TEST_F(PolyhedralCgnsMeshes, WithListsThatDoNotFitAreRefused) {
  const Lists good = lists;
  const auto refused_with = [&](Numbers Lists::*list, std::size_t entry, int value) {
    lists = good;
    (lists.*list)[entry] = value;
    return refused();
  };
  EXPECT_EQ(refused_with(&Lists::corner_start, 0, 1), "m.cgns: section `polygons`: its first offset is 1, expected 0.");
  EXPECT_EQ(refused_with(&Lists::corner_start, 2, 3),
            "m.cgns: section `polygons`: offset 3 follows 4, expected ascending ones.");
  EXPECT_EQ(refused_with(&Lists::corner_start, 12, 100),
            "m.cgns: section `polygons`: its offsets end at 100, and it has 46 entries.");
  EXPECT_EQ(refused_with(&Lists::corner_start, 1, 2),
            "m.cgns: zone `zone`: section `polygons` has a polygon of 2 corners.");
  EXPECT_EQ(refused_with(&Lists::corners, 5, 13),
            "m.cgns: zone `zone`: section `polygons` has node 13, expected 1 to 12.");
  const std::string of_polygon =
      ", expected the number of a polygon of the zone, negative if its normal points into the cell.";
  EXPECT_EQ(refused_with(&Lists::faces, 0, 15), "m.cgns: zone `zone`: polyhedron 1 has face 15" + of_polygon);
  EXPECT_EQ(refused_with(&Lists::faces, 0, -13), "m.cgns: zone `zone`: polyhedron 1 has face -13" + of_polygon);
  EXPECT_EQ(refused_with(&Lists::faces, 6, 0), "m.cgns: zone `zone`: polyhedron 2 has face 0" + of_polygon);
  EXPECT_EQ(refused_with(&Lists::faces, 7, 1),
            "m.cgns: zone `zone`: face 1 belongs to three polyhedra, expected two at most.");
  EXPECT_EQ(refused_with(&Lists::face_start, 1, 3),
            "m.cgns: zone `zone`: polyhedron 1 has 3 faces, expected 4 or more.");
  lists = good;
  for (const int more : {1, 100'000}) {  // more offsets than elements
    lists.corner_start.resize(13 + static_cast<std::size_t>(more), 46);
    EXPECT_EQ(refused(),
              "m.cgns: section `polygons` has " + std::to_string(13 + more) + " offsets of 12 elements, expected 13.");
  }
}

TEST_F(PolyhedralCgnsMeshes, WithParentsThatDoNotFitAreRefused) {
  has_cells = false, has_parents = true;
  lists.parents[3] = 15;
  EXPECT_EQ(
      refused(),
      "m.cgns: zone `zone`: section `polygons`: face 4 has cell 15 as a parent, expected 13 to 14, or 0 for none.");
  lists.parents[3] = 12;
  EXPECT_THAT(refused(), HasSubstr("face 4 has cell 12 as a parent"));
  lists.parents.assign(24, 0);
  EXPECT_EQ(refused(), "m.cgns: zone `zone`: polyhedron 1 has 0 faces, expected 4 or more.");
  lists.parents.resize(20);
  EXPECT_EQ(refused(), "m.cgns: section `polygons` has 20 parents of 12 elements, expected 24.");
}

TEST_F(PolyhedralCgnsMeshes, OfOldFilesThatAreCutShortAreRefused) {
  version = 3.21F;
  const auto refused_list = [&](Numbers list) {
    CgnsNodes out(path, version);
    out.integers("base", "CGNSBase_t", {3, 3});
    out.integers("base/zone", "Zone_t", {12, 2, 0}, 3);
    out.section("base/zone/polygons", ngon, 1, 2, list, {});
  };
  const auto message = [&](const Numbers& list) {
    refused_list(list);
    return refusal_of([&] { read_mesh(path); });
  };
  const std::string begins = "m.cgns: section `polygons`: element 2 begins with ";
  EXPECT_EQ(message({3, 1, 2, 3, 4, 1, 2, 3}), begins + "4, expected its number of entries, of which 3 follow.");
  EXPECT_EQ(message({3, 1, 2, 3, -1, 1, 2, 3}), begins + "-1, expected its number of entries, of which 3 follow.");
  EXPECT_EQ(message({3, 1, 2, 3, 2'147'483'647, 1}),
            begins + "2147483647, expected its number of entries, of which 1 follow.");
  EXPECT_EQ(message({3, 1, 2, 3}), "m.cgns: section `polygons` ends after 1 of 2 elements.");
  EXPECT_EQ(message({3, 1, 2, 3, 3, 1, 2, 3, 3}),
            "m.cgns: section `polygons` has 1 entries after its last element, expected none.");
  version = 3.4F;
  EXPECT_EQ(
      message({3, 1, 2, 3, 3, 1, 2, 3}),
      "m.cgns: section `polygons` has no ElementStartOffset, expected one in a file of CGNS 3.4 or newer. Write the "
      "file again.");
}

TEST_F(PolyhedralCgnsMeshes, ThatAreCutShortAreRefused) {
  write();
  const std::string whole = read_text(path);
  for (std::size_t size = 0; size < whole.size(); size += 509) {
    write_part_of_mesh(path, std::string_view(whole).substr(0, size));
    EXPECT_THAT(refusal_of([&] { read_mesh(path); }), StartsWith("m.cgns: ")) << size;
  }
}

/// A file that the library refuses is closed: it has room for 128.
TEST_F(PolyhedralCgnsMeshes, ThatTheLibraryRefusesAreClosed) {
  for (int i = 0; i < 200; ++i) {
    {
      CgnsNodes out(path, version);
      out.integers("base", "CGNSBase_t", {3, 3});
      out.integers("base/zone", "Zone_t", {12, 2, 0}, 3);
      out.text("base/zone/ZoneType", "ZoneType_t", "Unknown");
    }
    ASSERT_THAT(refusal_of([&] { read_mesh(path); }), HasSubstr("Unknown")) << i;
  }
}

TEST_F(PolyhedralCgnsMeshes, OfUnknownTypesAreRefused) {
  {
    CgnsNodes out(path, version);
    out.integers("base", "CGNSBase_t", {3, 3});
    out.integers("base/zone", "Zone_t", {12, 2, 0}, 3);
    out.section("base/zone/faces", 1000, 1, 1, {1}, {});
  }
  EXPECT_THAT(refusal_of([&] { read_mesh(path); }),
              StartsWith("m.cgns: section `faces` has elements of type 1000, expected 0 to "));
}

/// A band of three quadrilaterals that is twisted once, and a triangle.
TEST_F(PolyhedralCgnsMeshes, WithFacesThatHaveNoOutsideAreRefused) {
  {
    CgnsWriter out(path, 3, 3);
    out.add_zone(CGNS_ENUMV(Unstructured), {6, 1, 0}, {{0, 0, 1, 1, 2, 2}, {0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 0, 0}});
    out.add_lists("polygons", CGNS_ENUMV(NGON_n), 1, 4, {1, 2, 4, 3, 3, 4, 6, 5, 5, 6, 1, 2, 2, 4, 6},
                  {0, 4, 8, 12, 15});
    out.add_lists("cells", CGNS_ENUMV(NFACE_n), 5, 5, {1, 2, 3, 4}, {0, 4});
  }
  EXPECT_EQ(
      refusal_of([&] { read_mesh(path); }),
      "m.cgns: zone `zone 1`: the faces of polyhedron 1 do not fit: their edges give no side that is outside. Write "
      "the file again.");
}

}  // namespace
}  // namespace shoal::io
