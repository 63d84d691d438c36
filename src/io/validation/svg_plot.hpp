// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace shoal::io {

/// Curve of a plot.
struct PlotSeries {
  std::string name;
  std::vector<double> x, y;  ///< [points] each; positive with logarithmic axes
};

/// Scale of both axes. Grid lines are decades on logarithmic axes, round numbers on linear axes.
enum class PlotScale { logarithmic, linear };

/// Plot with grid lines, a marker at each point and a legend beside it.
struct Plot {
  std::string title;
  std::string x_label;  ///< label with unit
  std::string y_label;
  std::vector<PlotSeries> series;  ///< curves; the plot omits curves without points
  PlotScale scale = PlotScale::logarithmic;
};

/// Returns the SVG document of a plot. The first eight series have different colors and markers, readable without color
/// vision. The next eight are dashed.
/// @throws Error  a series with x and y of different lengths; a value that is not finite, or not positive on a
///                logarithmic axis
std::string svg_text(const Plot& plot);

/// Writes the SVG document of a plot.
/// @throws Error  the errors of svg_text(); the file cannot be written
void write_svg(const std::filesystem::path& path, const Plot& plot);

}  // namespace shoal::io
