// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/case.hpp>

#include <filesystem>
#include <optional>

#include "io/run/fields/poly_data_file.hpp"

namespace shoal::io {

inline constexpr const char* surface_file_name = "isosurface.vtkhdf";

/// Writer of `folder`/isosurface.vtkhdf: temporal PolyData, one part a state. The file is complete after each write.
class SurfaceWriter {
 public:
  /// @param kept_states  continues the existing file after so many states and removes those behind; empty: a new file
  /// @throws Error  the continued file has fewer states, or is damaged
  SurfaceWriter(const std::filesystem::path& folder, const sph::Case& simulation,
                std::optional<std::int64_t> kept_states = {});

  /// Appends a state.
  /// @param time  s
  /// @throws Error  disk full or not writable; earlier states remain
  void write(double time, const sph::SurfaceMesh& mesh);
  /// Number of states in the file, also those of the run that this one continues.
  std::int64_t count() const { return file_.count(); }
  /// Forces all states to the disk.
  void sync() { file_.sync(); }

 private:
  void open_datasets(int compression);
  void append(double time, const sph::SurfaceMesh& mesh);

  PolyDataFile file_;
};

}  // namespace shoal::io
