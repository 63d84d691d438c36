// SPDX-License-Identifier: Apache-2.0
#include "reports/deposit_report.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>

#include "support/output.hpp"

namespace shoal::cli {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

std::string grid_text(const Grid& grid) {
  std::vector<std::string> cells, ranges, periodic;
  for (int axis = 0; axis < grid.dimensions; ++axis) {
    cells.push_back(io::grouped(grid.cells[axis]));
    ranges.push_back(fmt::format("[{:.6g}, {:.6g}]", grid.origin[axis], grid.upper(axis)));
    if (grid.periodic[axis]) periodic.emplace_back(axis_names[axis]);
  }
  const std::string line = fmt::format("{} cells over {} m", fmt::join(cells, " x "), fmt::join(ranges, " x "));
  return periodic.empty() ? line : fmt::format("{}, periodic along {}", line, fmt::join(periodic, " and "));
}

std::string totals_text(const ValueTotals& value, DepositOutside outside) {
  std::string line = fmt::format("{:.10g} on particles", value.particles);
  if (outside == DepositOutside::skip) line += fmt::format(", {:.10g} on skipped ones", value.lost);
  return line + fmt::format(", {:.10g} on nodes, relative difference {}", value.nodes,
                            io::scientific(value.difference(), true));
}

std::string time_text(const DepositReport& report) {
  std::string line = fmt::format("reading {:.3g} s, copying {:.3g} s, binning {:.3g} s, depositing {:.3g} s",
                                 report.reading, report.copying, report.binning, report.depositing);
  if (!report.out.empty()) line += fmt::format(", writing {:.3g} s", report.writing);
  return line;
}

}  // namespace

std::string report_text(const DepositReport& report) {
  std::vector<ReportLine> lines = {
      {"particles",
       fmt::format("{} in {} ({})", io::grouped(report.particles), report.points, fmt::join(report.axes, ", "))},
      {"grid", grid_text(report.grid)},
      {"shape", std::string(to_name(report.shape))},
      {"method", fmt::format("{} in {} on {}", report.method, report.precision, report.device)},
      {"cells",
       fmt::format("mean {:.6g} particles, maximum {}, {} of {} empty", report.cells.mean(),
                   io::grouped(report.cells.most), io::grouped(report.cells.empty), io::grouped(report.cells.cells))}};
  if (report.outside == DepositOutside::skip)
    lines.emplace_back("skipped", io::grouped(report.skipped) + " of " + io::grouped(report.particles));
  for (const ValueTotals& value : report.values) lines.emplace_back(value.name, totals_text(value, report.outside));
  lines.emplace_back("time", time_text(report));
  if (!report.out.empty()) lines.emplace_back("file", report.out);
  return aligned(lines);
}

io::JsonObject report_json(const DepositReport& report) {
  std::vector<io::JsonObject> axes, values;
  for (int axis = 0; axis < report.grid.dimensions; ++axis)
    axes.push_back(io::JsonObject()
                       .add("axis", axis_names[axis])
                       .add("cells", report.grid.cells[axis])
                       .add("from", report.grid.origin[axis])
                       .add("to", report.grid.upper(axis))
                       .add("periodic", report.grid.periodic[axis]));
  for (const ValueTotals& value : report.values)
    values.push_back(io::JsonObject()
                         .add("name", value.name)
                         .add("particles", value.particles)
                         .add("skipped", value.lost)
                         .add("nodes", value.nodes)
                         .add("relative_difference", value.difference()));
  io::JsonObject cells, seconds, json;
  cells.add("mean", report.cells.mean()).add("max", report.cells.most);
  cells.add("empty", report.cells.empty).add("total", report.cells.cells);
  seconds.add("reading", report.reading).add("copying", report.copying).add("binning", report.binning);
  seconds.add("depositing", report.depositing);
  json.add("file", report.points).add("particles", report.particles).add("coordinates", report.axes);
  json.add("grid", axes).add("outside", to_name(report.outside)).add("skipped", report.skipped);
  json.add("shape", to_name(report.shape));
  json.add("method", report.method).add("precision", report.precision).add("device", report.device);
  json.add("particles_in_cells", cells).add("values", values);
  if (!report.out.empty()) json.add("out", report.out), seconds.add("writing", report.writing);
  return json.add("seconds", seconds);
}

}  // namespace shoal::cli
