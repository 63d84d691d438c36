// SPDX-License-Identifier: Apache-2.0
#include "points_options.hpp"

namespace shoal::cli {

void add_points_options(CLI::App& command, io::PointsFileOptions& options) {
  command.add_option("--columns", options.columns, "names of all columns, where the file has none: x,y,z,mass")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--coordinates", options.coordinates, "columns that are the coordinates; default: x,y,z")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--step", options.step, "step of a VTKHDF file, from 0; default: the last");
}

void add_precision_option(CLI::App& command, std::string& precision) {
  command.add_option("--precision", precision, "float, double, or file: as the file has them")
      ->check(CLI::IsMember({"float", "double", "file"}))
      ->capture_default_str();
}

bool computes_in_float(const std::string& precision, const io::PointsFile& points) {
  return precision == "file" ? points.single_precision : precision == "float";
}

}  // namespace shoal::cli
