// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/points_file.hpp>

// What points of VTK's XML and HDF files have in common: three coordinates each, and arrays of PointData.
namespace shoal::io {

/// No points yet, of single precision until something else is found.
PointsFile empty_vtk_points(const std::filesystem::path& file, const PointsFileOptions& options);

/// @param coordinates  [n * 3] x, y, z of one point after the other
void append_vtk_points(PointsFile& points, const std::vector<double>& coordinates);

/// An array of PointData, or with "name:k" its component k.
struct VtkValueName {
  std::string array;
  std::uint64_t component = 0;
  bool names_component = false;

  /// @param arrays  those that are there
  /// @throws Error  none of that name
  VtkValueName(const std::string& asked, const std::vector<std::string>& arrays, const std::string& file);

  /// @throws Error  the array has several components and none is named, or not that one
  void require_component(const std::string& file, std::uint64_t components) const;

  /// Adds that component of each tuple.
  void append(std::vector<double>& to, const std::vector<double>& tuples, std::uint64_t components) const;
};

}  // namespace shoal::io
