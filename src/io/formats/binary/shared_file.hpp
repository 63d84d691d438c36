// SPDX-License-Identifier: Apache-2.0
// Writing of all ranks into one file, by MPI-IO of a parallel HDF5.
//
// Rank 0 alone creates datasets and gives them their size, so that all metadata of HDF5 are written by one process and
// its journal (journaled_file.hpp). Each rank then opens the file for itself and writes values into storage that the file
// has already. No rank waits for another within HDF5, whatever fails: ranks meet in Communicator::agree() (decision 0023).
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "io/formats/binary/hdf5.hpp"

namespace shoal::io::hdf5 {

/// True in a build whose HDF5 is parallel, with the MPI of the ranks.
extern const bool is_parallel;

/// Rows of this rank that go into consecutive rows of a dataset.
struct SharedRows {
  std::string dataset;
  std::int64_t first = 0;        ///< row of the dataset in which the first one goes
  std::int64_t count = 0;        ///< number of rows; a rank may have none
  const void* values = nullptr;  ///< null: the numbers first_number, first_number + 1, ...
  hid_t type = H5T_NATIVE_INT64;
  std::int64_t first_number = 0;
};

/// Returns true on all ranks if they can write `file` together: HDF5 is parallel, and all ranks see the file. All ranks
/// call it.
bool can_share(const Communicator& ranks, const std::filesystem::path& file);

/// Writes rows of all ranks, and forces them to the disk. The datasets have their size and their storage
/// (Rows::Shape::is_shared). All ranks call it, with the same datasets.
/// @throws Error  on all ranks: the file cannot be opened or written by one of them
void write_shared(const Communicator& ranks, const std::filesystem::path& file, const std::vector<SharedRows>& arrays);

/// CRC-32 of a file, of which every rank reads a part. All ranks call it.
/// @throws Error  on all ranks: the file cannot be read by one of them
std::uint64_t crc_of_shared(const Communicator& ranks, const std::filesystem::path& file);

}  // namespace shoal::io::hdf5
