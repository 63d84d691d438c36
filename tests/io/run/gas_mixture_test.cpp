// SPDX-License-Identifier: Apache-2.0
// Cases of kind = "gas" with two gases.
#include <gmock/gmock.h>
#include <shoal/io/case_kinds.hpp>
#include <shoal/io/gas.hpp>

#include "io/formats/text/csv.hpp"
#include "support/messages.hpp"
#include "support/replaced.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io::gas {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

/// Two gases between a reservoir and a wall.
constexpr const char* mixture = R"(kind = "gas"
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
rate = 0.7
mass = 2
[second_gas]
mass = 1.6
rate = 0.6
cross_rate = 0.5
[[start]]
density = 1.5
second_density = 0.4
[[start]]
from = 0.5
temperature = 1.2
[left]
kind = "inflow"
density = 1.4
second_density = 0.5
[right]
temperature = 1.1
[scheme]
model = "aap"
)";

std::string mixture_message(const std::string& before, const std::string& after) {
  return message_of([&] { open_flow(Queue::cpu(1), parse_case(replaced(mixture, before, after), "case.toml")); });
}

TEST(GasMixtureCase, ReadsAndWritesAllItSays) {
  const Case read = parse_case(mixture, "case.toml");
  const Mixture gases = read.second_gas->with(read.molecules);
  EXPECT_EQ(gases.species[0].mass, 2);
  EXPECT_EQ(gases.species[0].rate, 0.7);
  EXPECT_EQ(gases.species[1].mass, 1.6);
  EXPECT_EQ(gases.species[1].rate, 0.6);
  EXPECT_EQ(gases.cross_rate, 0.5);
  EXPECT_EQ(read.boundaries[0].second_density, 0.5);
  EXPECT_EQ(parse_case(read.text, "again").text, read.text);
}

TEST(GasMixtureCase, StartsWithTheTemperatureOfBothGases) {
  Flow flow = open_flow(Queue::cpu(1), parse_case(mixture, "case.toml"));
  const std::vector<VelocityMoments> moments = std::get<Gas<double>>(flow).moments();
  ASSERT_EQ(moments.size(), 8U);
  EXPECT_NEAR(moments[0].density, 1.5, 1e-12);
  EXPECT_NEAR(moments[4].density, 0.4, 1e-12);
  EXPECT_NEAR(moments[4].temperature, 2 / 1.6, 1e-12);
  EXPECT_NEAR(moments[3].temperature, 1.2, 1e-12);
  EXPECT_NEAR(moments[7].temperature, 1.2 * 2 / 1.6, 1e-12);
  EXPECT_NEAR(moments[7].density, 1, 1e-12);
}

TEST(GasMixtureCase, NamesWhatIsWrong) {
  EXPECT_THAT(mixture_message("mass = 1.6", ""), HasSubstr("second_gas.mass"));
  EXPECT_THAT(mixture_message("mass = 2", ""), HasSubstr("the mass of the molecules of species 0 is 0"));
  EXPECT_THAT(mixture_message("[scheme]", "[knudsen]\nnumber = 1\nmean_free_path = \"bird\"\n[scheme]"),
              HasSubstr("[second_gas] makes a mixture, but [knudsen] is for one gas"));
  EXPECT_THAT(mixture_message("\"aap\"", "\"bgk\""), HasSubstr("the model bgk is for one gas"));
}

class GasMixtureRun : public testing::Test {
 protected:
  ScratchFolder folder;
  const Queue queue = Queue::cpu(1);
  RunOptions options;

  RunOutcome finish(PreparedRun& prepared, const char* name) {
    options.folder = folder / name;
    options.device = queue.name();
    return prepared.run(options);
  }
  RunOutcome run(const char* name) {
    write_text(folder / "mixture.toml", mixture);
    return finish(*prepare_run(queue, {folder / "mixture.toml", {}}, {folder / name, true}), name);
  }
};

TEST_F(GasMixtureRun, WritesProfilesAndFluxesOfBothGases) {
  const RunOutcome outcome = run("run");
  EXPECT_THAT(outcome.summary, HasSubstr("profiles_second.csv"));
  const std::vector<double> first = Csv::last_row(folder / "run" / "profiles.csv"),
                            second = Csv::last_row(folder / "run" / "profiles_second.csv"),
                            fluxes = Csv::last_row(folder / "run" / "fluxes.csv");
  ASSERT_EQ(first.size(), 17U);
  ASSERT_EQ(second.size(), 17U);
  EXPECT_NEAR(first[2], 0.875, 1e-12);
  EXPECT_EQ(second[2], first[2]);
  EXPECT_LT(second[3], first[3]);
  EXPECT_NEAR(second[7] * 1.6, first[7] * 2, 0.2) << "k T of both";
  ASSERT_EQ(fluxes.size(), 4U + 4 * 5);
  EXPECT_NEAR(fluxes[4 + 5], 0, 1e-14) << "through the wall";
  EXPECT_NEAR(fluxes[4 + 15], 0, 1e-14);
  EXPECT_GT(std::abs(fluxes[4 + 10]), 1e-3);
  EXPECT_THAT(outcome.summary, HasSubstr("drift          mass"));
}

TEST_F(GasMixtureRun, WritesProfilesAndCellsOfBothGasesInAPlane) {
  write_text(folder / "mixture.toml",
             replaced(mixture, "[grid]", "[cells_y]\ncount = 3\n[bottom]\nkind = \"specular\"\n[grid]"));
  const RunOutcome outcome =
      finish(*prepare_run(queue, {folder / "mixture.toml", {}}, {folder / "plane", true}), "plane");
  EXPECT_THAT(outcome.summary, HasSubstr("profiles_second_y.csv, cells.vtkhdf, cells_second.vtkhdf, fluxes.csv"));
  const auto last_row = [&](const char* file) { return Csv::last_row(folder / "plane" / file); };
  EXPECT_LT(last_row("profiles_second.csv")[3], last_row("profiles.csv")[3]);
  EXPECT_NEAR(last_row("profiles_second_y.csv")[2], 5. / 6, 1e-12);
  const std::vector<double> fluxes = last_row("fluxes.csv");
  ASSERT_EQ(fluxes.size(), 4U + 8 * 5);
  for (const std::size_t side : {1, 2, 3, 5, 6, 7}) EXPECT_NEAR(fluxes[4 + 5 * side], 0, 1e-14) << "wall " << side;
  EXPECT_GT(std::abs(fluxes[4 + 5 * 4]), 1e-3) << "the second gas through the left side";
  EXPECT_THAT(outcome.summary, HasSubstr("drift          mass"));
}

TEST_F(GasMixtureRun, ResumesWithTheSameBits) {
  run("whole");
  options.interrupted = [left = 2]() mutable { return left-- <= 0; };
  EXPECT_TRUE(run("part").interrupted);
  options.interrupted = {};
  EXPECT_FALSE(finish(*prepare_resume(queue, {.folder = folder / "part"}), "part").interrupted);
  for (const char* file : {"profiles.csv", "profiles_second.csv", "fluxes.csv", "distribution.npy"})
    EXPECT_EQ(read_text(folder / "part" / file), read_text(folder / "whole" / file)) << file;
}

TEST_F(GasMixtureRun, CheckSaysThatThereAreTwoGases) {
  write_text(folder / "mixture.toml", mixture);
  EXPECT_THAT(case_kind({folder / "mixture.toml"}).check({folder / "mixture.toml"}),
              HasSubstr("4 for each of two gases of 512 velocity nodes; aap"));
}

}  // namespace
}  // namespace shoal::io::gas
