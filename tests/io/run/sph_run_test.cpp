// SPDX-License-Identifier: Apache-2.0
// Output of a run, driven by a simulation that follows a script.
#include <chrono>
#include <thread>

#include "io/run/scripted_run.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST_F(RunTest, LeavesEveryFileOfTheCase) {
  const RunReport report = run_it();
  EXPECT_FALSE(report.interrupted);
  EXPECT_EQ(report.last.clock.time, 1);
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5, 0.75, 1));
  EXPECT_THAT(times_in("balance.csv"), ElementsAre(0, 0.25, 0.5, 0.75, 1));
  EXPECT_THAT(times_in("gauge.csv"), ElementsAre(0, 0.25, 0.5, 0.75, 1));
  EXPECT_EQ(times_in("front.csv").size(), 11u);
  EXPECT_THAT(text_of("front.csv"), StartsWith("time [s],front [m]\n0,9\n0.1,9.1"));
  EXPECT_THAT(text_of("gauge.csv"), StartsWith("time [s],pressure [Pa]\n0,0\n0.25,250\n"));
  EXPECT_THAT(text_of("balance.csv"), StartsWith("time [s],step,mass [kg],momentum_x [kg m/s]"));
  EXPECT_EQ(text_of("case.toml"), description.text);
  EXPECT_EQ(read_restart(file("restart.h5")).snapshot.clock.time, 1);
  EXPECT_EQ(read_restart(file("restart.h5")).case_text, description.text);
  EXPECT_THAT(text_of("summary.json"), HasSubstr("\"interrupted\": false"));
  for (const std::string& name : report.files) EXPECT_TRUE(std::filesystem::exists(file(name))) << name;
}

TEST_F(RunTest, ALiquidThatIsTooSoftIsReportedOnceAndInTheSummary) {
  simulation.softness = 0.1;  // 2.5 % at 0.25 s, 5 % at 0.5 s, 10 % at 1 s
  std::vector<Warning> reported;
  options.on_warning = [&](const Warning& warning) { reported.push_back(warning); };
  options.json_log = file("log.jsonl");
  const RunReport report = run_it();
  ASSERT_EQ(reported.size(), 1u);
  EXPECT_EQ(reported[0].name, "density_change");
  EXPECT_DOUBLE_EQ(reported[0].value, 0.05);
  EXPECT_THAT(text_of("log.jsonl"), HasSubstr("{\"event\": \"warning\", \"time\": 0.5,"));
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_DOUBLE_EQ(report.warnings[0].value, 0.1);
  EXPECT_THAT(text_of("summary.json"),
              HasSubstr("\"warnings\": [\"at t = 1 s the density differs from its reference by "
                        "10 %"));
  EXPECT_THAT(summary_text(report), HasSubstr("  warning        at t = 1 s the density differs"));
}

TEST_F(RunTest, WarningsAboutTheCaseAreInLogAndSummary) {
  description.scheme.gravity = {0, -9.81, 0};
  description.materials[0].sound_speed = 2;
  options.json_log = file("log.jsonl");
  EXPECT_EQ(run_it().warnings.size(), 1u);
  for (const char* name : {"log.jsonl", "summary.json"})
    EXPECT_THAT(text_of(name), HasSubstr("\"warnings\": [\"material.water.sound_speed = 2 m/s lets the density"));
}

TEST_F(RunTest, WritesVtpWhenTheCaseSaysSo) {
  description.output.format = sph::FieldFormat::vtp;
  run_it();
  EXPECT_THAT(text_of("fields.pvd"), HasSubstr("timestep=\"0.75\""));
  EXPECT_FALSE(std::filesystem::exists(file("fields.vtkhdf")));
}

TEST_F(RunTest, FieldsMayComeAtGivenTimesAndTheBalanceAtItsOwn) {
  description.output.every = 0;
  description.output.times = {0.1, 0.55};
  description.output.balance_every = 0.2;
  run_it();
  EXPECT_THAT(field_times(), ElementsAre(0, 0.1, 0.55, 1));
  EXPECT_THAT(times_in("gauge.csv"), ElementsAre(0, 0.1, 0.55, 1));
  EXPECT_THAT(times_in("balance.csv"),
              testing::Pointwise(testing::DoubleEq(), std::vector{0.0, 0.1, 0.2, 0.4, 0.55, 0.6, 0.8, 1.0}));
}

TEST_F(RunTest, TheBalanceHasWhatWasLostSinceTheStart) {
  simulation.loses_one_at = 0.6;
  run_it();
  const std::string table = text_of("balance.csv");
  EXPECT_THAT(
      table,
      HasSubstr(
          ",total [J],dissipated [J],density_error,largest_density_error,work of walls [J],power of walls [W]\n"));
  EXPECT_THAT(table, HasSubstr(",10,0,500,0,0,0,0,0\n"));  // particles, lost, ½ · 1000 kg (m/s)²
  EXPECT_THAT(table, HasSubstr(",9,1,450,50,0,0,0,0\n"));
}

