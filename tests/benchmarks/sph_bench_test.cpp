// SPDX-License-Identifier: Apache-2.0
// `shoal-bench sph` with few steps: the tables and the files, not the times.
#include <shoal/io/case_file.hpp>
#include <shoal/sph.hpp>
#include <shoal/sph/warnings.hpp>

#include <algorithm>

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
      "sph --paper --device cpu --methods list --cases 1 --most-steps 2 --core-seconds 0.01 --largest 10000 "
      "--most-seconds 0.05 --iterations 3 --out " +
      out);
  EXPECT_THAT(result, Succeeds());
  for (const char* part : {"Table 1", "Table 2", "Table 3", "Throughput", "dam break 1", "pressure wave 1", "6,462",
                           "160,801", "balanceEnergy", "find_neighbors", "advance_stage"})
    EXPECT_THAT(result.text, HasSubstr(part));
  EXPECT_EQ(read_csv(out + "/table1.csv").size(), 1u + 2 * 2) << "schemes, one core and all threads";
  EXPECT_THAT(text_of("table1.csv"), HasSubstr("\ndam break 1,paper,6462,10000,926,19,48,one CPU core,list,"));
  EXPECT_THAT(text_of("table1.csv"), HasSubstr("\ndam break 1,shoal,6462,10000,926,19,48,"));
  EXPECT_THAT(text_of("table3.csv"), HasSubstr("\npressure wave 1,paper,160801,800,1502,33.5,45,one CPU core,list,"));
  EXPECT_THAT(result.text, HasSubstr("scaled from 2 steps"));
  EXPECT_THAT(text_of("throughput.csv"), HasSubstr("3,double,list,"));
  EXPECT_TRUE(has_output("throughput.svg"));
}

TEST_F(SphBench, RefusesBadOptions) {
  EXPECT_THAT(run_bench("sph --paper --device cpu --methods rows"),
              Refuses("no method \"rows\" on this device; it has "));
  EXPECT_THAT(run_bench("sph --paper --cases 4"), Refuses("--cases: Value 4 not in range"));
  EXPECT_THAT(run_bench("sph --paper --most-steps -1"),
              Refuses("--most-steps = -1, expected a positive number, or 0."));
  EXPECT_THAT(run_bench("sph --paper --core-seconds -1"), Refuses("--core-seconds = -1, expected a time in s, or 0."));
  EXPECT_THAT(run_bench("sph"), Refuses("Add --paper."));
  EXPECT_THAT(run_bench("sph --paper --largest 10"), Refuses("--largest = 10, expected 10000 to"));
}

TEST(SphCases, HaveThePapersParticles) {
  for (const auto& [k, particles] : {std::pair{1, 6462}, std::pair{2, 22899}, std::pair{4, 85773}})
    EXPECT_EQ(sph::Solver(Queue::cpu(), benchmarks::dam_break_case(k)).clock().particles, particles);
  EXPECT_EQ(sph::Solver(Queue::cpu(), benchmarks::pressure_wave_case(401)).clock().particles, 401 * 401);
}

TEST(SphCases, TheSchemeOfThePaperIsThatOfItsCases) {
  for (const auto& [k, file] : {std::pair{1, "case.toml"}, std::pair{2, "case_2.toml"}, std::pair{4, "case_3.toml"}}) {
    SCOPED_TRACE(file);
    const sph::Case benched = benchmarks::with_paper_scheme(benchmarks::dam_break_case(k));
    const sph::Case read = io::read_case(std::filesystem::path(SHOAL_CASES) / "armando_dam_break" / file);
    EXPECT_EQ(benched.smoothing, read.smoothing);
    EXPECT_EQ(benched.scheme.kernel, read.scheme.kernel);
    EXPECT_EQ(benched.scheme.density_diffusion, read.scheme.density_diffusion);
    EXPECT_EQ(benched.scheme.diffusion_coefficient, read.scheme.diffusion_coefficient);
    EXPECT_EQ(benched.scheme.artificial_viscosity, read.scheme.artificial_viscosity);
    EXPECT_EQ(benched.scheme.walls, read.scheme.walls);
    EXPECT_EQ(benched.scheme.integrator, read.scheme.integrator);
    EXPECT_DOUBLE_EQ(benched.scheme.dt, read.scheme.dt);
    EXPECT_EQ(sph::Solver(Queue::cpu(1), benched).clock().particles,
              sph::Solver(Queue::cpu(1), read).clock().particles);
    EXPECT_THAT(sph::warnings(read), testing::IsEmpty());
  }
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

TEST(SphCases, FlumesOfAllKindsHaveAboutSoMuchWater) {
  using benchmarks::FlumePart;
  for (const int dimensions : {2, 3})
    for (const FlumePart part : {FlumePart::nothing, FlumePart::dynamic_walls, FlumePart::open_ends,
                                 FlumePart::floating_body, FlumePart::absorbing_paddle}) {
      sph::Solver solver(Queue::cpu(), benchmarks::flume_case(5000, dimensions, part));
      const sph::Fields fields = solver.fields();
      const auto water = static_cast<double>(std::count(fields.wall.begin(), fields.wall.end(), 0));
      EXPECT_NEAR(water, 5000, 1300) << dimensions << "-D, flume " << static_cast<int>(part);
      solver.advance_steps(3);
      EXPECT_EQ(solver.clock().lost, 0);
    }
  EXPECT_THAT(message_of([] { benchmarks::flume_case(1000, 1, FlumePart::nothing); }), HasSubstr("expected 2 or 3"));
  EXPECT_THAT(message_of([] { benchmarks::flume_case(999, 2, FlumePart::nothing); }), HasSubstr("at least 1000"));
}

}  // namespace
}  // namespace shoal
