// SPDX-License-Identifier: Apache-2.0
// Runs on several ranks: rank 0 writes the files of one rank, and all ranks throw the same errors.

#include <chrono>
#include <thread>

#include "core/text.hpp"
#include "io/run/folder/folder_lock.hpp"
#include "io/run/rank_parts.hpp"
#include "io/run/scripted_run.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Simulation whose particles are shared out over ranks. HDF5 is used by rank 0 alone.
class SharedSimulation : public ScriptedSimulation {
 public:
  explicit SharedSimulation(const Communicator& ranks) : ranks_(ranks) {}

  std::chrono::milliseconds pause{0};       ///< before steps
  std::string last_rank_lacks_memory = {};  ///< message of an error that ranks do not agree on; empty: none

  std::string all_lack_memory = {};  ///< message of an error that ranks agree on; empty: none

  void advance_to(double time, const sph::Solver::Observer& observer) override {
    if (!all_lack_memory.empty()) ranks_.agree([&] { throw OutOfMemory(all_lack_memory); });
    std::this_thread::sleep_for(pause);
    if (!last_rank_lacks_memory.empty() && ranks_.rank() == ranks_.size() - 1)
      throw OutOfMemory(last_rank_lacks_memory);
    ranks_.agree([&] { ScriptedSimulation::advance_to(time, observer); });
  }
  sph::RankLoad load() const override { return {1.25, 0.125}; }
  sph::Fields fields() const override { return part_of(ScriptedSimulation::fields(), ranks_); }
  sph::Snapshot snapshot() const override { return part_of(ScriptedSimulation::snapshot(), ranks_); }

 private:
  Communicator ranks_;
};

class RankRun : public testing::TestWithParam<int> {
 protected:
  using Prepare = std::function<void(SharedSimulation&, RunOptions&)>;

  /// Runs on `count` ranks into a subfolder. Returns the messages of the errors of all ranks, and "no error".
  std::vector<std::string> run_on(int count, const std::string& name, const Prepare& prepare) {
    prepare_output(folder / name, description, false);
    std::vector<std::string> messages(static_cast<std::size_t>(count));
    run_on_ranks(count, [&](const Communicator& ranks) {
      SharedSimulation simulation(ranks);
      RunOptions options{.ranks = ranks, .folder = folder / name, .device = "cpu"};
      prepare(simulation, options);
      messages[static_cast<std::size_t>(ranks.rank())] = message_of([&] { run(simulation, description, options); });
    });
    return messages;
  }

  void expect_same_files(const std::string& name) const {
    for (const char* file : {"front.csv", "gauge.csv", "balance.csv", "restart.h5", "case.toml"})
      EXPECT_TRUE(read_text(folder / "one" / file) == read_text(folder / name / file)) << file;
  }

  ScratchFolder folder;
  sph::Case description = case_with_probes();
};

TEST_P(RankRun, WritesTheFilesOfOneRank) {
  const auto prepare = [](SharedSimulation& simulation, RunOptions&) {
    simulation.loses_one_at = 0.4;
    simulation.watts_a_second = 3;
  };
  EXPECT_EQ(run_on(1, "one", prepare), std::vector<std::string>{"no error"});
  for (const std::string& message : run_on(GetParam(), "several", prepare)) EXPECT_EQ(message, "no error");
  expect_same_files("several");
  EXPECT_TRUE(read_text(folder / "one/fields.vtkhdf") == read_text(folder / "several/fields.vtkhdf"));
  EXPECT_FALSE(std::filesystem::exists(folder / "several/.lock"));
}

TEST_P(RankRun, SeveralRanksShowTheirLoad) {
  std::ostringstream shown;
  std::vector<std::string> summaries(static_cast<std::size_t>(GetParam()));
  prepare_output(folder / "out", description, false);
  run_on_ranks(GetParam(), [&](const Communicator& ranks) {
    SharedSimulation simulation(ranks);
    simulation.pause = std::chrono::milliseconds(200);
    const ProgressOptions progress{.out = &shown, .terminal = true, .color = false, .width = 0};
    const RunOptions options{.ranks = ranks, .folder = folder / "out", .device = "cpu", .progress = progress};
    summaries[static_cast<std::size_t>(ranks.rank())] = summary_text(run(simulation, description, options));
  });
  const std::string load = "heaviest rank 1.25 x mean   halo 12 %";
  const std::string json = read_text(folder / "out/summary.json");
  if (GetParam() == 1) {
    EXPECT_THAT(shown.str(), AllOf(HasSubstr("mass +0.0e0"), Not(HasSubstr("heaviest"))));
    EXPECT_THAT(summaries[0], Not(HasSubstr("heaviest")));
    EXPECT_THAT(json, Not(HasSubstr("heaviest")));
    return;
  }
  EXPECT_THAT(shown.str(), HasSubstr(load));
  for (const std::string& summary : summaries)
    EXPECT_THAT(summary, HasSubstr(text("  ranks          ", GetParam(), "   ", load, "\n")));
  EXPECT_THAT(json, AllOf(HasSubstr("\"heaviest\": 1.25"), HasSubstr("\"halo\": 0.125")));
}

