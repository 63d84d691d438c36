// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/points_file.hpp>

// Common part of the readers of VTK's XML and HDF files: three coordinates per point, and arrays of PointData.
namespace shoal::io {

/// Points file without points. Its precision is single until an array of another precision is read.
PointsFile empty_vtk_points(const std::filesystem::path& file, const PointsFileOptions& options);

/// Appends points.
/// @param coordinates  x, y, z of each point, [n * 3]
void append_vtk_points(PointsFile& points, const std::vector<double>& coordinates);

/// Name of an array of PointData, or "name:k" for its component k.
struct VtkValueName {
  std::string array;
  std::uint64_t component = 0;
  bool names_component = false;

  /// @param arrays  names of the arrays in the file
  /// @throws Error  if no array has this name
  VtkValueName(const std::string& name, const std::vector<std::string>& arrays, const std::string& file);

  /// Checks the component.
  /// @throws Error  if the array has several components and none is named, or the named one does not exist
  void require_component(const std::string& file, std::uint64_t components) const;

  /// Appends this component of each tuple.
  void append(std::vector<double>& values, const std::vector<double>& tuples, std::uint64_t components) const;
};

}  // namespace shoal::io
