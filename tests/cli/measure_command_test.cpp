// SPDX-License-Identifier: Apache-2.0
// `shoal measure`: tables of a finished run beside those that the run wrote, and everything that it refuses.
#include <cmath>

#include "io/formats/binary/hdf5.hpp"
#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* tank = R"(kind = "sph"
[run]
duration = 0.06
output_every = 0.02
[particles]
spacing = 0.05
[[body]]
material = "water"
box = { from = [0, 0], to = [0.5, 0.5] }
velocity = [0.5, 0]
[[wall]]
name = "tank"
box = { from = [0, 0], to = [1, 1] }
open = ["top"]
[material.water]
density = 1000
sound_speed = 40
[scheme]
gravity = [0, -9.81]
[[probe]]
kind = "pressure"
at = [0.2, 0.1]
[[probe]]
kind = "velocity"
at = [0.2, 0.1]
[[probe]]
kind = "line"
from = [0.1, 0.05]
to = [0.4, 0.3]
points = 4
of = "density"
[[probe]]
kind = "water_height"
at = [0.3, 0]
[[probe]]
kind = "flow_rate"
corners = [[0.3, 0], [0.3, 0.5]]
[[probe]]
kind = "surface"
from = [0.1, 0]
to = [0.1, 0.9]
[[probe]]
kind = "surge_front"
[[probe]]
kind = "spread"
)";

struct MeasureCommand : CommandLineTest {
  std::string case_file = write("case.toml", tank);

  void SetUp() override {
    ASSERT_THAT(run_shoal("run " + case_file + " --device cpu --threads 1 --quiet --out " + out), Succeeds());
  }
  Result measure(const std::string& more = "") const { return run_shoal("measure " + out + " --threads 1 " + more); }
};

/// Requires the same columns and times, and values that differ by the rounding of floats at most.
void expect_same_table(const CsvLines& table, const CsvLines& expected) {
  ASSERT_EQ(table.size(), expected.size());
  EXPECT_EQ(table[0], expected[0]);
  for (std::size_t row = 1; row < table.size(); ++row) {
    ASSERT_EQ(table[row].size(), expected[row].size());
    EXPECT_EQ(table[row][0], expected[row][0]);
    for (std::size_t column = 1; column < table[row].size(); ++column) {
      const double value = std::stod(expected[row][column]);
      EXPECT_NEAR(std::stod(table[row][column]), value, 2e-6 * std::max(1.0, std::abs(value))) << row << ", " << column;
    }
  }
}

TEST_F(MeasureCommand, WritesTheTablesOfTheRun) {
  EXPECT_THAT(measure(), Prints(StartsWith("4 states measured\n")));
  for (const char* name :
       {"pressure", "velocity", "line", "water_height", "flow_rate", "surface", "surge_front", "spread"}) {
    SCOPED_TRACE(name);
    const std::string table = std::string(name) + ".csv";
    ASSERT_TRUE(has_output("measured/" + table));
    const CsvLines expected = read_csv(out + "/" + table);
    EXPECT_EQ(expected.size(), 5u) << "a header and four states";
    expect_same_table(read_csv(out + "/measured/" + table), expected);
  }
}

TEST_F(MeasureCommand, WritesGivenProbesAndNamedOnesToAnyFolder) {
  EXPECT_THAT(measure("--out " + path("tables") +
                      " --probe \"{ name = 'gauge', kind = 'pressure', at = [0.2, 0.1] }\" --probe velocity"),
              Prints(HasSubstr("gauge.csv")));
  expect_same_table(read_csv(path("tables/velocity.csv")), read_csv(out + "/velocity.csv"));
  expect_same_table(read_csv(path("tables/gauge.csv")), read_csv(out + "/pressure.csv"));
  EXPECT_FALSE(std::filesystem::exists(path("tables/line.csv")));
  EXPECT_FALSE(has_output("measured"));
}

/// Values of a dataset of an output.
std::vector<double> dataset(const std::string& file, const std::string& name) {
  const io::hdf5::Handle in = io::hdf5::open_for_reading(file);
  return io::hdf5::Rows(in, "VTKHDF/" + name).read<double>();
}

void expect_near(const std::vector<double>& values, const std::vector<double>& expected, double error) {
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k], expected[k], error) << k;
}

