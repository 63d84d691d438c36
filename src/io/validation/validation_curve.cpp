// SPDX-License-Identifier: Apache-2.0
#include "io/validation/validation_curve.hpp"

#include <shoal/io/points_file.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.hpp"
#include "io/validation/crossings.hpp"
#include "io/validation/svg_plot.hpp"

namespace shoal::io::validation {

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

double mean_of(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  const double sum = std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(begin),
                                     values.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
  return end > begin ? sum / static_cast<double>(end - begin) : nothing;
}

double steepest(const Curve& curve) {
  double slope = nothing;
  for (std::size_t i = 1; i < curve.time.size(); ++i)
    slope = std::fmax(slope, std::abs((curve.value[i] - curve.value[i - 1]) / (curve.time[i] - curve.time[i - 1])));
  return slope;
}

double decay_rate(const Curve& curve) {
  const auto count = static_cast<double>(curve.time.size());
  double time = 0, logarithm = 0, squares = 0, products = 0;
  for (std::size_t i = 0; i < curve.time.size(); ++i) {
    time += curve.time[i] / count;
    logarithm += std::log(std::abs(curve.value[i])) / count;
  }
  for (std::size_t i = 0; i < curve.time.size(); ++i) {
    squares += std::pow(curve.time[i] - time, 2);
    products += (curve.time[i] - time) * (std::log(std::abs(curve.value[i])) - logarithm);
  }
  return -products / squares;
}

double rms_error(const Curve& curve, const Curve& reference) {
  double squared = 0;
  for (std::size_t i = 0; i < reference.time.size(); ++i)
    squared += std::pow(at(curve, reference.time[i]) - reference.value[i], 2);
  return reference.time.empty() ? nothing : std::sqrt(squared / static_cast<double>(reference.time.size()));
}

double share_within(const Curve& curve, const Curve& lower, const Curve& upper) {
  std::size_t held = 0;
  for (std::size_t i = 0; i < lower.time.size(); ++i) {
    const double value = at(curve, lower.time[i]);
    held += value >= lower.value[i] && value <= upper.value[i];
  }
  return lower.time.empty() ? nothing : static_cast<double>(held) / static_cast<double>(lower.time.size());
}

/// Returns the moving average of a curve over a window in time.
Curve smoothed(const Curve& curve, double window) {
  const double reach = window / 2 * (1 + 1e-9);
  Curve smooth{curve.time, {}};
  std::size_t begin = 0, end = 0;
  for (const double time : curve.time) {
    while (curve.time[begin] < time - reach) ++begin;
    while (end < curve.time.size() && curve.time[end] <= time + reach) ++end;
    smooth.value.push_back(mean_of(curve.value, begin, end));
  }
  return smooth;
}

const sph::Probe& line_of(const Check& check, const Done& done) {
  for (const sph::Probe& probe : done.probes)
    if (probe.name == check.table && probe.kind == sph::ProbeKind::line) return probe;
  throw Error(
      text(check.place, ": the run \"", done.run.name, "\" has no probe \"", check.table, "\" of kind = \"line\"."));
}

/// Returns the coordinates of a line's points along the axis on which the line is longest.
std::vector<double> places_on(const sph::Probe& line) {
  std::size_t longest = 0;
  for (std::size_t axis = 1; axis < 3; ++axis)
    if (std::abs(line.to[axis] - line.from[axis]) > std::abs(line.to[longest] - line.from[longest])) longest = axis;
  std::vector<double> places;
  for (int point = 0; point < line.points; ++point)
    places.push_back(line.from[longest] + (line.to[longest] - line.from[longest]) * point / (line.points - 1));
  return places;
}

/// Returns the column names of a line's points.
std::vector<std::string> columns_of(const sph::Probe& line, const Check& check) {
  const std::string name = check.column.empty() ? std::string(to_name(line.of)) : check.column;
  std::vector<std::string> columns;
  for (int point = 1; point <= line.points; ++point) columns.push_back(text(name, "_", point));
  return columns;
}

/// Returns the mean over a line's points as a function of time.
Curve mean_of_line(const Check& check, const Done& done, const std::filesystem::path& file) {
  const std::vector<std::string> columns = columns_of(line_of(check, done), check);
  PointsFile table = read_points(file, {.coordinates = {"time"}, .values = columns});
  Curve curve{std::move(table.x), {}};
  curve.value.assign(curve.time.size(), 0);
  for (const std::string& column : columns)
    for (std::size_t i = 0; i < curve.time.size(); ++i)
      curve.value[i] += table.values.at(column)[i] / static_cast<double>(columns.size());
  return curve;
}

Curve curve_along_line(const Check& check, const Done& done, const std::filesystem::path& file) {
  const sph::Probe& line = line_of(check, done);
  const std::vector<std::string> columns = columns_of(line, check);
  const PointsFile table = read_points(file, {.coordinates = {"time"}, .values = columns});
  std::size_t row = table.x.size();
  for (std::size_t i = 0; i < table.x.size(); ++i)
    if (!check.time || table.x[i] <= *check.time * (1 + 1e-9)) row = i;
  require(row < table.x.size(), file.string(), ": it has no row at t = ", check.time.value_or(0), " s.");
  Curve curve{places_on(line), {}};
  for (const std::string& column : columns) curve.value.push_back(table.values.at(column)[row]);
  return curve;
}

/// Returns the name of the first column of a curve.
std::string axis_of(const Check& check) {
  switch (check.along) {
    case Along::profile:
      return "x";
    case Along::profile_y:
      return "y";
    case Along::velocity:
      return "velocity x";
    case Along::time:
    case Along::line:
    case Along::line_mean:
      break;
  }
  return "time";
}

/// Returns one state of a table with a row for each place: the last one up to `time`.
Curve curve_of_profile(const Check& check, const std::filesystem::path& file) {
  PointsFile table =
      read_points(file, {.coordinates = {axis_of(check)}, .values = {"time", "iterations", check.column}});
  const std::vector<double>&time = table.values.at("time"), &iterations = table.values.at("iterations");
  std::size_t end = time.size();
  while (end > 0 && check.time && time[end - 1] > *check.time * (1 + 1e-9)) --end;
  require(end > 0, file.string(), ": it has no rows up to t = ", check.time.value_or(0), " s.");
  std::size_t begin = end - 1;
  while (begin > 0 && time[begin - 1] == time[end - 1] && iterations[begin - 1] == iterations[end - 1]) --begin;
  const auto part = [&](const std::vector<double>& column) {
    return std::vector<double>(column.begin() + static_cast<std::ptrdiff_t>(begin),
                               column.begin() + static_cast<std::ptrdiff_t>(end));
  };
  return {part(table.x), part(table.values.at(check.column))};
}

/// Reads time, or x, and one column. Without a name, the column is the second of a table with two or three columns.
Curve read_curve(const std::filesystem::path& file, const std::string& column, const std::string& axis = "time") {
  if (column.empty()) {
    PointsFile table = read_points(file);
    require(table.dimensions >= 2, file.string(), ": it has no column beside time.");
    return {std::move(table.x), std::move(table.y)};
  }
  PointsFile table = read_points(file, {.coordinates = {axis}, .values = {column}});
  return {std::move(table.x), std::move(table.values.at(column))};
}

/// Returns at most 300 evenly spaced points of a curve, which suffice for a plot.
PlotSeries drawn(const std::string& name, const Curve& curve) {
  constexpr std::size_t most = 300;
  PlotSeries series{name, {}, {}};
  for (std::size_t i = 0; i < curve.time.size(); i += curve.time.size() / most + 1) {
    if (!std::isfinite(curve.value[i])) continue;
    series.x.push_back(curve.time[i]);
    series.y.push_back(curve.value[i]);
  }
  return series;
}

std::string file_name_of(std::string quantity) {
  std::replace_if(
      quantity.begin(), quantity.end(), [](unsigned char c) { return !std::isalnum(c) && c != '.'; }, '_');
  constexpr std::size_t longest = 100;
  return quantity.substr(0, longest);
}

}  // namespace

