// SPDX-License-Identifier: Apache-2.0
// `shoal-bench sph` with few steps: the tables and the files, not the times.
#include <shoal/sph.hpp>

#include "support/command_line.hpp"
#include "support/messages.hpp"
#include "support/sph_cases.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;

struct SphBench : CommandLineTest {};

TEST_F(SphBench, MeasuresThePapersTablesAndThroughput) {
  const Result result = run_bench(
      "sph --paper --device cpu --methods list --largest 10000 --most-seconds 0.05 --iterations 3 --out " + out);
  EXPECT_THAT(result, Succeeds());
  for (const char* part : {"Table 1", "Table 2", "Table 3", "Throughput", "dam break 3", "pressure wave 3", "85,773",
                           "361,201", "find_neighbors", "advance_stage"})
    EXPECT_THAT(result.text, HasSubstr(part));
  EXPECT_EQ(read_csv(out + "/table1.csv").size(), 4u);
  EXPECT_THAT(text_of("table1.csv"), HasSubstr("\ndam break 1,6462,10000,926,19,list,"));
  EXPECT_THAT(text_of("throughput.csv"), HasSubstr("3,double,list,"));
  EXPECT_TRUE(has_output("throughput.svg"));
}

TEST_F(SphBench, RefusesBadOptions) {
  EXPECT_THAT(run_bench("sph --paper --device cpu --methods rows"),
              Refuses("no method \"rows\" on this device; it has "));
  EXPECT_THAT(run_bench("sph"), Refuses("Add --paper."));
  EXPECT_THAT(run_bench("sph --paper --largest 10"), Refuses("--largest = 10, expected 10000 to"));
}

TEST(SphCases, HaveThePapersParticles) {
  for (const auto& [k, particles] : {std::pair{1, 6462}, std::pair{2, 22899}, std::pair{4, 85773}})
    EXPECT_EQ(sph::Solver(Queue::cpu(), benchmarks::dam_break_case(k)).clock().particles, particles);
  EXPECT_EQ(sph::Solver(Queue::cpu(), benchmarks::pressure_wave_case(401)).clock().particles, 401 * 401);
}

TEST(SphCases, AColumnHasAboutSoManyParticles) {
  for (const int dimensions : {2, 3})
    for (const std::int64_t size : {1000, 100'000}) {
      const auto particles = sph::Solver(Queue::cpu(), benchmarks::column_case(size, dimensions)).clock().particles;
      EXPECT_NEAR(static_cast<double>(particles), static_cast<double>(size), 0.3 * static_cast<double>(size));
    }
  EXPECT_THAT(message_of([] { benchmarks::column_case(10, 2); }), HasSubstr("expected at least 100"));
  EXPECT_THAT(message_of([] { benchmarks::column_case(1000, 1); }), HasSubstr("expected 2 or 3"));
  EXPECT_THAT(message_of([] { benchmarks::dam_break_case(0); }), HasSubstr("expected at least 1"));
  EXPECT_THAT(message_of([] { benchmarks::pressure_wave_case(2); }), HasSubstr("expected at least 3"));
}

}  // namespace
}  // namespace shoal
