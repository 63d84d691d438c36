// SPDX-License-Identifier: Apache-2.0
#include "io/points/points_columns.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"
#include "io/formats/text/strings.hpp"

namespace shoal::io {

namespace {

constexpr const char* how_to_name = "Name the coordinates, one to three of them, with `coordinates`.";

std::optional<std::size_t> find_column(const std::vector<std::string>& names, const std::string& wanted) {
  const auto whole = std::find(names.begin(), names.end(), wanted);
  const auto column = whole != names.end() ? whole : std::find_if(names.begin(), names.end(), [&](const auto& name) {
    return without_unit(name) == wanted;
  });
  if (column == names.end()) return {};
  return static_cast<std::size_t>(column - names.begin());
}

std::size_t require_column(const std::string& file, const std::vector<std::string>& names, const std::string& wanted) {
  const std::optional<std::size_t> column = find_column(names, wanted);
  require(column.has_value(), missing_text(file, "column", wanted, names));
  return *column;
}

/// Columns with the names x, y and z, or with ParaView's names for these.
std::vector<std::size_t> usual_coordinates(const std::string& file, const std::vector<std::string>& names) {
  const std::vector<std::string> usual[] = {
      {"x", "points:0", "points_0"}, {"y", "points:1", "points_1"}, {"z", "points:2", "points_2"}};
  std::vector<std::size_t> columns;
  int last_axis = -1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto is_usual = [&](const std::string& name) {
      const std::string word = lower_case(without_unit(name));
      return std::find(usual[axis].begin(), usual[axis].end(), word) != usual[axis].end();
    };
    const auto column = std::find_if(names.begin(), names.end(), is_usual);
    if (column == names.end()) continue;
    require(std::find_if(column + 1, names.end(), is_usual) == names.end(), file, ": two columns could be ",
            usual[axis][0], ". It has ", printable(join(names)), ". ", how_to_name);
    require(axis == last_axis + 1, file, ": it has a column ", *column, " and none for ", usual[last_axis + 1][0],
            ". It has ", printable(join(names)), ". ", how_to_name);
    last_axis = axis;
    columns.push_back(static_cast<std::size_t>(column - names.begin()));
  }
  return columns;
}

std::vector<std::size_t> coordinate_columns(const std::string& file, const std::vector<std::string>& names,
                                            std::size_t count, const std::vector<std::size_t>& values,
                                            const PointsFileOptions& options) {
  std::vector<std::size_t> chosen;
  for (const std::string& name : options.coordinates) chosen.push_back(require_column(file, names, name));
  if (chosen.empty()) chosen = usual_coordinates(file, names);
  if (!chosen.empty()) return chosen;
  for (std::size_t column = 0; column < count; ++column)
    if (std::find(values.begin(), values.end(), column) == values.end()) chosen.push_back(column);
  require(!chosen.empty(), file, ": no column is left for the coordinates. ", how_to_name);
  require(chosen.size() <= 3, file, ": ", chosen.size(), " columns could be coordinates",
          names.empty() ? "; the columns have no names. Name them all with `columns`, such as x,y,z,mass."
                        : ", and none is called x. It has " + printable(join(names)) + ". " + how_to_name);
  return chosen;
}

}  // namespace

std::vector<std::size_t> ColumnChoice::columns() const {
  std::vector<std::size_t> both = coordinates;
  both.insert(both.end(), values.begin(), values.end());
  return both;
}

ColumnChoice choose_columns(const std::string& file, std::vector<std::string> names, std::size_t count,
                            const PointsFileOptions& options) {
  require(names.empty() || options.columns.empty(), file, ": its columns have names, ", printable(join(names)),
          "; the option `columns` is for files without.");
  if (names.empty()) names = options.columns;
  require(names.empty() || names.size() == count, file, ": `columns` has ", names.size(), " names (",
          printable(join(names)), "), and the file ", count, " columns. Name each.");
  const bool asks_by_name = !options.values.empty() || !options.coordinates.empty();
  require(!names.empty() || !asks_by_name, file,
          ": its columns have no names. Name them all with `columns`, such as x,y,z,mass.");
  require(options.coordinates.size() <= 3, file, ": ", options.coordinates.size(), " columns are to be coordinates (",
          join(options.coordinates), "), expected one to three.");
  ColumnChoice choice;
  for (const std::string& name : options.values) choice.values.push_back(require_column(file, names, name));
  choice.coordinates = coordinate_columns(file, names, count, choice.values, options);
  for (const std::size_t column : choice.coordinates)
    choice.coordinate_names.push_back(names.empty() ? text("column ", column + 1) : names[column]);
  return choice;
}

PointsFile points_of_columns(const std::string& file, const ColumnChoice& choice,
                             std::vector<std::vector<double>> columns, const PointsFileOptions& options) {
  PointsFile points;
  points.name = file;
  points.coordinates = choice.coordinate_names;
  const std::size_t axes = choice.coordinates.size();
  for (std::size_t i = 0; i < options.values.size(); ++i)
    points.values[options.values[i]] = std::move(columns[axes + i]);
  columns.resize(axes);
  set_coordinates(points, std::move(columns));
  return points;
}

void set_coordinates(PointsFile& points, std::vector<std::vector<double>> coordinates) {
  points.dimensions = static_cast<int>(coordinates.size());
  std::vector<double>* const axes[] = {&points.x, &points.y, &points.z};
  for (std::size_t axis = 0; axis < coordinates.size(); ++axis) *axes[axis] = std::move(coordinates[axis]);
}

std::string_view without_unit(std::string_view name) {
  for (const auto& [open, close] : {std::pair('[', ']'), std::pair('(', ')')})
    if (const std::size_t position = name.rfind(open);
        position != std::string_view::npos && position > 0 && name.back() == close)
      return trimmed(name.substr(0, position));
  return name;
}

}  // namespace shoal::io
