// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/writers/mesh_steps.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "io/formats/disk_space.hpp"
#include "io/mesh/writers/grid_hdf5.hpp"
#include "io/mesh/writers/mesh_writers.hpp"

namespace shoal::io {

namespace {

constexpr hsize_t largest_chunk = 65536;  // in rows: 512 KiB of double

/// Offsets that are 0 in every state, since the mesh is stored once: first part, point, cell and corner.
constexpr const char* fixed_offsets[] = {"Steps/PartOffsets", "Steps/PointOffsets"};
constexpr const char* fixed_cell_offsets[] = {"Steps/CellOffsets", "Steps/ConnectivityIdOffsets"};

std::uint64_t bytes_of(const std::vector<MeshArray>& arrays) {
  std::uint64_t bytes = 0;
  for (const MeshArray& array : arrays)
    bytes += std::visit(
        []<class T>(const View<const T>& values) {
          return (static_cast<std::uint64_t>(values.count) + largest_chunk) * sizeof(T);
        },
        array.values);
  return bytes;
}

}  // namespace

MeshSteps::MeshSteps(std::filesystem::path path, const MeshFile& mesh, MeshPart part, const std::string& case_text,
                     int compression)
    : path_(std::move(path)), section_(data_section(part)), compression_(compression) {
  const hdf5::Quiet quiet;
  constexpr std::uint64_t metadata = 1 << 20;
  file_ = hdf5::create_journaled(path_);
  reserve_space(path_, bytes_of_grid(mesh) + metadata);
  const hdf5::Handle vtk = hdf5::create_group(file_, "VTKHDF");
  constexpr std::int64_t layout_with_steps = 2;
  write_grid(file_, vtk, mesh, layout_with_steps);
  hdf5::Rows text(file_, "shoal/case", {H5T_NATIVE_UINT8});
  text.append(case_text.data(), H5T_NATIVE_UINT8, case_text.size());
  add("Steps/Values", {H5T_NATIVE_DOUBLE});
  add("Steps/NumberOfParts", {H5T_NATIVE_INT64});
  for (const char* name : fixed_offsets) add(name, {H5T_NATIVE_INT64});
  for (const char* name : fixed_cell_offsets) add(name, {H5T_NATIVE_INT64, 1});
  finish_state();
}

void MeshSteps::append(double time, const std::vector<MeshArray>& arrays) {
  const hdf5::Quiet quiet;
  std::map<std::string, hsize_t> before;
  try {
    constexpr std::uint64_t metadata = 1 << 16;
    reserve_space(path_, bytes_of(arrays) + metadata);
    open_arrays(arrays);
    for (const auto& [path, dataset] : rows_) before[path] = dataset.count();
    append_state(time, arrays);
    finish_state();
  } catch (const Error& error) {
    take_back(before);
    const std::string message = error.what();
    throw Error(message.starts_with(path_.string()) ? message : path_.string() + ": " + message);
  }
}

void MeshSteps::add(const std::string& path, const hdf5::Rows::Shape& shape) {
  rows_.emplace(path, hdf5::Rows(file_, "VTKHDF/" + path, shape));
}

/// Creates the datasets of the arrays at the first state, whose size becomes the size of a chunk.
void MeshSteps::open_arrays(const std::vector<MeshArray>& arrays) {
  for (const MeshArray& array : arrays) {
    if (rows_.contains(section_ + "/" + array.name)) continue;
    std::visit(
        [&]<class T>(const View<const T>& values) {
          const auto chunk = static_cast<hsize_t>(values.count / array.columns);
          add(section_ + "/" + array.name,
              {hdf5::type_of<T>(), array.columns > 1 ? static_cast<hsize_t>(array.columns) : 0,
               std::clamp<hsize_t>(chunk, 1, largest_chunk), compression_});
        },
        array.values);
    add("Steps/" + section_ + "Offsets/" + array.name, {H5T_NATIVE_INT64});
  }
}

void MeshSteps::append_state(double time, const std::vector<MeshArray>& arrays) {
  rows_.at("Steps/Values").append(std::vector{time});
  rows_.at("Steps/NumberOfParts").append(std::vector<std::int64_t>{1});
  for (const char* name : fixed_offsets) rows_.at(name).append(std::vector<std::int64_t>{0});
  for (const char* name : fixed_cell_offsets) rows_.at(name).append(std::vector<std::int64_t>{0});
  for (const MeshArray& array : arrays) {
    hdf5::Rows& rows = rows_.at(section_ + "/" + array.name);
    rows_.at("Steps/" + section_ + "Offsets/" + array.name)
        .append(std::vector{static_cast<std::int64_t>(rows.count())});
    std::visit(
        [&]<class T>(const View<const T>& values) {
          rows.append(values.data, hdf5::type_of<T>(), static_cast<hsize_t>(values.count / array.columns));
        },
        array.values);
  }
}

void MeshSteps::finish_state() {
  const hdf5::Handle steps(H5Gopen2(file_, "VTKHDF/Steps", H5P_DEFAULT), H5Gclose, "opening Steps");
  hdf5::write_scalar_attribute<std::int64_t>(steps, "NSteps",
                                             static_cast<std::int64_t>(rows_.at("Steps/Values").count()));
  hdf5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flushing");
}

/// Removes an incomplete state after a write that failed half way; earlier states are kept.
void MeshSteps::take_back(const std::map<std::string, hsize_t>& counts) noexcept {
  try {
    for (const auto& [path, count] : counts) rows_.at(path).keep(count);
    if (!counts.empty()) finish_state();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the first error is the one to report
  }
}

}  // namespace shoal::io
