// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/points_file.hpp>

// One reader for each kind of points file; read_points() selects the reader.
namespace shoal::io {

/// Text: one line per point, with numbers separated by commas, semicolons or tabs.
PointsFile read_csv_points(const std::filesystem::path& file, const PointsFileOptions& options);

/// NumPy's file of one array.
PointsFile read_npy_points(const std::filesystem::path& file, const PointsFileOptions& options);

/// VTK's XML PolyData or UnstructuredGrid, serial.
PointsFile read_vtk_xml_points(const std::filesystem::path& file, const PointsFileOptions& options);

/// VTKHDF PolyData or UnstructuredGrid.
PointsFile read_vtkhdf_points(const std::filesystem::path& file, const PointsFileOptions& options);

}  // namespace shoal::io
