// SPDX-License-Identifier: Apache-2.0
// `shoal wall_distance` in a case of OpenFOAM: two unit cubes on a floor.
#include "io/mesh/openfoam/foam_cases.hpp"
#include "support/command_line.hpp"
#include "support/hdf5_values.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

struct OpenFoamCommand : CommandLineTest {
  std::filesystem::path mesh = path("case");

  void SetUp() override { write_foam_mesh(mesh / "constant/polyMesh", two_cubes()); }
  Result wall_distance(const std::string& arguments) const {
    return run_shoal("wall_distance " + mesh.string() + " --device cpu --threads 1 " + arguments);
  }
};

TEST_F(OpenFoamCommand, MeasuresFromPatchesOfTypeWall) {
  const Result result = wall_distance("--out " + path("d.vtkhdf"));
  EXPECT_THAT(result, Prints(HasSubstr("\nwalls     floor (2 faces)\n")));
  EXPECT_THAT(read_dataset<double>(path("d.vtkhdf"), "VTKHDF/CellData/wall_distance"), ElementsAre(0.5, 0.5));
  EXPECT_THAT(wall_distance("--wall roof,ends"), Prints(HasSubstr("\nwalls     roof (2 faces), ends (2 faces)\n")));
}

TEST_F(OpenFoamCommand, WritesAFieldOfTheCase) {
  const std::string file = (mesh / "0.5/yWall").string();
  EXPECT_THAT(wall_distance("--field 0.5/yWall"), Prints(HasSubstr("\nfield     " + file + "\n")));
  EXPECT_THAT(read_text(file), HasSubstr("List<scalar>\n2\n(\n0.5\n0.5\n);"));
  EXPECT_THAT(read_text(file), HasSubstr("    floor\n    {\n        type            fixedValue;"));
  EXPECT_THAT(wall_distance("--field 0.5/yWall"), Refuses(file + ": this file exists."));
  EXPECT_THAT(wall_distance("--field 0.5/yWall --force --field-format binary --json"),
              Prints(HasSubstr("\"fields\": [\"" + file + "\"]")));
  EXPECT_THAT(read_text(file), HasSubstr("format      binary"));
}

/// The second cell has a slanted roof, so its centroid is not the mean of its corners.
TEST_F(OpenFoamCommand, MeasuresAFieldAtCentroids) {
  FoamMesh bent = two_cubes();
  for (const std::size_t corner : {8, 11}) bent.points[corner][2] = 2;  // the roof of the second cube rises to 2
  write_foam_mesh(mesh / "constant/polyMesh", bent);
  EXPECT_THAT(wall_distance("--field 0/y --out " + path("d.vtkhdf")), Succeeds());
  // The area of the trapezoid under the roof is 3/2, and its moment the integral of (1 + x)^2 / 2, 7/6.
  EXPECT_THAT(read_dataset<double>(path("d.vtkhdf"), "VTKHDF/CellData/wall_distance"),
              ElementsAre(testing::DoubleEq(0.5), testing::DoubleEq(7.0 / 9)));
  EXPECT_THAT(wall_distance("--force --out " + path("d.vtkhdf")), Succeeds());
  EXPECT_THAT(read_dataset<double>(path("d.vtkhdf"), "VTKHDF/CellData/wall_distance"),
              ElementsAre(testing::DoubleEq(0.5), testing::DoubleEq(0.75)));
}

TEST_F(OpenFoamCommand, ReadsThePartsOfADecomposedCase) {
  for (const char* const part : {"processor0", "processor1"})
    write_foam_mesh(mesh / part / "constant/polyMesh", two_cubes());
  EXPECT_THAT(wall_distance(""), Prints(HasSubstr("mesh      2 cells")));
  EXPECT_THAT(wall_distance("--decomposed --field 0/y"), Prints(HasSubstr("mesh      4 cells")));
  EXPECT_THAT(read_text(mesh / "processor1/0/y"), HasSubstr("\n0.5\n0.5\n"));
  EXPECT_FALSE(std::filesystem::exists(mesh / "0"));
}

TEST_F(OpenFoamCommand, RefusesFieldsElsewhere) {
  EXPECT_THAT(wall_distance("--field y"), Refuses("--field y: expected TIME/NAME, such as 0/wallDistance."));
  EXPECT_THAT(wall_distance("--field 0/y --points nodes"), Refuses("a field of OpenFOAM has values of cells."));
  EXPECT_THAT(wall_distance("--field 0/y --center mean"), Refuses("a field of OpenFOAM has values at centroids."));
  EXPECT_THAT(wall_distance("--field 0/y --wall flor"), Refuses("did you mean `floor`?"));
  EXPECT_THAT(wall_distance("--field 0/y --at points.csv"), testing::Not(Succeeds()));
  EXPECT_THAT(wall_distance("--field-format binary"), testing::Not(Succeeds()));
  const std::string su2 = write("m.su2", "NDIME= 2\n");
  EXPECT_THAT(run_shoal("wall_distance " + su2 + " --field 0/y"), Refuses("m.su2: this is no case of OpenFOAM"));
  EXPECT_THAT(run_shoal("wall_distance " + su2 + " --decomposed"), Refuses("`decomposed` is for OpenFOAM"));
  EXPECT_FALSE(std::filesystem::exists(mesh / "0"));
}

}  // namespace
}  // namespace shoal
