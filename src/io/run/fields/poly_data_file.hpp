// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/error.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "io/formats/binary/hdf5_checks.hpp"

namespace shoal::io {

/// Kinds of cells of PolyData, in the order of the format.
inline constexpr const char* cell_groups[] = {"Vertices", "Lines", "Polygons", "Strips"};

/// File of temporal PolyData in VTKHDF 2.0, to which states are appended. It appears under its name with the first whole
/// state, and is flushed after each. Flushes take place as a whole, so that the file on disk is always that of the last
/// flush, and viewers can open it during the run. SWMR is no alternative, because viewers do not open files in SWMR mode
/// (decision 0013).
class PolyDataFile {
 public:
  /// @param name         of the file; a file of this name is replaced unless it is continued
  /// @param kept_states  above 0: continues the file; then call continue_after()
  PolyDataFile(std::filesystem::path name, const std::string& case_text, std::int64_t kept_states);
  ~PolyDataFile();
  PolyDataFile(const PolyDataFile&) = delete;

  hid_t handle() const { return file_; }
  /// Present name of the file.
  const std::filesystem::path& path() const { return path_; }
  /// Returns true while the datasets of an existing file are opened.
  bool continues() const { return continues_; }

  /// Creates a dataset below VTKHDF, or opens that of the continued file.
  void add(const std::string& path, const hdf5::Rows::Shape& shape);
  /// Creates or opens the datasets that every such file has beside its points and their data.
  /// @param shape  of offsets and connectivity of the cells of a group
  void add_steps_and_cells(const std::function<hdf5::Rows::Shape(const std::string& group)>& shape);
  bool has(const std::string& path) const { return rows_.contains(path); }
  hdf5::Rows& rows(const std::string& path) { return rows_.at(path); }
  const hdf5::Rows& rows(const std::string& path) const { return rows_.at(path); }

  /// Opens the datasets by `open` and removes what stands behind the states that a run had written.
  /// @param kept  kept(path) is the number of rows of a dataset that remain
  /// @throws Error  the file has fewer states, or is damaged
  void continue_after(std::int64_t states, const std::function<void()>& open,
                      const std::function<hsize_t(const std::string&)>& kept);
  /// Appends a state by `append`; if that fails, earlier states remain.
  /// @param bytes  space that the state needs at most
  /// @throws Error  disk full or not writable; names the file
  void append_state(std::uint64_t bytes, const std::function<void()>& append);
  /// Writes what HDF5 holds back.
  void flush();
  /// Number of states in the file, also those of the run that this one continues.
  std::int64_t count() const;
  /// Forces all states to the disk.
  void sync();

 private:
  void finish_state();
  void take_back(const std::map<std::string, hsize_t>& counts) noexcept;

  std::filesystem::path name_;  ///< final name of the file
  std::filesystem::path path_;  ///< present name of the file
  bool continues_;
  hdf5::Handle file_;
  std::map<std::string, hdf5::Rows> rows_;
};

}  // namespace shoal::io