Curve within(const Curve& curve, const Check& check) {
  Curve part;
  for (std::size_t i = 0; i < curve.time.size(); ++i) {
    if (curve.time[i] < check.from.value_or(-INFINITY) || curve.time[i] > check.to.value_or(INFINITY)) continue;
    part.time.push_back(curve.time[i]);
    part.value.push_back(curve.value[i]);
  }
  return part;
}

double at(const Curve& curve, double time) {
  const auto next = std::lower_bound(curve.time.begin(), curve.time.end(), time);
  if (next == curve.time.end()) return nothing;
  const auto i = static_cast<std::size_t>(next - curve.time.begin());
  if (*next == time) return curve.value[i];
  if (i == 0) return nothing;
  const double share = (time - curve.time[i - 1]) / (curve.time[i] - curve.time[i - 1]);
  return curve.value[i - 1] + share * (curve.value[i] - curve.value[i - 1]);
}

std::vector<Curve> references_of(const Check& check, const Plan& plan) {
  if (check.reference.empty()) return {};
  const std::filesystem::path file = plan.folder / check.reference;
  const std::string axis = axis_of(check);
  std::vector<Curve> curves;
  if (check.take == Take::share_within)
    for (const std::string& column : check.band) curves.push_back(within(read_curve(file, column, axis), check));
  else
    curves.push_back(within(read_curve(file, check.reference_column, axis), check));
  return curves;
}

