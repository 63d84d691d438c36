// SPDX-License-Identifier: Apache-2.0
// File driver of HDF5 whose flushes take place as a whole or not at all.
//
// New space of the file is written in place. Pages of the space that the last flush has left are changed in memory. A
// flush writes them to a journal beside the file, then into the file, and removes the journal. A process that is killed
// therefore leaves the file of the last flush, or one that the journal completes. After a failed write nothing more is
// written: the next flush fails, and closing succeeds.
#pragma once
#include <hdf5.h>

#include <filesystem>

namespace shoal::io::hdf5 {

/// Selects the driver in file access properties.
/// @throws Error  if HDF5 refuses the driver
void use_journal(hid_t access);

/// Completes a flush that was interrupted: applies a whole journal to its file and removes it.
/// @throws Error  if the file cannot be written
void complete_journal(const std::filesystem::path& file);

}  // namespace shoal::io::hdf5