TEST_F(MeasureCommand, WritesTheVorticityAndTheSurfaceOfTheRun) {
  const std::string with_both = path("with_both");
  ASSERT_THAT(run_shoal("run " + case_file + " --device cpu --threads 1 --quiet --set run.vorticity=true " +
                        "--set isosurface.level=0.5 --out " + with_both),
              Succeeds());
  EXPECT_THAT(measure("--vorticity --isosurface"), Prints(HasSubstr("isosurface.vtkhdf")));
  const std::string fields = "/fields.vtkhdf", surface = "/isosurface.vtkhdf", measured = out + "/measured";
  expect_near(dataset(measured + fields, "PointData/vorticity"), dataset(with_both + fields, "PointData/vorticity"),
              1e-3);
  for (const char* name : {"Steps/Values", "PointData/pressure", "PointData/wall", "Points"})
    EXPECT_EQ(dataset(measured + fields, name), dataset(out + fields, name)) << name;
  EXPECT_EQ(dataset(with_both + surface, "NumberOfPoints").size(), 4u);
  for (const char* name : {"NumberOfPoints", "Lines/Offsets", "Lines/Connectivity", "Lines/NumberOfCells",
                           "Polygons/Offsets", "Steps/CellOffsets", "Steps/ConnectivityIdOffsets"})
    EXPECT_EQ(dataset(measured + surface, name), dataset(with_both + surface, name)) << name;
  expect_near(dataset(measured + surface, "Points"), dataset(with_both + surface, "Points"), 1e-5);
  EXPECT_FALSE(has_output("measured/pressure.csv")) << "probes only where --probe is given";
  EXPECT_THAT(measure("--isosurface"), Refuses("isosurface.vtkhdf: this file exists"));
  EXPECT_THAT(measure("--isosurface --force --spacing 9"), Refuses("isosurface.spacing = 9 m"));
}

TEST_F(MeasureCommand, RefusesProbesThatFieldsDoNotHold) {
  EXPECT_THAT(measure("--probe \"{ kind = 'force', wall = 'tank' }\""),
              Refuses("probe \"force\" is a force, which needs the forces of pairs"));
  EXPECT_THAT(measure("--probe \"{ kind = 'moment', wall = 'tank', about = [0, 0] }\""),
              Refuses("probe \"moment\" is a moment, which needs the forces of pairs"));
  EXPECT_FALSE(has_output("measured/force.csv"));
}

TEST_F(MeasureCommand, RefusesProbesThatAreNotValid) {
  EXPECT_THAT(measure("--probe lid"), Refuses("probe \"lid\" is not there; the case has pressure, velocity"));
  EXPECT_THAT(measure("--probe velocity --probe velocity"), Refuses("probe \"velocity\" is there twice"));
  EXPECT_THAT(measure("--probe \"{ kind = 'pressure' }\""), Refuses("missing key `probe.0.at`"));
  EXPECT_THAT(measure("--probe \"{ kind = 'presure', at = [0, 0] }\""), Refuses("probe.0.kind"));
  EXPECT_THAT(measure("--probe \"{ kind = \""), Refuses("is no TOML value"));
  EXPECT_THAT(measure("--probe \"{ kind = 'pressure', at = [9, 0] }\""), Refuses("is outside the domain"));
  EXPECT_THAT(measure("--probe \"{ kind = 'surge_front', every = 0.01 }\""),
              Refuses("`every` is 0.01 s, but probes are measured at the times of the fields"));
}

TEST_F(MeasureCommand, ReplacesTablesOnlyIfForcedAndNeverThoseOfTheRun) {
  const std::string before = text_of("spread.csv");
  ASSERT_THAT(measure("--probe spread"), Succeeds());
  EXPECT_THAT(measure("--probe spread"), Refuses("spread.csv: this file exists"));
  EXPECT_THAT(measure("--probe spread --force"), Succeeds());
  EXPECT_THAT(measure("--probe spread --force --out " + out), Refuses("the output would replace this file"));
  EXPECT_EQ(text_of("spread.csv"), before);
}

TEST_F(MeasureCommand, RefusesFoldersWithoutWholeFields) {
  EXPECT_THAT(run_shoal("measure " + path("none")), Refuses("there is no such folder"));
  EXPECT_THAT(run_shoal("measure " + folder.path().string()), Refuses("fields.vtkhdf: there is no such file"));
  write("out/fields.vtkhdf.journal", "");
  EXPECT_THAT(measure(), Refuses("the run was ended while it wrote this file"));
  std::filesystem::remove(path("out/fields.vtkhdf.journal"));
  write("out/fields.vtkhdf", "not HDF5");
  EXPECT_THAT(measure(), Refuses("fields.vtkhdf: "));
}

TEST_F(MeasureCommand, RefusesFieldsOfAnEarlierVersion) {
  {
    const io::hdf5::Handle fields = io::hdf5::open_for_writing(out + "/fields.vtkhdf");
    ASSERT_GE(H5Ldelete(fields, "VTKHDF/PointData/body", H5P_DEFAULT), 0);
  }
  EXPECT_THAT(measure(), Refuses("body"));
}

TEST_F(MeasureCommand, RefusesVtpFiles) {
  ASSERT_THAT(run_shoal("run " + case_file + " --device cpu --quiet --set run.format=vtp --force --out " + out),
              Succeeds());
  EXPECT_THAT(measure(), Refuses("this run wrote VTP files"));
}

TEST_F(MeasureCommand, RefusesACaseWithoutProbesIfNoneIsGiven) {
  ASSERT_THAT(run_shoal("run " + case_file + " --device cpu --quiet --set 'probe=[]' --force --out " + out),
              Succeeds());
  EXPECT_THAT(measure(), Refuses("the case has no probes"));
}

}  // namespace
}  // namespace shoal
