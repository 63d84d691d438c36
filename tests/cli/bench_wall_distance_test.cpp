// SPDX-License-Identifier: Apache-2.0
// `shoal bench wall_distance` with so few faces that only what it compares, not its times, means something.
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

enum Column { table, paper_name, method, grid, cells, faces, build_ms, time_ms, speed_up, paper_ms, paper_speed_up };

struct BenchWallDistance : testing::Test {
  ScratchFolder folder;
  std::string out = (folder / "out").string();

  Result bench(const std::string& options) const { return run_shoal("bench wall_distance " + options); }
  Result measured(const std::string& device, const std::string& more = "") const {
    return bench("--paper --largest 500 --iterations 2 --device " + device + " --out " + out + " " + more);
  }
  std::string text_of(const std::string& name) const { return read_text(std::filesystem::path(out) / name); }

  /// The lines of tables.csv whose `column` is `value`.
  std::vector<Line> lines_with(Column column, const std::string& value) const {
    std::vector<Line> found;
    std::istringstream in(text_of("tables.csv"));
    for (std::string line; std::getline(in, line);) {
      Line fields;
      std::istringstream rest(line + ",");
      for (std::string field; std::getline(rest, field, ',');) fields.push_back(field);
      if (fields.at(column) == value) found.push_back(fields);
    }
    return found;
  }
};

struct BenchWallDistanceOn : BenchWallDistance, testing::WithParamInterface<DeviceKind> {
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Devices, BenchWallDistanceOn, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& kind) { return device_word(kind.param); });

TEST_P(BenchWallDistanceOn, MeasuresEveryMethodOnEveryGrid) {
  const Result result = measured(device_word(GetParam()));
  ASSERT_EQ(result.code, 0) << result.text;
  EXPECT_THAT(result.text, Not(HasSubstr("by serial")));
  EXPECT_THAT(text_of("tables.csv"), StartsWith("table,in the paper,method,grid,cells,faces,"));
  const char* const numbers[3][3] = {{"SM", "931", "19"}, {"MD", "4851", "99"}, {"FN", "24451", "499"}};
  for (const MethodInfo& row : methods("wall_distance")) {
    if (row.device != GetParam()) continue;
    const bool is_of_table_2 = GetParam() == DeviceKind::cpu && row.name == "advancing_boundary_linked_list";
    const std::vector<Line> lines = lines_with(method, row.name + (is_of_table_2 ? " on 1 CPU thread" : ""));
    ASSERT_EQ(lines.size(), 3u) << row.name;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(lines[k][grid], numbers[k][0]);
      EXPECT_EQ(lines[k][cells], numbers[k][1]);
      EXPECT_EQ(lines[k][faces], numbers[k][2]);
      EXPECT_GT(std::stod(lines[k][time_ms]), 0) << row.name;
    }
  }
}

TEST_F(BenchWallDistance, HasThePapersNumbersBesideOurs) {
  const Result result = measured("cpu");
  ASSERT_EQ(result.code, 0) << result.text;
  // Table 1: 13636 ms in 166 ms is a speed-up of 82, and table 3: 102 ms one of 86 against 8796 ms in table 2.
  const std::vector<Line> best = lines_with(paper_name, "thread-per-cell 2C");
  ASSERT_EQ(best.size(), 3u);
  EXPECT_EQ(best[0][paper_ms], "< 1");
  EXPECT_EQ(best[1][paper_ms], "7");
  EXPECT_EQ(best[2][paper_ms], "166");
  EXPECT_NEAR(std::stod(best[2][paper_speed_up]), 82.14, 0.01);
  EXPECT_NEAR(std::stod(lines_with(paper_name, "T4 new cell 2").at(2)[paper_speed_up]), 86.24, 0.01);
  EXPECT_EQ(lines_with(table, "1").size(), 3 * 8u);
  EXPECT_EQ(lines_with(table, "2").size(), 3 * 3u);
  EXPECT_EQ(lines_with(table, "3").size(), 3 * 9u);
  for (const char* title : {"Table 1: brute force", "Table 2: advancing", "Table 3: advancing", "Not in the paper"})
    EXPECT_THAT(result.text, HasSubstr(title));
}

TEST_F(BenchWallDistance, WorksOutSpeedUpsAgainstSerial) {
  ASSERT_EQ(measured("cpu").code, 0);
  const std::vector<Line> serial = lines_with(method, "serial"), bvh = lines_with(method, "bvh");
  for (std::size_t k = 0; k < 3; ++k) {
    const double ratio = std::stod(serial[k][time_ms]) / std::stod(bvh[k][time_ms]);
    EXPECT_NEAR(std::stod(bvh[k][speed_up]), ratio, 1e-9 * ratio);
    EXPECT_EQ(serial[k][speed_up], "1");
  }
}

TEST_F(BenchWallDistance, DrawsTheTables) {
  ASSERT_EQ(measured("cpu", "--methods bvh").code, 0);
  EXPECT_THAT(text_of("table1.svg"), HasSubstr(">paper: thread-per-cell 2C</text>"));
  EXPECT_THAT(text_of("table1.csv"), HasSubstr("\npaper: serial,1940449,33\n")) << "199 x 49 x 199 pairs";
  EXPECT_THAT(text_of("table1.csv"), HasSubstr("\nbvh,17689,"));
  EXPECT_THAT(text_of("table3.svg"), HasSubstr(">paper: T4 new cell 2</text>"));
}

TEST_F(BenchWallDistance, SaysWhatItExpects) {
  const auto expect = [&](const std::string& options, const std::string& message) {
    const Result refused = bench(options);
    EXPECT_EQ(refused.code, 2);
    EXPECT_THAT(refused.text, HasSubstr(message));
  };
  expect("", "bench wall_distance: there is one comparison so far, say --paper.");
  expect("--paper --largest 99", "--largest = 99, expected 100 to 1000000000 points around.");
  expect("--paper --device cpu --methods bvh,octree",
         "--methods: no method \"octree\" to measure on this device; it has bvh.");
}

}  // namespace
}  // namespace shoal
