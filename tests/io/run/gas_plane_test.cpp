// SPDX-License-Identifier: Apache-2.0
// Cases of kind = "gas" in a plane: their keys, the output of a run, and a run that is interrupted and resumed.
#include <gmock/gmock.h>
#include <shoal/io/case_kinds.hpp>
#include <shoal/io/gas.hpp>

#include <fstream>
#include <sstream>

#include "io/formats/binary/hdf5.hpp"
#include "io/run/gas/gas_output.hpp"
#include "support/messages.hpp"
#include "support/replaced.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io::gas {
namespace {

using namespace testing_support;
using testing::HasSubstr;

/// A box with a lid, and a wall whose temperature is linear.
constexpr const char* box = R"(kind = "gas"
[run]
duration = 0.1
[cells]
count = 5
to = 2
[cells_y]
count = 4
from = -1
wall_ratio = 1.2
[grid]
nodes = 8
half_width = 4
[gas]
model = "maxwell"
rate = 3
[[start]]
density = 2
[[start]]
from = 1
to_y = 0
density = 1
[left]
temperature = 0.9
last_temperature = 1.1
[top]
velocity = [0.2, 0, 0]
[scheme]
model = "bgk"
[steady]
max_iterations = 4
)";

std::string plane_message(const std::string& before, const std::string& after) {
  return message_of([&] { open_flow(Queue::cpu(1), parse_case(replaced(box, before, after), "case.toml")); });
}

TEST(GasPlaneCase, ReadsAndWritesAllItSays) {
  const Case read = parse_case(box, "case.toml");
  ASSERT_TRUE(read.cells_y.has_value());
  EXPECT_EQ(read.cells_y->count, 4);
  EXPECT_EQ(read.start[1].top, 0);
  EXPECT_EQ(read.boundaries[0].last_temperature, 1.1);
  EXPECT_EQ(read.top->velocity[0], 0.2);
  ASSERT_TRUE(read.bottom.has_value()) << "a plane has four sides";
  EXPECT_EQ(read.bottom->kind, GasBoundaryKind::diffuse);
  EXPECT_EQ(parse_case(read.text, "again").text, read.text) << "the resolved case is a case";
}

TEST(GasPlaneCase, NamesWhatIsWrong) {
  EXPECT_THAT(plane_message("[cells_y]\ncount = 4\nfrom = -1\nwall_ratio = 1.2\n", ""),
              HasSubstr("[top] is a side of a plane, but the cells are a line along x."));
  EXPECT_THAT(plane_message("to_y = 0", "to_y = -2"), HasSubstr("the interval of this [[start]] ends at -2 m"));
  EXPECT_THAT(plane_message("velocity = [0.2, 0, 0]", "velocity = [0.2, 0.1, 0]"),
              HasSubstr("the diffuse boundary at the top side moves along y at 0.1 m/s"));
  EXPECT_THAT(plane_message("[top]\n", "[top]\nkind = \"specular\"\nlast_temperature = 1\n"),
              HasSubstr("`top.last_temperature` counts only with"));
}

TEST(GasPlaneCase, ALineHasNoSidesAboveAndBelow) {
  const std::string line = replaced(replaced(box, "[cells_y]\ncount = 4\nfrom = -1\nwall_ratio = 1.2\n", ""),
                                    "[top]\nvelocity = [0.2, 0, 0]\n", "");
  EXPECT_THAT(message_of([&] { parse_case(line, "case.toml"); }),
              HasSubstr("`from_y` and `to_y` need cells along y, but the cells are a line along x."));
}

class GasPlaneRun : public testing::Test {
 protected:
  ScratchFolder folder;
  const Queue queue = Queue::cpu(1);

  RunOutcome finish(PreparedRun& prepared, const char* name, int queries) {
    RunOptions options;
    options.folder = folder / name;
    options.device = queue.name();
    if (queries >= 0) options.interrupted = [left = queries]() mutable { return left-- <= 0; };
    return prepared.run(options);
  }
  RunOutcome run(const char* name, int queries = -1) {
    write_text(folder / "box.toml", box);
    return finish(*prepare_run(queue, {folder / "box.toml", {}}, {folder / name, true}), name, queries);
  }

