// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/points_file.hpp>

#include <string_view>

namespace shoal::io {

/// Columns of a table that are read, as numbers of columns in the order of their use.
struct ColumnChoice {
  std::vector<std::size_t> coordinates;  ///< one to three columns
  std::vector<std::size_t> values;       ///< columns of PointsFileOptions::values, in that order
  std::vector<std::string> coordinate_names;

  /// Columns of the coordinates, then those of the values.
  std::vector<std::size_t> columns() const;
};

/// Selects the columns. Coordinates are the columns that the options name; otherwise those of x, y, z that are present;
/// otherwise all columns except the values, if these are one to three.
/// @param file   name of the file in messages
/// @param names  names of the columns in the file; empty if it has none
/// @param count  number of columns
/// @throws Error  if a column does not exist, or the coordinates cannot be identified
ColumnChoice choose_columns(const std::string& file, std::vector<std::string> names, std::size_t count,
                            const PointsFileOptions& options);

/// Points from columns that were read in the order of `choice.columns()`.
PointsFile points_of_columns(const std::string& file, const ColumnChoice& choice,
                             std::vector<std::vector<double>> columns, const PointsFileOptions& options);

/// Sets x, y and z of the points to `coordinates`.
void set_coordinates(PointsFile& points, std::vector<std::vector<double>> coordinates);

/// Name without its unit, such as "mass" for "mass [kg]".
std::string_view without_unit(std::string_view name);

}  // namespace shoal::io
