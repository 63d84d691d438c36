// SPDX-License-Identifier: Apache-2.0
// The command line as a user meets it: run, resume, check, keys, methods and info. Output, files and exit codes.
#include <unistd.h>
#include <shoal/device.hpp>
#include <shoal/io/restart.hpp>
#include <shoal/version.hpp>

#include <sstream>

#include "support/command_line.hpp"
#include "support/replaced.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Block of water that falls into a tank: 64 fluid particles.
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
sound_speed = 40
[scheme]
gravity = [0, -9.81]
[[probe]]
kind = "surge_front"
every = 0.01
)";

struct CaseCommands : CommandLineTest {
  std::string case_file = write("case.toml", falling_block);

  Result run(const std::string& more = "") const {
    return run_shoal("run " + case_file + " --device cpu --threads 1 --out " + out + " " + more);
  }
  Result check(const std::string& more) const { return run_shoal("check " + case_file + " " + more); }

  /// Expects bad input: a message that contains `message`, and no output folder.
  void expect_refused(const std::string& options, const std::string& message) const {
    const Result result = run(options);
    EXPECT_THAT(result, Refuses(message));
    EXPECT_THAT(result.text, StartsWith("shoal: "));
    EXPECT_FALSE(std::filesystem::exists(out)) << options;
  }
};

TEST_F(CaseCommands, HelpNamesTheExitCodes) {
  EXPECT_THAT(run_shoal("--help"),
              Prints(HasSubstr("Exit codes: 0 done, 1 error while running, 2 bad case or arguments, 130")));
  EXPECT_THAT(run_shoal("run --help"), Succeeds());
}

TEST_F(CaseCommands, VersionAndInfo) {
  EXPECT_THAT(run_shoal("--version").text, HasSubstr(std::string(version())));
  const Result info = run_shoal("info");
  for (const char* word : {"shoal", "commit", "compiler", "HDF5", "cuda", "devices", "cpu, "})
    EXPECT_THAT(info, Prints(HasSubstr(word)));
}

TEST_F(CaseCommands, InfoListsEveryLibraryWithItsLicense) {
  const std::string text = run_shoal("info").text;
  for (const char* line : {"CUDA +(yes|no) .*NVIDIA", "cuFFT +(yes|no) .*NVIDIA", "FFTW +(yes|no) .*GPL-2.0-or-later",
                           "kissfft +(yes|no) .*BSD-3-Clause", "HDF5 +yes +[0-9.]+ +BSD-3-Clause",
                           "toml\\+\\+ +yes +[0-9.]+ +MIT", "fmt +yes +[0-9.]+ +MIT", "zlib +yes +[0-9.]+ +Zlib",
                           "CGNS +(no +-|yes +[0-9.]+) +Zlib", "CLI11 +yes +[0-9.]+ +BSD-3-Clause"})
    EXPECT_THAT(text, testing::ContainsRegex(std::string("\n") + line));
}

TEST_F(CaseCommands, BadArgumentsExitWith2) {
  for (const char* arguments :
       {"", "fly", "run", "run --speed 3 case.toml", "check", "resume", "methods --json --markdown"})
    EXPECT_EQ(run_shoal(arguments).code, 2) << arguments;
}

TEST_F(CaseCommands, RunLeavesItsFilesAndASummary) {
  const Result result = run();
  EXPECT_THAT(result, Prints(AllOf(HasSubstr("out: done at t = 0.1 s of 0.1 s"), HasSubstr("evaluations/s"),
                                   HasSubstr("mass +0.0e0"))));
  for (const char* name :
       {"case.toml", "fields.vtkhdf", "balance.csv", "surge_front.csv", "restart.h5", "summary.json"})
    EXPECT_TRUE(has_output(name)) << name;
  EXPECT_EQ(read_csv(out + "/surge_front.csv").size(), 12u) << "header, t = 0, and 10 more";
  EXPECT_THAT(check(""), Succeeds());
  EXPECT_THAT(run_shoal("check " + out + "/case.toml"), Succeeds()) << "the resolved case is a case";
}

TEST_F(CaseCommands, QuietSaysNothing) { EXPECT_EQ(run("--quiet").text, ""); }

