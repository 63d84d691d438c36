// SPDX-License-Identifier: Apache-2.0
// `shoal bench deposit` with so few particles that only its numbers of them, not its times, mean something.
#include <gmock/gmock.h>
#include <shoal/methods.hpp>

#include <sstream>

#include "cli/shell.hpp"
#include "support/devices.hpp"
#include "support/scratch_folder.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

using Line = std::vector<std::string>;

struct BenchDeposit : testing::Test {
  ScratchFolder folder;
  std::string out = (folder / "out").string();
  std::string device = "cpu";

  Result bench(const std::string& options) const { return run_shoal("bench deposit " + options); }
  Result measured(const std::string& more = "") const {
    return bench("--paper --largest 11700 --iterations 2 --device " + device + " --out " + out + " " + more);
  }
  std::string text_of(const std::string& name) const { return read_text(std::filesystem::path(out) / name); }

  /// The lines of table1.csv of one distribution and configuration.
  std::vector<Line> lines_of(const std::string& distribution, const std::string& configuration) const {
    std::vector<Line> found;
    std::istringstream in(text_of("table1.csv"));
    for (std::string line; std::getline(in, line);) {
      Line fields;
      std::istringstream rest(line + ",");
      for (std::string field; std::getline(rest, field, ',');) fields.push_back(field);
      if (fields[0] == distribution && fields[1] == configuration) found.push_back(fields);
    }
    return found;
  }
};

enum Column { particles = 2, cells, empty_cells, iterations_run, time_ms, speed_up, with_sort, ceiling_share };

struct BenchDepositOn : BenchDeposit, testing::WithParamInterface<DeviceKind> {
  void SetUp() override {
    SHOAL_SKIP_WITHOUT(GetParam());
    device = device_word(GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, BenchDepositOn, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& kind) { return device_word(kind.param); });

TEST_P(BenchDepositOn, MeasuresEveryMethod) {
  const Result result = measured();
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, Not(HasSubstr("by serial")));
  EXPECT_THAT(text_of("table1.csv"), StartsWith("distribution,configuration,particles,cells,empty cells,"));
  const char* const counts[] = {"3800", "5100", "5900", "7000", "9100", "10200", "11700"};
  for (const std::string distribution : {"uniform", "packed_bed", "one_hot"})
    for (const MethodInfo& row : methods("deposit")) {
      if (row.device != GetParam()) continue;
      const std::vector<Line> lines = lines_of(distribution, row.name);
      ASSERT_EQ(lines.size(), 7u) << distribution << " " << row.name;
      for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(lines[i][particles], counts[i]);
        EXPECT_EQ(lines[i][iterations_run], row.name == "serial" ? "1" : "2");
      }
    }
}

TEST_F(BenchDeposit, FillsTheCellsItSays) {
  ASSERT_EQ(measured().code, 0);
  for (const Line& line : lines_of("uniform", "serial")) {
    EXPECT_EQ(line[cells], "330") << "the paper's 330,000 in the proportion of 11,700 to 11,700,000";
    EXPECT_EQ(line[empty_cells], "0");
  }
  for (const Line& line : lines_of("packed_bed", "serial")) {
    const double full = std::stod(line[cells]) - std::stod(line[empty_cells]);
    EXPECT_EQ(2 * full, std::stod(line[cells]));
    EXPECT_NEAR(std::stod(line[particles]) / full, 100, 25) << "so few cells come in whole layers";
  }
  for (const Line& line : lines_of("one_hot", "serial")) EXPECT_EQ(line[empty_cells], "329");
}

TEST_F(BenchDeposit, WorksOutSpeedUpsAsThePaperDoes) {
  const Result result = measured("--particles uniform");
  ASSERT_EQ(result.code, 0);
  // By hand from table 1: 390.4 / (33 + 2.8), and 187.2 / (16.1 * 10.1 / 17.5 + 1.15).
  const std::vector<Line> zhao = lines_of("paper", "Zhao on GTX Titan");
  const std::vector<Line> corners = lines_of("paper", "Corners on GTX Titan worked out");
  EXPECT_NEAR(std::stod(zhao.at(6)[with_sort]), 10.905, 0.001);
  EXPECT_NEAR(std::stod(corners.at(0)[with_sort]), 17.927, 0.001);
  EXPECT_THAT(result.text, HasSubstr("10.91"));
  EXPECT_THAT(result.text, HasSubstr("17.93"));
  const std::vector<Line> serial = lines_of("uniform", "serial"), sort = lines_of("uniform", "sort");
  for (const MethodInfo& row : methods("deposit")) {
    if (row.device != DeviceKind::cpu || row.name == "serial") continue;
    const std::vector<Line> lines = lines_of("uniform", row.name);
    for (std::size_t i = 0; i < 7; ++i) {
      const double base = std::stod(serial[i][time_ms]), time = std::stod(lines[i][time_ms]);
      EXPECT_NEAR(std::stod(lines[i][speed_up]), base / time, 1e-9 * base / time);
      const double all = base / (time + std::stod(sort[i][time_ms]) / 10);
      EXPECT_NEAR(std::stod(lines[i][with_sort]), all, 1e-9 * all);
      EXPECT_GT(std::stod(lines[i][ceiling_share]), 0);
    }
  }
}

TEST_F(BenchDeposit, WritesTheFigures) {
  ASSERT_EQ(measured("--particles uniform").code, 0);
  for (const char* name : {"figure3", "figure4"}) {
    EXPECT_THAT(text_of(std::string(name) + ".svg"), HasSubstr(">paper: Zhao on GTX Titan</text>"));
    EXPECT_THAT(text_of(std::string(name) + ".csv"), HasSubstr("\npaper: Zhao on GTX Titan,11700000,"));
  }
  EXPECT_THAT(text_of("figure3.csv"), HasSubstr("\npaper: Corners on K40c,3800000,10.1\n"));
  EXPECT_THAT(text_of("figure3.csv"), HasSubstr("\nserial on 1 CPU thread,3800,"));
}

TEST_F(BenchDeposit, SaysWhatItExpects) {
  const auto expect = [&](const std::string& options, const std::string& message) {
    const Result refused = bench(options);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.text, HasSubstr(message));
  };
  write_text(folder / "file", "");
  expect("", "bench deposit: there is one comparison so far, say --paper.");
  expect("--paper --iterations 0", "--iterations = 0, expected a positive number.");
  expect("--paper --largest 999", "--largest = 999, expected 1000 to 1000000000 particles.");
  expect("--paper --most-seconds -1", "--most-seconds = -1, expected a time in s, or 0.");
  expect("--paper --particles everywhere", "--particles");
  expect("--paper --largest 1000 --out " + (folder / "file").string(), "cannot make this folder");
  expect("--paper --device gpu", "unknown device \"gpu\"");
}

}  // namespace
}  // namespace shoal
