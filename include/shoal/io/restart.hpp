// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <filesystem>
#include <string>

namespace shoal::io {

/// What a run continues from.
struct Restart {
  sph::Snapshot snapshot;
  std::string case_text;  ///< Case::text
};

/// Writes a restart file (HDF5, every bit of the snapshot, a checksum). The file appears under its name only when it
/// is complete; one that was there before stays until then.
/// @throws Error  disk full or not writable
void write_restart(const std::filesystem::path& file, const Restart& restart);

/// @throws Error  no such file, truncated or damaged (the checksum differs), or of another version
Restart read_restart(const std::filesystem::path& file);

}  // namespace shoal::io
