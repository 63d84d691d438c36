// SPDX-License-Identifier: Apache-2.0
#include "papers/tables.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/text.hpp"
#include "io/validation/svg_plot.hpp"
#include "papers/result_csv.hpp"

namespace shoal::benchmarks {

std::string or_dash(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4g}", value); }

std::string or_nothing(double value) { return std::isnan(value) ? "" : text(value); }

void write_curves(const std::filesystem::path& folder, const std::string& name, const std::string& title,
                  const TableSizes& sizes, const PaperTable& table) {
  ResultCsv csv(folder / (name + ".csv"), {"configuration", sizes.unit, table.title});
  io::Plot plot{title, sizes.unit, table.title, {}};
  for (const TableCurve& curve : table.curves) {
    const std::vector<std::int64_t>& counts = curve.is_from_paper ? sizes.paper : sizes.ours;
    io::PlotSeries series{curve.name, {}, {}};
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      if (std::isnan(curve.values[i])) continue;
      csv.append(curve.name, counts[i], curve.values[i]);
      series.x.push_back(static_cast<double>(counts[i]));
      series.y.push_back(curve.values[i]);
    }
    plot.series.push_back(std::move(series));
  }
  io::write_svg(folder / (name + ".svg"), plot);
}

}  // namespace shoal::benchmarks
