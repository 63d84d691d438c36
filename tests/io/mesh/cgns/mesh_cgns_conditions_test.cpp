// SPDX-License-Identifier: Apache-2.0
// Boundary conditions on faces, and several bases of CGNS.
#include "io/mesh/cgns/cgns_writer.hpp"
#include "io/mesh/mesh_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

struct CgnsConditions : MeshFiles {
  std::filesystem::path path = folder / "m.cgns";

  /// Writes a tetrahedron, element 1, with its faces, 2 to 5, and a condition.
  void write_tetrahedron(CGNS_ENUMT(PointSetType_t) set, const std::vector<cgsize_t>& points,
                         CGNS_ENUMT(GridLocation_t) location = CGNS_ENUMV(FaceCenter)) const {
    CgnsWriter out(path, 3, 3);
    out.add_zone(CGNS_ENUMV(Unstructured), {4, 1, 0}, {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}});
    out.add_section("cell", CGNS_ENUMV(TETRA_4), 1, 1, {1, 2, 3, 4});
    out.add_section("faces", CGNS_ENUMV(TRI_3), 3, 6, {1, 3, 2, 1, 2, 4, 2, 3, 4, 1, 4, 3});
    out.add_condition("wall", set, points, static_cast<cgsize_t>(points.size()), location);
  }
  std::string refused(CGNS_ENUMT(PointSetType_t) set, const std::vector<cgsize_t>& points) const {
    write_tetrahedron(set, points);
    return refusal_of([&] { read_mesh(path); });
  }
  /// Writes a structured block of 3 x 2 x 1 cells with a condition.
  void write_block(CGNS_ENUMT(PointSetType_t) set, const std::vector<cgsize_t>& points,
                   CGNS_ENUMT(GridLocation_t) location) const {
    CgnsWriter out(path, 3, 3);
    std::vector<std::vector<double>> nodes(3);
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 4; ++i) nodes[0].push_back(i), nodes[1].push_back(j), nodes[2].push_back(k);
    out.add_zone(CGNS_ENUMV(Structured), {4, 3, 2, 3, 2, 1, 0, 0, 0}, nodes);
    out.add_condition("wall", set, points, static_cast<cgsize_t>(points.size()) / 3, location);
  }
  WallMesh wall_of_block(CGNS_ENUMT(PointSetType_t) set, const std::vector<cgsize_t>& points,
                         CGNS_ENUMT(GridLocation_t) location) const {
    write_block(set, points, location);
    return read_mesh(path).walls();
  }
  std::string refused_block(CGNS_ENUMT(PointSetType_t) set, const std::vector<cgsize_t>& points,
                            CGNS_ENUMT(GridLocation_t) location) const {
    return refusal_of([&] { wall_of_block(set, points, location); });
  }
};

TEST_F(CgnsConditions, OfFacesHaveTheNumbersOfElements) {
  write_tetrahedron(CGNS_ENUMV(PointList), {3, 5, 3});
  EXPECT_THAT(read_mesh(path).walls().corners, ElementsAre(0, 2, 1, 1, 2, 3));
  const std::string wall = "m.cgns: boundary condition `wall` of zone `zone 1` has ";
  EXPECT_EQ(refused(CGNS_ENUMV(PointRange), {1, 3}), wall + "element 1, a tetrahedron, expected a face.");
  EXPECT_EQ(refused(CGNS_ENUMV(PointList), {3, 2}), wall + "element 2, which is in no section.");
  EXPECT_EQ(refused(CGNS_ENUMV(PointList), {3, 7}), wall + "element 7, expected 1 to 6.");
  EXPECT_EQ(refused(CGNS_ENUMV(PointRange), {5, 3}), wall + "a range of 2 numbers, expected the first and the last.");
}

TEST_F(CgnsConditions, OfStructuredZonesMayBeFaces) {
  const WallMesh floor = wall_of_block(CGNS_ENUMV(PointRange), {1, 1, 1, 3, 2, 1}, CGNS_ENUMV(FaceCenter));
  EXPECT_EQ(floor.face_count(), 6);
  EXPECT_THAT(floor.z, Each(0));
  const WallMesh roof = wall_of_block(CGNS_ENUMV(PointRange), {1, 1, 2, 1, 1, 2}, CGNS_ENUMV(FaceCenter));
  EXPECT_EQ(roof.face_count(), 1) << "k = 2 is behind the last cell";
  EXPECT_THAT(roof.z, Each(1));
  EXPECT_THAT(roof.x, ElementsAre(0, 1, 0, 1));
  const WallMesh end = wall_of_block(CGNS_ENUMV(PointRange), {4, 1, 1, 4, 2, 1}, CGNS_ENUMV(IFaceCenter));
  EXPECT_EQ(end.face_count(), 2);
  EXPECT_THAT(end.x, Each(3));
  const WallMesh two = wall_of_block(CGNS_ENUMV(PointList), {1, 3, 1, 3, 3, 1}, CGNS_ENUMV(JFaceCenter));
  EXPECT_EQ(two.face_count(), 2);
  EXPECT_THAT(two.y, Each(2));
  EXPECT_THAT(two.x, ElementsAre(0, 1, 2, 3, 0, 1, 2, 3));
}

