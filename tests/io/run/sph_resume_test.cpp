// SPDX-License-Identifier: Apache-2.0
// Runs that are interrupted, resumed or fail, and the restart that they leave.
#include <hdf5.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>

#include "io/run/scripted_run.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

TEST_F(RunTest, AnInterruptedRunThatIsResumedLeavesTheSameFiles) {
  const ScratchFolder folder_of_whole_run;
  {
    ScriptedSimulation whole;
    whole.watts_a_second = 3;
    RunOptions whole_run = options;
    whole_run.folder = folder_of_whole_run / "whole";
    prepare_output(whole_run.folder, description, false);
    run(whole, description, whole_run);
  }
  for (const int stop_after : {0, 1, 7, 20, 33}) {
    prepare_output(folder.path(), description, true);
    simulation = {};
    simulation.watts_a_second = 3;
    options.resume.reset();
    int queries = 0;
    options.interrupted = [&queries, stop_after] { return queries++ >= stop_after; };
    EXPECT_TRUE(run_it().interrupted);

    const Restart restart = read_restart(file("restart.h5"));
    EXPECT_LT(restart.snapshot.clock.time, 1);
    simulation = {};
    simulation.watts_a_second = 3;
    simulation.continue_from(restart.snapshot.clock);
    options.resume = restart.outputs;
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
  options.resume = OutputCounts{{"fields.vtkhdf", 3}, {"balance.csv", 3}, {"gauge.csv", 3}, {"front.csv", 6}};
  options.interrupted = [] { return true; };  // interrupts before new output
  run_it();
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5));
  EXPECT_THAT(times_in("gauge.csv"), ElementsAre(0, 0.25, 0.5));
  EXPECT_EQ(times_in("front.csv").size(), 6u);
}

TEST_F(RunTest, ARunThatResumesKeepsTheColumnsOfWhatProgramsChange) {
  options.particles_change = true;
  run_it();
  const std::string whole = text_of("balance.csv");
  EXPECT_THAT(whole, HasSubstr(",power of walls [W],added [kg],removed [kg]\n"));
  EXPECT_THAT(whole, EndsWith(",3,1.5\n"));
  sph::Clock clock;
  clock.time = 0.5;
  simulation = {};
  simulation.continue_from(clock);
  options.particles_change = false;  // as the command line resumes
  options.resume = OutputCounts{{"fields.vtkhdf", 3}, {"balance.csv", 3}, {"gauge.csv", 3}, {"front.csv", 6}};
  run_it();
  EXPECT_EQ(times_in("balance.csv"), field_times());
  EXPECT_THAT(text_of("balance.csv"), EndsWith(",3,1.5\n"));
}

TEST_F(RunTest, AnUnstableRunSavesTheLastGoodStateAndKeepsTheOutput) {
  simulation.unstable_at = 0.61;
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
  const std::string event = "\"restart\"";
  std::size_t restarts = 0;
  for (std::size_t begin = log.find(event); begin != std::string::npos; begin = log.find(event, begin + 1)) ++restarts;
  EXPECT_GT(restarts, 30u);
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5, 0.75, 1));
}