TEST_F(CaseCommands, NoColorOffATerminal) { EXPECT_THAT(run().text, Not(HasSubstr("\x1b"))); }

TEST_F(CaseCommands, CheckSaysWhatWouldRun) {
  const Result result = check("--set scheme.time_step=fixed --set scheme.dt=0.001");
  EXPECT_THAT(result, Prints(AllOf(HasSubstr("64 fluid"), HasSubstr("exactly 100 of 0.001 s to 0.1 s"))));
}

// 0.125 h²/ν with h = 0.15 m.
TEST_F(CaseCommands, CheckCountsTheStepsThatViscosityAllows) {
  EXPECT_THAT(check("--set scheme.viscosity.laminar=true --set material.water.kinematic_viscosity=2.8125"),
              Prints(HasSubstr("about 100 of 0.001 s to 0.1 s")));
}

TEST_F(CaseCommands, ALiquidThatIsTooSoftIsNamedByCheckRunAndSummary) {
  const std::string soft = "--set material.water.sound_speed=2";
  const std::string about_case = "material.water.sound_speed = 2 m/s lets the density change by about 368 %";
  EXPECT_THAT(check(soft), Prints(HasSubstr("\n  warning    " + about_case)));
  const Result result = run(soft + " --set run.duration=1 --set run.output_every=0.1 --quiet");
  EXPECT_THAT(result, Prints(AllOf(StartsWith("warning: " + about_case), HasSubstr("\nwarning: at t = "),
                                   HasSubstr("the liquid is too soft for its speeds"))));
  EXPECT_THAT(text_of("summary.json"), AllOf(HasSubstr("\"warnings\": [\"" + about_case), HasSubstr("\"at t = ")));
}

TEST_F(CaseCommands, ASoundSpeedThatIsLeftOutIsChosenAndTold) {
  write_text(case_file, replaced(falling_block, "sound_speed = 40\n", ""));
  // The block falls 1.5 m at most: 10 (9.81 m/s² · 1.5 m)^½.
  EXPECT_THAT(check(""),
              Prints(HasSubstr("\n  sound      38.3601 m/s in water, chosen for speeds of about 3.84 m/s\n")));
  ASSERT_THAT(run("--quiet"), Succeeds());
  EXPECT_THAT(text_of("case.toml"), HasSubstr("sound_speed = 38.36"));
  EXPECT_THAT(run_shoal("resume " + out + " --until 0.12 --quiet --device cpu"), Succeeds());
}

TEST_F(CaseCommands, EveryCaseOfTheRepositoryCanRun) {
  int cases = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SHOAL_CASES)) {
    if (entry.path().extension() != ".toml" || entry.path().filename() == "validation.toml") continue;
    const Result result = run_shoal("check " + entry.path().string());
    EXPECT_THAT(result, Succeeds());
    for (const char* doubt : {"warning    material", "warning    scheme", "warning    wall"})
      EXPECT_THAT(result.text, Not(HasSubstr(doubt))) << entry.path();
    ++cases;
  }
  EXPECT_GT(cases, 0);
}

TEST_F(CaseCommands, ABadCaseIsRefused) {
  expect_refused("--set scheme.densty_diffusion=none", "did you mean `scheme.density_diffusion`?");
  expect_refused("--set particles.spacing=wide", "expected a finite number in m");
  expect_refused("--set particles.spacing=-0.1", "`particles.spacing` = -0.1 m, expected a number above 0");
  expect_refused("--set body='[]'", "no particles");
  expect_refused("--set 'body.0.box.to=[1e-6,1]'", "at least one particle spacing");
  expect_refused("--set 'body.0.box.from=[-2,0]'", "inside walls");
  expect_refused("--set 'body.0.velocity=[nan,0]'", "is [nan, 0], expected a list of 2 finite numbers");
  expect_refused("--set run.duration=nan", "expected a finite number in s");
  expect_refused("--set run.method=fastest", "method `fastest` is not available on cpu");
  expect_refused("--set probe.0.name=" + std::string(300, 'a'), "(300 characters) is no name for a file");
  write_text(case_file, std::string(falling_block) + "[[prob]]\nkind = \"surge_front\"\n");
  expect_refused("", "case.toml:23: unknown section `prob`; did you mean `probe`?");
  write_text(case_file, "kind = [\n");
  expect_refused("", "case.toml:1:10: not TOML");
  std::filesystem::remove(case_file);
  expect_refused("", "cannot read this case file");
}

