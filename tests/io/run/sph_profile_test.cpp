// SPDX-License-Identifier: Apache-2.0
// Kernel profiles of the first steps of a run.
#include <cmath>

#include "io/run/scripted_run.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

/// Simulation whose steps have two kernels; the second takes three times as long as the first.
struct ProfiledSimulation : ScriptedSimulation {
  std::vector<std::int64_t> profiled_steps;  ///< number of profiled steps in each call

  std::vector<sph::KernelProfile> profile(std::int64_t steps, double time,
                                          const sph::Solver::Observer& observer) override {
    const std::int64_t before = clock().step;
    const auto limited = [&](const sph::Clock& now) { return observer(now) && now.step < before + steps; };
    advance_to(time, limited);
    const std::int64_t ran = clock().step - before;
    profiled_steps.push_back(ran);
    return {{.name = "sort", .seconds = 1e-3 * static_cast<double>(ran), .launches = ran},
            {.name = "sums", .seconds = 3e-3 * static_cast<double>(ran), .launches = 3 * ran}};
  }
};

/// Number after "name": in a text.
double number_of(const std::string& text, const std::string& name) {
  const std::size_t entry = text.find("\"" + name + "\": ");
  return entry == std::string::npos ? std::nan("") : std::stod(text.substr(entry + name.size() + 4));
}

/// A sum of 20 numbers of at most 0.01 s: roundings of 1e-18 s each, with a wide margin.
constexpr double sum_rounding = 1e-12;
/// Relative difference of numbers that were written as text and read again, with a wide margin over double precision.
constexpr double printed_digits = 1e-9;

TEST_F(RunTest, TheSummaryDividesTheSolversTimeAmongTheKernelsOfTheFirstSteps) {
  ProfiledSimulation profiled;
  const RunReport report = run(profiled, description, options);
  // The first step is not counted. Outputs every 0.1 s are 4 steps apart; profiling continues after each output.
  EXPECT_THAT(profiled.profiled_steps, ElementsAre(1, 3, 4, 2, 2, 4, 4, 1));
  EXPECT_EQ(report.profiled_steps, 20);
  ASSERT_EQ(report.kernels.size(), 2u);
  EXPECT_EQ(report.kernels[1].launches, 60);
  EXPECT_NEAR(report.kernels[1].seconds, 0.06, sum_rounding);
  const std::string summary = text_of("summary.json");
  EXPECT_EQ(number_of(summary, "profiled_steps"), 20);
  const double solving = number_of(summary, "solving");
  ASSERT_GT(solving, 0);
  EXPECT_NEAR(number_of(summary, "sort"), 0.25 * solving, printed_digits * solving);
  EXPECT_NEAR(number_of(summary, "sums"), 0.75 * solving, printed_digits * solving);
  EXPECT_THAT(summary_text(report), HasSubstr("in the solver  sort 25 %, sums 75 %\n"));
  run_it();  // a simulation without kernel profiles reports none
  EXPECT_THAT(text_of("summary.json"), testing::Not(HasSubstr("kernels")));
}

TEST_F(RunTest, ProfilingCanBeInterruptedAndLeavesRestarts) {
  ProfiledSimulation stopped;
  int queries = 0;
  options.interrupted = [&queries] { return queries++ >= 3; };
  EXPECT_TRUE(run(stopped, description, options).interrupted);
  EXPECT_LT(stopped.clock().step, 4);

  prepare_output(folder.path(), description, true);
  options.interrupted = {};
  options.restart_every = 0;  // after each step
  ProfiledSimulation saved;
  EXPECT_EQ(run(saved, description, options).last.clock.time, 1);
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5, 0.75, 1));
}

TEST_F(RunTest, ProfilingChangesNoBits) {
  sph::Case drop = sample_case();
  drop.duration = 0.1;
  drop.output.every = 0.02;
  drop.scheme.time_step = sph::TimeStep::cfl;
  sph::Solver profiled(Queue::cpu(), drop), plain(Queue::cpu(), drop);
  const RunReport report = run(profiled, options);
  EXPECT_EQ(report.profiled_steps, profiled.clock().step - 1) << "on a CPU it costs nothing";
  EXPECT_FALSE(report.kernels.empty());
  for (const double time : field_times())
    if (time > 0) plain.advance_to(time);
  EXPECT_EQ(profiled.clock().step, plain.clock().step);
  EXPECT_EQ(profiled.snapshot().velocity, plain.snapshot().velocity);
  EXPECT_EQ(profiled.snapshot().coordinate, plain.snapshot().coordinate);
}

}  // namespace
}  // namespace shoal::io
