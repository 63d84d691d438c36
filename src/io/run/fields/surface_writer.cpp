// SPDX-License-Identifier: Apache-2.0
#include "io/run/fields/surface_writer.hpp"

#include <numeric>

#include "core/text.hpp"
#include "io/formats/disk_space.hpp"
#include "io/formats/whole_file.hpp"

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
    : name_(folder / surface_file_name),
      path_(kept_states.value_or(0) > 0 ? name_ : std::filesystem::path(name_.string() + ".partial")),
      compression_(simulation.output.compression),
      continues_(path_ == name_) {
  const hdf5::Quiet quiet;
  if (!continues_) {
    std::filesystem::remove(name_);
    create_partial(path_);
    file_ = create_poly_data(path_, simulation.text);
    open_datasets();
    return;
  }
  try {
    file_ = hdf5::open_journaled(path_);
    open_datasets();
    keep_states(static_cast<hsize_t>(*kept_states));
  } catch (const Error& error) {
    throw Error(text(path_.string(), ": this file does not have the ", *kept_states,
                     " states that the run had written when its restart was made: ", error.what(),
                     " Put the whole file back, or run the case again."));
  }
}

SurfaceWriter::~SurfaceWriter() {
  std::error_code ignored;
  if (path_ != name_) std::filesystem::remove(path_, ignored);  // no state was written
}

void SurfaceWriter::open_datasets() {
  const auto add = [this](const std::string& path, const hdf5::Rows::Shape& shape) {
    rows_.emplace(path, continues_ ? hdf5::Rows(file_, "VTKHDF/" + path) : hdf5::Rows(file_, "VTKHDF/" + path, shape));
  };
  constexpr hsize_t chunk = 16384;  // rows
  add("Points", {H5T_NATIVE_FLOAT, 3, chunk, compression_});
  add("NumberOfPoints", {H5T_NATIVE_INT64});
  for (const std::string group : cell_groups) {
    add(group + "/NumberOfCells", {H5T_NATIVE_INT64});
    add(group + "/NumberOfConnectivityIds", {H5T_NATIVE_INT64});
    add(group + "/Offsets", {H5T_NATIVE_INT64, 0, chunk, compression_});
    add(group + "/Connectivity", {H5T_NATIVE_INT64, 0, chunk, compression_});
  }
  add("Steps/Values", {H5T_NATIVE_DOUBLE});
  for (const char* name : {"Steps/PartOffsets", "Steps/NumberOfParts", "Steps/PointOffsets"})
    add(name, {H5T_NATIVE_INT64});
  for (const char* name : {"Steps/CellOffsets", "Steps/ConnectivityIdOffsets"}) add(name, {H5T_NATIVE_INT64, 4});
}

void SurfaceWriter::write(double time, const sph::SurfaceMesh& mesh) {
  const hdf5::Quiet quiet;
  std::map<std::string, hsize_t> before;
  naming_file(path_, [&] {
    try {
      reserve_space(path_, bytes_of(mesh));
      for (const auto& [path, dataset] : rows_) before[path] = dataset.count();
      append(time, mesh);
      finish_state();
    } catch (const Error&) {
      take_back(before);
      throw;
    }
  });
  if (path_ != name_) {
    rename_file(path_, name_);
    path_ = name_;
  }
  start_sync_to_disk(path_);
}

/// Appends a state, whose part is its own.
void SurfaceWriter::append(double time, const sph::SurfaceMesh& mesh) {
  const auto add = [this](const std::string& path, const auto& values) { rows_.at(path).append(values); };
  add("Steps/Values", std::vector<double>{time});
  add("Steps/PartOffsets", Integers{count() - 1});
  add("Steps/NumberOfParts", Integers{1});
  add("Steps/PointOffsets", Integers{static_cast<std::int64_t>(rows_.at("Points").count())});
  Integers cells, ids;
  for (const std::string group : cell_groups) {
    const auto parts = static_cast<std::int64_t>(rows_.at(group + "/NumberOfCells").count());
    cells.push_back(static_cast<std::int64_t>(rows_.at(group + "/Offsets").count()) - parts);
    ids.push_back(static_cast<std::int64_t>(rows_.at(group + "/Connectivity").count()));
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

void SurfaceWriter::finish_state() {
  write_step_count(file_, count());
  hdf5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flushing");
}

/// Restores the earlier states after a write that failed in the middle.
void SurfaceWriter::take_back(const std::map<std::string, hsize_t>& counts) noexcept {
  try {
    for (const auto& [path, rows] : counts) rows_.at(path).keep(rows);
    if (!counts.empty()) finish_state();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the first error is the one to report
  }
}

void SurfaceWriter::keep_states(hsize_t states) {
  const auto kept = [this, states](const std::string& path) {
    const auto values = rows_.at(path).read<std::int64_t>(0, states);
    return static_cast<hsize_t>(std::accumulate(values.begin(), values.end(), std::int64_t{0}));
  };
  std::map<std::string, hsize_t> counts;
  for (const auto& [path, dataset] : rows_) counts[path] = states;
  counts["Points"] = kept("NumberOfPoints");
  for (const std::string group : cell_groups) {
    counts[group + "/Offsets"] = kept(group + "/NumberOfCells") + states;
    counts[group + "/Connectivity"] = kept(group + "/NumberOfConnectivityIds");
  }
  for (const auto& [path, rows] : counts) {
    rows_.at(path).require_rows(rows);
    rows_.at(path).keep(rows);
  }
  write_step_count(file_, count());
}

std::int64_t SurfaceWriter::count() const { return static_cast<std::int64_t>(rows_.at("Steps/Values").count()); }

void SurfaceWriter::sync() {
  if (path_ == name_) sync_to_disk(path_);
}

}  // namespace shoal::io
