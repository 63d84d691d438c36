// SPDX-License-Identifier: Apache-2.0
// The command line as a person meets it: what it prints, what it leaves behind and how it exits.
#include <gmock/gmock.h>
#include <unistd.h>
#include <shoal/device.hpp>
#include <shoal/io/restart.hpp>
#include <shoal/version.hpp>

#include <algorithm>

#include "cli/shell.hpp"
#include "support/scratch_folder.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// A block of water that falls into a tank: 64 fluid particles.
constexpr const char* falling_block = R"(kind = "sph"
title = "A block falls"
[run]
duration = 0.1
output_every = 0.02
[particles]
spacing = 0.125
[[body]]
material = "water"
box = { from = [0, 0], to = [1, 1] }
[[wall]]
name = "tank"
box = { from = [-1, -0.5], to = [2, 2] }
open = ["top"]
[material.water]
density = 1000
sound_speed = 20
[scheme]
gravity = [0, -9.81]
[[probe]]
kind = "surge_front"
every = 0.01
)";

struct CommandLine : testing::Test {
  ScratchFolder folder;
  std::string case_file = (folder / "case.toml").string();
  std::string out = (folder / "out").string();

  void SetUp() override { write_text(case_file, falling_block); }

  Result run(const std::string& more = "") const {
    return run_shoal("run " + case_file + " --device cpu --threads 1 --out " + out + " " + more);
  }
  Result check(const std::string& more) const { return run_shoal("check " + case_file + " " + more); }
  std::string text_of(const std::string& name) const { return read_text(std::filesystem::path(out) / name); }

  /// Bad input: exit code 2, a message that has `message`, and no output folder.
  void expect_refused(const std::string& options, const std::string& message) const {
    const Result result = run(options);
    EXPECT_EQ(result.code, 2) << result.text;
    EXPECT_THAT(result.text, StartsWith("shoal: "));
    EXPECT_THAT(result.text, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(out)) << options;
  }
};

TEST_F(CommandLine, HelpNamesTheExitCodes) {
  const Result help = run_shoal("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.text, HasSubstr("Exit codes: 0 done, 1 error while running, 2 bad case or arguments, 130"));
  EXPECT_EQ(run_shoal("run --help").code, 0);
}

TEST_F(CommandLine, VersionAndInfo) {
  EXPECT_THAT(run_shoal("--version").text, HasSubstr(std::string(version())));
  const Result info = run_shoal("info");
  EXPECT_EQ(info.code, 0);
  for (const char* word : {"shoal", "commit", "compiler", "HDF5", "cuda", "devices", "cpu, "})
    EXPECT_THAT(info.text, HasSubstr(word));
}

TEST_F(CommandLine, BadArgumentsExitWith2) {
  for (const char* arguments :
       {"", "fly", "run", "run --speed 3 case.toml", "check", "resume", "methods --json --markdown"})
    EXPECT_EQ(run_shoal(arguments).code, 2) << arguments;
}

TEST_F(CommandLine, RunLeavesItsFilesAndASummary) {
  const Result result = run();
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, HasSubstr("out: done at t = 0.1 s of 0.1 s"));
  EXPECT_THAT(result.text, HasSubstr("evaluations/s"));
  EXPECT_THAT(result.text, HasSubstr("mass +0.0e0"));
  for (const char* name :
       {"case.toml", "fields.vtkhdf", "balance.csv", "surge_front.csv", "restart.h5", "summary.json"})
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(out) / name)) << name;
  const std::string front = text_of("surge_front.csv");
  EXPECT_EQ(std::count(front.begin(), front.end(), '\n'), 12);  // header, t = 0, 10 more
  EXPECT_EQ(check("").code, 0);
  EXPECT_EQ(run_shoal("check " + out + "/case.toml").code, 0) << "the resolved case is a case";
}

TEST_F(CommandLine, QuietSaysNothing) { EXPECT_EQ(run("--quiet").text, ""); }

TEST_F(CommandLine, NoColorOffATerminal) { EXPECT_THAT(run().text, Not(HasSubstr("\x1b"))); }

TEST_F(CommandLine, CheckSaysWhatWouldRun) {
  const Result result = check("--set scheme.time_step=fixed --set scheme.dt=0.001");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, HasSubstr("64 fluid"));
  EXPECT_THAT(result.text, HasSubstr("exactly 100 of 0.001 s to 0.1 s"));
}

