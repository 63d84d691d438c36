// SPDX-License-Identifier: Apache-2.0
// `shoal-bench wall_distance` with few faces: the methods, the ratios and the files, not the times.
#include <shoal/methods.hpp>

#include <algorithm>

#include "support/command_line.hpp"
#include "support/devices.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::HasSubstr;
using testing::Not;

enum Column {
  table,
  paper_name,
  method,
  grid,
  cells,
  faces,
  build_ms,
  time_ms,
  reference_table,
  speed_up,
  paper_ms,
  paper_speed_up
};

/// Text behind the name of a method in tables.csv.
std::string suffix(const MethodInfo& method) {
  if (method.device == DeviceKind::cuda) return "";
  if (method.name == "advancing_boundary_parallel") return " on all CPU threads";
  const bool is_serial = method.name.starts_with("serial") || method.name.starts_with("advancing_boundary_");
  return is_serial ? " on 1 CPU thread" : "";
}

struct WallDistanceBench : CommandLineTest {
  Result bench(const std::string& options) const { return run_bench("wall_distance " + options); }
  Result measured(const std::string& device, const std::string& more = "") const {
    return bench("--paper --largest 500 --iterations 2 --device " + device + " --out " + out + " " + more);
  }
  /// Lines of tables.csv in which `column` is `value`.
  CsvLines lines(Column column, const std::string& value) const {
    return lines_with(read_csv(out + "/tables.csv"), column, value);
  }
};

struct WallDistanceBenchOn : WallDistanceBench, testing::WithParamInterface<DeviceKind> {
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam()); }
  void expect_every_method_on_every_grid() const;
  void expect_every_row_of_tables_2_and_3_by_its_method() const;
  void expect_speed_ups_of_table_3_against_the_fastest_of_table_2() const;
};
INSTANTIATE_TEST_SUITE_P(Devices, WallDistanceBenchOn, testing::Values(DeviceKind::cpu, DeviceKind::cuda),
                         [](const auto& kind) { return device_word(kind.param); });

void WallDistanceBenchOn::expect_every_method_on_every_grid() const {
  EXPECT_THAT(text_of("tables.csv"), HasSubstr("\ntable,in the paper,method,grid,cells,faces,"));
  const char* const numbers[3][3] = {{"SM", "931", "19"}, {"MD", "4851", "99"}, {"FN", "24451", "499"}};
  for (const MethodInfo& each : methods("wall_distance")) {
    if (each.device != GetParam()) continue;
    const CsvLines measurements = lines(method, each.name + suffix(each));
    ASSERT_EQ(measurements.size(), 3u) << each.name;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(measurements[k][grid], numbers[k][0]);
      EXPECT_EQ(measurements[k][cells], numbers[k][1]);
      EXPECT_EQ(measurements[k][faces], numbers[k][2]);
      EXPECT_GT(std::stod(measurements[k][time_ms]), 0) << each.name;
    }
  }
}

struct PaperLine {
  const char* name;
  const char* method;
};
constexpr PaperLine table_2[] = {{"T1: linked list", "advancing_boundary_linked_list"},
                                 {"T2: struct A", "advancing_boundary_pointers"},
                                 {"T3: struct C", "advancing_boundary_in_cell_arrays"}};
constexpr PaperLine table_3[] = {{"T1", "advancing_boundary_t1"},
                                 {"T2", "advancing_boundary_t2"},
                                 {"T3", "advancing_boundary_t3"},
                                 {"T4", "advancing_boundary_t4"},
                                 {"T5", "advancing_boundary_t5"},
                                 {"T4 new cell 1: struct C", "advancing_boundary_t4_new_cell_1"},
                                 {"T4 new cell 2: struct B", "advancing_boundary_t4_new_cell_2"}};

void WallDistanceBenchOn::expect_every_row_of_tables_2_and_3_by_its_method() const {
  for (const auto& [name, expected] : table_2)
    EXPECT_EQ(lines(paper_name, name).at(2)[method], std::string(expected) + " on 1 CPU thread");
  for (const auto& [name, expected] : table_3)
    EXPECT_EQ(lines(paper_name, name).at(2)[method], GetParam() == DeviceKind::cuda ? expected : "");
}

void WallDistanceBenchOn::expect_speed_ups_of_table_3_against_the_fastest_of_table_2() const {
  for (std::size_t k = 0; k < 3; ++k) {
    double fastest = 1e300;
    for (const PaperLine& line : table_2)
      fastest = std::min(fastest, std::stod(lines(paper_name, line.name)[k][time_ms]));
    for (const PaperLine& line : table_3) {
      const std::vector<std::string> measurement = lines(paper_name, line.name)[k];
      EXPECT_EQ(measurement[reference_table], "2");
      if (GetParam() == DeviceKind::cuda) {
        EXPECT_NEAR(std::stod(measurement[speed_up]) * std::stod(measurement[time_ms]), fastest, 1e-9 * fastest);
      }
    }
  }
}

