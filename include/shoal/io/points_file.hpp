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

/// Selection of the columns and the step of a points file. docs/points_files.md describes it in full.
struct PointsFileOptions {
  /// Names of all columns, in order, for a file without column names: NPY, or CSV without a header.
  std::vector<std::string> columns = {};
  /// One to three columns (CSV, NPY) with the coordinates; empty: x, y, z.
  std::vector<std::string> coordinates = {};
  /// Columns (CSV, NPY) or PointData arrays (VTK) to read besides the coordinates. "velocity:1" is the second component
  /// of a vector array.
  std::vector<std::string> values = {};
  /// Step of a VTKHDF file with several steps, from 0; empty: the last one.
  std::optional<std::int64_t> step = {};
};

/// Points in host memory.
struct PointsFile {
  std::string name;                      ///< file name for messages
  int dimensions = 0;                    ///< number of coordinates, 1, 2 or 3
  std::vector<double> x, y, z;           ///< [count] m, coordinates; empty for missing axes
  std::vector<std::string> coordinates;  ///< [dimensions] names of the coordinates in the file
  /// Values by the names in PointsFileOptions::values, [count] each.
  std::map<std::string, std::vector<double>> values;
  bool single_precision = false;  ///< true if float holds all coordinates exactly
  std::optional<double> time;     ///< time of the step, s

  std::int64_t count() const { return static_cast<std::int64_t>(x.size()); }
  Points<double> points() const { return {x, y, z}; }
};

/// Reads points. The extension selects the format: .csv, .npy, .vtp, .vtu, .vtkhdf or .hdf.
///
/// NaN and infinity are valid input, because only the caller knows which columns must be finite. Points of VTK files
/// always have three coordinates.
///
/// Cost: one pass over the file; 8 bytes per number read. A VTK XML file is held in memory while it is read.
/// @throws Error  missing file, unknown extension, contents of another format, truncated file, missing column, text in
///                place of a number, inconsistent array lengths, or big-endian numbers; the message gives the file and
///                the line or byte
PointsFile read_points(const std::filesystem::path& file, const PointsFileOptions& options = {});

}  // namespace shoal::io