double taken(const Check& check, const Curve& curve, const std::vector<Curve>& references) {
  if (curve.time.empty()) return nothing;
  const auto least = std::min_element(curve.value.begin(), curve.value.end()) - curve.value.begin();
  const auto greatest = std::max_element(curve.value.begin(), curve.value.end()) - curve.value.begin();
  const std::size_t half = curve.value.size() / 2;
  switch (check.take) {
    case Take::value:
      return has_places(check.along) ? mean_of(curve.value, 0, curve.value.size())
                                     : at(curve, check.time.value_or(nothing));
    case Take::mean:
      return mean_of(curve.value, 0, curve.value.size());
    case Take::least:
      return curve.value[static_cast<std::size_t>(least)];
    case Take::greatest:
      return curve.value[static_cast<std::size_t>(greatest)];
    case Take::time_of_least:
      return curve.time[static_cast<std::size_t>(least)];
    case Take::time_of_greatest:
      return curve.time[static_cast<std::size_t>(greatest)];
    case Take::first_above:
      return first_above(curve, check.threshold);
    case Take::last_above:
      return last_above(curve, check.threshold);
    case Take::steepest:
      return steepest(curve);
    case Take::drift:
      return mean_of(curve.value, half, curve.value.size()) - mean_of(curve.value, 0, half);
    case Take::frequency:
      return frequency(curve, mean_of(curve.value, 0, curve.value.size()));
    case Take::decay_rate:
      return decay_rate(curve);
    case Take::rms_error:
      return rms_error(curve, references.at(0));
    case Take::share_within:
      return share_within(curve, references.at(0), references.at(1));
  }
  return nothing;
}

Curve curve_of(const Check& check, const Done& done) {
  const std::filesystem::path file = done.folder / (check.table + ".csv");
  Curve curve = check.along == Along::line        ? curve_along_line(check, done, file)
                : check.along == Along::line_mean ? mean_of_line(check, done, file)
                : is_profile(check.along)         ? curve_of_profile(check, file)
                                                  : read_curve(file, check.column);
  for (double& time : curve.time) time = (time - check.time_zero) / check.time_unit;
  for (double& value : curve.value) value = (value - check.zero) / check.unit;
  return check.window > 0 ? smoothed(curve, check.window) : curve;
}

void write_plots(const Plan& plan, const Done& done) {
  for (const Check& check : plan.checks) {
    const bool about =
        check.runs.empty() || std::find(check.runs.begin(), check.runs.end(), done.run.name) != check.runs.end();
    if (!about || check.reference.empty()) continue;
    const Curve curve = within(curve_of(check, done), check);
    Plot plot{
        plan.title, has_places(check.along) ? "place, scaled" : "time, scaled", check.quantity, {}, PlotScale::linear};
    plot.series.push_back(drawn(done.run.name, curve));
    for (const Curve& reference : references_of(check, plan)) plot.series.push_back(drawn("reference", reference));
    write_svg(done.folder / (file_name_of(check.quantity) + ".svg"), plot);
  }
}

}  // namespace shoal::io::validation
