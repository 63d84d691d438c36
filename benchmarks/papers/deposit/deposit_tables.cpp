// SPDX-License-Identifier: Apache-2.0
#include "papers/deposit/deposit_tables.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>

#include "papers/deposit/deposit_paper.hpp"
#include "papers/result_csv.hpp"

namespace shoal::benchmarks {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

TableCurve paper_curve(const std::string& name, const std::function<double(const PaperDepositLine&)>& value) {
  TableCurve curve{"paper: " + name, {}, true};
  for (const PaperDepositLine& line : paper_deposit_lines) curve.values.push_back(value(line));
  return curve;
}

TableCurve measured_curve(const DepositBlock& block, const std::string& name,
                          const std::function<double(const DepositTimings&)>& value) {
  TableCurve curve{name, {}};
  for (const DepositTimings& size : block.sizes) curve.values.push_back(value(size));
  return curve;
}

/// A curve for each method.
std::vector<TableCurve> method_curves(const DepositBlock& block,
                                      const std::function<double(const DepositTimings&, double time)>& value) {
  std::vector<TableCurve> curves;
  for (std::size_t k = 0; k < block.methods.size(); ++k)
    curves.push_back(measured_curve(block, block.methods[k], [&](const DepositTimings& size) {
      return value(size, size.methods[k].milliseconds());
    }));
  return curves;
}

/// Memory traffic in percent of the ceiling.
/// @param time       ms
/// @param bandwidth  B/s
double ceiling_share(const DepositTimings& size, double time, double bandwidth) {
  return 100 * size.least_bytes() / (time / 1000) / bandwidth;
}

}  // namespace

TableSizes DepositBlock::counts() const {
  TableSizes counts{"particles", {}, {}};
  for (const DepositTimings& size : sizes) counts.ours.push_back(size.particles);
  for (const PaperDepositLine& line : paper_deposit_lines) counts.paper.push_back(std::llround(line.millions * 1e6));
  return counts;
}

PaperTable DepositBlock::times() const {
  PaperTable table{"time of one interpolation of three values [ms]", {}};
  table.curves = {
      measured_curve(*this, "serial on 1 CPU thread", [](const auto& size) { return size.serial.milliseconds(); }),
      measured_curve(*this, "sort", [](const auto& size) { return size.sort.milliseconds(); }),
      measured_curve(*this, "reorder of the three values",
                     [](const auto& size) { return size.reorder.milliseconds(); })};
  for (TableCurve& curve : method_curves(*this, [](const auto&, double time) { return time; }))
    table.curves.push_back(std::move(curve));
  table.curves.push_back(paper_curve("CPU i7-4770", [](const auto& line) { return line.cpu_m1; }));
  table.curves.push_back(paper_curve("GPU sort", [](const auto& line) { return line.sort; }));
  table.curves.push_back(paper_curve("Zhao on GTX Titan", [](const auto& line) { return line.zhao_m1; }));
  table.curves.push_back(paper_curve("Zhao on K40c", [](const auto& line) { return line.zhao_m2; }));
  table.curves.push_back(paper_curve("Corners on K40c", [](const auto& line) { return line.corners_m2; }));
  return table;
}

PaperTable DepositBlock::with_sort() const {
  PaperTable table{"speed-up: serial / (method + sort / 10)", method_curves(*this, [](const auto& size, double time) {
                     return speed_up_with_sort(size.serial.milliseconds(), time, size.sort.milliseconds());
                   })};
  table.curves.push_back(paper_curve(
      "Zhao on GTX Titan", [](const auto& line) { return speed_up_with_sort(line.cpu_m1, line.zhao_m1, line.sort); }));
  table.curves.push_back(paper_curve("Corners on GTX Titan worked out", [](const auto& line) {
    return speed_up_with_sort(line.cpu_m1, line.corners_m1(), line.sort);
  }));
  return table;
}