TEST_F(CaseCommands, ADeviceThatIsNotThereIsRefused) {
  const Result result = run_shoal("run " + case_file + " --device cuda:99 --out " + out);
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.text,
              AnyOf(HasSubstr("has no CUDA"), HasSubstr("no usable CUDA device"), HasSubstr("no CUDA device 99")));
  EXPECT_THAT(run_shoal("run " + case_file + " --device gpu --out " + out).text, HasSubstr("unknown device \"gpu\""));
  EXPECT_THAT(run_shoal("run " + case_file + " --threads -1 --device cpu --out " + out).text,
              HasSubstr("threads = -1"));
  EXPECT_THAT(run_shoal("run " + case_file + " --threads 100000 --device cpu --out " + out),
              Refuses("threads = 100000, expected 0 (take all) or a number from 1 to 4096"));
  EXPECT_THAT(shell("OMP_NUM_THREADS=100000 " SHOAL_EXECUTABLE " run " + case_file + " --device cpu --out " + out),
              Refuses("OMP_NUM_THREADS asks for 100000 threads, expected at most 4096"));
  EXPECT_FALSE(std::filesystem::exists(out));
}

TEST_F(CaseCommands, AnOutputFolderThatHasFilesNeedsForce) {
  ASSERT_THAT(run("--quiet"), Succeeds());
  const std::string before = text_of("balance.csv");
  EXPECT_THAT(run("--set run.duration=0.05"), Refuses("option `force`"));
  EXPECT_EQ(text_of("balance.csv"), before);
  EXPECT_THAT(run("--set run.duration=0.05 --force"), Succeeds());
  EXPECT_NE(text_of("balance.csv"), before);
}

TEST_F(CaseCommands, AFolderThatCannotBeMadeIsRefused) {
  EXPECT_EQ(run_shoal("run " + case_file + " --device cpu --out " + case_file + "/below").code, 2);
}

