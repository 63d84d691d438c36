// SPDX-License-Identifier: Apache-2.0
// Runs of kind = "gas" that are interrupted and resumed, and faults of their restart files.
#include <gmock/gmock.h>
#include <shoal/io/case_kinds.hpp>
#include <shoal/io/gas.hpp>

#include <cmath>
#include <limits>

#include "io/formats/binary/hdf5.hpp"
#include "io/formats/file_checksum.hpp"
#include "io/run/sample_state.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io::gas {
namespace {

using namespace testing_support;
using testing::HasSubstr;

/// Flow with steps in time and iterations: walls of two temperatures, one of which reflects half of the molecules.
constexpr const char* slab = R"(kind = "gas"
[run]
duration = 0.2
output_every = 0.1
[cells]
count = 4
[grid]
nodes = 8
half_width = 4
[gas]
model = "maxwell"
[knudsen]
number = 0.5
mean_free_path = "bird"
[[start]]
velocity = [0, 0.1, 0]
[left]
temperature = 0.9
accommodation = 0.5
[right]
temperature = 1.1
[scheme]
model = "shakhov"
[steady]
max_iterations = 6
)";

constexpr const char* results[] = {"profiles.csv", "fluxes.csv", "distribution.npy", "restart.h5", "case.toml"};

class GasResume : public testing::Test {
 protected:
  ScratchFolder folder;
  Overrides overrides;
  const Queue queue = Queue::cpu(1);
  RunOptions options;

  GasResume() { write_text(folder / "slab.toml", slab); }

  RunOutcome finish(PreparedRun& prepared, const char* name) {
    options.folder = folder / name;
    options.device = queue.name();
    return prepared.run(options);
  }

  RunOutcome run(const char* name) {
    return finish(*prepare_run(queue, {folder / "slab.toml", overrides}, {folder / name, true}), name);
  }

  RunOutcome resume(const char* name, std::optional<double> until = {}) {
    return finish(*prepare_resume(queue, {.folder = folder / name, .until = until}), name);
  }

  void interrupt_after(int queries) {
    options.interrupted = [left = queries]() mutable { return left-- <= 0; };
  }

  /// Compares a run that is interrupted at several steps and iterations, and resumed, with one that is not.
  void expect_same_bits() {
    run("whole");
    const auto steps = static_cast<int>(read_restart(folder / "whole/restart.h5").clock.steps);
    ASSERT_GE(steps, 8);
    bool in_time = false, in_iteration = false;
    for (const int queries : {0, 3, steps - 3, steps}) {
      interrupt_after(queries);
      const RunOutcome cut = run("cut");
      ASSERT_TRUE(cut.interrupted) << queries;
      EXPECT_THAT(cut.interruption, HasSubstr("Continue with: shoal resume"));
      const GasClock clock = read_restart(folder / "cut/restart.h5").clock;
      EXPECT_LT(clock.steps, steps);
      (clock.iterations > 0 ? in_iteration : in_time) = true;
      options.interrupted = {};
      EXPECT_FALSE(resume("cut").interrupted);
      for (const char* name : results)
        EXPECT_TRUE(read_text(folder / "cut" / name) == read_text(folder / "whole" / name))
            << name << " after " << queries << " queries, step " << clock.steps;
    }
    EXPECT_TRUE(in_time && in_iteration);
  }

  /// Error of a resume after `change` modified the file, which gets the checksum of its new content.
  template <class Change>
  std::string message_after(Change change) {
    const std::filesystem::path file = folder / "cut/restart.h5";
    interrupt_after(3);
    run("cut");
    options.interrupted = {};
    {
      const hdf5::Handle out = hdf5::open_for_writing(file);
      change(out);
    }
    write_with_checksum(file, read_text(file));
    return message_of([&] { resume("cut"); });
  }
};

TEST_F(GasResume, LeavesTheSameBitsWithSweeps) { expect_same_bits(); }

TEST_F(GasResume, LeavesTheSameBitsWithMarchingInSinglePrecision) {
  overrides = {"steady.method=marching", "run.precision=float"};
  expect_same_bits();
}

TEST_F(GasResume, LeavesTheSameBitsWithTheIntegral) {
  overrides = {"scheme.model=boltzmann", "run.duration=0.1"};
  expect_same_bits();
}

TEST_F(GasResume, GoesOnFromADistributionThatIsNegative) {
  overrides = {"scheme.model=boltzmann", "collision.approach=conservative", "collision.negative=accept",
               "run.duration=0.1"};
  interrupt_after(7);
  ASSERT_TRUE(run("cut").interrupted);
  options.interrupted = {};
  Restart restart = read_restart(folder / "cut/restart.h5");
  std::get<std::vector<double>>(restart.f)[0] = -1e-12;
  write_restart(folder / "cut/restart.h5", restart);
  EXPECT_FALSE(resume("cut").interrupted);
}

TEST_F(GasResume, RestartsOnTheWayChangeNothing) {
  run("whole");
  options.restart_every = 0;
  options.json_log = folder / "log.jsonl";
  run("often");
  for (const char* name : results)
    EXPECT_TRUE(read_text(folder / "often" / name) == read_text(folder / "whole" / name)) << name;
  const std::string log = read_text(folder / "log.jsonl");
  int restarts = 0;
  for (std::size_t i = log.find("\"restart\""); i != std::string::npos; i = log.find("\"restart\"", i + 1)) ++restarts;
  EXPECT_GE(restarts, read_restart(folder / "often/restart.h5").clock.steps - 1) << "one after each step";
}

