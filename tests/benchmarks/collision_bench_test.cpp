// SPDX-License-Identifier: Apache-2.0
// `shoal-bench collision` with few nodes: the configurations and the files, not the times.
#include "support/command_line.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

struct CollisionBench : CommandLineTest {};

TEST_F(CollisionBench, MeasuresEveryMethodAndDrawsFigure1) {
  ASSERT_THAT(run_bench("collision --paper --device cpu --largest 9 --figure-nodes 8 --iterations 1 --out " + out),
              Succeeds());
  EXPECT_THAT(text_of("evaluation.csv"), HasSubstr("\napproach,method,nodes,time [ms],serial [ms],serial nodes,error"));
  EXPECT_THAT(text_of("evaluation.csv"), HasSubstr("\nconservative seven,spheres,9,"));
  EXPECT_THAT(text_of("evaluation.csv"), HasSubstr("\ninterpolated cubic,spheres,9,"));
  EXPECT_THAT(text_of("figure1.csv"), HasSubstr("\nconservative seven by spheres,8,16,"));
  EXPECT_THAT(text_of("figure1.csv"), HasSubstr("\ninterpolated nearest by spheres,8,16,"));
  EXPECT_THAT(text_of("figure1_conservative_seven_by_spheres.svg"), HasSubstr(">m10 exact</text>"));
  EXPECT_THAT(text_of("figure1_conservative_seven_by_spheres.svg"), Not(HasSubstr("nan")));
}

TEST_F(CollisionBench, MeasuresSlowMethodsOnFewerNodes) {
  ASSERT_THAT(run_bench("collision --paper --device cpu --largest 16 --iterations 1 --methods spheres --slowest 1e-9 "
                        "--slowest-curve 1e-9 --figure-nodes 8 --out " +
                        out),
              Succeeds());
  EXPECT_THAT(text_of("evaluation.csv"), HasSubstr("\nconservative seven,spheres,8,"));
  EXPECT_THAT(text_of("evaluation.csv"), Not(HasSubstr(",16,")));
  EXPECT_THAT(text_of("figure1.csv"), HasSubstr("\nconservative seven by spheres,8,16,"));
}

TEST_F(CollisionBench, MeasuresTheMethodsThatAreNamedAndEndsCurvesAfterTheAllowedEvaluations) {
  ASSERT_THAT(run_bench("collision --paper --device cpu --largest 8 --figure-evaluations 10 --iterations 1 "
                        "--methods spheres --out " +
                        out),
              Succeeds());
  const CsvLines lines = read_csv(out + "/evaluation.csv");
  ASSERT_GT(lines.size(), 1u);
  EXPECT_EQ(lines_with(lines, 1, "spheres").size(), lines.size() - 1) << "all but the header";
  const std::string figure = text_of("figure1.csv");
  EXPECT_THAT(figure, HasSubstr(",entropy,evaluations\n"));
  // Three steps of three evaluations reach the first collision time; a fourth step would exceed ten evaluations.
  EXPECT_THAT(figure, testing::ContainsRegex("\nconservative seven by spheres,8,0,[^\n]*,0\n"));
  EXPECT_THAT(figure, testing::ContainsRegex("\nconservative seven by spheres,8,1,[^\n]*,9\n"));
  EXPECT_THAT(figure, Not(HasSubstr("\nconservative seven by spheres,8,2,")));
}

TEST_F(CollisionBench, RefusesBadOptions) {
  const auto bench = [](const std::string& options) { return run_bench("collision " + options); };
  EXPECT_THAT(bench(""), Refuses("collision: there is one comparison, that of the paper. Add --paper."));
  EXPECT_THAT(bench("--paper --device cpu --methods octree"), Refuses("--methods: no method \"octree\" to measure"));
  EXPECT_THAT(bench("--paper --largest 7"), Refuses("--largest = 7, expected 8 to"));
  EXPECT_THAT(bench("--paper --largest 129"), Refuses("--largest = 129, expected 8 to 128 nodes along an axis."));
  EXPECT_THAT(bench("--paper --figure-nodes 4"), Refuses("--figure-nodes = 4, expected 8 to 128, or 0."));
  EXPECT_THAT(bench("--paper --figure-evaluations 2"), Refuses("--figure-evaluations = 2, expected 3 or more, or 0"));
  EXPECT_THAT(bench("--paper --slowest 0"), Refuses("--slowest = 0, expected a time in s, more than 0."));
  EXPECT_THAT(bench("--paper --slowest-curve -1"), Refuses("--slowest-curve = -1, expected a time in s, more than 0."));
}

}  // namespace
}  // namespace shoal
