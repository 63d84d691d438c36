// SPDX-License-Identifier: Apache-2.0
// Cases of kind = "gas": their keys, the output of a run, and the cases of cases/.
#include <gmock/gmock.h>
#include <shoal/io/case_kinds.hpp>
#include <shoal/io/gas.hpp>

#include <cmath>
#include <fstream>
#include <sstream>

#include "support/messages.hpp"
#include "support/replaced.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io::gas {
namespace {

using namespace testing_support;
using testing::HasSubstr;

/// Case that runs in a moment.
constexpr const char* slab = R"(kind = "gas"
title = "Slab"
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
density = 2
[[start]]
from = 0.5
density = 1
temperature = 1.1
velocity = [0, 0.1, 0]
[left]
kind = "diffuse"
temperature = 0.9
accommodation = 0.5
[right]
kind = "specular"
[scheme]
model = "shakhov"
prandtl = 0.7
)";

std::string message(const std::string& before, const std::string& after) {
  return message_of([&] { open_flow(Queue::cpu(1), parse_case(replaced(slab, before, after), "case.toml")); });
}

TEST(GasCase, ReadsAndWritesAllItSays) {
  const Case read = parse_case(slab, "case.toml");
  EXPECT_EQ(read.cells.count, 4);
  EXPECT_EQ(read.start.size(), 2U);
  EXPECT_EQ(read.start[1].begin, 0.5);
  EXPECT_FALSE(read.start[1].end.has_value());
  EXPECT_EQ(read.boundaries[0].accommodation, 0.5);
  EXPECT_EQ(read.boundaries[1].kind, GasBoundaryKind::specular);
  EXPECT_EQ(read.scheme.model, GasModel::shakhov);
  EXPECT_EQ(read.scheme.prandtl, 0.7);
  EXPECT_NEAR(shoal::gas::mean_free_path(MeanFreePath::bird, read.molecules, 1, 1), 0.5, 1e-12);
  EXPECT_EQ(parse_case(read.text, "again").text, read.text) << "the resolved case is a case";
  const Case steady = parse_case(slab, "case.toml", {"steady.method=marching"});
  EXPECT_EQ(steady.steady->method, SteadyMethod::marching);
}

TEST(GasCase, NamesWhatIsWrong) {
  EXPECT_THAT(message("duration = 0.2\noutput_every = 0.1", ""),
              HasSubstr("`run.duration` is 0 s and there is no [steady] section"));
  EXPECT_THAT(message("output_every = 0.1", "output_every = 0.3"), HasSubstr("expected at most run.duration = 0.2 s"));
  EXPECT_THAT(message("model = \"maxwell\"", "model = \"maxwell\"\nrate = 3"),
              HasSubstr("`gas.rate` is 3, but [knudsen] determines 3.19"));
  EXPECT_THAT(message("model = \"maxwell\"", "model = \"vss\""), HasSubstr("case.toml:13: gas: a Knudsen number"));
  EXPECT_THAT(message("mean_free_path = \"bird\"", ""), HasSubstr("missing key `knudsen.mean_free_path`"));
  EXPECT_THAT(message("from = 0.5", "from = 1.5"), HasSubstr("the interval of this [[start]] ends at 1 m"));
  EXPECT_THAT(message("kind = \"specular\"", "kind = \"specular\"\naccommodation = 1"),
              HasSubstr("`right.accommodation` counts only with"));
  EXPECT_THAT(message("kind = \"specular\"", "kind = \"periodic\""), HasSubstr("one boundary is periodic"));
  EXPECT_THAT(message("kind = \"specular\"", "kind = \"specular\"\ndensity = 1"),
              HasSubstr("`right.density` counts only with `right.kind` = \"inflow\" or \"behind_shock\""));
  EXPECT_THAT(message("kind = \"specular\"", "kind = \"behind_shock\"\ndensity = 2"),
              HasSubstr("at the first face is diffuse, expected inflow: the gas ahead of the shock."));
  EXPECT_THAT(message("prandtl = 0.7", "prandl = 0.7"), HasSubstr("did you mean `scheme.prandtl`?"));
}

class GasRun : public testing::Test {
 protected:
  ScratchFolder folder;

  Report run(const Case& simulation) const {
    prepare_output(folder / "out", simulation, true);
    const Queue queue = Queue::cpu(1);
    Flow flow = open_flow(queue, simulation);
    RunOptions options;
    options.folder = folder / "out";
    options.device = queue.name();
    return gas::run(flow, queue, simulation, options);
  }

  /// Rows of numbers of a table, without its comments and names.
  std::vector<std::vector<double>> rows(const char* name) const {
    std::ifstream in(folder / "out" / name);
    std::vector<std::vector<double>> table;
    for (std::string line; std::getline(in, line);) {
      if (line.starts_with('#') || line.starts_with("time")) continue;
      std::istringstream fields(line);
      table.emplace_back();
      for (std::string field; std::getline(fields, field, ',');) table.back().push_back(std::stod(field));
    }
    return table;
  }
};