TEST_F(RunTest, AnOutputThatCannotBeWrittenEndsTheRunWithARestart) {
  std::filesystem::create_directory(file("summary.json"));  // blocks the file
  const std::string message = message_of([&] { run_it(); });
  EXPECT_THAT(message, HasSubstr("summary.json: writing failed"));
  EXPECT_THAT(message, HasSubstr("restart.h5"));
  EXPECT_THAT(field_times(), ElementsAre(0, 0.25, 0.5, 0.75, 1));
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
  EXPECT_THAT(message, HasSubstr("The run had not written a restart yet"));
  const std::vector<double> times = field_times();
  EXPECT_GE(times.size(), 2u);
  EXPECT_LT(times.size(), 11u);
  const hdf5::Handle in = hdf5::open_for_reading(file("fields.vtkhdf"));
  const std::vector<float> points = hdf5::Rows(in, "VTKHDF/Points").read<float>();
  ASSERT_EQ(points.size(), times.size() * 150'000);
  for (std::size_t state = 0; state < times.size(); ++state)
    EXPECT_EQ(points[state * 150'000 + std::size_t{3} * 7], 7 + static_cast<float>(times[state]));
}

TEST_F(RunTest, AfterAFailedOutputTheRestartBeforeItStays) {
  simulation.particles = 50'000;
  description.output.every = 0.1;
  options.restart_every = 0;  // after each batch
  std::string message;
  {
    const FileSizeLimit limit(10'000'000);
    message = message_of([&] { run_it(); });
  }
  EXPECT_THAT(message, HasSubstr("The restart before this error is in"));
  const Restart restart = read_restart(file("restart.h5"));
  EXPECT_LE(restart.snapshot.clock.time, field_times().back() + 0.1);
  EXPECT_LE(restart.outputs.at("fields.vtkhdf"), static_cast<std::int64_t>(field_times().size()));
  EXPECT_LE(restart.outputs.at("front.csv"), static_cast<std::int64_t>(times_in("front.csv").size()));

  simulation.continue_from(restart.snapshot.clock);
  options.resume = restart.outputs;
  run_it();
  EXPECT_EQ(field_times().size(), 11u);
  EXPECT_EQ(times_in("front.csv").size(), 11u);
}

TEST_F(RunTest, ARestartComesAfterTheRowsOfItsTime) {
  hbool_t is_safe = false;  // a restart is read while the thread of the run writes
  H5is_library_threadsafe(&is_safe);
  if (!is_safe) GTEST_SKIP() << "this HDF5 is for one thread at a time, as parallel ones are";
  options.restart_every = 0;
  int batches = 0;
  options.interrupted = [&] {
    ++batches;
    if (!std::filesystem::exists(file("restart.h5"))) return false;
    const Restart restart = read_restart(file("restart.h5"));
    EXPECT_GE(times_in("front.csv").size(), static_cast<std::size_t>(restart.outputs.at("front.csv")));
    const double rows = std::floor(restart.snapshot.clock.time / 0.1 + 1e-9) + 1;  // at 0, 0.1, ...
    EXPECT_EQ(restart.outputs.at("front.csv"), static_cast<std::int64_t>(rows)) << restart.snapshot.clock.time;
    return false;
  };
  run_it();
  EXPECT_GT(batches, 30);
}

TEST_F(RunTest, OutputThatIsMissingOrCutIsAnErrorOfTheResumedRun) {
  const auto message_without = [&](const char* name, const auto& damage) {
    options.resume.reset();
    prepare_output(folder.path(), description, true);
    simulation = {};
    run_it();
    options.resume = read_restart(file("restart.h5")).outputs;
    damage(file(name));
    return message_of([&] { run_it(); });
  };
  const auto remove = [](const std::filesystem::path& path) { std::filesystem::remove(path); };
  const auto cut = [](const std::filesystem::path& path) {
    std::filesystem::resize_file(path, std::filesystem::file_size(path) - 2);
  };
  EXPECT_THAT(message_without("front.csv", remove),
              HasSubstr("front.csv: there is no such table, expected the 11 rows"));
  EXPECT_THAT(message_without("gauge.csv", cut), HasSubstr("gauge.csv: the table has 4 rows, expected at least the 5"));
  EXPECT_THAT(message_without("fields.vtkhdf", remove), HasSubstr("does not have the 5 states"));
  EXPECT_THAT(message_without("fields.vtkhdf", cut), HasSubstr("does not have the 5 states"));
}

TEST_F(RunTest, ASecondRunInTheFolderIsAnError) {
  std::string message;
  options.interrupted = [&] {
    if (message.empty()) message = message_of([&] { prepare_output(folder.path(), description, true); });
    return false;
  };
  run_it();
  EXPECT_THAT(message, HasSubstr("another run writes into this folder (process"));
  EXPECT_FALSE(std::filesystem::exists(file(".lock")));
}

}  // namespace
}  // namespace shoal::io
