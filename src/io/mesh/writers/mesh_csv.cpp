// SPDX-License-Identifier: Apache-2.0
// Table of the points of a mesh that have values: one row per point, x, y (z) first, then the values. Numbers are in
// the shortest form that reads back as the same value.
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "core/text.hpp"
#include "io/mesh/writers/mesh_writers.hpp"

namespace shoal::io {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// Number of columns of the table that an array fills. A vector fills three in 3-D and two in 2-D, where z is omitted.
int shown_columns(const MeshArray& array, const MeshFile& mesh) { return array.columns == 1 ? 1 : mesh.dimensions; }

/// Name in quotes if it contains a separator.
std::string column_name(const std::string& name) {
  return name.find_first_of(",;\t") == std::string::npos ? name : '"' + name + '"';
}

std::string header_of(const MeshValues& values) {
  std::vector<std::string> columns(axis_names, axis_names + values.mesh.dimensions);
  for (const MeshArray& array : values.arrays)
    for (int column = 0; column < shown_columns(array, values.mesh); ++column)
      columns.push_back(column_name(array.columns == 1 ? array.name : array.name + "_" + axis_names[column]));
  return join(columns, ",") + "\n";
}

void append_row(fmt::memory_buffer& row, const MeshValues& values, std::int64_t i) {
  const auto point = static_cast<std::size_t>(i);
  const auto end = std::back_inserter(row);
  fmt::format_to(end, "{},{}", values.points.x[point], values.points.y[point]);
  if (values.mesh.dimensions == 3) fmt::format_to(end, ",{}", values.points.z[point]);
  for (const MeshArray& array : values.arrays)
    std::visit(
        [&](const auto& numbers) {
          for (int column = 0; column < shown_columns(array, values.mesh); ++column)
            fmt::format_to(end, ",{}", numbers.data[i * array.columns + column]);
        },
        array.values);
  row.push_back('\n');
}

}  // namespace

void write_mesh_csv(const std::filesystem::path& path, const MeshValues& values) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << header_of(values);
  fmt::memory_buffer row;
  for (std::int64_t i = 0; i < values.points.count() && out.good(); ++i) {
    row.clear();
    append_row(row, values, i);
    out.write(row.data(), static_cast<std::streamsize>(row.size()));
  }
  out.flush();
  require(out.good(), std::strerror(errno), ".");
}

}  // namespace shoal::io
