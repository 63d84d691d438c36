// SPDX-License-Identifier: Apache-2.0
// `shoal-bench neighbors` with few particles: the configurations and the files, not the times.
#include <iterator>

#include "support/command_line.hpp"
#include "support/devices.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::HasSubstr;

struct NeighborsBench : CommandLineTest {};

TEST_F(NeighborsBench, MeasuresThePapersFigures) {
  EXPECT_THAT(run_bench("neighbors --paper --device cpu --largest 100 --iterations 2 --out " + out),
              Prints(AllOf(HasSubstr("CPU binning + CPU search"),
                           HasSubstr("Left out, because they need a GPU: CPU binning + GPU search, "),
                           HasSubstr("   at the largest size"))));
  for (const std::string name : {"figure3", "figure4"}) {
    const std::string table = text_of(name + ".csv");
    EXPECT_THAT(
        table,
        HasSubstr("\nconfiguration,particles,iterations run,time of these [s],time of 2 iterations [s],time [ms]\n"
                  "CPU binning"));
    EXPECT_EQ(read_csv(out + "/" + name + ".csv").size(), 1 + 2 * 3) << "10, 30 and 100 particles, two configurations";
    EXPECT_THAT(text_of(name + ".svg"), HasSubstr("time of 2 iterations [s]</text>"));
  }
}

TEST_F(NeighborsBench, MeasuresSearchesBesideStepsOfADamBreak) {
  EXPECT_THAT(run_bench("neighbors --paper --device cpu --largest 1000 --iterations 1 --out " + out),
              Prints(HasSubstr("Dam break in 3-D, 1,170 particles, radius 0.8 m: ")));
  const CsvLines lines = read_csv(out + "/dam_break.csv");
  ASSERT_EQ(lines.size(), 1u + 5 * 2) << "five times, two configurations";
  EXPECT_EQ(lines[1][0], "CPU binning + CPU search");
  EXPECT_THAT(lines[2][0], HasSubstr("shoal rows on "));
  const char* const times[] = {"0", "0.25", "0.5", "0.75", "1"};
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i][1], times[(i - 1) / 2]);
    EXPECT_EQ(lines[i][2], "1170") << "no particle leaves the domain";
    const double search = std::stod(lines[i][3]), step = std::stod(lines[i][4]);
    EXPECT_NEAR(std::stod(lines[i][5]), search / step, 1e-9 * search / step);
  }
}

TEST_F(NeighborsBench, LeavesOutADamBreakOfTooFewParticles) {
  ASSERT_THAT(run_bench("neighbors --paper --device cpu --largest 999 --iterations 1 --out " + out), Succeeds());
  EXPECT_FALSE(has_output("dam_break.csv"));
}

TEST_F(NeighborsBench, ReportsRegistersOnCudaOnly) {
  const std::string bench = "neighbors --paper --largest 10 --iterations 1 --out " + out;
  ASSERT_THAT(run_bench(bench + " --device cpu"), Succeeds());
  EXPECT_FALSE(has_output("kernels.csv"));
}

TEST_F(NeighborsBench, ReportsRegistersOfTheSearches_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  EXPECT_THAT(run_bench("neighbors --paper --device cuda --largest 10 --iterations 1 --out " + out),
              Prints(HasSubstr("\ngetneighbors of the linked list ")));
  EXPECT_THAT(text_of("kernels.csv"),
              HasSubstr("\npaper: getneighbors after GPU binning; 43 registers wanted,32,32,8,0"));
  const CsvLines lines = read_csv(out + "/kernels.csv");
  ASSERT_EQ(lines.size(), 8u);
  const char* const kernels[] = {"isneighbor",   "update_linkedlist", "getneighbors of the linked list",
                                 "getneighbors", "gencellpop",        "pop_cells"};
  for (std::size_t k = 0; k < std::size(kernels); ++k) {
    EXPECT_EQ(lines[k + 1][0], kernels[k]);
    EXPECT_GT(std::stoi(lines[k + 1][1]), 0);
    EXPECT_EQ(lines[k + 1][2], "255");
  }
}

TEST_F(NeighborsBench, NamesUnknownComparisons) {
  EXPECT_THAT(run_bench("nieghbors"),
              Refuses("unknown comparison `nieghbors`; did you mean `neighbors`? expected one"));
  EXPECT_THAT(run_bench("foo"), Refuses("unknown comparison `foo`; expected one of neighbors, deposit, wall_distance"));
  EXPECT_THAT(run_bench(""), Refuses("there is no comparison; expected one of neighbors"));
}

TEST_F(NeighborsBench, RefusesBadOptions) {
  const auto bench = [](const std::string& options) { return run_bench("neighbors " + options); };
  EXPECT_THAT(bench(""), Refuses("neighbors: there is one comparison, that of the paper. Add --paper."));
  EXPECT_THAT(bench("--paper --iterations 0"), Refuses("--iterations = 0, expected a positive number."));
  EXPECT_THAT(bench("--paper --largest 9"), Refuses("--largest = 9, expected 10 to 1000000000 particles."));
  EXPECT_THAT(bench("--paper --most-seconds -1"), Refuses("--most-seconds = -1, expected a time in s, or 0."));
  EXPECT_THAT(bench("--paper --largest 10 --iterations 1 --out " + write("file", "")),
              Refuses("cannot make this folder"));
  EXPECT_THAT(bench("--paper --device gpu"), Refuses("unknown device \"gpu\""));
}

}  // namespace
}  // namespace shoal
