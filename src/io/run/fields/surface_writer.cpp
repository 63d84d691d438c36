// SPDX-License-Identifier: Apache-2.0
#include "io/run/fields/surface_writer.hpp"

#include <numeric>
#include <string>

namespace shoal::io {

namespace {

using Integers = std::vector<std::int64_t>;

/// Cells of a mesh: segments are lines, triangles are polygons.
std::string group_of(const sph::SurfaceMesh& mesh) { return mesh.corners == 2 ? "Lines" : "Polygons"; }

/// Uncompressed size of a state in bytes, with incomplete chunks.
std::uint64_t bytes_of(const sph::SurfaceMesh& mesh) {
  constexpr std::uint64_t metadata = 1 << 20;
  return 4 * mesh.point.size() + 8 * (mesh.face.size() + static_cast<std::uint64_t>(mesh.faces())) + metadata;
}

}  // namespace

SurfaceWriter::SurfaceWriter(const std::filesystem::path& folder, const sph::Case& simulation,
                             std::optional<std::int64_t> kept_states)
    : file_(folder / surface_file_name, simulation.text, kept_states.value_or(0)) {
  const auto open = [&] { open_datasets(simulation.output.compression); };
  if (!file_.continues()) {
    const hdf5::Quiet quiet;
    open();
    return;
  }
  const auto states = static_cast<hsize_t>(*kept_states);
  const auto sum_of = [&](const std::string& path) {
    const auto values = file_.rows(path).read<std::int64_t>(0, states);
    return static_cast<hsize_t>(std::accumulate(values.begin(), values.end(), std::int64_t{0}));
  };
  file_.continue_after(*kept_states, open, [&](const std::string& path) -> hsize_t {
    const std::string group = path.substr(0, path.find('/'));
    if (path == "Points") return sum_of("NumberOfPoints");
    if (path.ends_with("/Offsets")) return sum_of(group + "/NumberOfCells") + states;
    if (path.ends_with("/Connectivity")) return sum_of(group + "/NumberOfConnectivityIds");
    return states;
  });
}

void SurfaceWriter::open_datasets(int compression) {
  constexpr hsize_t chunk = 16384;  // rows
  file_.add("Points", {H5T_NATIVE_FLOAT, 3, chunk, compression});
  file_.add_steps_and_cells([&](const std::string&) {
    return hdf5::Rows::Shape{H5T_NATIVE_INT64, 0, chunk, compression};
  });
}

void SurfaceWriter::write(double time, const sph::SurfaceMesh& mesh) {
  file_.append_state(bytes_of(mesh), [&] { append(time, mesh); });
}

/// Appends a state, whose part is its own.
void SurfaceWriter::append(double time, const sph::SurfaceMesh& mesh) {
  const auto add = [this](const std::string& path, const auto& values) { file_.rows(path).append(values); };
  add("Steps/Values", std::vector<double>{time});
  add("Steps/PartOffsets", Integers{file_.count() - 1});
  add("Steps/NumberOfParts", Integers{1});
  add("Steps/PointOffsets", Integers{static_cast<std::int64_t>(file_.rows("Points").count())});
  Integers cells, ids;
  for (const std::string group : cell_groups) {
    const auto parts = static_cast<std::int64_t>(file_.rows(group + "/NumberOfCells").count());
    cells.push_back(static_cast<std::int64_t>(file_.rows(group + "/Offsets").count()) - parts);
    ids.push_back(static_cast<std::int64_t>(file_.rows(group + "/Connectivity").count()));
  }
  add("Steps/CellOffsets", cells);
  add("Steps/ConnectivityIdOffsets", ids);
  add("NumberOfPoints", Integers{mesh.points()});
  add("Points", mesh.point);
  for (const std::string group : cell_groups) {
    const bool is_filled = group == group_of(mesh);
    Integers offsets(is_filled ? static_cast<std::size_t>(mesh.faces()) + 1 : 1);
    for (std::size_t face = 0; face < offsets.size(); ++face)
      offsets[face] = static_cast<std::int64_t>(face) * mesh.corners;
    add(group + "/NumberOfCells", Integers{static_cast<std::int64_t>(offsets.size()) - 1});
    add(group + "/NumberOfConnectivityIds", Integers{is_filled ? static_cast<std::int64_t>(mesh.face.size()) : 0});
    add(group + "/Offsets", offsets);
    if (is_filled) add(group + "/Connectivity", mesh.face);
  }
}

}  // namespace shoal::io