TEST_F(CgnsConditions, OfStructuredZonesThatDoNotFitAreRefused) {
  const std::string wall = "m.cgns: boundary condition `wall` of zone `zone 1` ";
  EXPECT_EQ(refused_block(CGNS_ENUMV(PointRange), {1, 1, 1, 4, 3, 2}, CGNS_ENUMV(Vertex)),
            wall + "is a range in which all indices vary, expected one that is constant.");
  EXPECT_EQ(refused_block(CGNS_ENUMV(PointRange), {1, 1, 1, 5, 3, 1}, CGNS_ENUMV(Vertex)),
            wall + "has i from 1 to 5, and the zone has nodes 1 to 4.");
  EXPECT_EQ(refused_block(CGNS_ENUMV(PointRange), {1, 1, 1, 4, 2, 1}, CGNS_ENUMV(KFaceCenter)),
            wall + "has i from 1 to 4, and the zone has cells 1 to 3.");
  EXPECT_EQ(refused_block(CGNS_ENUMV(PointRange), {1, 1, 1, 3, 1, 1}, CGNS_ENUMV(FaceCenter)),
            wall +
                "has faces of which 2 indices are constant, expected one. Write them with GridLocation IFaceCenter, "
                "JFaceCenter or KFaceCenter.");
  EXPECT_EQ(refused_block(CGNS_ENUMV(PointRange), {1, 1, 1, 3, 2, 1}, CGNS_ENUMV(IFaceCenter)),
            wall + "has i from 1 to 3, expected one value.");
  EXPECT_EQ(refused_block(CGNS_ENUMV(PointList), {1, 1, 1, 2, 1, 1}, CGNS_ENUMV(Vertex)),
            wall + "is a list of nodes, expected a range, or faces: GridLocation IFaceCenter and the like.");
}

/// Writes two conditions on a tetrahedron: one of a family, and one without a type of wall.
void write_families(const std::filesystem::path& path, CGNS_ENUMT(BCType_t) type_of_family) {
  CgnsWriter out(path, 3, 3);
  int family = 0, condition = 0;
  cg_family_write(out.file, out.base, "hull family", &family);
  cg_fambc_write(out.file, out.base, family, "FamBC", type_of_family, &condition);
  out.add_zone(CGNS_ENUMV(Unstructured), {4, 1, 0}, {{0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}});
  out.add_section("cell", CGNS_ENUMV(TETRA_4), 1, 1, {1, 2, 3, 4});
  out.add_section("faces", CGNS_ENUMV(TRI_3), 2, 5, {1, 3, 2, 1, 2, 4, 2, 3, 4, 1, 4, 3});
  out.add_condition("hull", CGNS_ENUMV(PointList), {2}, 1, CGNS_ENUMV(FaceCenter), CGNS_ENUMV(FamilySpecified));
  cg_goto(out.file, out.base, "Zone_t", out.zone, "ZoneBC_t", 1, "BC_t", 1, "end");
  cg_famname_write("hull family");
  out.add_condition("far", CGNS_ENUMV(PointList), {3}, 1, CGNS_ENUMV(FaceCenter), CGNS_ENUMV(BCFarfield));
}

TEST_F(CgnsConditions, AreWallsByTheirTypeOrThatOfTheirFamily) {
  write_families(path, CGNS_ENUMV(BCWallViscousIsothermal));
  EXPECT_THAT(read_mesh(path).walls().wall_names, ElementsAre("hull"));
  write_families(path, CGNS_ENUMV(BCWallInviscid));
  EXPECT_THAT(refusal_of([&] { read_mesh(path).walls(); }),
              HasSubstr("name the markers that are walls. It has hull, far, faces."));
}

using CgnsBases = CgnsConditions;

/// Writes a tetrahedron, and a triangle in a base of its own.
void write_bases(const std::filesystem::path& path, int dimensions, CGNS_ENUMT(BCType_t) type) {
  CgnsWriter out(path, 3, 3);
  for (const double shift : {0.0, 5.0}) {
    out.add_zone(CGNS_ENUMV(Unstructured), {4, 1, 0}, {{shift, shift + 1, shift, shift}, {0, 0, 1, 0}, {0, 0, 0, 1}});
    out.add_section("cell", CGNS_ENUMV(TETRA_4), 1, 1, {1, 2, 3, 4});
    out.add_section("faces", CGNS_ENUMV(TRI_3), 2, 2, {1, 3, 2});
    out.add_condition("floor", CGNS_ENUMV(PointRange), {2, 2}, 2, CGNS_ENUMV(FaceCenter),
                      shift == 0 ? CGNS_ENUMV(BCWall) : type);
  }
  out.add_base("surface", 2, dimensions);
  out.add_zone(CGNS_ENUMV(Unstructured), {3, 1, 0}, {{0, 1, 0}, {0, 0, 1}, {9, 9, 9}});
  out.add_section("roof", CGNS_ENUMV(TRI_3), 1, 1, {1, 2, 3});
}

TEST_F(CgnsBases, AndZonesAreOneMesh) {
  write_bases(path, 3, CGNS_ENUMV(BCWall));
  const MeshFile mesh = read_mesh(path);
  EXPECT_EQ(mesh.cell_count(), 2);
  EXPECT_THAT(mesh.cell_centers().x, ElementsAre(0.25, 5.25));
  EXPECT_THAT(marker_names(mesh), ElementsAre("floor", "roof"));
  EXPECT_THAT(mesh.walls({"floor"}).x, ElementsAre(0, 1, 0, 5, 6, 5));
  EXPECT_THAT(mesh.walls({"roof"}).z, Each(9));
}

TEST_F(CgnsBases, ThatDoNotFitAreRefused) {
  write_bases(path, 2, CGNS_ENUMV(BCWall));
  EXPECT_EQ(refusal_of([&] { read_mesh(path); }),
            "m.cgns: base `surface` has 2 dimensions, and the one before 3, expected the same. Write them to files of "
            "their own.");
  write_bases(path, 3, CGNS_ENUMV(BCInflow));
  EXPECT_EQ(
      refusal_of([&] { read_mesh(path); }),
      "m.cgns: zone `zone 2`: boundary condition `floor` is no wall, unlike that of the same name before. Rename one "
      "of them.");
}

}  // namespace
}  // namespace shoal::io
