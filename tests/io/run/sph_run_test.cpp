// SPDX-License-Identifier: Apache-2.0
// Run loop, driven by a simulation that follows a script.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <shoal/io/restart.hpp>
#include <shoal/io/run.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <numeric>
#include <sstream>

#include "io/formats/binary/hdf5.hpp"
#include "io/run/sample_state.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Simulation with steps of at most 0.03 s, in which every value is a function of time.
class ScriptedSimulation : public Simulation {
 public:
  std::int64_t particles = 10;
  double blows_up_at = 1e9, loses_one_at = 1e9, speed = 1;
  double watts_a_second = 0;  ///< rate of change of the power of walls in W/s

  void advance_to(double time, const sph::Solver::Observer& observer) override {
    while (clock_.time < time) {
      const double dt = std::min(0.03, time - clock_.time);
      if (clock_.time + dt > blows_up_at) throw Error("sph: unstable: particle 3 moves 3.1 m/step.");
      const bool ends_here = clock_.time + 0.03 >= time;
      clock_.time = ends_here ? time : clock_.time + dt;
      clock_.dt = dt;
      ++clock_.step;
      if (!observer(clock())) return;
    }
  }
  sph::Clock clock() const override {
    sph::Clock now = clock_;
    now.lost = now.time >= loses_one_at ? 1 : 0;
    now.particles = particles - now.lost;
    return now;
  }
  sph::Fields fields() const override {
    std::vector<std::int64_t> ids(static_cast<std::size_t>(clock().particles));
    std::iota(ids.begin(), ids.end(), 0);
    sph::Fields now = sample_fields(clock_.time, ids);
    now.clock = clock();
    return now;
  }
  sph::Balance balance() const override {
    sph::Balance now;
    now.clock = clock();
    now.mass = 100.0 * static_cast<double>(clock().particles);
    now.kinetic = now.mass * speed * speed / 2;
    now.momentum = {now.mass * speed, 0, 0};
    now.wall_power = watts_a_second * clock_.time;
    return now;
  }
  std::vector<double> measure(const std::vector<sph::Probe>& probes) const override {
    std::vector<double> values;
    for (const sph::Probe& probe : probes)
      values.push_back(probe.kind == sph::ProbeKind::surge_front ? 9 + clock_.time : 1000 * clock_.time);
    return values;
  }
  sph::Snapshot snapshot() const override {
    sph::Snapshot now = random_snapshot(static_cast<std::size_t>(clock().particles));
    now.clock = clock();
    return now;
  }
  void continue_from(const sph::Clock& clock) { clock_ = clock; }

 private:
  sph::Clock clock_;
};

sph::Case case_with_probes() {
  sph::Case simulation = sample_case();
  simulation.probes = {{"front", sph::ProbeKind::surge_front, {}, 0.1}, {"gauge", sph::ProbeKind::pressure, {}, 0}};
  return simulation;
}

struct RunTest : testing::Test {
  ScratchFolder folder;
  ScriptedSimulation simulation;
  sph::Case description = case_with_probes();
  RunOptions options{.folder = folder.path(), .device = "cpu"};

  RunReport run_it() { return run(simulation, description, options); }
  std::filesystem::path file(const std::string& name) const { return folder / name; }
  std::string text_of(const std::string& name) const { return read_text(file(name)); }

  std::vector<double> field_times() const {
    const hdf5::Handle in = hdf5::open_for_reading(file("fields.vtkhdf"));
    return hdf5::Rows(in, "VTKHDF/Steps/Values").read<double>();
  }
  /// First column of a table.
  std::vector<double> times_in(const std::string& name) const {
    std::istringstream in(text_of(name));
    std::vector<double> times;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) times.push_back(std::stod(line));
    return times;
  }
};

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

TEST_F(RunTest, WritesVtpWhenTheCaseSaysSo) {
  description.output.format = sph::FieldFormat::vtp;
  run_it();
  EXPECT_THAT(text_of("fields.pvd"), HasSubstr("timestep=\"0.75\""));
  EXPECT_FALSE(std::filesystem::exists(file("fields.vtkhdf")));
}

TEST_F(RunTest, FieldsMayComeAtGivenTimesAndTheLedgerAtItsOwn) {
  description.output.every = 0;
  description.output.times = {0.1, 0.55};
  description.output.balance_every = 0.2;
  run_it();
  EXPECT_THAT(field_times(), ElementsAre(0, 0.1, 0.55, 1));
  EXPECT_THAT(times_in("gauge.csv"), ElementsAre(0, 0.1, 0.55, 1));
  EXPECT_THAT(times_in("balance.csv"),
              testing::Pointwise(testing::DoubleEq(), std::vector{0.0, 0.1, 0.2, 0.4, 0.55, 0.6, 0.8, 1.0}));
}

