// SPDX-License-Identifier: Apache-2.0
#include "io/run/fields/poly_data_file.hpp"

#include <shoal/version.hpp>

#include "core/text.hpp"
#include "io/formats/disk_space.hpp"
#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace {

/// Creates a journaled file with its header and the case of the run.
hdf5::Handle create_poly_data(const std::filesystem::path& path, const std::string& case_text) {
  hdf5::Handle file = hdf5::create_journaled(path);
  const hdf5::Handle vtk = hdf5::create_group(file, "VTKHDF");
  const std::int64_t layout[] = {2, 0};
  hdf5::write_attribute(vtk, "Version", H5T_NATIVE_INT64, layout, 2);
  hdf5::write_text_attribute(vtk, "Type", "PolyData");
  const hdf5::Handle origin = hdf5::create_group(file, "shoal");
  hdf5::write_text_attribute(origin, "version", std::string(version()));
  // A dataset holds the case, because an attribute is limited to 64 KiB.
  hdf5::Rows text(origin, "case", {H5T_NATIVE_UINT8});
  text.append(case_text.data(), H5T_NATIVE_UINT8, case_text.size());
  return file;
}

void write_step_count(hid_t file, std::int64_t states) {
  const hdf5::Handle steps(H5Gopen2(file, "VTKHDF/Steps", H5P_DEFAULT), H5Gclose, "opening Steps");
  hdf5::write_scalar_attribute<std::int64_t>(steps, "NSteps", states);
}

/// Runs `work`, whose errors then name the file.
void naming_file(const std::filesystem::path& path, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(message.starts_with(path.string()) ? message : path.string() + ": " + message);
  }
}

}  // namespace

PolyDataFile::PolyDataFile(std::filesystem::path name, const std::string& case_text, std::int64_t kept_states)
    : name_(std::move(name)),
      path_(kept_states > 0 ? name_ : std::filesystem::path(name_.string() + ".partial")),
      continues_(kept_states > 0) {
  if (continues_) return;
  const hdf5::Quiet quiet;
  std::filesystem::remove(name_);
  create_partial(path_);
  file_ = create_poly_data(path_, case_text);
}

PolyDataFile::~PolyDataFile() {
  std::error_code ignored;
  if (path_ != name_) std::filesystem::remove(path_, ignored);  // no state was written
}

void PolyDataFile::add(const std::string& path, const hdf5::Rows::Shape& shape) {
  const std::string in_file = "VTKHDF/" + path;
  rows_.emplace(path, continues_ ? hdf5::Rows(file_, in_file) : hdf5::Rows(file_, in_file, shape));
}

void PolyDataFile::add_steps_and_cells(const std::function<hdf5::Rows::Shape(const std::string& group)>& shape) {
  add("NumberOfPoints", {H5T_NATIVE_INT64});
  for (const std::string group : cell_groups) {
    add(group + "/NumberOfCells", {H5T_NATIVE_INT64});
    add(group + "/NumberOfConnectivityIds", {H5T_NATIVE_INT64});
    add(group + "/Offsets", shape(group + "/Offsets"));
    add(group + "/Connectivity", shape(group + "/Connectivity"));
  }
  add("Steps/Values", {H5T_NATIVE_DOUBLE});
  for (const char* name : {"Steps/PartOffsets", "Steps/NumberOfParts", "Steps/PointOffsets"})
    add(name, {H5T_NATIVE_INT64});
  for (const char* name : {"Steps/CellOffsets", "Steps/ConnectivityIdOffsets"}) add(name, {H5T_NATIVE_INT64, 4});
}

void PolyDataFile::continue_after(std::int64_t states, const std::function<void()>& open,
                                  const std::function<hsize_t(const std::string&)>& kept) {
  const hdf5::Quiet quiet;
  try {
    file_ = hdf5::open_journaled(path_);
    open();
    std::map<std::string, hsize_t> counts;  // all before a row is removed, because some follow from others
    for (const auto& [path, dataset] : rows_) counts[path] = kept(path);
    for (const auto& [path, count] : counts) {
      rows(path).require_rows(count);
      rows(path).keep(count);
    }
    write_step_count(file_, count());
  } catch (const Error& error) {
    throw Error(text(path_.string(), ": this file does not have the ", states,
                     " states that the run had written when its restart was made: ", error.what(),
                     " Put the whole file back, or run the case again."));
  }
  continues_ = false;
}

void PolyDataFile::append_state(std::uint64_t bytes, const std::function<void()>& append) {
  const hdf5::Quiet quiet;
  naming_file(path_, [&] {
    std::map<std::string, hsize_t> before;
    for (const auto& [path, dataset] : rows_) before[path] = dataset.count();
    try {
      reserve_space(path_, bytes);
      append();
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
  start_sync_to_disk(path_);  // a restart waits until all states are on the disk
}

void PolyDataFile::finish_state() {
  write_step_count(file_, count());
  flush();
}

void PolyDataFile::flush() { hdf5::check(H5Fflush(file_, H5F_SCOPE_GLOBAL), "flushing"); }

/// Restores the earlier states after a write that failed in the middle.
/// @param counts  rows of the datasets that there were before
void PolyDataFile::take_back(const std::map<std::string, hsize_t>& counts) noexcept {
  try {
    for (auto& [path, dataset] : rows_) dataset.keep(counts.contains(path) ? counts.at(path) : 0);
    if (!rows_.empty()) finish_state();
  } catch (const Error&) {  // NOLINT(bugprone-empty-catch): the first error is the one to report
  }
}

std::int64_t PolyDataFile::count() const {
  const auto steps = rows_.find("Steps/Values");
  return steps == rows_.end() ? 0 : static_cast<std::int64_t>(steps->second.count());
}

void PolyDataFile::sync() {
  if (path_ == name_) sync_to_disk(path_);
}

}  // namespace shoal::io
