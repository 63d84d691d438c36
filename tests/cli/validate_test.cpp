// SPDX-License-Identifier: Apache-2.0
// The command `shoal validate`, with a drop that falls.
#include <gmock/gmock.h>

#include "cli/shell.hpp"
#include "support/scratch_folder.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

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

struct Validate : testing::Test {
  ScratchFolder folder;

  Result run(const std::string& checks, const std::string& more = "") const {
    write_text(folder / "drop/case.toml", falling_drop);
    write_text(folder / "drop/validation.toml",
               "kind = \"validation\"\n[[run]]\nname = \"fine\"\n[[run]]\nname = \"huge\"\nsize = \"large\"\nset = "
               "[\"run.duration=0.2\"]\n" +
                   checks);
    return run_shoal("validate drop --cases " + folder.path().string() + " --out " + (folder / "out").string() +
                     " --device cpu --threads 1 --quiet " + more);
  }
  void SetUp() override { std::filesystem::create_directories(folder / "drop"); }
};

constexpr const char* fall =
    "[[check]]\nquantity = \"speed of the fall\"\ntable = \"velocity\"\ncolumn = "
    "\"velocity_y\"\ntime = 0.1\nexpected = -1\ntolerance = ";

TEST_F(Validate, PrintsALineACheckAndPasses) {
  const Result result = run(std::string(fall) + "0.01\n");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, HasSubstr("drop/fine"));
  EXPECT_THAT(result.text, HasSubstr("speed of the fall"));
  EXPECT_THAT(result.text, HasSubstr("pass"));
  EXPECT_THAT(result.text, HasSubstr("all passed"));
  EXPECT_THAT(result.text, Not(HasSubstr("drop/huge"))) << "it is large, and this is a CPU";
  EXPECT_TRUE(std::filesystem::exists(folder / "out/drop/fine/velocity.csv"));
}

TEST_F(Validate, FailsWhereANumberIsOff) {
  const Result result =
      run("[[check]]\nquantity = \"q\"\ntable = \"velocity\"\ncolumn = \"velocity_y\"\ntime = 0.1\n"
          "at_least = 0\n");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.text, HasSubstr("at least 0"));
  EXPECT_THAT(result.text, HasSubstr("FAIL"));
  EXPECT_THAT(result.text, HasSubstr("1 failed"));
}

TEST_F(Validate, LargeRunsAreMadeWhenAskedFor) {
  const Result result =
      run("[[check]]\nquantity = \"q\"\ntable = \"surge_front\"\nruns = [\"huge\"]\ntime = 0.2\nexpected = 0.025\n"
          "tolerance = 0.001\n",
          "--size large");
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, HasSubstr("drop/huge"));
}

TEST_F(Validate, MistakesAreBadInput) {
  EXPECT_EQ(run_shoal("validate none --cases " + folder.path().string()).code, 2);
  const Result size = run(std::string(fall) + "1\n", "--size tiny");
  EXPECT_EQ(size.code, 2);
  EXPECT_THAT(size.text, HasSubstr("expected one of small, medium, large"));
  const Result alone = run_shoal("run " + (folder / "drop/validation.toml").string());
  EXPECT_EQ(alone.code, 2);
  EXPECT_THAT(alone.text, HasSubstr("shoal validate"));
}

}  // namespace
}  // namespace shoal
