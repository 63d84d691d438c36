// SPDX-License-Identifier: Apache-2.0
// Tables of probes that a run writes: their columns, and the same bytes when a run is interrupted and resumed.
#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* tank = R"(kind = "sph"
title = "Water falls into a tank"
[run]
duration = 0.04
output_every = 0.02
[particles]
spacing = 0.05
[[body]]
material = "water"
box = { from = [0, 0], to = [0.5, 0.5] }
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
kind = "moment"
wall = "tank"
about = [0.5, 0]
every = 0.01
[[probe]]
kind = "flow_rate"
corners = [[0.5, 0], [0.5, 0.5]]
every = 0.01
[[probe]]
kind = "surface"
from = [0.1, 0]
to = [0.1, 0.9]
every = 0.01
)";

constexpr const char* tables[] = {"moment.csv", "flow_rate.csv", "surface.csv"};

struct ProbeTables : CommandLineTest {
  std::string case_file = write("case.toml", tank);

  Result run(const std::string& more = "") const {
    return run_shoal("run " + case_file + " --device cpu --threads 1 --quiet --out " + out + " " + more);
  }
};

TEST_F(ProbeTables, HaveNamesAndUnits) {
  ASSERT_THAT(run(), Succeeds());
  EXPECT_THAT(text_of("moment.csv"), StartsWith("time [s],moment_z [N m/m]\n0,"));
  EXPECT_THAT(text_of("flow_rate.csv"), StartsWith("time [s],flow_rate [m2/s]\n0,0\n"));
  EXPECT_THAT(text_of("surface.csv"), StartsWith("time [s],surface_x [m],surface_y [m]\n0,0.1,0."));
  for (const char* table : tables)
    EXPECT_EQ(read_csv(out + "/" + table).size(), 6u) << table << " has a header, t = 0, and 4 more";
}

TEST_F(ProbeTables, OfAResumedRunHaveTheSameBytes) {
  ASSERT_THAT(run(), Succeeds());
  std::vector<std::string> whole;
  for (const char* table : tables) whole.push_back(text_of(table));
  ASSERT_THAT(run("--force --set run.duration=0.02"), Succeeds());
  ASSERT_THAT(run_shoal("resume " + out + " --until 0.04 --quiet --device cpu --threads 1"), Succeeds());
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(text_of(tables[i]), whole[i]) << tables[i];
}

TEST_F(ProbeTables, OfAWallThatIsNotThereAreRefused) {
  EXPECT_THAT(run("--set probe.0.wall=lid"), Refuses("is on the wall \"lid\", which is not there; the case has tank."));
}

TEST_F(ProbeTables, OfASectionOutsideTheDomainAreRefused) {
  EXPECT_THAT(run("--set 'probe.1.corners=[[9,0],[9,1]]'"), Refuses("is outside the domain: at[0] = 9 m"));
}

}  // namespace
}  // namespace shoal
