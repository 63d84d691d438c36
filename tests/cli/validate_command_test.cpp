// SPDX-License-Identifier: Apache-2.0
// `shoal validate` of a falling drop.
#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* falling_drop = R"(kind = "sph"
[run]
duration = 0.1
[particles]
spacing = 0.01
[domain]
from = [-1, -1]
to = [1, 1]
[[body]]
material = "water"
box = { from = [0, 0], to = [0.03, 0.03] }
[material.water]
density = 1000
sound_speed = 20
[scheme]
gravity = [0, -10]
[[probe]]
kind = "velocity"
at = [0.015, -0.035]
[[probe]]
kind = "surge_front"
)";

struct ValidateCommand : CommandLineTest {
  Result run(const std::string& checks, const std::string& more = "") const {
    write_text(folder / "drop/case.toml", falling_drop);
    write_text(folder / "drop/validation.toml",
               "kind = \"validation\"\n[[run]]\nname = \"fine\"\n[[run]]\nname = \"huge\"\nsize = \"large\"\nset = "
               "[\"run.duration=0.2\"]\n" +
                   checks);
    return run_shoal("validate drop --cases " + folder.path().string() + " --out " + out +
                     " --device cpu --threads 1 --quiet " + more);
  }
  void SetUp() override { std::filesystem::create_directories(folder / "drop"); }
};

constexpr const char* fall =
    "[[check]]\nquantity = \"speed of the fall\"\ntable = \"velocity\"\ncolumn = "
    "\"velocity_y\"\ntime = 0.1\nexpected = -1\ntolerance = ";

TEST_F(ValidateCommand, PrintsALineACheckAndPasses) {
  const Result result = run(std::string(fall) + "0.01\n");
  for (const char* part : {"drop/fine", "speed of the fall", "pass", "all passed"})
    EXPECT_THAT(result, Prints(HasSubstr(part)));
  EXPECT_THAT(result.text, Not(HasSubstr("drop/huge"))) << "it is large, and this is a CPU";
  EXPECT_TRUE(has_output("drop/fine/velocity.csv"));
  EXPECT_THAT(text_of("checks.csv"), StartsWith("case,run,quantity,computed,reference,tolerance,verdict\n"
                                                "\"drop\",\"fine\",\"speed of the fall\",\"-"));
  EXPECT_THAT(text_of("checks.csv"), EndsWith(",\"0.01\",pass\n"));
}

TEST_F(ValidateCommand, FailsWhereANumberIsOff) {
  const Result result =
      run("[[check]]\nquantity = \"q\"\ntable = \"velocity\"\ncolumn = \"velocity_y\"\ntime = 0.1\n"
          "at_least = 0\n");
  for (const char* part : {"at least 0", "FAIL", "1 failed"}) EXPECT_THAT(result, FailsWith(1, part));
  EXPECT_THAT(text_of("checks.csv"), HasSubstr(",\"at least 0\",\"\",FAIL\n"));
}

TEST_F(ValidateCommand, LargeRunsAreMadeWhenAskedFor) {
  const Result result =
      run("[[check]]\nquantity = \"q\"\ntable = \"surge_front\"\nruns = [\"huge\"]\ntime = 0.2\nexpected = 0.025\n"
          "tolerance = 0.001\n",
          "--size large");
  EXPECT_THAT(result, Prints(HasSubstr("drop/huge")));
}

TEST_F(ValidateCommand, MistakesAreBadInput) {
  EXPECT_EQ(run_shoal("validate none --cases " + folder.path().string()).code, 2);
  EXPECT_THAT(run(std::string(fall) + "1\n", "--size tiny"), Refuses("expected one of small, medium, large"));
  EXPECT_THAT(run_shoal("run " + path("drop/validation.toml")), Refuses("shoal validate"));
}

TEST_F(ValidateCommand, ListsTheCases) {
  write_text(folder / "drop/validation.toml", "");
  EXPECT_EQ(run_shoal("validate --list --cases " + folder.path().string()).text, "drop\n");
}

TEST_F(ValidateCommand, LogsAllItsRuns) {
  EXPECT_THAT(run(std::string(fall) + "1\nruns = [\"fine\"]\n", "--size large --json-log " + path("log.jsonl")),
              Succeeds());
  const std::string log = read_text(folder / "log.jsonl");
  EXPECT_NE(log.find("\"start\""), log.rfind("\"start\"")) << "one run replaced the log of another";
}

TEST_F(ValidateCommand, WritesOnlyBelowTheOutputFolder) {
  std::filesystem::create_directories(folder / "victim");
  const std::string victim = write("victim/balance.csv", "mine");
  write_text(folder / "drop/case.toml", falling_drop);
  const std::string check = std::string(fall) + "0.01\n";
  for (const std::string& name : {path("victim"), std::string("../../../victim")}) {
    write_text(folder / "drop/validation.toml", "kind = \"validation\"\n[[run]]\nname = \"" + name + "\"\n" + check);
    EXPECT_THAT(run_shoal("validate " + path("drop") + " --device cpu --quiet --out " + out),
                Refuses("is no name for a file"));
    EXPECT_EQ(read_text(victim), "mine");
  }
  write_text(folder / "drop/validation.toml", "kind = \"validation\"\n[[run]]\nname = \"fine\"\n" + check);
  std::filesystem::create_directories(folder / "drop/below");
  EXPECT_THAT(run_shoal("validate " + path("drop/below/..") + " --device cpu --quiet --out " + out), Succeeds());
  EXPECT_TRUE(has_output("drop/fine/velocity.csv")) << "the name of the case is that of its folder";
}

}  // namespace
}  // namespace shoal
