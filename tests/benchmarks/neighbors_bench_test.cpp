// SPDX-License-Identifier: Apache-2.0
// `shoal-bench neighbors` with few particles: the configurations and the files, not the times.
#include <algorithm>

#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

struct NeighborsBench : CommandLineTest {};

TEST_F(NeighborsBench, MeasuresThePapersFigures) {
  EXPECT_THAT(run_bench("neighbors --paper --device cpu --largest 100 --iterations 2 --out " + out),
              Prints(AllOf(HasSubstr("CPU binning + CPU search"),
                           HasSubstr("Left out, because they need a GPU: CPU binning + GPU search, "),
                           HasSubstr("   at the largest size"))));
  for (const std::string name : {"figure3", "figure4"}) {
    const std::string table = text_of(name + ".csv");
    EXPECT_THAT(table, StartsWith("configuration,particles,iterations run,time of these [s],time of 2 iterations [s]\n"
                                  "CPU binning"));
    EXPECT_EQ(read_csv(out + "/" + name + ".csv").size(), 1 + 2 * 3) << "10, 30 and 100 particles, two configurations";
    EXPECT_THAT(text_of(name + ".svg"), HasSubstr("time of 2 iterations [s]</text>"));
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
