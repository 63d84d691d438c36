// SPDX-License-Identifier: Apache-2.0
#include "io/validation/svg_plot.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/text.hpp"

namespace shoal::io {

namespace {

// Lengths in pixels.
constexpr double left = 80;
constexpr double top = 50;
constexpr double width = 560;
constexpr double height = 400;
constexpr double legend = 400;
constexpr double below = 60;

/// Colors of Okabe and Ito (2008), distinguishable with any color vision.
constexpr std::array colors = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a8a00"};

/// Axis from grid line `first` to grid line `last`, which enclose all values. Grid lines are decades or multiples of
/// `unit`.
struct Axis {
  PlotScale scale = PlotScale::logarithmic;
  double unit = 1;  ///< spacing of the grid lines of a linear axis
  int first = 0;
  int last = 1;

  static Axis around(PlotScale scale, double least, double most) {
    Axis axis{scale};
    if (axis.is_linear()) axis.unit = round_unit(most - least);
    axis.first = static_cast<int>(std::floor(axis.number(least)));
    axis.last = std::max(axis.first + 1, static_cast<int>(std::ceil(axis.number(most))));
    return axis;
  }
  bool is_linear() const { return scale == PlotScale::linear; }
  /// Returns the position of a value in grid lines, counted from 0 or, on a logarithmic axis, from 1.
  double number(double value) const { return is_linear() ? value / unit : std::log10(value); }
  double value(int line) const { return is_linear() ? line * unit : std::pow(10.0, line); }
  double fraction(double value) const { return (number(value) - first) / (last - first); }