TEST_F(RunTest, TheWorkOfWallsIsTheSumOfTheirPowerOverTime) {
  simulation.watts_a_second = 8;
  run_it();
  const std::string table = text_of("balance.csv");  // every quarter of a second; 4 J/s² t²
  EXPECT_THAT(table, HasSubstr(",500,0,0,0,0,0\n"));
  EXPECT_THAT(table, HasSubstr(",500,1,0,0,1,4\n"));
  EXPECT_THAT(table, HasSubstr(",500,4,0,0,4,8\n"));
}

TEST_F(RunTest, AProbeMayHaveSeveralNumbers) {
  description.probes.push_back({"flow", sph::ProbeKind::velocity, {}, 0});
  struct Flow : ScriptedSimulation {
    std::vector<double> measure(const std::vector<sph::Probe>& probes) const override {
      std::vector<double> values;
      for (const sph::Probe& probe : probes) {
        values.push_back(1);
        if (probe.kind == sph::ProbeKind::velocity) values.push_back(2);
      }
      return values;
    }
  } flow;
  run(flow, description, options);
  EXPECT_THAT(text_of("flow.csv"), StartsWith("time [s],velocity_x [m/s],velocity_y [m/s]\n0,1,2\n0.25,1,2\n"));
  EXPECT_THAT(text_of("gauge.csv"), StartsWith("time [s],pressure [Pa]\n0,1\n"));
}

TEST_F(RunTest, TheLogHasOneObjectALine) {
  options.json_log = file("log.jsonl");
  run_it();
  std::istringstream log(text_of("log.jsonl"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(log, line);) lines.push_back(line);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_THAT(lines.front(), StartsWith("{\"event\": \"start\", \"time\": 0, \"step\": 0"));
  EXPECT_THAT(lines.back(), StartsWith("{\"event\": \"end\", \"time\": 1"));
  for (const std::string& line : lines) EXPECT_THAT(line, EndsWith("}"));
}

TEST_F(RunTest, ALostParticleCountsAsMassDrift) {
  simulation.loses_one_at = 0.6;
  const RunReport report = run_it();
  EXPECT_DOUBLE_EQ(report.mass_drift, -0.1);
  EXPECT_EQ(report.last.clock.lost, 1);
  EXPECT_THAT(summary_text(report), HasSubstr("1 lost"));
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5, 0.75, 1));
}

TEST_F(RunTest, MomentumDriftIsThereOnlyWhenNothingActs) {
  EXPECT_EQ(run_it().momentum_drift, 0.0);
  description.scheme.gravity = {0, -9.81, 0};
  simulation = {};
  EXPECT_FALSE(run_it().momentum_drift.has_value());
}

TEST_F(RunTest, ProgressNamesWhatAPersonLooksFor) {
  std::ostringstream shown;
  options.progress = {.out = &shown, .terminal = true, .color = false, .width = 0};
  struct Slow : ScriptedSimulation {
    void advance_to(double time, const sph::Solver::Observer& observer) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      ScriptedSimulation::advance_to(time, observer);
    }
  } slow;
  description.duration = 0.5;
  run(slow, description, options);
  EXPECT_THAT(shown.str(), HasSubstr("10 particles   t 0."));
  EXPECT_THAT(shown.str(), HasSubstr("/0.500 s   dt "));
  EXPECT_THAT(shown.str(), HasSubstr("evaluations/s   ETA 0:0"));
  EXPECT_THAT(shown.str(), HasSubstr("mass +0.0e0"));
  EXPECT_THAT(shown.str(), EndsWith("\x1b[K\n"));
}

TEST(PrepareOutput, RefusesAFolderWithFilesUnlessForced) {
  const ScratchFolder folder;
  const sph::Case simulation = case_with_probes();
  prepare_output(folder / "new/deep", simulation, false);
  EXPECT_TRUE(std::filesystem::is_directory(folder / "new/deep"));
  prepare_output(folder / "new/deep", simulation, false);  // the folder is still empty
  write_text(folder / "new/deep/front.csv", "old");
  write_text(folder / "new/deep/notes.txt", "mine");
  EXPECT_THAT(message_of([&] { prepare_output(folder / "new/deep", simulation, false); }),
              HasSubstr("the option `force`"));
  EXPECT_TRUE(std::filesystem::exists(folder / "new/deep/front.csv"));
  prepare_output(folder / "new/deep", simulation, true);
  EXPECT_FALSE(std::filesystem::exists(folder / "new/deep/front.csv"));
  EXPECT_EQ(read_text(folder / "new/deep/notes.txt"), "mine");
}

TEST(PrepareOutput, AFileInTheWayIsAnError) {
  const ScratchFolder folder;
  write_text(folder / "file", "");
  EXPECT_THAT(message_of([&] { prepare_output(folder / "file", sample_case(), true); }), HasSubstr("this is a file"));
  EXPECT_THAT(message_of([&] { prepare_output(folder / "file/below", sample_case(), true); }),
              HasSubstr("cannot make this folder"));
}

}  // namespace
}  // namespace shoal::io
