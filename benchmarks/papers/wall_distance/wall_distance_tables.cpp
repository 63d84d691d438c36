// SPDX-License-Identifier: Apache-2.0
#include "papers/wall_distance/wall_distance_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "papers/result_csv.hpp"

namespace shoal::benchmarks {

namespace {

constexpr std::array<double, paper_grids> none = {not_measured, not_measured, not_measured};

constexpr std::string_view exact_serial = "serial";

WallMethod method_of(const PaperWallLine& line) { return {std::string(line.method), line.processor}; }

bool is_measured(const WallBench& bench, const WallMethod& method) {
  return method == WallMethod{std::string(exact_serial), Processor::cpu_thread} ||
         std::find(bench.methods.begin(), bench.methods.end(), method) != bench.methods.end();
}

/// Adds the measured times of a method on each grid.
void add_measured(const WallBench& bench, const WallMethod& method, WallLine& line) {
  if (!is_measured(bench, method)) return;
  line.method = name_with_processor(method);
  const auto index = std::find(bench.methods.begin(), bench.methods.end(), method) - bench.methods.begin();
  for (std::size_t grid = 0; grid < paper_grids; ++grid) {
    line.time[grid] = bench.time(method, grid);
    if (method.name != exact_serial)
      line.build[grid] = bench.grids[grid].methods[static_cast<std::size_t>(index)].build.milliseconds();
  }
}

bool is_in_a_table(const WallMethod& method) {
  return std::any_of(std::begin(paper_wall_lines), std::end(paper_wall_lines),
                     [&](const PaperWallLine& line) { return method_of(line) == method; });
}

std::string paper_time(double time) { return time == below_one ? "< 1" : or_dash(time); }

void print_line(const WallBench& bench, const WallLine& line, std::ostream& out) {
  constexpr std::size_t finest = paper_grids - 1;
  out << fmt::format("{:<24}  {:<52}{:>10}", line.name, line.method, or_dash(line.build[finest]));
  for (const double time : line.time) out << fmt::format("{:>10}", or_dash(time));
  out << fmt::format("{:>10}  ", or_dash(bench.reference(line.table, finest) / line.time[finest]));
  for (const double time : line.paper) out << fmt::format("{:>10}", paper_time(time));
  out << fmt::format("{:>10}", or_dash(paper_wall_reference(line.table, finest) / line.paper[finest])) << '\n';
}

void print_heading(const char* title, std::ostream& out) {
  out << '\n' << title << '\n' << fmt::format("{:<24}  {:<52}{:>10}", "in the paper", "here", "build");
  for (const PaperWallGrid& grid : paper_wall_grids) out << fmt::format("{:>10}", grid.name);
  out << fmt::format("{:>10}  ", "speed-up");
  for (const PaperWallGrid& grid : paper_wall_grids) out << fmt::format("{:>10}", grid.name);
  out << fmt::format("{:>10}\n", "speed-up");
}

/// Times by the number of pairs: those of one table of the paper, and those of methods that are not in the paper.
PaperTable times(const WallBench& bench, int table) {
  PaperTable plotted{"time [ms]", {}};
  for (const WallLine& line : bench.lines()) {
    if (line.table != table && line.table != 0) continue;
    if (!line.method.empty()) plotted.curves.push_back({line.method, {line.time.begin(), line.time.end()}});
  }
  for (const PaperWallLine& line : paper_wall_lines) {
    if (line.table != table) continue;
    TableCurve curve{"paper: " + std::string(line.name), {line.time.begin(), line.time.end()}, true};
    std::replace(curve.values.begin(), curve.values.end(), below_one, not_measured);
    plotted.curves.push_back(std::move(curve));
  }
  return plotted;
}

TableSizes pairs(const WallBench& bench) {
  TableSizes sizes{"pairs of a cell and a face", {}, {}};
  for (const WallTimings& grid : bench.grids) sizes.ours.push_back(grid.pairs());
  for (const PaperWallGrid& grid : paper_wall_grids) {
    const std::int64_t faces = grid.around - 1;
    sizes.paper.push_back(faces * faces * (paper_points_out - 1));
  }
  return sizes;
}

}  // namespace

std::string name_with_processor(const WallMethod& method) {
  switch (method.processor) {
    case Processor::cpu_thread:
      return method.name + " on 1 CPU thread";
    case Processor::cpu_threads:
      return method.name + " on all CPU threads";
    case Processor::device:
      break;
  }
  return method.name;
}

double WallBench::time(const WallMethod& method, std::size_t grid) const {
  if (method.name == exact_serial) return grids[grid].serial.milliseconds();
  const auto index = std::find(methods.begin(), methods.end(), method) - methods.begin();
  return grids[grid].methods[static_cast<std::size_t>(index)].find.milliseconds();
}

double WallBench::reference(int table, std::size_t grid) const {
  double fastest = not_measured;
  for (const PaperWallLine& line : paper_wall_lines)
    if (line.table == reference_table(table) && line.processor == Processor::cpu_thread &&
        !(time(method_of(line), grid) >= fastest))
      fastest = time(method_of(line), grid);
  return fastest;
}

std::vector<WallMethod> cpu_methods() {
  std::vector<WallMethod> methods;
  for (const PaperWallLine& line : paper_wall_lines)
    if (line.processor != Processor::device) methods.push_back(method_of(line));
  return methods;
}

std::vector<WallLine> WallBench::lines() const {
  std::vector<WallLine> lines;
  for (const PaperWallLine& paper : paper_wall_lines) {
    lines.push_back({paper.table, std::string(paper.name), {}, none, none, paper.time});
    add_measured(*this, method_of(paper), lines.back());
  }
  std::vector<WallMethod> others = {{std::string(exact_serial), Processor::cpu_thread}};
  others.insert(others.end(), methods.begin(), methods.end());
  for (const WallMethod& method : others) {
    if (is_in_a_table(method)) continue;
    lines.push_back({0, {}, {}, none, none, none});
    add_measured(*this, method, lines.back());
  }
  return lines;
}

void print_tables(const WallBench& bench, std::ostream& out) {
  constexpr const char* titles[] = {"Not in the paper [ms]; speed-up: serial_double / method",
                                    "Table 1: brute force [ms]; speed-up: serial_double / method",
                                    "Table 2: advancing boundary, serial [ms]; speed-up: serial_double / method",
                                    "Table 3: advancing boundary [ms]; speed-up: fastest of table 2 / method"};
  const std::vector<WallLine> lines = bench.lines();
  for (const int table : {1, 2, 3, 0}) {
    print_heading(titles[table], out);
    for (const WallLine& line : lines)
      if (line.table == table) print_line(bench, line, out);
  }
  out << "Build: of the plan or, in tables 2 and 3, by the preprocessor. Build and speed-up: on the FN grid.\n";
}

void write_tables(const WallBench& bench, const std::filesystem::path& folder) {
  ResultCsv csv(folder / "tables.csv",
                {"table", "in the paper", "method", "grid", "cells", "faces", "build [ms]", "time [ms]",
                 "speed-up over table", "speed-up", "time in the paper [ms]", "speed-up in the paper"});
  for (const WallLine& line : bench.lines())
    for (std::size_t k = 0; k < paper_grids; ++k) {
      const WallTimings& grid = bench.grids[k];
      const double paper = line.paper[k];
      csv.append(line.table > 0 ? text(line.table) : "-", line.name, line.method, paper_wall_grids[k].name, grid.points,
                 grid.faces, or_nothing(line.build[k]), or_nothing(line.time[k]), reference_table(line.table),
                 or_nothing(bench.reference(line.table, k) / line.time[k]),
                 paper == below_one ? "< 1" : or_nothing(paper),
                 paper == below_one ? "" : or_nothing(paper_wall_reference(line.table, k) / paper));
    }
  for (const int table : {1, 3})
    write_curves(folder, fmt::format("table{}", table), "circle", pairs(bench), times(bench, table));
}

}  // namespace shoal::benchmarks