TEST_F(CommandLine, EveryCaseOfTheRepositoryCanRun) {
  int cases = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SHOAL_CASES)) {
    if (entry.path().extension() != ".toml" || entry.path().filename() == "validation.toml") continue;
    const Result result = run_shoal("check " + entry.path().string());
    EXPECT_EQ(result.code, 0) << result.text;
    ++cases;
  }
  EXPECT_GT(cases, 0);
}

TEST_F(CommandLine, ABadCaseIsRefused) {
  expect_refused("--set scheme.densty_diffusion=none", "did you mean `scheme.density_diffusion`?");
  expect_refused("--set particles.spacing=wide", "expected a finite number in m");
  expect_refused("--set particles.spacing=-0.1", "`particles.spacing` = -0.1 m, expected a number above 0");
  expect_refused("--set body='[]'", "no particles");
  expect_refused("--set 'body.0.box.to=[1e-6,1]'", "at least one particle spacing");
  expect_refused("--set 'body.0.box.from=[-2,0]'", "inside walls");
  expect_refused("--set 'body.0.velocity=[nan,0]'", "is [nan, 0], expected a list of 2 finite numbers");
  expect_refused("--set run.duration=nan", "expected a finite number in s");
  expect_refused("--set run.method=fastest", "method `fastest` is not available on cpu");
  write_text(case_file, std::string(falling_block) + "[[prob]]\nkind = \"surge_front\"\n");
  expect_refused("", "case.toml:23: unknown section `prob`; did you mean `probe`?");
  write_text(case_file, "kind = [\n");
  expect_refused("", "case.toml:1:10: not TOML");
  std::filesystem::remove(case_file);
  expect_refused("", "cannot read this case file");
}

