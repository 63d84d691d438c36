// SPDX-License-Identifier: Apache-2.0
// Commands that other programs carry out: `shoal report`, `shoal plot`, `shoal movie` and `shoal view` execute Python,
// `shoal bench` executes shoal-bench.
// tests/python and tests/benchmarks test these programs.
#include <shoal/version.hpp>

#include <filesystem>

#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* falling_drop = R"(kind = "sph"
title = "A drop falls"
[run]
duration = 0.02
output_every = 0.01
[particles]
spacing = 0.25
[[body]]
material = "water"
box = { from = [0, 0], to = [1, 1] }
[material.water]
density = 1000
sound_speed = 20
[scheme]
gravity = [0, -9.81]
)";

struct PythonCommands : CommandLineTest {
  static Result with_python(const std::string& python, const std::string& arguments) {
    return shell("SHOAL_PYTHON='" + python + "' " + SHOAL_EXECUTABLE + " " + arguments);
  }
};

TEST_F(PythonCommands, MakeAReportOfARun) {
  if (std::string(SHOAL_PYTHON).empty()) GTEST_SKIP() << "no Python with h5py was found at configure time";
  const std::string case_file = write("case.toml", falling_drop);
  ASSERT_THAT(run_shoal("run " + case_file + " --device cpu --quiet --out " + out), Succeeds());
  const Result made = with_python(SHOAL_PYTHON, "report " + out);
  EXPECT_THAT(made, Prints(out + "/report.html\n"));
  const std::string page = text_of("report.html");
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("A drop falls"));
  EXPECT_THAT(page, HasSubstr("\"times\":[0.0,0.01,0.02]"));
  EXPECT_THAT(page, HasSubstr(std::string(version()) + ", commit " + std::string(commit())));
}

TEST_F(PythonCommands, PassArgumentsAndExitCodesOn) {
  if (std::string(SHOAL_PYTHON).empty()) GTEST_SKIP() << "no Python with h5py was found at configure time";
  EXPECT_THAT(with_python(SHOAL_PYTHON, "report --help"), Prints(HasSubstr("--megabytes")));
  EXPECT_EQ(with_python(SHOAL_PYTHON, "report --no-such-option").code, 2);
  EXPECT_THAT(with_python(SHOAL_PYTHON, "report " + folder.path().string()),
              FailsWith(1, "is not the output folder of a run: it has no case.toml"));
}

TEST_F(PythonCommands, SayWhatIsMissing) {
  for (const std::string command : {"report", "plot", "movie", "view"}) {
    const Result result = with_python("/no/such/python", command + " " + out);
    EXPECT_THAT(result, FailsWith(1, "shoal: " + command + ": cannot run /no/such/python: No such file or directory"));
    EXPECT_THAT(result.text, HasSubstr("SHOAL_PYTHON"));
  }
  std::filesystem::copy_file(SHOAL_EXECUTABLE, path("shoal"));
  EXPECT_THAT(shell(path("shoal") + " report " + out),
              FailsWith(1, "there is no ../share/shoal/python beside the folder of this program"));
}

TEST_F(PythonCommands, AreThoseOfThePackageBesideAPlugin) {
  // Programs of both folders find a package beside them, but only that of a plugin uses it.
  std::filesystem::create_directories(path("shoal/python/shoal/report"));
  for (const std::string name : {"shoal_cuda13", "other"}) {
    std::filesystem::create_directories(path(name + "/bin"));
    std::filesystem::copy_file(SHOAL_EXECUTABLE, path(name + "/bin/shoal"));
    const std::string program = "SHOAL_PYTHON=/no/such/python " + path(name + "/bin/shoal");
    EXPECT_THAT(
        shell(program + " report " + out),
        FailsWith(1, name == "other" ? "the Python package that draws was not found" : "cannot run /no/such/python"));
  }
}

TEST_F(PythonCommands, ExecuteNothingFromTheWorkingDirectory) {
  if (std::string(SHOAL_PYTHON).empty()) GTEST_SKIP() << "no Python with h5py was found at configure time";
  for (const std::string module : {"numpy", "h5py", "json", "argparse", "shoal"})
    write(module + ".py", "print('code of the working directory ran')\n");
  const Result result = shell("cd " + folder.path().string() + "; SHOAL_PYTHON=" + SHOAL_PYTHON + " " +
                              SHOAL_EXECUTABLE + " report --help");
  EXPECT_THAT(result, Prints(AllOf(HasSubstr("--megabytes"), Not(HasSubstr("working directory ran")))));
}

TEST_F(PythonCommands, ExecuteNoPackageOfAFolderAboveTheProgram) {
  std::filesystem::create_directories(folder / "python/shoal/report");
  write("python/shoal/__init__.py", "print('another package ran')\n");
  std::filesystem::create_directories(folder / "build/cli");
  std::filesystem::copy_file(SHOAL_EXECUTABLE, path("build/cli/shoal"));
  EXPECT_THAT(shell(path("build/cli/shoal") + " report " + out),
              FailsWith(1, "the Python package that draws was not found"));
}

/// Copy of shoal in a folder of its own, where shoal-bench is a script that prints its name, its arguments and ends with 7.
struct BenchCommand : CommandLineTest {
  std::string shoal = path("shoal");

  void SetUp() override { std::filesystem::copy_file(SHOAL_EXECUTABLE, shoal); }
  void write_bench(const std::string& name) const {
    std::filesystem::create_directories((folder / name).parent_path());
    write(name, "#!/bin/sh\necho $0 \"$@\"\nexit 7\n");
    std::filesystem::permissions(folder / name, std::filesystem::perms::owner_all);
  }
};

TEST_F(BenchCommand, ExecutesTheProgramBesideShoal) {
  write_bench("shoal-bench");
  write_bench("path/shoal-bench");
  const Result result = shell("PATH=" + path("path") + ":$PATH " + shoal + " bench deposit --paper --help");
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.text, path("shoal-bench") + " deposit --paper --help\n");
}

TEST_F(BenchCommand, ExecutesTheProgramOnPath) {
  write_bench("path/shoal-bench");
  const Result result = shell("PATH=" + path("path") + ":$PATH " + shoal + " bench sph");
  EXPECT_EQ(result.code, 7);
  EXPECT_EQ(result.text, path("path/shoal-bench") + " sph\n");
}

TEST_F(BenchCommand, SaysWhatToInstall) {
  const Result result = shell("PATH=/usr/bin:/bin " + shoal + " bench sph");
  EXPECT_THAT(result, FailsWith(1, "shoal: bench: cannot run shoal-bench: No such file or directory."));
  EXPECT_THAT(result.text, HasSubstr("Configure shoal with -DSHOAL_BENCHMARKS=ON, then build and install it."));
}

}  // namespace
}  // namespace shoal
