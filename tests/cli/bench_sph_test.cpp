// SPDX-License-Identifier: Apache-2.0
// The command `shoal bench sph`, as little of it as can be.
#include <gmock/gmock.h>
#include <shoal/sph.hpp>
#include <shoal/sph_cases.hpp>

#include "cli/shell.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;

TEST(BenchSph, MeasuresThePapersTablesAndThroughput) {
  const ScratchFolder folder;
  const Result result = run_shoal(
      "bench sph --paper --device cpu --methods list --largest 10000 --most-seconds 0.05 "
      "--iterations 3 --out " +
      folder.path().string());
  EXPECT_EQ(result.code, 0) << result.text;
  for (const char* said : {"Table 1", "Table 2", "Table 3", "Throughput", "dam break 3", "pressure wave 3", "85,773",
                           "361,201", "find_neighbors", "advance_stage"})
    EXPECT_THAT(result.text, HasSubstr(said));
  const std::string table = read_text(folder / "table1.csv");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 4);
  EXPECT_THAT(table, HasSubstr("\ndam break 1,6462,10000,926,19,list,"));
  EXPECT_THAT(read_text(folder / "throughput.csv"), HasSubstr("3,double,list,"));
  EXPECT_TRUE(std::filesystem::exists(folder / "throughput.svg"));
}

TEST(BenchSph, MistakesAreBadInput) {
  const Result unknown = run_shoal("bench sph --paper --device cpu --methods rows");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.text, HasSubstr("no method \"rows\" on this device; it has "));
  EXPECT_EQ(run_shoal("bench sph").code, 2);
  EXPECT_EQ(run_shoal("bench sph --paper --largest 10").code, 2);
}

TEST(SphCases, HaveThePapersParticles) {
  for (const auto& [k, particles] : {std::pair{1, 6462}, std::pair{2, 22899}, std::pair{4, 85773}})
    EXPECT_EQ(sph::Solver(Queue::cpu(), sph::dam_break_case(k)).clock().particles, particles);
  EXPECT_EQ(sph::Solver(Queue::cpu(), sph::pressure_wave_case(401)).clock().particles, 401 * 401);
}

TEST(SphCases, AColumnHasAboutSoManyParticles) {
  for (const int dimensions : {2, 3})
    for (const std::int64_t size : {1000, 100'000}) {
      const auto particles = sph::Solver(Queue::cpu(), sph::column_case(size, dimensions)).clock().particles;
      EXPECT_NEAR(static_cast<double>(particles), static_cast<double>(size), 0.3 * static_cast<double>(size));
    }
  EXPECT_THAT(message_of([] { sph::column_case(10, 2); }), HasSubstr("expected at least 100"));
  EXPECT_THAT(message_of([] { sph::column_case(1000, 1); }), HasSubstr("expected 2 or 3"));
  EXPECT_THAT(message_of([] { sph::dam_break_case(0); }), HasSubstr("expected at least 1"));
  EXPECT_THAT(message_of([] { sph::pressure_wave_case(2); }), HasSubstr("expected at least 3"));
}

}  // namespace
}  // namespace shoal
