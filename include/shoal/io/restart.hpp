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

/// A run continues with the case that it began with; only its end, its title and the time between restarts may differ.
/// @param restart,given  Case::text of the restart and of the case to continue with
/// @param name           of the latter, for the message
/// @throws Error  names the first key that differs, what the restart has and what was given
void require_same_case(const std::string& restart, const std::string& given, const std::string& name);

/// @throws Error  no such file, truncated or damaged (the checksum differs), or of another version
Restart read_restart(const std::filesystem::path& file);

}  // namespace shoal::io
