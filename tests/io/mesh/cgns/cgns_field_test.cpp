// SPDX-License-Identifier: Apache-2.0
// Arrays that are added to copies of CGNS files.
#include <shoal/io/solver_fields.hpp>

#include "io/mesh/cgns/cgns_writer.hpp"
#include "io/mesh/mesh_cases.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

struct CgnsFields : MeshFiles {
  std::filesystem::path mesh = folder / "mesh.cgns", out = folder / "with_field.cgns";

  void write(const std::string& name, MeshPart part, const std::vector<double>& values) const {
    write_cgns_field(mesh, out, name, part, View<const double>(values));
  }
  std::string refused(const std::string& name, MeshPart part, const std::vector<double>& values) const {
    return refusal_of([&] { write(name, part, values); });
  }
};

/// Writes a structured zone of 3 by 2 nodes, and an unstructured one of a quadrilateral and a triangle.
void write_two_zones(const std::filesystem::path& path) {
  CgnsWriter file(path, 2, 2);
  file.add_zone(CGNS_ENUMV(Structured), {3, 2, 2, 1, 0, 0}, {{5, 6, 7, 5, 6, 7}, {0, 0, 0, 1, 1, 1}});
  file.add_two_cells();
  file.add_section("triangles", CGNS_ENUMV(TRI_3), 1, 1, {2, 5, 3});
  file.add_section("quadrilaterals", CGNS_ENUMV(QUAD_4), 2, 2, {1, 2, 3, 4});
  file.add_condition("wall", CGNS_ENUMV(PointList), {1, 2, 3}, 3, CGNS_ENUMV(Vertex));
}

/// Values of the only solution of a zone.
std::vector<double> values_of(const std::filesystem::path& path, int zone, const char* name,
                              CGNS_ENUMT(GridLocation_t) expected, std::size_t count) {
  int file = 0;
  char solution[33];
  CGNS_ENUMT(GridLocation_t) location;
  std::vector<double> values(count);
  const cgsize_t first[] = {1, 1, 1};
  cg_open(path.c_str(), CG_MODE_READ, &file);
  cg_sol_info(file, 1, zone, 1, solution, &location);
  EXPECT_STREQ(solution, name);
  EXPECT_EQ(location, expected);
  int rank = 0;
  cgsize_t last[3];
  cg_sol_size(file, 1, zone, 1, &rank, last);
  EXPECT_EQ(cg_field_read(file, 1, zone, 1, name, CGNS_ENUMV(RealDouble), first, last, values.data()), CG_OK);
  cg_close(file);
  return values;
}

TEST_F(CgnsFields, AtNodesAreInTheOrderOfTheReader) {
  write_two_zones(mesh);
  const MeshFile read = read_mesh(mesh);
  write("TurbulentDistance", MeshPart::nodes, read.nodes.x);
  EXPECT_THAT(values_of(out, 1, "TurbulentDistance", CGNS_ENUMV(Vertex), 6), ElementsAre(5, 6, 7, 5, 6, 7));
  EXPECT_THAT(values_of(out, 2, "TurbulentDistance", CGNS_ENUMV(Vertex), 5), ElementsAre(0, 1, 1, 0, 2));
  EXPECT_EQ(read_mesh(out).cell_count(), read.cell_count());
}

TEST_F(CgnsFields, AtCellsAreInTheOrderOfTheReader) {
  write_two_zones(mesh);
  write("TurbulentDistance", MeshPart::cells, read_mesh(mesh).cell_centers().x);
  EXPECT_THAT(values_of(out, 1, "TurbulentDistance", ::CGNS_ENUMV(CellCenter), 2), ElementsAre(5.5, 6.5));
  EXPECT_THAT(values_of(out, 2, "TurbulentDistance", ::CGNS_ENUMV(CellCenter), 2),
              ElementsAre(testing::DoubleEq(4 / 3.0), 0.5));
}

TEST_F(CgnsFields, ErrorsLeaveNoFile) {
  write_two_zones(mesh);
  const std::vector<double> values(11, 1.0);
  EXPECT_THAT(refused("Distance", MeshPart::nodes, {1, 2}),
              HasSubstr("2 values of Distance, and the file has 11 nodes"));
  EXPECT_THAT(refused("Distance", MeshPart::cells, values),
              HasSubstr("11 values of Distance, and the file has 4 cells"));
  EXPECT_THAT(refused("Wall/Distance", MeshPart::nodes, values), HasSubstr("\"Wall/Distance\" is no name of a field"));
  EXPECT_FALSE(std::filesystem::exists(out));
  write("Distance", MeshPart::nodes, values);
  std::filesystem::rename(out, mesh);
  EXPECT_THAT(refused("Distance", MeshPart::nodes, values),
              HasSubstr("it has a solution Distance. Choose another name."));
  EXPECT_THAT(refusal_of([&] { write_cgns_field(mesh, mesh, "Other", MeshPart::nodes, View<const double>(values)); }),
              HasSubstr("mesh.cgns"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace shoal::io
