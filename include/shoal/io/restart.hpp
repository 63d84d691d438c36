// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/ranks/communicator.hpp>
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
///
/// On several ranks each passes the snapshot of its part. Rank 0 writes the rows of all ranks in the order of ranks, piece
/// by piece; with a parallel HDF5, and a folder that all ranks see, each rank writes its rows. The bytes of the file depend
/// neither on that nor on the number of ranks.
/// @throws Error  disk full or not writable
void write_restart(const std::filesystem::path& file, const Restart& restart,
                   const Communicator& ranks = Communicator::alone());

/// Requires that a run continues with its own case. Only end time, title and restart interval may differ.
/// @param restart,given  Case::text of the restart and of the case to continue with
/// @param name           file name of the latter, for the message
/// @throws Error  names the first key that differs, with both values
void require_same_case(const std::string& restart, const std::string& given, const std::string& name);

/// Reads a restart file. The checksum is verified before HDF5 opens the file.
///
/// On several ranks rank 0 reads. Rank r of R gets rows [r N/R, (r + 1) N/R) of the N rows of the snapshot, and all other
/// contents; the file may come from any number of ranks.
/// @throws Error  missing, truncated or damaged file (the checksum differs), or another version of the format
Restart read_restart(const std::filesystem::path& file, const Communicator& ranks = Communicator::alone());

}  // namespace shoal::io