TEST_F(GasResume, UntilLaterIsARunToThere) {
  const std::string text = slab;
  write_text(folder / "slab.toml", text.substr(0, text.find("[steady]")));
  run("cut");
  EXPECT_THAT(resume("cut").summary, HasSubstr("at its end already: t = 0.2 s"));
  EXPECT_THAT(message_of([&] { resume("cut", 0.1); }), HasSubstr("is 0.1 s, but the run is at 0.2 s already"));
  EXPECT_THAT(message_of([&] { resume("cut", -1); }), HasSubstr("(until) is -1 s, expected a finite number above 0"));
  resume("cut", 0.4);
  overrides = {"run.duration=0.4"};
  run("whole");
  for (const char* name : results)
    EXPECT_TRUE(read_text(folder / "cut" / name) == read_text(folder / "whole" / name)) << name;
}

TEST_F(GasResume, AFinishedIterationSaysSoAndTakesNoLaterEnd) {
  run("cut");
  EXPECT_THAT(resume("cut").summary, HasSubstr("at its end already: iteration 6 to its steady state"));
  EXPECT_THAT(message_of([&] { resume("cut", 1); }),
              HasSubstr("at iteration 6 to its steady state, where time stands"));
}

TEST_F(GasResume, RequiresTheCaseAndTheTablesOfTheRun) {
  interrupt_after(3);
  run("cut");
  const std::string text = slab;
  write_text(folder / "cut/case.toml", text + "residual = 0.5\n");
  EXPECT_THAT(message_of([&] { resume("cut"); }), HasSubstr("`steady.residual` is 0.5, but the run began with 1e-06"));
  std::filesystem::remove(folder / "cut/case.toml");
  std::filesystem::remove(folder / "cut/fluxes.csv");
  EXPECT_THAT(message_of([&] { resume("cut"); }), HasSubstr("fluxes.csv: there is no such table"));
}

TEST_F(GasResume, NamesFaultsOfTheState) {
  const auto set = [](const char* name, auto value) {
    return [=](const hdf5::Handle& out) { hdf5::write_scalar_attribute(out, name, value); };
  };
  EXPECT_THAT(message_after([](const hdf5::Handle& out) { hdf5::Rows(out, "distribution").keep(2000); }),
              HasSubstr("gas: the restart has 2000 values of f, but its case has 2048"));
  EXPECT_THAT(message_after([](const hdf5::Handle& out) {
                const double value = std::numeric_limits<double>::quiet_NaN();
                hdf5::Rows(out, "distribution").write(&value, H5T_NATIVE_DOUBLE, 513, 1);
              }),
              HasSubstr("gas: f is nan at node 1 of cell 1"));
  EXPECT_THAT(message_after(set("time", std::numeric_limits<double>::infinity())),
              HasSubstr("gas: the time at the start is inf s"));
  EXPECT_THAT(message_after(set("iterations", std::int64_t{-1})), HasSubstr("-1 iterations"));
  EXPECT_THAT(message_after(set("steady_mass", -1.0)), HasSubstr("the iteration keeps a mass of -1"));
  EXPECT_THAT(message_after(set("left_mass", std::nan(""))), HasSubstr("a transfer at the start is nan"));
  EXPECT_THAT(message_after(set("format_version", std::int64_t{99})), HasSubstr("has format 99"));
  EXPECT_THAT(message_after([](const hdf5::Handle& out) { H5Adelete(out, "steps"); }),
              HasSubstr("no whole restart file (truncated, or of another kind)"));
  EXPECT_THAT(message_after([](const hdf5::Handle& out) { H5Ldelete(out, "distribution", H5P_DEFAULT); }),
              HasSubstr("no whole restart file (truncated, or of another kind)"));
}

TEST_F(GasResume, RequiresThePrecisionOfTheCase) {
  run("cut");
  Restart restart = read_restart(folder / "cut/restart.h5");
  const auto& f = std::get<std::vector<double>>(restart.f);
  restart.f = std::vector<float>(f.begin(), f.end());
  restart.finished = false;
  write_restart(folder / "cut/restart.h5", restart);
  EXPECT_THAT(message_of([&] { resume("cut"); }), HasSubstr("in another precision than that of its case, double"));
  restart.outputs.erase("fluxes.csv");
  restart.f = std::vector<double>(2048, 1.0);
  write_restart(folder / "cut/restart.h5", restart);
  EXPECT_THAT(message_of([&] { resume("cut"); }), HasSubstr("does not state how many rows of fluxes.csv"));
}

TEST_F(GasResume, NamesFilesThatAreNoRestartOfAFlow) {
  run("cut");
  const std::string content = read_text(folder / "cut/restart.h5");
  for (const double part : {0.01, 0.5, 0.99}) {
    write_text(folder / "cut/restart.h5", content.substr(0, static_cast<std::size_t>(part * content.size())));
    EXPECT_THAT(message_of([&] { resume("cut"); }), HasSubstr("no whole restart file")) << part;
    std::string changed = content;
    char& byte = changed[static_cast<std::size_t>(part * changed.size())];
    byte = static_cast<char>(~byte);
    write_text(folder / "cut/restart.h5", changed);
    EXPECT_THAT(message_of([&] { resume("cut"); }), HasSubstr("checksum")) << part;
  }
  std::filesystem::remove(folder / "cut/case.toml");
  io::write_restart(folder / "cut/restart.h5", {random_snapshot(10), slab});
  EXPECT_THAT(message_of([&] { resume("cut"); }), HasSubstr("no whole restart file (truncated, or of another kind)"));
  EXPECT_THAT(message_of([&] { read_restart(folder / "none.h5"); }), HasSubstr("there is no such restart file"));
  EXPECT_THAT(message_of([&] { write_restart(folder / "none/restart.h5", {}); }),
              HasSubstr("none/restart.h5: writing the restart failed"));
}

}  // namespace
}  // namespace shoal::io::gas
