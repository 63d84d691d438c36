// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "io/formats/binary/hdf5.hpp"

namespace shoal::testing_support {

/// All numbers of a dataset, one after the other.
template <class T>
std::vector<T> read_dataset(const std::filesystem::path& file, const std::string& path) {
  const io::hdf5::Handle in = io::hdf5::open_for_reading(file);
  const io::hdf5::Handle values(H5Dopen2(in, path.c_str(), H5P_DEFAULT), H5Dclose, path);
  const io::hdf5::Handle space(H5Dget_space(values), H5Sclose, path);
  std::vector<T> read(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  io::hdf5::check(H5Dread(values, io::hdf5::type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, read.data()), path);
  return read;
}

}  // namespace shoal::testing_support
