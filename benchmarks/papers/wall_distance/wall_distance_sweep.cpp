// SPDX-License-Identifier: Apache-2.0
#include "papers/wall_distance/wall_distance_sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace shoal::benchmarks {

namespace {

/// Returns true for the methods of the slides' figure and of the rows of table 3.
bool is_of_sweep(const WallMethod& method) {
  if (method.processor == Processor::cpu_thread)
    return std::any_of(std::begin(paper_sweep_curves), std::end(paper_sweep_curves),
                       [&](const PaperSweepCurve& curve) { return curve.method == method.name; });
  return method.processor == Processor::device && method.name.starts_with("advancing_boundary_t");
}

TableCurve measured_curve(const WallSweep& sweep, std::size_t method) {
  TableCurve curve{name_with_processor(sweep.methods[method]), {}};
  for (std::size_t k = 0; k < paper_sweep_cells.size(); ++k)
    curve.values.push_back(sweep.timings.methods[method * paper_sweep_cells.size() + k].find.milliseconds());
  return curve;
}

std::vector<TableCurve> curves(const WallSweep& sweep) {
  std::vector<TableCurve> curves;
  for (std::size_t method = 0; method < sweep.methods.size(); ++method) curves.push_back(measured_curve(sweep, method));
  for (const PaperSweepCurve& paper : paper_sweep_curves)
    curves.push_back({"paper: " + std::string(paper.name), {paper.time.begin(), paper.time.end()}, true});
  return curves;
}

}  // namespace

WallSweep measure_sweep(const Queue& queue, const WallCase& wall_case, const std::vector<WallMethod>& methods,
                        const MeasureOptions& options) {
  WallSweep sweep;
  std::copy_if(methods.begin(), methods.end(), std::back_inserter(sweep.methods), is_of_sweep);
  std::vector<WallMethod> with_resolution;
  for (const WallMethod& method : sweep.methods)
    for (const std::int64_t cells : paper_sweep_cells)
      with_resolution.push_back({method.name, method.processor, cells});
  sweep.timings = measure_walls(queue, wall_case, with_resolution, options);
  return sweep;
}

void print_sweep(const WallSweep& sweep, std::ostream& out) {
  out << fmt::format(
      "\nSlides: resolution of the auxiliary grid, {} cells and {} faces here; the slides name no grid\n",
      sweep.timings.points, sweep.timings.faces);
  out << fmt::format("{:<48}", "time [ms] with this number of cells along each axis");
  for (const std::int64_t cells : paper_sweep_cells) out << fmt::format("{:>8}", cells);
  out << '\n';
  for (const TableCurve& curve : curves(sweep)) {
    out << fmt::format("{:<51}", curve.name);
    for (const double time : curve.values) out << fmt::format("{:>8}", or_dash(time));
    out << '\n';
  }
}

void write_sweep(const WallSweep& sweep, const std::filesystem::path& folder) {
  const std::vector<std::int64_t> cells(paper_sweep_cells.begin(), paper_sweep_cells.end());
  write_curves(folder, "auxiliary_grid", "resolution of the auxiliary grid", {"cells along each axis", cells, cells},
               {"time [ms]", curves(sweep)});
}

}  // namespace shoal::benchmarks