TEST_F(RunTest, TheEnergyTableHasWhatWasLostSinceTheStart) {
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

TEST_F(RunTest, AnInterruptedRunThatIsResumedLeavesTheSameFiles) {
  const ScratchFolder folder_of_whole_run;
  {
    ScriptedSimulation whole;
    whole.watts_a_second = 3;
    RunOptions other = options;
    other.folder = folder_of_whole_run / "whole";
    prepare_output(other.folder, description, false);
    run(whole, description, other);
  }
  for (const int stop_after : {0, 1, 7, 20, 33}) {
    prepare_output(folder.path(), description, true);
    simulation = {};
    simulation.watts_a_second = 3;
    options.resume = false;
    int asked = 0;
    options.interrupted = [&asked, stop_after] { return asked++ >= stop_after; };
    EXPECT_TRUE(run_it().interrupted);

    const Restart restart = read_restart(file("restart.h5"));
    EXPECT_LT(restart.snapshot.clock.time, 1);
    simulation = {};
    simulation.watts_a_second = 3;
    simulation.continue_from(restart.snapshot.clock);
    options.resume = true;
    options.interrupted = {};
    EXPECT_FALSE(run_it().interrupted);
    for (const char* name : {"front.csv", "gauge.csv", "balance.csv", "restart.h5"})
      EXPECT_EQ(text_of(name), read_text(folder_of_whole_run / "whole" / name)) << name << " after " << stop_after;
    EXPECT_EQ(times_in("balance.csv"), times_in("front.csv").empty() ? std::vector<double>{} : field_times());
    EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5, 0.75, 1)) << stop_after;
  }
}

TEST_F(RunTest, ResumingDropsWhatIsLaterThanTheRestart) {
  run_it();
  simulation = {};
  sph::Clock clock;
  clock.time = 0.5;
  simulation.continue_from(clock);
  options.resume = true;
  options.interrupted = [] { return true; };  // interrupts before new output
  run_it();
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5));
  EXPECT_THAT(times_in("gauge.csv"), ElementsAre(0, 0.25, 0.5));
  EXPECT_EQ(times_in("front.csv").size(), 6u);
}

TEST_F(RunTest, ABlowUpSavesTheLastGoodStateAndKeepsTheOutput) {
  simulation.blows_up_at = 0.61;
  const std::string message = message_of([&] { run_it(); });
  EXPECT_THAT(message, HasSubstr("sph: unstable: particle 3"));
  EXPECT_THAT(message, HasSubstr("The state of step"));
  EXPECT_THAT(message, EndsWith(file("restart.h5").string() + "."));
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5));
  EXPECT_EQ(times_in("front.csv").size(), 7u);
  EXPECT_LE(read_restart(file("restart.h5")).snapshot.clock.time, 0.61);
}

TEST_F(RunTest, WritesRestartsAsTheRunGoes) {
  options.restart_every = 0;  // after each batch
  options.json_log = file("log.jsonl");
  run_it();
  const std::string log = text_of("log.jsonl");
  std::size_t restarts = 0;
  for (std::size_t at = log.find("\"restart\""); at != std::string::npos; at = log.find("\"restart\"", at + 1))
    ++restarts;
  EXPECT_GT(restarts, 30u);
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5, 0.75, 1));
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

TEST_F(RunTest, AnOutputThatCannotBeWrittenEndsTheRunWithARestart) {
  std::filesystem::create_directory(file("summary.json"));  // blocks the file
  const std::string message = message_of([&] { run_it(); });
  EXPECT_THAT(message, HasSubstr("summary.json: writing failed"));
  EXPECT_THAT(message, HasSubstr("restart.h5"));
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5, 0.75, 1));
}

/// Simulation whose steps have two kernels; the second takes three times as long as the first.
struct ProfiledSimulation : ScriptedSimulation {
  std::vector<std::int64_t> looked_into;  ///< number of profiled steps in each call

  std::vector<sph::KernelProfile> profile(std::int64_t steps, double time,
                                          const sph::Solver::Observer& observer) override {
    const std::int64_t before = clock().step;
    const auto watched = [&](const sph::Clock& now) { return observer(now) && now.step < before + steps; };
    advance_to(time, watched);
    const std::int64_t ran = clock().step - before;
    looked_into.push_back(ran);
    return {{.name = "sort", .seconds = 1e-3 * static_cast<double>(ran), .launches = ran},
            {.name = "sums", .seconds = 3e-3 * static_cast<double>(ran), .launches = 3 * ran}};
  }
};

/// Number after "name": in a text.
double number_of(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("\"" + name + "\": ");
  return at == std::string::npos ? std::nan("") : std::stod(text.substr(at + name.size() + 4));
}

