// SPDX-License-Identifier: Apache-2.0
// Runs of kind = "relaxation" with two gases.
#include <gmock/gmock.h>
#include <shoal/io/relaxation.hpp>

#include <cmath>
#include <sstream>

#include "collision/relaxation/exact_solutions.hpp"
#include "support/messages.hpp"
#include "support/replaced.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io::relaxation {
namespace {

using namespace testing_support;
using testing::HasSubstr;

constexpr const char* mixture = R"(kind = "relaxation"
[run]
duration = 1.0
output_every = 0.5
[grid]
nodes = 16
half_width = 8
[gas]
model = "maxwell"
rate = 1
mass = 1
[second_gas]
mass = 0.5
rate = 0.7
cross_rate = 0.8
[initial]
distribution = "maxwellian"
temperature = 1.2
velocity = [0.4, 0, 0]
[second_initial]
distribution = "maxwellian"
density = 0.6
temperature = 1.6
velocity = [-0.5, 0.2, 0]
[collision]
approach = "spectral"
method = "auto"
degree = 5
radii = 8
projection = "maxwellian"
negative = "accept"
)";

/// Rates of change of the velocities along x and of k T by the formulas of MixtureDecay, against its differences in time.
TEST(MixtureDecay, SolvesItsEquations) {
  const collision::MixtureDecay gas{{1, 0.5}, {1, 0.6}, 0.8, {{{0.4, 0, 0}, {-0.5, 0.2, 0}}}, {1.2, 1.6}};
  constexpr double time = 0.7, step = 1e-4;
  for (const std::size_t k : {0, 1}) {
    const std::size_t partner = 1 - k;
    const double share = gas.mass[partner] / 1.5, exchange = 2 * gas.mass[0] * gas.mass[1] / 2.25 * gas.rate;
    const auto u = gas.velocity_at(k, time), v = gas.velocity_at(partner, time);
    const double change = (gas.velocity_at(k, time + step)[0] - gas.velocity_at(k, time - step)[0]) / (2 * step);
    EXPECT_NEAR(change, share * gas.rate * gas.density[partner] * (v[0] - u[0]), 1e-8);
    const auto kt = [&](std::size_t species, double t) { return gas.mass[species] * gas.temperature_at(species, t); };
    const double w2 = (u[0] - v[0]) * (u[0] - v[0]) + (u[1] - v[1]) * (u[1] - v[1]);
    EXPECT_NEAR((kt(k, time + step) - kt(k, time - step)) / (2 * step),
                exchange * gas.density[partner] * (kt(partner, time) - kt(k, time) + gas.mass[partner] * w2 / 3), 1e-8);
    EXPECT_NEAR(gas.temperature_at(k, 0), gas.temperature[k], 1e-15);
  }
}

struct MixtureRelaxation : testing::Test {
  ScratchFolder folder;

  Report run(const Case& simulation) const {
    prepare_output(folder / "out", true);
    RunOptions options;
    options.folder = folder / "out";
    Gas gas = open_gas(Queue::cpu(2), simulation);
    return relaxation::run(gas, Queue::cpu(2), simulation, options);
  }
  /// Numbers of the last row of a table; NaN for an empty field.
  std::vector<double> last_row(const char* table) const {
    std::istringstream in(read_text(folder / "out" / table));
    std::string line, last;
    while (std::getline(in, line)) last = line;
    std::vector<double> values;
    std::istringstream rest(last + ",");
    for (std::string field; std::getline(rest, field, ',');)
      values.push_back(field.empty() ? std::nan("") : std::stod(field));
    return values;
  }
};

TEST_F(MixtureRelaxation, FollowsTheExactVelocitiesAndTemperatures) {
  const Case simulation = parse_case(mixture, "case.toml");
  EXPECT_EQ(parse_case(simulation.text, "again").text, simulation.text);
  const Report report = run(simulation);
  EXPECT_NEAR(report.mass_drift, 0, 1e-12);
  EXPECT_NEAR(report.momentum_drift, 0, 1e-12);
  EXPECT_NEAR(report.energy_drift, 0, 1e-12);
  EXPECT_TRUE(std::isnan(report.entropy_rise)) << "the tails are negative";
  EXPECT_LT(report.temperature_error, 0.01);
  constexpr std::size_t velocity = 18, temperature = 21, exact_velocity = 26, exact_temperature = 29;
  for (const char* table : {"moments.csv", "moments_second.csv"}) {
    const std::vector<double> row = last_row(table);
    ASSERT_EQ(row.size(), 30u);
    EXPECT_NEAR(row[velocity], row[exact_velocity], 0.01) << table;
    EXPECT_NEAR(row[temperature], row[exact_temperature], 0.01) << table;
    EXPECT_TRUE(std::isnan(row[7])) << "m4 of a mixture is not known";
  }
  EXPECT_EQ(std::filesystem::file_size(folder / "out/distribution.npy"),
            std::filesystem::file_size(folder / "out/distribution_second.npy"));
  EXPECT_THAT(summary_text(report), HasSubstr("temperatures   within"));
}

TEST(MixtureRelaxationCase, NeedsBothSections) {
  const std::string text = mixture;
  const std::size_t second = text.find("[second_initial]"), collision = text.find("[collision]");
  EXPECT_THAT(message_of([&] { parse_case(text.substr(0, second) + text.substr(collision), "case.toml"); }),
              HasSubstr("a mixture needs [second_gas] and [second_initial]. Give both or none."));
  EXPECT_THAT(
      message_of([&] {
        open_gas(Queue::cpu(1),
                 parse_case(replaced(mixture, "\"spectral\"\nmethod = \"auto\"\ndegree = 5\nradii = 8", "\"carleman\""),
                            "case.toml"));
      }),
      HasSubstr("a mixture needs approach spectral"));
}

}  // namespace
}  // namespace shoal::io::relaxation
