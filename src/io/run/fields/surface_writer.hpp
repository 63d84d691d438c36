// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/case.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "io/run/fields/poly_data.hpp"

namespace shoal::io {

inline constexpr const char* surface_file_name = "isosurface.vtkhdf";

/// Writer of `folder`/isosurface.vtkhdf: temporal PolyData, one part a state. The file is complete after each write.
class SurfaceWriter {
 public:
  /// @param kept_states  continues the existing file after so many states and removes those behind; empty: a new file
  /// @throws Error  the continued file has fewer states, or is damaged
  SurfaceWriter(const std::filesystem::path& folder, const sph::Case& simulation,
                std::optional<std::int64_t> kept_states = {});
  ~SurfaceWriter();
  SurfaceWriter(const SurfaceWriter&) = delete;

  /// Appends a state.
  /// @param time  s
  /// @throws Error  disk full or not writable; earlier states remain
  void write(double time, const sph::SurfaceMesh& mesh);
  /// Number of states in the file, also those of the run that this one continues.
  std::int64_t count() const;
  /// Forces all states to the disk.
  void sync();

 private:
  void open_datasets();
  void keep_states(hsize_t states);
  void append(double time, const sph::SurfaceMesh& mesh);
  void finish_state();
  void take_back(const std::map<std::string, hsize_t>& counts) noexcept;

  std::filesystem::path name_;  ///< final name of the file
  std::filesystem::path path_;  ///< present name of the file
  int compression_;
  bool continues_;
  hdf5::Handle file_;
  std::map<std::string, hdf5::Rows> rows_;
};

}  // namespace shoal::io