TEST_F(CommandLine, ADeviceThatIsNotThereIsRefused) {
  const Result result = run_shoal("run " + case_file + " --device cuda:99 --out " + out);
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.text,
              AnyOf(HasSubstr("has no CUDA"), HasSubstr("no usable CUDA device"), HasSubstr("no CUDA device 99")));
  EXPECT_THAT(run_shoal("run " + case_file + " --device gpu --out " + out).text, HasSubstr("unknown device \"gpu\""));
  EXPECT_THAT(run_shoal("run " + case_file + " --threads -1 --device cpu --out " + out).text,
              HasSubstr("threads = -1"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(CommandLine, AnOutputFolderThatHasFilesNeedsForce) {
  ASSERT_EQ(run("--quiet").code, 0);
  const std::string before = text_of("balance.csv");
  const Result refused = run("--set run.duration=0.05");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.text, HasSubstr("--force"));
  EXPECT_EQ(text_of("balance.csv"), before);
  EXPECT_EQ(run("--set run.duration=0.05 --force").code, 0);
  EXPECT_NE(text_of("balance.csv"), before);
}

TEST_F(CommandLine, AFolderThatCannotBeMadeIsRefused) {
  EXPECT_EQ(run_shoal("run " + case_file + " --device cpu --out " + case_file + "/below").code, 2);
}

TEST_F(CommandLine, AFolderThatCannotBeWrittenIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  std::filesystem::create_directory(out);
  std::filesystem::permissions(out, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const Result result = run();
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.text, HasSubstr("permission denied"));
}

TEST_F(CommandLine, AStepThatIsTooLongIsReportedAndTheStateSaved) {
  const Result result = run("--set scheme.time_step=fixed --set scheme.dt=0.05 --set run.duration=5");
  EXPECT_EQ(result.code, 1) << result.text;
  EXPECT_THAT(result.text, HasSubstr("blow-up at step"));
  EXPECT_THAT(result.text, HasSubstr("particle"));
  EXPECT_THAT(result.text, HasSubstr("is in " + out + "/restart.h5"));
  EXPECT_NO_THROW(io::read_restart(out + "/restart.h5"));
  EXPECT_THAT(text_of("balance.csv"), HasSubstr("\n0,0,"));
}

TEST_F(CommandLine, AFullDiskIsReportedAndTheOutputKept) {
  const Result result =
      shell("ulimit -f 400; " + std::string(SHOAL_EXECUTABLE) + " run " + case_file +
            " --device cpu --threads 1 --out " + out + " --set run.output_every=0.0005 --set run.duration=1");
  EXPECT_EQ(result.code, 1) << result.text;
  EXPECT_THAT(result.text, HasSubstr("no room"));
  EXPECT_THAT(text_of("balance.csv"), HasSubstr("time [s],step"));
}

TEST_F(CommandLine, CtrlCWritesARestartAndResumeGoesOnWithTheSameBits) {
  const std::string long_run = "--set run.duration=1.5 --set probe.0.every=0.001 --quiet";
  ASSERT_EQ(run(long_run).code, 0);
  const std::string whole = out;
  out = (folder / "interrupted").string();
  const std::string command =
      std::string(SHOAL_EXECUTABLE) + " run " + case_file + " --device cpu --threads 1 --out " + out + " " + long_run;
  // Interrupts when some rows are there; the whole run has 1,500.
  const Result result =
      shell(command + " & p=$!; for i in $(seq 1000); do [ \"$(wc -l < " + out +
            "/surge_front.csv)\" -gt 50 ] && break; sleep 0.01; done 2>/dev/null; kill -INT $p; wait $p");
  ASSERT_EQ(result.code, 130) << result.text;
  EXPECT_THAT(result.text, HasSubstr("Continue with: shoal resume " + out));
  EXPECT_LT(io::read_restart(out + "/restart.h5").snapshot.clock.time, 1.5);
  EXPECT_EQ(run_shoal("resume " + out + " --device cpu --threads 1 --quiet").code, 0);
  for (const char* name : {"surge_front.csv", "balance.csv", "restart.h5", "case.toml"})
    EXPECT_EQ(text_of(name), read_text(whole + "/" + name)) << name;
}

TEST_F(CommandLine, ResumeUntilLaterIsARunToThere) {
  ASSERT_EQ(run("--quiet").code, 0);
  const Result nothing_left = run_shoal("resume " + out + " --device cpu --threads 1");
  EXPECT_EQ(nothing_left.code, 0);
  EXPECT_THAT(nothing_left.text, HasSubstr("at its end already"));
  EXPECT_EQ(run_shoal("resume " + out + " --until 0.2 --device cpu --threads 1").code, 0);
  const std::string longer = text_of("surge_front.csv");
  ASSERT_EQ(run("--quiet --force --set run.duration=0.2").code, 0);
  EXPECT_EQ(longer, text_of("surge_front.csv"));
}

TEST_F(CommandLine, ParticlesThatLeftTheDomainStayOutAfterResume) {
  const std::string falling_out = "--set 'domain={ from = [-1.5, -1], to = [2.5, 3] }' --set wall='[]' --quiet ";
  ASSERT_EQ(run(falling_out + "--set run.duration=0.6").code, 0);
  const std::string whole = text_of("balance.csv");
  EXPECT_THAT(whole.substr(whole.rfind('\n', whole.size() - 2)), Not(HasSubstr(",64,0,"))) << "nothing left the domain";
  ASSERT_EQ(run(falling_out + "--set run.duration=0.54 --force").code, 0);
  EXPECT_EQ(run_shoal("resume " + out + " --until 0.6 --device cpu --threads 1 --quiet").code, 0);
  EXPECT_EQ(text_of("balance.csv"), whole);
}

TEST_F(CommandLine, ResumeRefusesADifferentCase) {
  ASSERT_EQ(run("--quiet").code, 0);
  const std::string resume = "resume " + out + " --until 0.2 --device cpu --threads 1 --quiet";
  std::string changed = text_of("case.toml");
  changed.replace(changed.find("smoothing = 1.2"), 15, "smoothing = 1.3");
  write_text(out + "/other.toml", changed);
  const Result refused = run_shoal(resume + " --case " + out + "/other.toml");
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.text, HasSubstr("other.toml: `particles.smoothing` is 1.3, but the run began with 1.2"));
  EXPECT_EQ(run_shoal(resume + " --case " + out + "/case.toml").code, 0);
  write_text(out + "/case.toml", changed);
  EXPECT_THAT(run_shoal(resume).text, HasSubstr("case.toml: `particles.smoothing` is 1.3"));
}

TEST_F(CommandLine, ResumeRefusesARestartThatIsBrokenOrMissing) {
  ASSERT_EQ(run("--quiet").code, 0);
  const std::filesystem::path restart = out + "/restart.h5";
  std::filesystem::resize_file(restart, std::filesystem::file_size(restart) / 2);
  const Result truncated = run_shoal("resume " + out + " --until 1");
  EXPECT_EQ(truncated.code, 2);
  EXPECT_THAT(truncated.text, HasSubstr("no whole restart file"));
  EXPECT_THAT(text_of("balance.csv"), HasSubstr("\n0.1,"));
  std::filesystem::remove(restart);
  EXPECT_THAT(run_shoal("resume " + out).text, HasSubstr("there is no such restart file"));
}