  /// Rows of numbers of a table, without its comments and names.
  std::vector<std::vector<double>> rows(const std::string& name) const {
    std::ifstream in(folder / "out" / name);
    std::vector<std::vector<double>> table;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with('#') || line.starts_with("time")) continue;
      std::istringstream fields(line);
      table.emplace_back();
      for (std::string field; std::getline(fields, field, ',');) table.back().push_back(std::stod(field));
    }
    return table;
  }
};

TEST_F(GasPlaneRun, WritesProfilesThroughTheCenterAndAllCells) {
  const RunOutcome outcome = run("out");
  EXPECT_FALSE(outcome.interrupted);
  const auto along_x = rows("profiles.csv"), along_y = rows("profiles_y.csv"), fluxes = rows("fluxes.csv");
  ASSERT_EQ(along_x.size(), 15U) << "at the start, at the end and after the iteration";
  ASSERT_EQ(along_y.size(), 12U);
  ASSERT_EQ(fluxes.size(), 3U);
  ASSERT_EQ(fluxes[0].size(), 24U) << "five fluxes through each of four sides";
  EXPECT_EQ(along_x[0][2], 0.2) << "x";
  EXPECT_NEAR(along_x[0][3], 2, 1e-12) << "density at the left";
  EXPECT_NEAR(along_x[4][3], 1.5, 1e-12) << "between 1 below y = 0 and 2 above";
  EXPECT_NEAR(along_y[3][3], 2, 1e-12) << "density above y = 0";
  EXPECT_NEAR(fluxes[1][3], fluxes[0][3], 1e-12) << "mass";
  for (const std::size_t side : {0, 1, 2, 3}) EXPECT_NEAR(fluxes[2][4 + 5 * side], 0, 1e-12) << "mass through a side";
  const hdf5::Handle cells = hdf5::open_for_reading(folder / "out" / "cells.vtkhdf");
  const std::vector<double> density = hdf5::Rows(cells, "/VTKHDF/CellData/density").read<double>();
  ASSERT_EQ(density.size(), 20U);
  EXPECT_NEAR(along_x[12][3], (density[5 + 2] + density[10 + 2]) / 2, 1e-12) << "between the rows beside the center";
}

TEST_F(GasPlaneRun, ResumesWithTheSameBits) {
  run("whole");
  for (const int queries : {0, 2, 6}) {
    const RunOutcome cut = run("cut", queries);
    ASSERT_TRUE(cut.interrupted) << queries;
    finish(*prepare_resume(queue, {.folder = folder / "cut"}), "cut", -1);
    for (const char* name : {"profiles.csv", "profiles_y.csv", "fluxes.csv", "distribution.npy", "restart.h5"})
      EXPECT_EQ(read_text(folder / "cut" / name), read_text(folder / "whole" / name)) << name << ' ' << queries;
  }
}

TEST(CenterProfile, IsInterpolatedBetweenTheCellsBesideTheCenter) {
  std::vector<VelocityMoments> cells(6);
  for (std::size_t cell = 0; cell < 6; ++cell) cells[cell].density = static_cast<double>(cell);
  const AxisFaces faces{{0, 1, 2}, {0, 1, 2, 4}};
  const std::vector<VelocityMoments> along_x = center_profile(faces, cells, 0),
                                     along_y = center_profile(faces, cells, 1);
  ASSERT_EQ(along_x.size(), 2U);
  ASSERT_EQ(along_y.size(), 3U);
  EXPECT_DOUBLE_EQ(along_x[0].density, 2 + 2 * (2 - 1.5) / 1.5) << "y = 2 between the centers 1.5 and 3";
  EXPECT_DOUBLE_EQ(along_y[2].density, 4.5);
  EXPECT_DOUBLE_EQ(mass_of(faces, cells), 0 + 1 + 2 + 3 + 2 * (4 + 5));
}

}  // namespace
}  // namespace shoal::io::gas
