// SPDX-License-Identifier: Apache-2.0
// `shoal report` and `shoal plot` find their Python package and a Python, and say so when they do not. What a report
// has in it is tested in tests/python.
#include <gmock/gmock.h>
#include <shoal/version.hpp>

#include <filesystem>

#include "cli/shell.hpp"
#include "support/scratch_folder.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
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

struct PythonCommands : testing::Test {
  ScratchFolder folder;
  std::string out = (folder / "out").string();

  static Result with_python(const std::string& python, const std::string& arguments) {
    return shell("SHOAL_PYTHON='" + python + "' " + SHOAL_EXECUTABLE + " " + arguments);
  }
};

TEST_F(PythonCommands, MakeAReportOfARun) {
  if (std::string(SHOAL_PYTHON).empty()) GTEST_SKIP() << "no Python with h5py was found at configure time";
  write_text(folder / "case.toml", falling_drop);
  ASSERT_EQ(run_shoal("run " + (folder / "case.toml").string() + " --device cpu --quiet --out " + out).code, 0);
  const Result made = with_python(SHOAL_PYTHON, "report " + out);
  EXPECT_EQ(made.code, 0) << made.text;
  EXPECT_EQ(made.text, out + "/report.html\n");
  const std::string page = read_text(out + "/report.html");
  EXPECT_THAT(page, StartsWith("<!doctype html>"));
  EXPECT_THAT(page, HasSubstr("A drop falls"));
  EXPECT_THAT(page, HasSubstr("\"times\":[0.0,0.01,0.02]"));
  EXPECT_THAT(page, HasSubstr(std::string(version()) + ", commit " + std::string(commit())));
}

TEST_F(PythonCommands, PassArgumentsAndExitCodesOn) {
  if (std::string(SHOAL_PYTHON).empty()) GTEST_SKIP() << "no Python with h5py was found at configure time";
  const Result help = with_python(SHOAL_PYTHON, "report --help");
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.text, HasSubstr("--megabytes"));
  EXPECT_EQ(with_python(SHOAL_PYTHON, "report --no-such-option").code, 2);
  const Result none = with_python(SHOAL_PYTHON, "report " + folder.path().string());
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.text, HasSubstr("is not the output folder of a run: it has no case.toml"));
}

TEST_F(PythonCommands, SayWhatIsMissing) {
  for (const std::string command : {"report", "plot"}) {
    const Result result = with_python("/no/such/python", command + " " + out);
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.text,
                HasSubstr("shoal: " + command + ": cannot run /no/such/python: No such file or directory"));
    EXPECT_THAT(result.text, HasSubstr("SHOAL_PYTHON"));
  }
  const std::string alone = (folder / "shoal").string();
  std::filesystem::copy_file(SHOAL_EXECUTABLE, alone);
  const Result result = shell(alone + " report " + out);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.text, HasSubstr("there is no share/shoal/python beside this program"));
}

}  // namespace
}  // namespace shoal