TEST_F(CommandLine, MethodsListTheRowsOfThisBuild) {
  const Result text = run_shoal("methods");
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.text, HasSubstr("deterministic"));
  EXPECT_THAT(text.text, HasSubstr("sph            serial"));
  EXPECT_THAT(run_shoal("methods --json").text, HasSubstr(R"({"operation": "sph", "name": "serial", "device": "cpu")"));
  EXPECT_THAT(run_shoal("methods --markdown").text, HasSubstr("| sph | serial | cpu |"));
}

TEST_F(CommandLine, WallsThatMoveRunAsCases) {
  write_text(case_file, R"(kind = "wall_distance"
title = "A body passes"
[run]
duration = 1
step = 0.25
[mesh]
source = "o_grid"
points_around = 33
points_out = 9
[[body]]
name = "store"
shape = "round"
center = [-2, 2]
radius = 0.2
motion = "translation"
velocity = [1, 0]
)");
  EXPECT_THAT(check("").text, HasSubstr("256 cells; 2 dimensions\n  walls      circle, store with 232 faces; 1 bodies\n"
                                        "  updates    5 to 1 s\n"));
  const Result result = run();
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, HasSubstr("out: done at t = 1 s of 1 s, 5 updates, 5 states, 256 points, 232 faces"));
  for (const char* name : {"case.toml", "distance.vtkhdf", "distances.csv", "summary.json"})
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(out) / name)) << name;
  const std::string before = text_of("distances.csv");
  EXPECT_EQ(run().code, 2) << "the folder has files";
  EXPECT_EQ(run("--force --set body.0.motion=none").code, 0);
  EXPECT_NE(text_of("distances.csv"), before);
  std::filesystem::remove_all(out);
  expect_refused("--set mesh.around=square", "--set mesh.around: `mesh.around` = \"square\" is an unknown name");
  expect_refused("--set body.0.speed=3", "unknown key `body.0.speed`");
  expect_refused("--set run.method=fastest", "method `fastest` is not available on cpu");
}

TEST_F(CommandLine, BenchNeighborsMeasuresThePapersFigures) {
  const Result result = run_shoal("bench neighbors --paper --device cpu --largest 100 --iterations 2 --out " + out);
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, HasSubstr("CPU binning + CPU search"));
  EXPECT_THAT(result.text, HasSubstr("Left out, because they need a GPU: CPU binning + GPU search, "));
  EXPECT_THAT(result.text, HasSubstr("   at the largest size"));
  for (const char* name : {"figure3", "figure4"}) {
    const std::string table = text_of(std::string(name) + ".csv");
    EXPECT_THAT(table, StartsWith("configuration,particles,iterations run,time of these [s],time of 2 iterations [s]\n"
                                  "CPU binning"));
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 2 * 3) << "10, 30 and 100 particles, two ways";
    EXPECT_THAT(text_of(std::string(name) + ".svg"), HasSubstr("time of 2 iterations [s]</text>"));
  }
}

TEST_F(CommandLine, BenchNeighborsSaysWhatItExpects) {
  const auto expect = [&](const std::string& options, const std::string& message) {
    const Result refused = run_shoal("bench neighbors " + options);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.text, HasSubstr(message));
  };
  expect("", "there is one comparison so far, say --paper.");
  expect("--paper --iterations 0", "--iterations = 0, expected a positive number.");
  expect("--paper --largest 9", "--largest = 9, expected 10 to 1000000000 particles.");
  expect("--paper --most-seconds -1", "--most-seconds = -1, expected a time in s, or 0.");
  expect("--paper --largest 10 --iterations 1 --out " + case_file, "cannot make this folder");
  expect("--paper --device gpu", "unknown device \"gpu\"");
}

TEST_F(CommandLine, TheKeysOfTheDocumentationAreThoseOfTheProgram) {
  const Result keys = run_shoal("keys --markdown");
  EXPECT_EQ(keys.code, 0);
  EXPECT_THAT(read_text(SHOAL_CASE_FILE_DOCUMENT), HasSubstr(keys.text))
      << "docs/case_file.md is not current; paste the output of `shoal keys --markdown` into it";
  EXPECT_THAT(run_shoal("keys").text, HasSubstr("duration"));
}

}  // namespace
}  // namespace shoal