TEST_P(RankRun, ARankThatAloneLacksMemoryEndsWithoutWaitingForOthers) {
  const auto prepare = [](SharedSimulation& simulation, RunOptions&) {
    simulation.last_rank_lacks_memory = "no memory for 8 bytes.";
  };
  if (GetParam() == 1)
    EXPECT_THAT(run_on(1, "out", prepare)[0], StartsWith("no memory for 8 bytes.\nThe state of step 0 is in "));
  else
    EXPECT_EQ(run_on(GetParam(), "out", prepare).back(), "no memory for 8 bytes.");
}

TEST_P(RankRun, RanksThatLackMemoryInAStepHaveNoStateToSave) {
  const auto prepare = [](SharedSimulation& simulation, RunOptions&) {
    simulation.all_lack_memory = "no memory for 8 bytes.";
  };
  const char* rest = GetParam() == 1 ? "\nThe state of step 0 is in " : "\nThe run had not written a restart yet.";
  for (const std::string& message : run_on(GetParam(), "out", prepare))
    EXPECT_THAT(message, StartsWith(text("no memory for 8 bytes.", rest)));
  EXPECT_EQ(std::filesystem::exists(folder / "out/restart.h5"), GetParam() == 1);
}

TEST_P(RankRun, IsInterruptedByRankZeroAndResumedByAnyNumberOfRanks) {
  const auto whole = [](SharedSimulation&, RunOptions&) {};
  run_on(1, "one", whole);
  int queries = 0;
  const auto interrupted = [&](SharedSimulation&, RunOptions& options) {
    options.interrupted = [&, rank = options.ranks.rank()] {
      EXPECT_EQ(rank, 0);
      return queries++ == 12;
    };
  };
  run_on(GetParam(), "several", interrupted);
  const Restart restart = read_restart(folder / "several/restart.h5");
  ASSERT_LT(restart.snapshot.clock.time, 1);
  ASSERT_GT(restart.snapshot.clock.time, 0);
  run_on_ranks(4 - GetParam(), [&](const Communicator& ranks) {
    SharedSimulation simulation(ranks);
    const Restart part = read_restart(folder / "several/restart.h5", ranks);
    simulation.continue_from(part.snapshot.clock);
    run(simulation, description,
        {.ranks = ranks, .folder = folder / "several", .resume = part.outputs, .device = "cpu"});
  });
  expect_same_files("several");
}

TEST_P(RankRun, RestartsAreDueByTheClockOfRankZero) {
  const auto prepare = [&](SharedSimulation&, RunOptions& options) {
    options.restart_every = options.ranks.rank() == 0 ? 0 : 1e9;
    options.json_log = folder / "log.jsonl";
  };
  for (const std::string& message : run_on(GetParam(), "several", prepare)) EXPECT_EQ(message, "no error");
  const std::string log = read_text(folder / "log.jsonl");
  EXPECT_GT(std::count(log.begin(), log.end(), '\n'), 40);  // a line for each of the 40 steps, and more
}

TEST_P(RankRun, ErrorsOfTheSolverOfFilesAndOfTheLogAreThrownOnAllRanks) {
  const auto unstable = [](SharedSimulation& simulation, RunOptions&) { simulation.unstable_at = 0.61; };
  for (const std::string& message : run_on(GetParam(), "unstable", unstable))
    EXPECT_THAT(message, AllOf(HasSubstr("sph: unstable: particle 3"), EndsWith("restart.h5.")));
  EXPECT_LE(read_restart(folder / "unstable/restart.h5").snapshot.clock.time, 0.61);

  const auto without_folder = [&](SharedSimulation&, RunOptions& options) { options.folder = folder / "none"; };
  for (const std::string& message : run_on(GetParam(), "none_prepared", without_folder))
    EXPECT_THAT(message, HasSubstr("none: cannot write into this folder"));

  const auto without_log = [&](SharedSimulation&, RunOptions& options) { options.json_log = "/dev/full"; };
  for (const std::string& message : run_on(GetParam(), "no_log", without_log))
    EXPECT_THAT(message, HasSubstr("/dev/full: writing this log failed"));

  std::filesystem::create_directories(folder / "taken");
  const FolderLock lock(folder / "taken");
  const auto taken = [&](SharedSimulation&, RunOptions& options) { options.folder = folder / "taken"; };
  for (const std::string& message : run_on(GetParam(), "taken_prepared", taken))
    EXPECT_THAT(message, HasSubstr("another run writes into this folder"));
}

INSTANTIATE_TEST_SUITE_P(Ranks, RankRun, testing::Values(1, 2, 3));

}  // namespace
}  // namespace shoal::io
