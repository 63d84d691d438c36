// SPDX-License-Identifier: Apache-2.0
// `shoal bench collision` and `shoal run` of a relaxation on so few nodes that only what they compare means something.
#include <gmock/gmock.h>
#include <shoal/methods.hpp>

#include "cli/shell.hpp"
#include "support/devices.hpp"
#include "support/scratch_folder.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct BenchCollision : testing::Test {
  ScratchFolder folder;
  std::string out = (folder / "out").string();

  std::string text_of(const std::string& name) const { return read_text(std::filesystem::path(out) / name); }
};

TEST_F(BenchCollision, MeasuresEveryMethodAndDrawsFigure1) {
  const Result result =
      run_shoal("bench collision --paper --device cpu --largest 9 --figure-nodes 8 --iterations 1 --out " + out);
  ASSERT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(text_of("evaluation.csv"), StartsWith("approach,method,nodes,time [ms],serial [ms],serial nodes,error"));
  EXPECT_THAT(text_of("evaluation.csv"), HasSubstr("\nconservative seven,spheres,9,"));
  EXPECT_THAT(text_of("evaluation.csv"), HasSubstr("\ninterpolated cubic,spheres,9,"));
  EXPECT_THAT(text_of("figure1.csv"), HasSubstr("\nconservative seven by spheres,8,16,"));
  EXPECT_THAT(text_of("figure1_conservative_seven_by_spheres.svg"), HasSubstr(">m10 exact</text>"));
  EXPECT_THAT(text_of("figure1_conservative_seven_by_spheres.svg"), Not(HasSubstr("nan")));
}

TEST_F(BenchCollision, WhatWouldTakeTooLongIsMeasuredOnFewerNodes) {
  const Result result = run_shoal(
      "bench collision --paper --device cpu --largest 16 --iterations 1 --slowest 1e-9 --slowest-curve 1e-9 --out " +
      out);
  ASSERT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(text_of("evaluation.csv"), HasSubstr("\nconservative seven,spheres,8,"));
  EXPECT_THAT(text_of("evaluation.csv"), Not(HasSubstr(",16,")));
  EXPECT_THAT(text_of("figure1.csv"), HasSubstr("\nconservative seven by spheres,8,16,"));
}

TEST_F(BenchCollision, SaysWhatItExpects) {
  const auto expect = [&](const std::string& options, const std::string& message) {
    const Result refused = run_shoal("bench collision " + options);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.text, HasSubstr(message));
  };
  expect("", "bench collision: there is one comparison so far, say --paper.");
  expect("--paper --largest 7", "--largest = 7, expected 8 to");
  expect("--paper --largest 129", "--largest = 129, expected 8 to 128 nodes along an axis.");
  expect("--paper --figure-nodes 4", "--figure-nodes = 4, expected 8 to 128, or 0.");
  expect("--paper --slowest 0", "--slowest = 0, expected a time in s, more than 0.");
  expect("--paper --slowest-curve -1", "--slowest-curve = -1, expected a time in s, more than 0.");
}

TEST_F(BenchCollision, RunAndCheckTakeARelaxation) {
  const std::string file = std::string(SHOAL_CASES) + "/two_beams/case.toml";
  const std::string small =
      " --set grid.nodes=8 --set run.duration=0.5 --set collision.degree=5 --set collision.symmetrized=false";
  const Result checked = run_shoal("check " + file + small);
  EXPECT_EQ(checked.code, 0) << checked.text;
  EXPECT_THAT(checked.text, HasSubstr("warning    collision: cell 0: the spacing is"));
  EXPECT_THAT(checked.text, HasSubstr("nodes or more."));
  const Result ran = run_shoal("run " + file + small + " --device cpu --out " + out);
  EXPECT_EQ(ran.code, 0) << ran.text;
  EXPECT_THAT(ran.text, HasSubstr("of the exact curve"));
  EXPECT_THAT(ran.text, HasSubstr("warning: collision: cell 0: the spacing is"));
  const Result refused = run_shoal("run " + file + " --set scheme.step=3 --device cpu --force --out " + out);
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.text, HasSubstr("above the stability bound"));
}

}  // namespace
}  // namespace shoal
