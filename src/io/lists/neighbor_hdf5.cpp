// SPDX-License-Identifier: Apache-2.0
// Neighbor list in HDF5: a dataset for each array, and attributes of the root group for the metadata of the list.
#include <algorithm>

#include "io/formats/binary/hdf5.hpp"
#include "io/formats/disk_space.hpp"
#include "io/lists/neighbor_writers.hpp"

namespace shoal::io {

namespace {

constexpr hsize_t largest_chunk = 1 << 18;  // in rows

struct AttributeWriter {
  hid_t file;
  void operator()(const char* name, const std::string& value) const { hdf5::write_text_attribute(file, name, value); }
  template <class T>
  void operator()(const char* name, const std::vector<T>& values) const {
    hdf5::write_attribute(file, name, hdf5::type_of<T>(), values.data(), values.size());
  }
  template <class T>
  void operator()(const char* name, T value) const {
    hdf5::write_scalar_attribute(file, name, value);
  }
};

}  // namespace

void write_neighbors_hdf5(const std::filesystem::path& path, const NeighborFile& list) {
  const hdf5::Quiet quiet;
  hdf5::Handle file = hdf5::create_file(path);
  constexpr std::uint64_t metadata = 1 << 20, bytes_of_rows = 8 + 8 + 8 + 24;  // one row of each array
  constexpr std::uint64_t last_chunks = bytes_of_rows * largest_chunk;
  reserve_space(path, bytes_of(list) + std::min(bytes_of(list), last_chunks) + metadata);
  for_each_attribute(list, AttributeWriter{file});
  for_each_array(list, [&]<class T>(const char* name, View<const T> values, int columns) {
    const auto width = static_cast<hsize_t>(columns), rows = static_cast<hsize_t>(values.count) / (columns ? width : 1);
    hdf5::Rows(file, name, {hdf5::type_of<T>(), width, std::clamp<hsize_t>(rows, 1, largest_chunk)})
        .append(values.data, hdf5::type_of<T>(), rows);
  });
  file.close("writing");
}

}  // namespace shoal::io
