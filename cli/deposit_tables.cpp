// SPDX-License-Identifier: Apache-2.0
#include "deposit_tables.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <ostream>

#include "deposit_paper.hpp"
#include "io/formats/text/csv.hpp"

namespace shoal::cli {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

TableCurve of_paper(const std::string& name, const std::function<double(const PaperDepositRow&)>& value) {
  TableCurve curve{"paper: " + name, {}, true};
  for (const PaperDepositRow& row : paper_deposit_rows) curve.values.push_back(value(row));
  return curve;
}

TableCurve of_sizes(const DepositBlock& block, const std::string& name,
                    const std::function<double(const DepositTimings&)>& value) {
  TableCurve curve{name, {}};
  for (const DepositTimings& size : block.sizes) curve.values.push_back(value(size));
  return curve;
}

/// A curve for each method.
std::vector<TableCurve> of_methods(const DepositBlock& block,
                                   const std::function<double(const DepositTimings&, double time)>& value) {
  std::vector<TableCurve> curves;
  for (std::size_t k = 0; k < block.methods.size(); ++k)
    curves.push_back(of_sizes(block, block.methods[k],
                              [&](const DepositTimings& size) { return value(size, ms(size.methods[k])); }));
  return curves;
}

/// Bytes a ms in percent of the ceiling.
double ceiling_share(const DepositTimings& size, double time, double bandwidth) {
  return 100 * size.least_bytes() / (time / 1000) / bandwidth;
}

}  // namespace

TableSizes DepositBlock::counts() const {
  TableSizes counts{"particles", {}, {}};
  for (const DepositTimings& size : sizes) counts.ours.push_back(size.particles);
  for (const PaperDepositRow& row : paper_deposit_rows) counts.papers.push_back(std::llround(row.millions * 1e6));
  return counts;
}

PaperTable DepositBlock::times() const {
  PaperTable table{"time of one interpolation of three values [ms]", {}};
  table.curves = {of_sizes(*this, "serial on 1 CPU thread", [](const auto& size) { return ms(size.serial); }),
                  of_sizes(*this, "sort", [](const auto& size) { return ms(size.sort); })};
  for (TableCurve& curve : of_methods(*this, [](const auto&, double time) { return time; }))
    table.curves.push_back(std::move(curve));
  table.curves.push_back(of_paper("CPU i7-4770", [](const auto& row) { return row.cpu_m1; }));
  table.curves.push_back(of_paper("GPU sort", [](const auto& row) { return row.sort; }));
  table.curves.push_back(of_paper("Zhao on GTX Titan", [](const auto& row) { return row.zhao_m1; }));
  table.curves.push_back(of_paper("Zhao on K40c", [](const auto& row) { return row.zhao_m2; }));
  table.curves.push_back(of_paper("Corners on K40c", [](const auto& row) { return row.corners_m2; }));
  return table;
}

PaperTable DepositBlock::with_sort() const {
  PaperTable table{"speed-up: serial / (method + sort / 10)", of_methods(*this, [](const auto& size, double time) {
                     return speed_up_with_sort(ms(size.serial), time, ms(size.sort));
                   })};
  table.curves.push_back(of_paper(
      "Zhao on GTX Titan", [](const auto& row) { return speed_up_with_sort(row.cpu_m1, row.zhao_m1, row.sort); }));
  table.curves.push_back(of_paper("Corners on GTX Titan worked out", [](const auto& row) {
    return speed_up_with_sort(row.cpu_m1, row.corners_m1(), row.sort);
  }));
  return table;
}

PaperTable DepositBlock::without_sort() const {
  PaperTable table{"speed-up without the sort: serial / method",
                   of_methods(*this, [](const auto& size, double time) { return ms(size.serial) / time; })};
  table.curves.push_back(of_paper("Zhao on GTX Titan", [](const auto& row) { return row.cpu_m1 / row.zhao_m1; }));
  table.curves.push_back(
      of_paper("Corners on GTX Titan worked out", [](const auto& row) { return row.cpu_m1 / row.corners_m1(); }));
  return table;
}

PaperTable DepositBlock::ceiling_shares(double bandwidth) const {
  return {"share of the ceiling [%]",
          of_methods(*this, [=](const auto& size, double time) { return ceiling_share(size, time, bandwidth); })};
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
  const CellCounts& cells = timings.cells;
  const double empty = 100 * static_cast<double>(cells.empty) / static_cast<double>(cells.cells);
  out << fmt::format("{:>12}{:>10}{:>6.0f} %{:>12}", io::grouped(timings.particles), io::grouped(cells.cells), empty,
                     io::grouped(cells.most));
  for (const TableCurve& curve : table.curves) out << fmt::format("{:>9}", or_dash(curve.values[size]));
  out << std::endl;
}

void write_table1(const std::filesystem::path& folder, const std::vector<DepositBlock>& blocks, double bandwidth) {
  io::Csv csv(folder / "table1.csv",
              {"distribution", "configuration", "particles", "cells", "empty cells", "iterations run", "time [ms]",
               "speed-up", "speed-up with a tenth of the sort", "share of the ceiling [%]"});
  for (const DepositBlock& block : blocks)
    for (const DepositTimings& size : block.sizes) {
      const auto append = [&](const std::string& name, const Timing& timing, const auto&... ratios) {
        csv.append(block.name, name, size.particles, size.cells.cells, size.cells.empty, timing.iterations,
                   or_nothing(ms(timing)), or_nothing(ratios)...);
      };
      append("serial", size.serial, 1.0, none, none);
      append("sort", size.sort, none, none, none);
      for (std::size_t k = 0; k < block.methods.size(); ++k) {
        const double serial = ms(size.serial), time = ms(size.methods[k]);
        append(block.methods[k], size.methods[k], serial / time, speed_up_with_sort(serial, time, ms(size.sort)),
               ceiling_share(size, time, bandwidth));
      }
    }
  for (const PaperDepositRow& row : paper_deposit_rows) {
    const auto append = [&](const char* name, double time, double speed_up, double with_sort) {
      csv.append("paper", name, std::llround(row.millions * 1e6), 330'000, "", "", time, or_nothing(speed_up),
                 or_nothing(with_sort), "");
    };
    append("CPU i7-4770", row.cpu_m1, 1, none);
    append("GPU sort", row.sort, none, none);
    append("Zhao on GTX Titan", row.zhao_m1, row.cpu_m1 / row.zhao_m1,
           speed_up_with_sort(row.cpu_m1, row.zhao_m1, row.sort));
    append("Zhao on K40c", row.zhao_m2, none, none);
    append("Corners on K40c", row.corners_m2, none, none);
    append("Corners on GTX Titan worked out", row.corners_m1(), row.cpu_m1 / row.corners_m1(),
           speed_up_with_sort(row.cpu_m1, row.corners_m1(), row.sort));
  }
}

}  // namespace shoal::cli
