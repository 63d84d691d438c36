// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace shoal::io {

/// One curve of a plot.
struct PlotSeries {
  std::string name;
  std::vector<double> x, y;  ///< as many; positive where axes are logarithmic
};

/// Of both axes: logarithmic ones have decades as grid lines, linear ones round numbers.
enum class PlotScale { logarithmic, linear };

/// A plot: grid lines, a marker at each point, a legend beside it.
struct Plot {
  std::string title;
  std::string x_label;  ///< with unit
  std::string y_label;
  std::vector<PlotSeries> series;  ///< those without points are left out
  PlotScale scale = PlotScale::logarithmic;
};

/// The plot as an SVG document. Eight series have colors and markers of their own, readable without color vision;
/// the next eight are dashed.
/// @throws Error  a series with x and y of different lengths, or a value that is not finite, or not positive on a
/// logarithmic axis
std::string svg_text(const Plot& plot);

/// Writes it to a file.
/// @throws Error  what svg_text() throws; the file cannot be written
void write_svg(const std::filesystem::path& path, const Plot& plot);

}  // namespace shoal::io