TEST_F(GasRun, WritesProfilesFluxesAndTheDistribution) {
  const Report report = run(parse_case(slab, "case.toml"));
  EXPECT_EQ(report.states, 3);
  EXPECT_EQ(report.time, 0.2);
  EXPECT_EQ(report.model, "shakhov");
  EXPECT_NEAR(report.mass_drift, 0, 1e-13);
  EXPECT_TRUE(report.converged);
  const std::vector<std::vector<double>> profiles = rows("profiles.csv"), fluxes = rows("fluxes.csv");
  ASSERT_EQ(profiles.size(), 12U);
  ASSERT_EQ(fluxes.size(), 3U);
  EXPECT_EQ(profiles[0][2], 0.125) << "x";
  EXPECT_NEAR(profiles[0][3], 2, 1e-12) << "density";
  EXPECT_NEAR(profiles[3][5], 0.1, 1e-12) << "velocity y";
  EXPECT_NEAR(profiles[3][7], 1.1, 1e-12) << "temperature";
  EXPECT_EQ(profiles[4][0], 0.1);
  EXPECT_NEAR(fluxes[2][3], 1.5, 1e-12) << "mass";
  EXPECT_NEAR(fluxes[2][4], 0, 1e-14) << "mass flux into the left wall";
  EXPECT_GT(std::filesystem::file_size(folder / "out" / "distribution.npy"), 2048 * sizeof(double));
  EXPECT_NE(summary_text(report).find("4 cells of 512 nodes"), std::string::npos);
}

TEST_F(GasRun, IteratesToASteadyStateAndSaysIfItFails) {
  Case simulation = parse_case(slab, "case.toml", {"run.duration=0", "run.output_every=0", "steady.residual=1e-4"});
  const Report steady = run(simulation);
  EXPECT_TRUE(steady.converged);
  EXPECT_GT(steady.iterations, 3);
  EXPECT_LE(steady.residual, 1e-4);
  EXPECT_EQ(rows("fluxes.csv").size(), 2U) << "before and after the iteration";
  simulation.steady->max_iterations = 2;
  const Report cut = run(simulation);
  EXPECT_FALSE(cut.converged);
  ASSERT_FALSE(cut.warnings.empty());
  EXPECT_THAT(cut.warnings.back().text(), HasSubstr("after 2 iterations, expected at most 0.0001"));
  EXPECT_THAT(summary_text(cut), HasSubstr("the steady state was not reached"));
}

TEST_F(GasRun, CouetteCaseAgreesWithTheLinearizedEquation) {
  const Case couette = read_case(SHOAL_CASES "/gas_couette/case.toml");
  const Report report = run(couette);
  EXPECT_TRUE(report.converged);
  EXPECT_NEAR(report.mass_drift, 0, 1e-12);
  const std::vector<double> last = rows("fluxes.csv").back();
  const double left = last[6], right = last[11];  // momentum flux y
  EXPECT_NEAR(-left / 0.02, 0.33893, 0.01 * 0.33893);
  EXPECT_NEAR(right, left, 1e-3 * std::abs(left));
}

#ifdef SHOAL_FAST_FOURIER
/// Reference: Rogozin (2016), hard spheres at Kn = 1. A coarser grid than that of the case.
TEST_F(GasRun, NonlinearCouetteCaseAgreesWithTheBoltzmannEquation) {
  const Case couette = read_case(
      SHOAL_CASES "/gas_couette/case_2.toml",
      {"grid.nodes=18", "grid.half_width=6.5", "cells.count=10", "cells.wall_ratio=1.2", "steady.residual=5e-3"});
  const Report report = run(couette);
  EXPECT_TRUE(report.converged);
  const double difference = 2, unit = std::sqrt(2.0);
  const std::vector<double> faces = shoal::gas::stretched_faces(0, 1, 10, 1.2);
  const std::vector<std::vector<double>> profiles = rows("profiles.csv");
  double shear = 0, velocity = 0, temperature = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    const std::vector<double>& row = profiles[profiles.size() - 10 + i];
    const double width = faces[i + 1] - faces[i];
    if (i >= 5) velocity += width * row[5] / unit / difference;
    temperature += width * (row[7] - 1) / (difference * difference);
    shear -= width * row[11] / difference;
  }
  EXPECT_NEAR(shear, 0.37035, 0.02 * 0.37035);
  EXPECT_NEAR(velocity, 0.06262, 0.04 * 0.06262);
  EXPECT_NEAR(temperature, 0.13571, 0.02 * 0.13571);
}
#endif

TEST_F(GasRun, CaseOfTheTubeAgreesWithTheExactDensity) {
  const Report report = run(read_case(SHOAL_CASES "/gas_sod/case.toml"));
  EXPECT_NEAR(report.mass_drift, 0, 1e-6);
  double error = 0;
  int cells = 0;
  for (const std::vector<double>& row : rows("profiles.csv")) {
    if (row[0] < 1) continue;
    const double left = std::erfc(row[2] / std::sqrt(2.0)) / 2, right = std::erfc(row[2] / std::sqrt(1.6)) / 2;
    error += std::abs(row[3] - left - 0.125 * (1 - right));
    ++cells;
  }
  ASSERT_EQ(cells, 64);
  EXPECT_LE(error / cells, 0.003);
}

TEST(GasKind, DescribesAndRefuses) {
  EXPECT_EQ(case_kind({SHOAL_CASES "/gas_sod/case.toml"}).name, std::string("gas"));
  const std::string description =
      case_kind({SHOAL_CASES "/gas_sod/case.toml"}).check({SHOAL_CASES "/gas_sod/case.toml"});
  EXPECT_THAT(description, HasSubstr("64 of 13824 velocity nodes; none"));
}

}  // namespace
}  // namespace shoal::io::gas