TEST_F(CaseCommands, AFolderThatCannotBeWrittenIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  std::filesystem::create_directory(out);
  std::filesystem::permissions(out, std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_THAT(run(), Refuses("permission denied"));
}

TEST_F(CaseCommands, AStepThatIsTooLongIsReportedAndTheStateSaved) {
  const Result result = run("--set scheme.time_step=fixed --set scheme.dt=0.05 --set run.duration=5");
  EXPECT_EQ(result.code, 1) << result.text;
  EXPECT_THAT(result.text, HasSubstr("unstable at step"));
  EXPECT_THAT(result.text, HasSubstr("particle"));
  EXPECT_THAT(result.text, HasSubstr("is in " + out + "/restart.h5"));
  EXPECT_NO_THROW(io::read_restart(out + "/restart.h5"));
  EXPECT_THAT(text_of("balance.csv"), HasSubstr("\n0,0,"));
}

TEST_F(CaseCommands, AFullDiskIsReportedAndTheOutputKept) {
  const Result result =
      shell("ulimit -f 400; " + std::string(SHOAL_EXECUTABLE) + " run " + case_file +
            " --device cpu --threads 1 --out " + out + " --set run.output_every=0.0005 --set run.duration=1");
  EXPECT_EQ(result.code, 1) << result.text;
  EXPECT_THAT(result.text, HasSubstr("no room"));
  EXPECT_THAT(text_of("balance.csv"), HasSubstr("time [s],step"));
}

TEST_F(CaseCommands, CtrlCWritesARestartAndResumeGoesOnWithTheSameBits) {
  const std::string long_run = "--set run.duration=1.5 --set probe.0.every=0.001 --quiet";
  ASSERT_THAT(run(long_run), Succeeds());
  const std::string whole = out;
  out = (folder / "interrupted").string();
  const std::string command =
      std::string(SHOAL_EXECUTABLE) + " run " + case_file + " --device cpu --threads 1 --out " + out + " " + long_run;
  // Interrupts when some rows are there; the whole run has 1,500.
  const Result result =
      shell(command + " & p=$!; for i in $(seq 1000); do [ \"$(wc -l < " + out +
            "/surge_front.csv)\" -gt 50 ] && break; sleep 0.01; done 2>/dev/null; kill -INT $p; wait $p");
  ASSERT_EQ(result.code, 130) << result.text;
  EXPECT_THAT(result.text, HasSubstr("ending after this step; Ctrl-C again ends at once"));
  EXPECT_THAT(result.text, HasSubstr("Continue with: shoal resume " + out));
  EXPECT_LT(io::read_restart(out + "/restart.h5").snapshot.clock.time, 1.5);
  EXPECT_THAT(run_shoal("resume " + out + " --device cpu --threads 1 --quiet"), Succeeds());
  for (const char* name : {"surge_front.csv", "balance.csv", "restart.h5", "case.toml"})
    EXPECT_EQ(text_of(name), read_text(whole + "/" + name)) << name;
}

TEST_F(CaseCommands, ResumeUntilLaterIsARunToThere) {
  ASSERT_THAT(run("--quiet"), Succeeds());
  EXPECT_THAT(run_shoal("resume " + out + " --device cpu --threads 1"), Prints(HasSubstr("at its end already")));
  EXPECT_THAT(run_shoal("resume " + out + " --until 0.2 --device cpu --threads 1"), Succeeds());
  const std::string longer = text_of("surge_front.csv");
  ASSERT_THAT(run("--quiet --force --set run.duration=0.2"), Succeeds());
  EXPECT_EQ(longer, text_of("surge_front.csv"));
}

TEST_F(CaseCommands, ParticlesThatLeftTheDomainStayOutAfterResume) {
  const std::string falling_out = "--set 'domain={ from = [-1.5, -1], to = [2.5, 3] }' --set wall='[]' --quiet ";
  ASSERT_THAT(run(falling_out + "--set run.duration=0.6"), Succeeds());
  const std::string whole = text_of("balance.csv");
  EXPECT_THAT(whole.substr(whole.rfind('\n', whole.size() - 2)), Not(HasSubstr(",64,0,"))) << "nothing left the domain";
  ASSERT_THAT(run(falling_out + "--set run.duration=0.54 --force"), Succeeds());
  EXPECT_THAT(run_shoal("resume " + out + " --until 0.6 --device cpu --threads 1 --quiet"), Succeeds());
  EXPECT_EQ(text_of("balance.csv"), whole);
}

TEST_F(CaseCommands, ResumeSaysWhyAFolderHasNoRestart) {
  EXPECT_THAT(run_shoal("resume " + out), Refuses("out: there is no such folder. Give the output folder of a run"));
  std::filesystem::create_directory(out);
  EXPECT_THAT(run_shoal("resume " + out), Refuses("this is not the output folder of a run"));
  write_text(out + "/case.toml", "kind = \"wall_distance\"\n");
  EXPECT_THAT(run_shoal("resume " + out), Refuses("a run of kind = \"wall_distance\" writes no restarts"));
}

TEST_F(CaseCommands, ResumeGoesOnWithoutACaseFileThatWasEmptied) {
  ASSERT_THAT(run("--quiet"), Succeeds());
  write_text(out + "/case.toml", "");
  const std::string resume = "resume " + out + " --until 0.2 --device cpu --threads 1 --quiet";
  EXPECT_THAT(run_shoal(resume), Refuses("Or delete " + out + "/case.toml: the restart holds the case, too."));
  std::filesystem::remove(out + "/case.toml");
  EXPECT_THAT(run_shoal(resume), Succeeds());
}

TEST_F(CaseCommands, ResumeRefusesADifferentCase) {
  ASSERT_THAT(run("--quiet"), Succeeds());
  const std::string resume = "resume " + out + " --until 0.2 --device cpu --threads 1 --quiet";
  std::string changed = text_of("case.toml");
  changed.replace(changed.find("smoothing = 1.2"), 15, "smoothing = 1.3");
  write_text(out + "/other.toml", changed);
  EXPECT_THAT(run_shoal(resume + " --case " + out + "/other.toml"),
              Refuses("other.toml: `particles.smoothing` is 1.3, but the run began with 1.2"));
  EXPECT_THAT(run_shoal(resume + " --case " + out + "/case.toml"), Succeeds());
  write_text(out + "/case.toml", changed);
  EXPECT_THAT(run_shoal(resume).text, HasSubstr("case.toml: `particles.smoothing` is 1.3"));
}

TEST_F(CaseCommands, ResumeRefusesARestartThatIsBrokenOrMissing) {
  ASSERT_THAT(run("--quiet"), Succeeds());
  const std::filesystem::path restart = out + "/restart.h5";
  std::filesystem::resize_file(restart, std::filesystem::file_size(restart) / 2);
  EXPECT_THAT(run_shoal("resume " + out + " --until 1"), Refuses("no whole restart file"));
  EXPECT_THAT(text_of("balance.csv"), HasSubstr("\n0.1,"));
  std::filesystem::remove(restart);
  EXPECT_THAT(run_shoal("resume " + out).text, HasSubstr("there is no such restart file"));
}

TEST_F(CaseCommands, MethodsListsTheMethodsOfThisBuild) {
  const Result table = run_shoal("methods");
  std::istringstream lines(table.text);
  std::string line;
  std::getline(lines, line);
  const std::size_t column = line.find("device");
  while (std::getline(lines, line)) EXPECT_EQ(line.find_first_of("c", column - 1), column) << "not aligned: " << line;
  EXPECT_THAT(run_shoal("methods"), Prints(AllOf(HasSubstr("deterministic"), HasSubstr("sph            serial"))));
  EXPECT_THAT(run_shoal("methods --json").text, HasSubstr(R"({"operation": "sph", "name": "serial", "device": "cpu")"));
  EXPECT_THAT(run_shoal("methods --markdown").text, HasSubstr("| sph | serial | cpu |"));
}

TEST_F(CaseCommands, WallsThatMoveRunAsCases) {
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
  EXPECT_THAT(run(), Prints(HasSubstr("out: done at t = 1 s of 1 s, 5 updates, 5 states, 256 points, 232 faces")));
  for (const char* name : {"case.toml", "distance.vtkhdf", "distances.csv", "summary.json"})
    EXPECT_TRUE(has_output(name)) << name;
  const std::string before = text_of("distances.csv");
  EXPECT_EQ(run().code, 2) << "the folder has files";
  EXPECT_THAT(run("--force --set body.0.motion=none"), Succeeds());
  EXPECT_NE(text_of("distances.csv"), before);
  std::filesystem::remove_all(out);
  expect_refused("--set mesh.around=square", "--set mesh.around: `mesh.around` = \"square\" is an unknown name");
  expect_refused("--set body.0.speed=3", "unknown key `body.0.speed`");
  expect_refused("--set run.method=fastest", "method `fastest` is not available on cpu");
}

TEST_F(CaseCommands, ARelaxationRunsAsACase) {
  const std::string file = std::string(SHOAL_CASES) + "/two_beams/case.toml";
  const std::string small =
      " --set grid.nodes=8 --set run.duration=0.5 --set collision.degree=5 --set collision.symmetrized=false";
  EXPECT_THAT(run_shoal("check " + file + small),
              Prints(AllOf(HasSubstr("warning    collision: cell 0: the spacing is"), HasSubstr("nodes or more."))));
  EXPECT_THAT(run_shoal("run " + file + small + " --device cpu --out " + out),
              Prints(AllOf(HasSubstr("of the exact curve"), HasSubstr("warning: collision: cell 0: the spacing is"))));
  EXPECT_THAT(run_shoal("run " + file + " --set scheme.step=3 --device cpu --force --out " + out),
              Refuses("above the stability bound"));
}

TEST_F(CaseCommands, TheKeysOfTheDocumentationAreThoseOfTheProgram) {
  const Result keys = run_shoal("keys --markdown");
  EXPECT_THAT(keys, Succeeds());
  EXPECT_THAT(read_text(SHOAL_CASE_FILE_DOCUMENT), HasSubstr(keys.text))
      << "docs/case_file.md is not current; paste the output of `shoal keys --markdown` into it";
  EXPECT_THAT(run_shoal("keys").text, HasSubstr("duration"));
}

}  // namespace
}  // namespace shoal
