// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/restart.hpp>

#include <filesystem>
#include <string>

#include "core/text.hpp"
#include "io/formats/binary/hdf5.hpp"
#include "io/formats/checked_read.hpp"

// Parts of a restart file that are the same for all kinds of case: version, case and numbers of outputs.
namespace shoal::io {

/// Writes the attributes at the head of a restart file: its version and that of shoal.
void write_restart_head(hid_t file);

/// Creates a dataset of `count` values. Its chunks have at most 65536.
hdf5::Rows create_restart_array(hid_t file, const std::string& name, hid_t type, std::int64_t count, bool is_shared);

/// Writes the case and the numbers of outputs behind the state of a restart file.
void write_restart_tail(hid_t file, const std::string& case_text, const OutputCounts& outputs);

/// Returns `write()`. Its errors name the file.
template <class Write>
auto writing_restart(const std::filesystem::path& file, const Write& write) {
  try {
    return write();
  } catch (const std::exception& error) {
    throw Error(text(file.string(), ": writing the restart failed: ", error.what()));
  }
}

/// Returns `read()`. Errors of HDF5 become an error that names the file.
template <class Read>
auto reading_restart(const std::filesystem::path& file, const Read& read) {
  const std::string name = file.string();
  const hdf5::Quiet quiet;
  try {
    return checked_read(file, read);
  } catch (const OutOfMemory&) {
    throw;
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.starts_with(name + ": this")) throw;
    const std::string reason = message.starts_with(name + ": ") ? message.substr(name.size() + 2) : message;
    throw Error(text(name, ": this is no whole restart file (truncated, or of another kind): ", reason));
  }
}

/// Restart file of any kind of case, open for reading. Its checksum and its version are right.
struct RestartFile {
  std::filesystem::path name;
  hdf5::Handle content;  ///< open on rank 0 only
  std::string case_text;
  OutputCounts outputs;
};

/// Opens a restart file on rank 0, and gives its case and numbers of outputs to all ranks.
/// @throws Error  on all ranks: those of read_restart()
RestartFile open_restart(const std::filesystem::path& file, const Communicator& ranks = Communicator::alone());

/// Reads the state of a run of kind = "sph": read_restart() of an open file.
Restart read_restart(const RestartFile& file, const Communicator& ranks);

}  // namespace shoal::io
