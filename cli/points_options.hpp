// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/io/points_file.hpp>

#include <CLI/CLI.hpp>
#include <string>

// What commands that read a points file have in common.
namespace shoal::cli {

/// How the file is to be read: the names of its columns, which of them are coordinates, and which step.
void add_points_options(CLI::App& command, io::PointsFileOptions& options);

/// "float", "double", or "file": as the file has its coordinates.
void add_precision_option(CLI::App& command, std::string& precision);
bool computes_in_float(const std::string& precision, const io::PointsFile& points);

/// Numbers of a file on the device.
template <class Real>
Array<Real> upload(const Queue& queue, const std::vector<double>& host) {
  if constexpr (sizeof(Real) == sizeof(double)) return to_device(queue, host);
  return to_device(queue, std::vector<Real>(host.begin(), host.end()));
}

}  // namespace shoal::cli