TEST_P(WallDistanceBenchOn, MeasuresTheTablesOfThePaper) {
  const Result result = measured(device_word(GetParam()));
  ASSERT_THAT(result, Prints(Not(HasSubstr("by serial"))));
  EXPECT_THAT(result.text, HasSubstr("Table 3: advancing boundary [ms]; speed-up: fastest of table 2 / method"));
  expect_every_method_on_every_grid();
  expect_every_row_of_tables_2_and_3_by_its_method();
  expect_speed_ups_of_table_3_against_the_fastest_of_table_2();
}

TEST_F(WallDistanceBench, HasThePapersNumbersBesideOursAndSpeedUpsAgainstSerial) {
  const Result result = measured("cpu");
  ASSERT_THAT(result, Succeeds());
  // Table 1: 13636 ms in 166 ms is a speed-up of 82, and table 3: 102 ms one of 86 against 8796 ms in table 2.
  const CsvLines best = lines(paper_name, "thread-per-cell 2C");
  ASSERT_EQ(best.size(), 3u);
  EXPECT_EQ(best[0][paper_ms], "< 1");
  EXPECT_EQ(best[1][paper_ms], "7");
  EXPECT_EQ(best[2][paper_ms], "166");
  EXPECT_NEAR(std::stod(best[2][paper_speed_up]), 82.14, 0.01);
  EXPECT_NEAR(std::stod(lines(paper_name, "T4 new cell 2: struct B").at(2)[paper_speed_up]), 86.24, 0.01);
  EXPECT_EQ(lines(table, "1").size(), 3 * 8u);
  EXPECT_EQ(lines(table, "2").size(), 3 * 4u);
  EXPECT_EQ(lines(table, "3").size(), 3 * 12u);
  for (const char* title : {"Table 1: brute force [ms]; speed-up: serial_double / method", "Table 2: advancing",
                            "Table 3: advancing", "Not in the paper"})
    EXPECT_THAT(result.text, HasSubstr(title));

  const CsvLines serial = lines(method, "serial_double on 1 CPU thread"), bvh = lines(method, "bvh");
  EXPECT_EQ(serial.at(0)[paper_name], "serial");
  EXPECT_EQ(bvh.at(0)[reference_table], "1");
  for (std::size_t k = 0; k < 3; ++k) {
    const double ratio = std::stod(serial[k][time_ms]) / std::stod(bvh[k][time_ms]);
    EXPECT_NEAR(std::stod(bvh[k][speed_up]), ratio, 1e-9 * ratio);
    EXPECT_EQ(serial[k][speed_up], "1");
  }
}

TEST_F(WallDistanceBench, SweepsTheAuxiliaryGridAndDrawsTheTables) {
  const Result result = measured("cpu", "--methods bvh");
  ASSERT_THAT(result, Prints(Not(HasSubstr("by serial"))));
  EXPECT_THAT(result.text, HasSubstr("resolution of the auxiliary grid, 4851 cells and 99 faces here"));
  const std::string curves = text_of("auxiliary_grid.csv");
  EXPECT_THAT(curves, HasSubstr("\npaper: serial T1: linked list,19,733\n"));
  EXPECT_THAT(curves, HasSubstr("\npaper: serial T2: struct A,2,1103\n"));
  EXPECT_THAT(curves, HasSubstr("\npaper: serial brute force,99,1100\n"));
  for (const char* method : {"advancing_boundary_linked_list", "advancing_boundary_pointers"})
    for (const int cells : {2, 4, 9, 14, 19, 29, 39, 49, 69, 79, 99})
      EXPECT_THAT(curves, HasSubstr("\n" + std::string(method) + " on 1 CPU thread," + std::to_string(cells) + ","));
  EXPECT_THAT(text_of("auxiliary_grid.svg"), HasSubstr("resolution of the auxiliary grid"));
  EXPECT_THAT(text_of("table1.svg"), HasSubstr(">paper: thread-per-cell 2C</text>"));
  EXPECT_THAT(text_of("table1.csv"), HasSubstr("\npaper: serial,1940449,33\n")) << "199 x 49 x 199 pairs";
  EXPECT_THAT(text_of("table1.csv"), HasSubstr("\nbvh,17689,"));
  EXPECT_THAT(text_of("table3.svg"), HasSubstr(">paper: T4 new cell 2: struct B</text>"));
}

TEST_F(WallDistanceBench, RefusesBadOptions) {
  EXPECT_THAT(bench(""), Refuses("wall_distance: there is one comparison, that of the paper. Add --paper."));
  EXPECT_THAT(bench("--paper --largest 99"), Refuses("--largest = 99, expected 100 to 1000000000 points around."));
  EXPECT_THAT(bench("--paper --device cpu --methods bvh,octree"),
              Refuses("--methods: no method \"octree\" to measure on this device; it has bvh."));
}

}  // namespace
}  // namespace shoal
