// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/points.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shoal::io {

/// Which parts of a points file to read. docs/points_files.md has the whole of it.
struct PointsFileOptions {
  /// Names of all columns, in their order, for a file that has none of its own: NPY, or CSV without a header.
  std::vector<std::string> columns = {};
  /// One to three columns (CSV, NPY) that are the coordinates; empty: x, y, z.
  std::vector<std::string> coordinates = {};
  /// Columns (CSV, NPY) or arrays of PointData (VTK) to read beside the coordinates. "velocity:1" is the second
  /// component of an array that has several.
  std::vector<std::string> values = {};
  /// Step of a VTKHDF file that has several, from 0; empty: the last.
  std::optional<std::int64_t> step = {};
};

/// Points in host memory.
struct PointsFile {
  std::string name;                                   ///< of the file, for messages
  int dimensions = 0;                                 ///< 1, 2 or 3
  std::vector<double> x, y, z;                        ///< [count] m; empty on axes that the points do not have
  std::vector<std::string> coordinates;               ///< [dimensions] what the file calls them
  std::map<std::string, std::vector<double>> values;  ///< [count] each, by the names that were asked for
  bool single_precision = false;                      ///< float holds the coordinates exactly
  std::optional<double> time;                         ///< s, of a step

  std::int64_t count() const { return static_cast<std::int64_t>(x.size()); }
  Points<double> points() const { return {x, y, z}; }
};

/// Reads points from a file whose kind its extension says: .csv, .npy, .vtp, .vtu, .vtkhdf or .hdf.
///
/// NaN and infinity are read as they are: who uses the points says which of them is wrong. Points of VTK files always
/// have three coordinates.
///
/// Cost: one pass over the file; 8 bytes a number that is kept. A VTK XML file is held in memory while it is read.
/// @throws Error  no such file, another extension, not of the kind that its extension says, truncated, a column that is
///                missing, text where a number should be, counts that differ, big-endian numbers: names the file and
///                the line or byte
PointsFile read_points(const std::filesystem::path& file, const PointsFileOptions& options = {});

}  // namespace shoal::io
