// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/points_file.hpp>

#include <string_view>

namespace shoal::io {

/// Which columns of a table are read: numbers of columns, in the order of their use.
struct ColumnChoice {
  std::vector<std::size_t> coordinates;  ///< one to three
  std::vector<std::size_t> values;       ///< as PointsFileOptions::values
  std::vector<std::string> coordinate_names;

  /// The coordinates, then the values.
  std::vector<std::size_t> all() const;
};

/// Coordinates are the columns that the options name; else x, y, z as far as there; else all but the values, if they
/// are one to three.
/// @param file   for messages
/// @param names  of the columns in the file; empty if it has none
/// @param count  of columns
/// @throws Error  a column that is not there, or no way to tell which ones are the coordinates
ColumnChoice choose_columns(const std::string& file, std::vector<std::string> names, std::size_t count,
                            const PointsFileOptions& options);

/// The points of columns that were read in the order of `choice.all()`.
PointsFile points_of_columns(const std::string& file, const ColumnChoice& choice,
                             std::vector<std::vector<double>> columns, const PointsFileOptions& options);

/// Puts `coordinates` into the points' x, y and z.
void set_coordinates(PointsFile& points, std::vector<std::vector<double>> coordinates);

/// "mass" of "mass [kg]".
std::string_view without_unit(std::string_view name);

}  // namespace shoal::io