TEST_F(RunTest, TheSummaryDividesTheSolversTimeAmongTheKernelsOfTheFirstSteps) {
  ProfiledSimulation profiled;
  const RunReport report = run(profiled, description, options);
  // The first step is not counted. Outputs every 0.1 s are 4 steps apart; profiling continues after each output.
  EXPECT_THAT(profiled.looked_into, ElementsAre(1, 3, 4, 2, 2, 4, 4, 1));
  EXPECT_EQ(report.profiled_steps, 20);
  ASSERT_EQ(report.kernels.size(), 2u);
  EXPECT_EQ(report.kernels[1].launches, 60);
  EXPECT_NEAR(report.kernels[1].seconds, 0.06, 1e-12);
  const std::string summary = text_of("summary.json");
  EXPECT_EQ(number_of(summary, "profiled_steps"), 20);
  const double solving = number_of(summary, "solving");
  ASSERT_GT(solving, 0);
  EXPECT_NEAR(number_of(summary, "sort"), 0.25 * solving, 1e-9 * solving);
  EXPECT_NEAR(number_of(summary, "sums"), 0.75 * solving, 1e-9 * solving);
  EXPECT_THAT(summary_text(report), HasSubstr("in the solver  sort 25 %, sums 75 %\n"));
  run_it();  // a simulation without kernel profiles reports none
  EXPECT_THAT(text_of("summary.json"), testing::Not(HasSubstr("kernels")));
}

TEST_F(RunTest, LookingIntoStepsCanBeInterruptedAndLeavesRestarts) {
  ProfiledSimulation stopped;
  int asked = 0;
  options.interrupted = [&asked] { return asked++ >= 3; };
  EXPECT_TRUE(run(stopped, description, options).interrupted);
  EXPECT_LT(stopped.clock().step, 4);

  prepare_output(folder.path(), description, true);
  options.interrupted = {};
  options.restart_every = 0;  // after each step
  ProfiledSimulation saved;
  EXPECT_EQ(run(saved, description, options).last.clock.time, 1);
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5, 0.75, 1));
}

TEST_F(RunTest, LookingIntoStepsChangesNoBits) {
  sph::Case drop = sample_case();
  drop.duration = 0.1;
  drop.output.every = 0.02;
  drop.scheme.time_step = sph::TimeStep::cfl;
  sph::Solver looked(Queue::cpu(), drop), plain(Queue::cpu(), drop);
  const RunReport report = run(looked, options);
  EXPECT_EQ(report.profiled_steps, looked.clock().step - 1) << "on a CPU it costs nothing";
  EXPECT_FALSE(report.kernels.empty());
  for (const double time : field_times())
    if (time > 0) plain.advance_to(time);
  EXPECT_EQ(looked.clock().step, plain.clock().step);
  EXPECT_EQ(looked.snapshot().velocity, plain.snapshot().velocity);
  EXPECT_EQ(looked.snapshot().coordinate, plain.snapshot().coordinate);
}

/// Limits the size of files to `bytes` during its lifetime. Writers get the same error as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit_);
    rlimit small = limit_;
    small.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  rlimit limit_{};
  void (*before_)(int);
};

TEST_F(RunTest, AFullDiskKeepsWhatWasWritten) {
  simulation.particles = 50'000;  // 1.6 MB per state
  description.output.every = 0.1;
  std::string message;
  {
    const FileSizeLimit limit(10'000'000);
    message = message_of([&] { run_it(); });
  }
  EXPECT_THAT(message, HasSubstr("fields.vtkhdf: no room for the next"));
  EXPECT_THAT(message, HasSubstr("restart.h5"));
  const std::vector<double> times = field_times();
  EXPECT_GE(times.size(), 2u);
  EXPECT_LT(times.size(), 11u);
  const hdf5::Handle in = hdf5::open_for_reading(file("fields.vtkhdf"));
  const std::vector<float> points = hdf5::Rows(in, "VTKHDF/Points").read<float>();
  ASSERT_EQ(points.size(), times.size() * 150'000);
  for (std::size_t state = 0; state < times.size(); ++state)
    EXPECT_EQ(points[state * 150'000 + std::size_t{3} * 7], 7 + static_cast<float>(times[state]));
}

TEST(PrepareOutput, RefusesAFolderWithFilesUnlessForced) {
  const ScratchFolder folder;
  const sph::Case simulation = case_with_probes();
  prepare_output(folder / "new/deep", simulation, false);
  EXPECT_TRUE(std::filesystem::is_directory(folder / "new/deep"));
  prepare_output(folder / "new/deep", simulation, false);  // the folder is still empty
  write_text(folder / "new/deep/front.csv", "old");
  write_text(folder / "new/deep/notes.txt", "mine");
  EXPECT_THAT(message_of([&] { prepare_output(folder / "new/deep", simulation, false); }), HasSubstr("--force"));
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
