// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace shoal::io {

/// Numbers of rows of tables and of states of fields, by file name.
using OutputCounts = std::map<std::string, std::int64_t>;

/// Contents of a restart file: state and case of the run.
struct Restart {
  sph::Snapshot snapshot;
  std::string case_text;      ///< case file with all defaults filled in, as Case::text
  OutputCounts outputs = {};  ///< output up to the time of the snapshot, all of it on the disk
};

/// Writes a restart file: HDF5 with the exact snapshot, and a checksum of the whole file behind it. A temporary file
/// replaces `file` when it is complete and on the disk, so that an interruption leaves the previous restart intact.
/// @throws Error  disk full or not writable
void write_restart(const std::filesystem::path& file, const Restart& restart);

/// Requires that a run continues with its own case. Only end time, title and restart interval may differ.
/// @param restart,given  Case::text of the restart and of the case to continue with
/// @param name           file name of the latter, for the message
/// @throws Error  names the first key that differs, with both values
void require_same_case(const std::string& restart, const std::string& given, const std::string& name);

/// Reads a restart file. The checksum is verified before HDF5 opens the file.
/// @throws Error  missing, truncated or damaged file (the checksum differs), or another version of the format
Restart read_restart(const std::filesystem::path& file);

}  // namespace shoal::io
