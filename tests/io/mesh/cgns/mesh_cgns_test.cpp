// SPDX-License-Identifier: Apache-2.0
#ifdef SHOAL_WITH_CGNS
#include "io/mesh/cgns/cgns_writer.hpp"
#endif
#include "io/mesh/mesh_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

using CgnsMeshes = MeshFiles;

#ifdef SHOAL_WITH_CGNS

/// Writes a quadrilateral and an adjacent triangle, with three edges.
void write_plane(const std::filesystem::path& path, cgsize_t last_node = 5) {
  CgnsWriter out(path, 2, 2);
  out.add_two_cells();
  out.add_section("quadrilaterals", CGNS_ENUMV(QUAD_4), 1, 1, {1, 2, 3, 4});
  out.add_section("triangles", CGNS_ENUMV(TRI_3), 2, 2, {2, last_node, 3});
  out.add_section("edges", CGNS_ENUMV(BAR_2), 3, 5, {1, 2, 2, 5, 5, 3});
  out.add_condition("wall", CGNS_ENUMV(PointRange), {3, 4}, 2, CGNS_ENUMV(EdgeCenter));
  out.add_condition("corner", CGNS_ENUMV(PointList), {1, 2, 3}, 3, CGNS_ENUMV(Vertex));
}

TEST_F(CgnsMeshes, OfElementsHaveConditionsAndSectionsAsMarkers) {
  write_plane(folder / "m.cgns");
  const MeshFile mesh = read_mesh(folder / "m.cgns");
  expect_two_cells(mesh);
  EXPECT_THAT(mesh.nodes.z, IsEmpty());
  EXPECT_THAT(marker_names(mesh), UnorderedElementsAre("wall", "corner", "edges"));
  EXPECT_THAT(mesh.walls({"wall"}).x, ElementsAre(0, 1, 2));
  EXPECT_EQ(mesh.walls({"wall"}).face_count(), 2);
  EXPECT_EQ(mesh.walls({"corner"}).face_count(), 1) << "the edge both of whose nodes are named";
  EXPECT_EQ(mesh.walls({"edges"}).face_count(), 1) << "the one that no condition has";
  write_plane(folder / "n.cgns", 6);
  EXPECT_EQ(refusal_of([&] { read_mesh(folder / "n.cgns"); }),
            "n.cgns: zone `zone 1`: section `triangles` has node 6, expected 1 to 5.");
}

TEST_F(CgnsMeshes, OfStructuredZonesHaveRangesAsMarkers) {
  {
    CgnsWriter out(folder / "m.cgns", 3, 3);
    for (const double shift : {0.0, 5.0}) {
      std::vector<std::vector<double>> nodes(3);
      for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j)
          for (int i = 0; i < 3; ++i) nodes[0].push_back(shift + i), nodes[1].push_back(j), nodes[2].push_back(k);
      out.add_zone(CGNS_ENUMV(Structured), {3, 2, 2, 2, 1, 1, 0, 0, 0}, nodes);
      out.add_condition("floor", CGNS_ENUMV(PointRange), {1, 1, 1, 3, 2, 1}, 2, CGNS_ENUMV(Vertex));
    }
  }
  const MeshFile mesh = read_mesh(folder / "m.cgns");
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_EQ(mesh.cell_count(), 4);
  EXPECT_THAT(marker_names(mesh), ElementsAre("floor"));
  const WallMesh floor = mesh.walls();
  EXPECT_EQ(floor.face_count(), 4);
  EXPECT_THAT(floor.x, ElementsAre(0, 1, 2, 0, 1, 2, 5, 6, 7, 5, 6, 7));
  EXPECT_THAT(floor.z, testing::Each(0));
}

TEST_F(CgnsMeshes, MayHaveMixedElementsWithStraightEdges) {
  const std::vector<cgsize_t> mixed = {CGNS_ENUMV(QUAD_4), 1, 2, 3, 4, CGNS_ENUMV(TRI_3), 2, 5, 3}, starts = {0, 5, 9};
  {
    CgnsWriter out(folder / "m.cgns", 2, 2);
    out.add_two_cells();
    out.add_lists("all", CGNS_ENUMV(MIXED), 1, 2, mixed, starts);
  }
  expect_two_cells(read_mesh(folder / "m.cgns"));
  {
    CgnsWriter out(folder / "n.cgns", 2, 2);
    out.add_zone(CGNS_ENUMV(Unstructured), {6, 1, 0}, {{0, 1, 1, 0, 2, 2}, {0, 0, 1, 1, 0, 1}});
    out.add_section("curved", CGNS_ENUMV(TRI_6), 1, 1, {1, 2, 3, 4, 5, 6});
  }
  EXPECT_THAT(refusal_of([&] { read_mesh(folder / "n.cgns"); }),
              HasSubstr("section `curved` has elements of type TRI_6"));
}

TEST_F(CgnsMeshes, WithMoreNodesThanTheFileHoldsAreRefused) {
  const auto zone_refusal = [&](CGNS_ENUMT(ZoneType_t) type, int dimensions, const std::vector<cgsize_t>& size) {
    { CgnsWriter(folder / "m.cgns", dimensions, dimensions).add_zone(type, size, {}); }
    return refusal_of([&] { read_mesh(folder / "m.cgns"); });
  };
  constexpr cgsize_t many = 2'000'000'000;
  EXPECT_THAT(zone_refusal(CGNS_ENUMV(Unstructured), 2, {many, 1, 0}),
              testing::StartsWith("m.cgns: zone `zone 1` has 2000000000 nodes, expected at most "));
  EXPECT_THAT(zone_refusal(CGNS_ENUMV(Structured), 2, {many, 2, many - 1, 1, 0, 0}),
              testing::StartsWith("m.cgns: zone `zone 1` has 2000000000 nodes along an axis, expected at most "));
}

TEST_F(CgnsMeshes, WithMoreElementsThanTheFileHoldsAreRefused) {
  {
    CgnsWriter out(folder / "m.cgns", 2, 2);
    out.add_two_cells();
    int section = 0;
    cg_section_partial_write(out.file, out.base, out.zone, "many", CGNS_ENUMV(TRI_3), 1, 2'000'000'000, 0, &section);
  }
  EXPECT_THAT(refusal_of([&] { read_mesh(folder / "m.cgns"); }),
              testing::StartsWith("m.cgns: section `many` has 2000000000 elements, expected at most "));
}

TEST_F(CgnsMeshes, ThatAreNotCgnsAreRefused) {
  EXPECT_THAT(refusal("m.cgns", "no mesh"), testing::StartsWith("m.cgns: opening failed: "));
}

#else

TEST_F(CgnsMeshes, NeedABuildWithTheLibrary) {
  EXPECT_EQ(
      refusal("m.cgns", ""),
      "m.cgns: it is CGNS, which this build of shoal has not. Build with the CGNS library (3.4 or newer), or write "
      "the mesh as SU2, gmsh or VTK.");
}

#endif

}  // namespace
}  // namespace shoal::io