 private:
  /// Returns a grid spacing of 1, 2 or 5 times a power of ten, about a sixth of the range.
  static double round_unit(double range) {
    const double least = range > 0 ? range / 8 : 1;
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double times : {1.0, 2.0, 5.0})
      if (times * decade >= least) return times * decade;
    return 10 * decade;
  }
};

std::string escaped(const std::string& words) {
  std::string safe;
  for (const char c : words) safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

void require_valid(const PlotSeries& series, PlotScale scale) {
  require(series.x.size() == series.y.size(), "plot: series \"", series.name, "\" has ", series.x.size(), " x and ",
          series.y.size(), " y, expected equal numbers.");
  for (const std::vector<double>* values : {&series.x, &series.y})
    for (const double value : *values)
      require(std::isfinite(value) && (value > 0 || scale == PlotScale::linear), "plot: series \"", series.name,
              "\" has the value ", value,
              scale == PlotScale::linear ? ", expected a finite number."
                                         : ", expected a positive number: the axes are logarithmic.");
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot) : plot_(plot) {
    double least[2] = {1e300, 1e300};
    double most[2] = {-1e300, -1e300};
    for (const PlotSeries& series : plot.series) {
      require_valid(series, plot.scale);
      for (int axis = 0; axis < 2; ++axis)
        for (const double value : axis == 0 ? series.x : series.y) {
          least[axis] = std::min(least[axis], value);
          most[axis] = std::max(most[axis], value);
        }
    }
    if (most[0] < least[0]) return;  // a plot without points has empty axes
    x_ = Axis::around(plot.scale, least[0], most[0]);
    y_ = Axis::around(plot.scale, least[1], most[1]);
  }

  std::string text() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        left + width + legend, top + height + below);
    words(left + width / 2, 28, plot_.title, "middle", "font-size=\"16\"");
    axes();
    std::size_t shown = 0;
    for (const PlotSeries& series : plot_.series)
      if (!series.x.empty()) curve(series, shown++);
    return out_ + "</svg>\n";
  }

 private:
  double pixel_x(double value) const { return left + x_.fraction(value) * width; }
  double pixel_y(double value) const { return top + (1 - y_.fraction(value)) * height; }

  void words(double x, double y, const std::string& text, const char* anchor, const std::string& more = "") {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor, more,
                        escaped(text));
  }

  void line(double x1, double y1, double x2, double y2, const char* color, double thick, const char* more = "") {
    out_ += fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", x1, y1,
        x2, y2, color, thick, more);
  }

  /// Draws the label of a grid line: a number, or 10 with an exponent.
  void label(double x, double y, const Axis& axis, int number, const char* anchor) {
    if (axis.is_linear()) return words(x, y, fmt::format("{:.10g}", axis.value(number)), anchor);
    out_ += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">10<tspan dy=\"-5\" font-size=\"10\">{}</tspan></text>\n", x,
        y, anchor, number);
  }

  void axes() {
    const double bottom = top + height;
    for (int number = x_.first; number <= x_.last; ++number) {
      const double x = pixel_x(x_.value(number));
      line(x, top, x, bottom, "#dddddd", 1);
      label(x, bottom + 20, x_, number, "middle");
      for (int digit = 2; digit < 10 && number < x_.last && !x_.is_linear(); ++digit)
        line(pixel_x(digit * x_.value(number)), bottom - 4, pixel_x(digit * x_.value(number)), bottom, "#555555", 1);
    }
    for (int number = y_.first; number <= y_.last; ++number) {
      const double y = pixel_y(y_.value(number));
      line(left, y, left + width, y, "#dddddd", 1);
      label(left - 8, y + 4, y_, number, "end");
      for (int digit = 2; digit < 10 && number < y_.last && !y_.is_linear(); ++digit)
        line(left, pixel_y(digit * y_.value(number)), left + 4, pixel_y(digit * y_.value(number)), "#555555", 1);
    }
    out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#555555\"/>\n", left,
                        top, width, height);
    words(left + width / 2, bottom + 45, plot_.x_label, "middle");
    words(0, 0, plot_.y_label, "middle", fmt::format("transform=\"translate(22 {}) rotate(-90)\"", top + height / 2));
  }

  void curve(const PlotSeries& series, std::size_t number) {
    const char* color = colors[number % colors.size()];
    const char* dashes = number / colors.size() % 2 == 0 ? "" : " stroke-dasharray=\"6 4\"";
    std::string points;
    for (std::size_t i = 0; i < series.x.size(); ++i)
      points += fmt::format("{:.1f},{:.1f} ", pixel_x(series.x[i]), pixel_y(series.y[i]));
    out_ += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{}/>\n", points, color,
                        dashes);
    for (std::size_t i = 0; i < series.x.size(); ++i) marker(pixel_x(series.x[i]), pixel_y(series.y[i]), number);
    const double y = top + 10 + 22 * static_cast<double>(number);
    line(left + width + 16, y, left + width + 44, y, color, 1.8, dashes);
    marker(left + width + 30, y, number);
    words(left + width + 52, y + 4, series.name, "start");
  }

  /// Draws a circle, square, diamond or triangle; filled for the first four series, open for the next four.
  void marker(double x, double y, std::size_t number) {
    constexpr std::array shapes = {"M-4,0 A4,4 0 1 0 4,0 A4,4 0 1 0 -4,0 Z", "M-3.6,-3.6 H3.6 V3.6 H-3.6 Z",
                                   "M0,-5 L5,0 L0,5 L-5,0 Z", "M0,-5 L4.5,3.5 L-4.5,3.5 Z"};
    const char* color = colors[number % colors.size()];
    const bool is_filled = number / shapes.size() % 2 == 0;
    out_ += fmt::format("<path transform=\"translate({:.1f} {:.1f})\" d=\"{}\" fill=\"{}\" stroke=\"{}\"/>\n", x, y,
                        shapes[number % shapes.size()], is_filled ? color : "white", color);
  }

  const Plot& plot_;
  Axis x_;
  Axis y_;
  std::string out_;
};

}  // namespace

std::string svg_text(const Plot& plot) { return Drawing(plot).text(); }

void write_svg(const std::filesystem::path& path, const Plot& plot) {
  const std::string drawing = svg_text(plot);
  std::ofstream out(path, std::ios::trunc);
  out << drawing << std::flush;
  require(out.good(), path.string(), ": cannot write: ", std::strerror(errno), ".");
}

}  // namespace shoal::io
