// SPDX-License-Identifier: Apache-2.0
#include "paper_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/text.hpp"
#include "io/formats/text/csv.hpp"
#include "io/validation/svg_plot.hpp"

namespace shoal::cli {

double ms(const Timing& timing) {
  return timing.iterations == 0 ? std::numeric_limits<double>::quiet_NaN()
                                : 1000 * timing.seconds / static_cast<double>(timing.iterations);
}

std::string or_dash(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4g}", value); }

std::string or_nothing(double value) { return std::isnan(value) ? "" : text(value); }

void write_curves(const std::filesystem::path& folder, const std::string& name, const std::string& title,
                  const TableSizes& sizes, const PaperTable& table) {
  io::Csv csv(folder / (name + ".csv"), {"configuration", sizes.of, table.title});
  io::Plot plot{title, sizes.of, table.title, {}};
  for (const TableCurve& curve : table.curves) {
    const std::vector<std::int64_t>& at = curve.of_paper ? sizes.papers : sizes.ours;
    io::PlotSeries series{curve.name, {}, {}};
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      if (std::isnan(curve.values[i])) continue;
      csv.append(curve.name, at[i], curve.values[i]);
      series.x.push_back(static_cast<double>(at[i]));
      series.y.push_back(curve.values[i]);
    }
    plot.series.push_back(std::move(series));
  }
  io::write_svg(folder / (name + ".svg"), plot);
}

}  // namespace shoal::cli
