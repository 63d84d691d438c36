// SPDX-License-Identifier: Apache-2.0
// `shoal-bench deposit` with few particles: the numbers of particles and cells, the ratios and the files, not the times.
#include <shoal/methods.hpp>

#include "support/command_line.hpp"
#include "support/devices.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

struct DepositBench : CommandLineTest {
  std::string device = "cpu";

  Result bench(const std::string& options) const { return run_bench("deposit " + options); }
  Result measured(const std::string& more = "") const {
    return bench("--paper --largest 11700 --iterations 2 --device " + device + " --out " + out + " " + more);
  }

  /// Lines of table1.csv with one distribution and configuration.
  CsvLines table1(const std::string& distribution, const std::string& configuration) const {
    return lines_with(lines_with(read_csv(out + "/table1.csv"), 0, distribution), 1, configuration);
  }
};

enum Column { particles = 2, cells, empty_cells, iterations_run, time_ms, speed_up, with_sort, ceiling_share };

struct DepositBenchOn : DepositBench, testing::WithParamInterface<DeviceKind> {
  void SetUp() override {
    SHOAL_SKIP_WITHOUT(GetParam());
    device = device_word(GetParam());
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, DepositBenchOn, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& kind) { return device_word(kind.param); });

TEST_P(DepositBenchOn, MeasuresEveryMethod) {
  EXPECT_THAT(measured(), Prints(Not(HasSubstr("by serial"))));
  EXPECT_THAT(text_of("table1.csv"), HasSubstr("\ndistribution,configuration,particles,cells,empty cells,"));
  const char* const counts[] = {"3800", "5100", "5900", "7000", "9100", "10200", "11700"};
  for (const std::string distribution : {"uniform", "packed_bed", "one_hot"})
    for (const MethodInfo& method : methods("deposit")) {
      if (method.device != GetParam()) continue;
      const CsvLines lines = table1(distribution, method.name);
      ASSERT_EQ(lines.size(), 7u) << distribution << " " << method.name;
      for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(lines[i][particles], counts[i]);
        EXPECT_EQ(lines[i][iterations_run], method.name == "serial" ? "1" : "2");
      }
    }
  for (const std::string preparation : {"sort", "reorder"})
    EXPECT_EQ(table1("uniform", preparation).size(), 7u) << preparation;
  EXPECT_EQ(has_output("kernels.csv"), GetParam() == DeviceKind::cuda);
}

TEST_F(DepositBench, ReportsTheSharedMemoryOfThePaper_cuda) {
  SHOAL_SKIP_WITHOUT(DeviceKind::cuda);
  device = "cuda";
  ASSERT_THAT(measured("--particles uniform"), Succeeds());
  const CsvLines lines = read_csv(out + "/kernels.csv");
  for (const auto& [kernel, paper] : {std::pair("zhao", "paper: Zhao's method"), {"corners", "paper: Corners method"}})
    EXPECT_EQ(lines_with(lines, 0, kernel).at(0).at(4), lines_with(lines, 0, paper).at(0).at(4)) << kernel;
}

TEST_F(DepositBench, FillsTheCellsItSays) {
  ASSERT_THAT(measured(), Succeeds());
  for (const auto& line : table1("uniform", "serial")) {
    EXPECT_EQ(line[cells], "330") << "the paper's 330,000 in the proportion of 11,700 to 11,700,000";
    EXPECT_EQ(line[empty_cells], "0");
  }
  for (const auto& line : table1("packed_bed", "serial")) {
    const double full = std::stod(line[cells]) - std::stod(line[empty_cells]);
    EXPECT_EQ(2 * full, std::stod(line[cells]));
    EXPECT_NEAR(std::stod(line[particles]) / full, 100, 25) << "so few cells come in whole layers";
  }
  for (const auto& line : table1("one_hot", "serial")) EXPECT_EQ(line[empty_cells], "329");
}

TEST_F(DepositBench, WorksOutSpeedUpsAsThePaperDoes) {
  const Result result = measured("--particles uniform");
  ASSERT_THAT(result, Succeeds());
  // By hand from table 1: 390.4 / (33 + 2.8), and 187.2 / (16.1 * 10.1 / 17.5 + 1.15).
  const CsvLines zhao = table1("paper", "Zhao on GTX Titan");
  const CsvLines corners = table1("paper", "Corners on GTX Titan worked out");
  EXPECT_NEAR(std::stod(zhao.at(6)[with_sort]), 10.905, 0.001);
  EXPECT_NEAR(std::stod(corners.at(0)[with_sort]), 17.927, 0.001);
  EXPECT_THAT(result.text, HasSubstr("10.91"));
  EXPECT_THAT(result.text, HasSubstr("17.93"));
  const CsvLines serial = table1("uniform", "serial"), sort = table1("uniform", "sort");
  for (const MethodInfo& method : methods("deposit")) {
    if (method.device != DeviceKind::cpu || method.name == "serial") continue;
    const CsvLines lines = table1("uniform", method.name);
    for (std::size_t i = 0; i < 7; ++i) {
      const double base = std::stod(serial[i][time_ms]), time = std::stod(lines[i][time_ms]);
      EXPECT_NEAR(std::stod(lines[i][speed_up]), base / time, 1e-9 * base / time);
      const double with_tenth = base / (time + std::stod(sort[i][time_ms]) / 10);
      EXPECT_NEAR(std::stod(lines[i][with_sort]), with_tenth, 1e-9 * with_tenth);
      EXPECT_GT(std::stod(lines[i][ceiling_share]), 0);
    }
  }
}

TEST_F(DepositBench, WritesTheFigures) {
  ASSERT_THAT(measured("--particles uniform"), Succeeds());
  for (const char* name : {"figure3", "figure4"}) {
    EXPECT_THAT(text_of(std::string(name) + ".svg"), HasSubstr(">paper: Zhao on GTX Titan</text>"));
    EXPECT_THAT(text_of(std::string(name) + ".csv"), HasSubstr("\npaper: Zhao on GTX Titan,11700000,"));
  }
  EXPECT_THAT(text_of("figure3.csv"), HasSubstr("\npaper: Corners on K40c,3800000,10.1\n"));
  EXPECT_THAT(text_of("figure3.csv"), HasSubstr("\nserial on 1 CPU thread,3800,"));
}

TEST_F(DepositBench, RefusesBadOptions) {
  EXPECT_THAT(bench(""), Refuses("deposit: there is one comparison, that of the paper. Add --paper."));
  EXPECT_THAT(bench("--paper --iterations 0"), Refuses("--iterations = 0, expected a positive number."));
  EXPECT_THAT(bench("--paper --largest 999"), Refuses("--largest = 999, expected 1000 to 1000000000 particles."));
  EXPECT_THAT(bench("--paper --most-seconds -1"), Refuses("--most-seconds = -1, expected a time in s, or 0."));
  EXPECT_THAT(bench("--paper --particles everywhere"), Refuses("--particles"));
  EXPECT_THAT(bench("--paper --largest 1000 --out " + write("file", "")), Refuses("cannot make this folder"));
  EXPECT_THAT(bench("--paper --device gpu"), Refuses("unknown device \"gpu\""));
}

}  // namespace
}  // namespace shoal
