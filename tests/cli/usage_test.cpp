// SPDX-License-Identifier: Apache-2.0
// Messages about command lines and about files that cannot be read.
#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct Usage : CommandLineTest {
  std::string points = write("points.csv", "x,y\n0,0\n1,0\n");

  /// Expects exit code 2, and a message that begins with "shoal: " and contains `part`.
  static void expect_refused(const std::string& arguments, const std::string& part) {
    const Result result = run_shoal(arguments);
    EXPECT_THAT(result, Refuses(part)) << arguments;
    EXPECT_THAT(result.text, StartsWith("shoal: ")) << arguments;
  }
};

TEST_F(Usage, AnUnknownCommandIsNamedWithTheNearest) {
  expect_refused("runn", "unknown command `runn`; did you mean `run`? The commands are run, resume, ");
  expect_refused("wall-distance mesh.su2", "unknown command `wall-distance`; did you mean `wall_distance`?");
  expect_refused("frobnicate case.toml", "unknown command `frobnicate`. The commands are ");
  expect_refused("", "there is no command; expected one of run, resume, ");
}

TEST_F(Usage, AnUnknownOptionIsNamedWithTheNearest) {
  expect_refused("--verzion", "unknown option `--verzion`; did you mean `--version`? See `shoal --help`.");
  expect_refused("run case.toml --forse",
                 "run: unknown option `--forse`; did you mean `--force`? See `shoal run --help`.");
  expect_refused("run case.toml --frobnicate=3", "run: unknown option `--frobnicate`. See");
  expect_refused("run case.toml other.toml", "run: unexpected argument `other.toml`.");
  expect_refused("neighbors " + points, "neighbors: --radius is required. See `shoal neighbors --help`.");
}

TEST_F(Usage, AnEmptyValueIsRefused) {
  expect_refused("run case.toml --out ''", "run: --out: its value is empty");
  expect_refused("run case.toml --json-log=", "run: --json-log");
  expect_refused("run ''", "run: CASE: its value is empty");
  expect_refused("neighbors " + points + " --radius 1 --sources ''", "neighbors: --sources: its value is empty");
}

TEST_F(Usage, OnlyCommandsWithRestartsMentionThem) {
  EXPECT_THAT(run_shoal("completion --help"), Prints(Not(HasSubstr("restart"))));
  EXPECT_THAT(run_shoal("run --help"), Prints(HasSubstr("may be repeated")));
}

TEST_F(Usage, ALinkToItselfIsNoFileSystemError) {
  std::filesystem::create_symlink("loop.csv", folder / "loop.csv");
  expect_refused("neighbors " + path("loop.csv") + " --radius 1",
                 "loop.csv: cannot be read: Too many levels of symbolic");
}

TEST_F(Usage, TextOfFilesDoesNotReachTheTerminalAsCommands) {
  write("escape.csv", "x,y\n0,\x1b[31mred\n");
  write("case.toml", "kind = \"sph\"\ntitle = \"\\u001b[31mred\"\n");
  const std::string case_file = write("named.toml", R"(kind = "sph"
title = "\u001b[31mred"
[run]
duration = 0.001
[particles]
spacing = 0.5
[[body]]
material = "water"
box = { from = [0, 0], to = [1, 1] }
[material.water]
density = 1000
sound_speed = 20
)");
  for (const std::string& arguments :
       {"neighbors " + path("escape.csv") + " --radius 1", "run '" + path("\x1b[31m.toml") + "'", "check " + case_file,
        "run " + case_file + " --device cpu --out '" + path("\x1b[31mout") + "'"}) {
    const Result result = run_shoal(arguments);
    EXPECT_THAT(result.text, Not(HasSubstr("\x1b"))) << arguments;
    EXPECT_THAT(result.text, HasSubstr("\\x1b[31m")) << arguments;
  }
}

}  // namespace
}  // namespace shoal