PaperTable DepositBlock::without_sort() const {
  PaperTable table{
      "speed-up without the sort: serial / method",
      method_curves(*this, [](const auto& size, double time) { return size.serial.milliseconds() / time; })};
  table.curves.push_back(paper_curve("Zhao on GTX Titan", [](const auto& line) { return line.cpu_m1 / line.zhao_m1; }));
  table.curves.push_back(
      paper_curve("Corners on GTX Titan worked out", [](const auto& line) { return line.cpu_m1 / line.corners_m1(); }));
  return table;
}

PaperTable DepositBlock::ceiling_shares(double bandwidth) const {
  return {"share of the ceiling [%]",
          method_curves(*this, [=](const auto& size, double time) { return ceiling_share(size, time, bandwidth); })};
}

void print_heading(const DepositBlock& block, const PaperTable& table, std::ostream& out) {
  out << '\n' << block.name << ": " << table.title << '\n';
  for (std::size_t k = 0; k < table.curves.size(); ++k) out << fmt::format("{:>4}  {}\n", k + 1, table.curves[k].name);
  out << fmt::format("{:>12}{:>10}{:>8}{:>12}", "particles", "cells", "empty", "fullest");
  for (std::size_t k = 0; k < table.curves.size(); ++k) out << fmt::format("{:>9}", k + 1);
  out << std::endl;
}

void print_line(const DepositBlock& block, const PaperTable& table, std::size_t size, std::ostream& out) {
  const DepositTimings& timings = block.sizes[size];
  const io::CellCounts& cells = timings.cells;
  const double empty = 100 * static_cast<double>(cells.empty) / static_cast<double>(cells.cells);
  out << fmt::format("{:>12}{:>10}{:>6.0f} %{:>12}", io::grouped(timings.particles), io::grouped(cells.cells), empty,
                     io::grouped(cells.most));
  for (const TableCurve& curve : table.curves) out << fmt::format("{:>9}", or_dash(curve.values[size]));
  out << std::endl;
}

void write_table1(const std::filesystem::path& folder, const std::vector<DepositBlock>& blocks, double bandwidth) {
  ResultCsv csv(folder / "table1.csv",
                {"distribution", "configuration", "particles", "cells", "empty cells", "iterations run", "time [ms]",
                 "speed-up", "speed-up with a tenth of the sort", "share of the ceiling [%]"});
  for (const DepositBlock& block : blocks)
    for (const DepositTimings& size : block.sizes) {
      const auto append = [&](const std::string& name, const Timing& timing, const auto&... ratios) {
        csv.append(block.name, name, size.particles, size.cells.cells, size.cells.empty, timing.iterations,
                   or_nothing(timing.milliseconds()), or_nothing(ratios)...);
      };
      append("serial", size.serial, 1.0, none, none);
      append("sort", size.sort, none, none, none);
      append("reorder", size.reorder, none, none, none);
      for (std::size_t k = 0; k < block.methods.size(); ++k) {
        const double serial = size.serial.milliseconds(), time = size.methods[k].milliseconds();
        append(block.methods[k], size.methods[k], serial / time,
               speed_up_with_sort(serial, time, size.sort.milliseconds()), ceiling_share(size, time, bandwidth));
      }
    }
  for (const PaperDepositLine& line : paper_deposit_lines) {
    const auto append = [&](const char* name, double time, double speed_up, double with_sort) {
      csv.append("paper", name, std::llround(line.millions * 1e6), 330'000, "", "", time, or_nothing(speed_up),
                 or_nothing(with_sort), "");
    };
    append("CPU i7-4770", line.cpu_m1, 1, none);
    append("GPU sort", line.sort, none, none);
    append("Zhao on GTX Titan", line.zhao_m1, line.cpu_m1 / line.zhao_m1,
           speed_up_with_sort(line.cpu_m1, line.zhao_m1, line.sort));
    append("Zhao on K40c", line.zhao_m2, none, none);
    append("Corners on K40c", line.corners_m2, none, none);
    append("Corners on GTX Titan worked out", line.corners_m1(), line.cpu_m1 / line.corners_m1(),
           speed_up_with_sort(line.cpu_m1, line.corners_m1(), line.sort));
  }
}

}  // namespace shoal::benchmarks
