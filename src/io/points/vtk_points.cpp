// SPDX-License-Identifier: Apache-2.0
#include "io/points/vtk_points.hpp"

#include <shoal/io/text.hpp>

#include <algorithm>

#include "core/text.hpp"
#include "io/formats/text/strings.hpp"
#include "io/points/points_columns.hpp"

namespace shoal::io {

PointsFile empty_vtk_points(const std::filesystem::path& file, const PointsFileOptions& options) {
  PointsFile points;
  points.name = file.string();
  points.dimensions = 3;
  points.coordinates = {"x", "y", "z"};
  points.single_precision = true;
  for (const std::string& name : options.values) points.values[name];
  return points;
}

void append_vtk_points(PointsFile& points, const std::vector<double>& coordinates) {
  std::vector<double>* const axes[] = {&points.x, &points.y, &points.z};
  for (std::size_t i = 0; i < coordinates.size(); ++i) axes[i % 3]->push_back(coordinates[i]);
}

VtkValueName::VtkValueName(const std::string& name, const std::vector<std::string>& arrays, const std::string& file)
    : array(name) {
  const auto is_there = [&] { return std::find(arrays.begin(), arrays.end(), array) != arrays.end(); };
  const std::size_t colon = name.rfind(':');
  if (!is_there() && colon != std::string::npos && read_number(std::string_view(name).substr(colon + 1), component)) {
    array = name.substr(0, colon);
    names_component = true;
  }
  require(is_there(), missing_text(file, "array of PointData", array, arrays));
}

void VtkValueName::require_component(const std::string& file, std::uint64_t components) const {
  require(names_component || components == 1, file, ": array `", array, "` has ", components,
          " components, expected one. Name the component: ", array, ":0 to ", array, ":", components - 1, ".");
  require(component < components, file, ": array `", array, "` has no component ", component, ", only ", components,
          ", counted from 0.");
}

void VtkValueName::append(std::vector<double>& values, const std::vector<double>& tuples,
                          std::uint64_t components) const {
  for (std::size_t i = component; i < tuples.size(); i += components) values.push_back(tuples[i]);
}

}  // namespace shoal::io
