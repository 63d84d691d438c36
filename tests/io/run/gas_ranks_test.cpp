// SPDX-License-Identifier: Apache-2.0
// Runs of kind = "gas" on several ranks, which are threads here: the files of one rank, restarts on other numbers of ranks, and
// the same errors on all ranks.
#include <gmock/gmock.h>

#include <functional>

#include "io/run/gas_rank_runs.hpp"
#include "support/replaced.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

constexpr const char* line = R"(kind = "gas"
[run]
duration = 0.2
output_every = 0.1
[cells]
count = 9
wall_ratio = 1.1
[grid]
nodes = 8
half_width = 4
[gas]
model = "maxwell"
rate = 3
[left]
temperature = 0.9
[right]
velocity = [0, 0.2, 0]
[scheme]
model = "shakhov"
[steady]
max_iterations = 4
)";

constexpr const char* plane = R"(kind = "gas"
[run]
duration = 0.1
precision = "float"
[cells]
count = 3
[cells_y]
count = 8
[grid]
nodes = 8
half_width = 4
[gas]
model = "maxwell"
rate = 3
[[start]]
density = 2
[[start]]
to_y = 0.3
density = 1
[top]
velocity = [0.2, 0, 0]
[scheme]
model = "bgk"
)";

class GasOnRanks : public GasRankRuns {
 protected:
  /// Expects the bytes of one rank, without printing whole files.
  void expect_same_files(const std::string& name, const std::vector<const char*>& files) const {
    for (const char* file : files)
      EXPECT_TRUE(read_text(folder / "one" / file) == read_text(folder / name / file)) << name << " " << file;
    EXPECT_FALSE(std::filesystem::exists(folder / name / ".lock"));
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, GasOnRanks, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& kind) { return device_word(kind.param); });

TEST_P(GasOnRanks, WritesTheFilesOfOneRank) {
  const std::vector<const char*> files = {"profiles.csv", "fluxes.csv", "distribution.npy", "restart.h5", "case.toml"};
  for (const char* text : {line, plane, mixture_plane}) {
    EXPECT_THAT(run_on(1, text, "one"), Each("no error"));
    for (const int count : {2, 4}) {
      const std::string name = std::to_string(count);
      EXPECT_THAT(run_on(count, text, name), Each("no error"));
      expect_same_files(name, files);
      if (text != line) expect_same_files(name, {"profiles_y.csv", "cells.vtkhdf"});
      if (text == mixture_plane) expect_same_files(name, {"profiles_second_y.csv", "cells_second.vtkhdf"});
      std::filesystem::remove_all(folder / name);
    }
    std::filesystem::remove_all(folder / "one");
  }
}

TEST_P(GasOnRanks, ContinuesARestartOfAnotherNumberOfRanks) {
  EXPECT_THAT(run_on(1, line, "one"), Each("no error"));
  EXPECT_THAT(run_on(3, line, "cut", 5), Each("no error"));
  EXPECT_THAT(run_on(2, nullptr, "cut", 6), Each("no error"));
  EXPECT_THAT(run_on(1, nullptr, "cut", 2), Each("no error"));
  EXPECT_THAT(run_on(4, nullptr, "cut"), Each("no error"));
  expect_same_files("cut", {"profiles.csv", "fluxes.csv", "distribution.npy", "restart.h5"});
}

TEST_P(GasOnRanks, ContinuesARestartOfTwoGases) {
  EXPECT_THAT(run_on(1, mixture_plane, "one"), Each("no error"));
  EXPECT_THAT(run_on(3, mixture_plane, "cut", 2), Each("no error"));
  EXPECT_THAT(run_on(2, nullptr, "cut"), Each("no error"));
  expect_same_files("cut", {"profiles.csv", "profiles_second.csv", "fluxes.csv", "distribution.npy", "restart.h5"});
}

TEST_P(GasOnRanks, HasTheSameErrorsOnAllRanks) {
  EXPECT_THAT(run_on(4, replaced(line, "count = 9", "count = 7").c_str(), "few"),
              Each(HasSubstr("7 layers of cells for 4 ranks, expected at least 8")));
  EXPECT_FALSE(std::filesystem::exists(folder / "few"));
  EXPECT_THAT(run_on(2, (std::string(line) + "size = 1\n").c_str(), "unknown"), Each(HasSubstr("unknown key `")));
  EXPECT_THAT(run_on(2, replaced(line, "half_width = 4", "half_width = 40").c_str(), "wide"),
              Each(HasSubstr("has no Maxwellian")));
  EXPECT_THAT(run_on(2, line, "done"), Each("no error"));
  EXPECT_THAT(run_on(2, line, "done"), Each(HasSubstr("the option `force`")));
}

}  // namespace
}  // namespace shoal::io
