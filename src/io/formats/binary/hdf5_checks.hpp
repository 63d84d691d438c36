// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/formats/binary/hdf5.hpp"

// Checks of what an HDF5 file claims, before memory is allocated for it. A file may come from anyone: its links may lead
// to other files of the user, and its sizes may be arbitrary.
namespace shoal::io::hdf5 {

/// Returns true if there is a link `path` below `parent`; tests the groups on the path, too, which must be in this file.
bool exists(hid_t parent, const std::string& path);

/// Opens a group of this file.
/// @throws Error  there is no such group, or the path leads to another file
Handle open_group(hid_t parent, const std::string& path);

/// Opens a dataset whose values are in this file.
/// @param is_cached  false: every read and write goes to the file
/// @throws Error  there is no such dataset, the path leads to another file, or the values are stored in another file
Handle open_dataset(hid_t parent, const std::string& path, bool is_cached = true);

/// Makes every read and write of a dataset go to the file.
/// @param access  access properties of a dataset
void do_not_cache(hid_t access, const std::string& what);

/// Sizes of a dataset along its dimensions.
std::vector<hsize_t> extent_of(hid_t dataset, const std::string& what);

/// Checks that values of a dataset or attribute can be read as `memory`: integers as integers or floating point, and
/// floating point as floating point.
/// @param stored  type of the values in the file
void require_readable(hid_t stored, hid_t memory, const std::string& what);

/// Checks that the file is large enough for `count` values of a dataset. Compressed values take at least 1/1100 of their
/// size.
void require_stored(hid_t dataset, hsize_t count, const std::string& what);

}  // namespace shoal::io::hdf5
