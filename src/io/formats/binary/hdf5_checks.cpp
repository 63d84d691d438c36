// SPDX-License-Identifier: Apache-2.0
#include "io/formats/binary/hdf5_checks.hpp"

#include <algorithm>
#include <limits>

#include "core/text.hpp"
#include "io/formats/compression.hpp"

namespace shoal::io::hdf5 {

namespace {

/// Access properties of class `kind` that do not follow links to other files. The name of such a file is stored in
/// `other_file`.
Handle access_within_file(hid_t kind, std::string& other_file) {
  const std::string what = "hdf5: access properties";
  Handle access(H5Pcreate(kind), H5Pclose, what);
  const auto refuse = [](const char*, const char*, const char* file, const char*, unsigned*, hid_t,
                         void* file_name) -> herr_t {
    *static_cast<std::string*>(file_name) = file;
    return -1;
  };
  check(H5Pset_elink_cb(access, refuse, &other_file), what);
  return access;
}

/// Throws an error about a link to another file, if there was one.
void require_same_file(const std::string& other_file, const std::string& what) {
  require(other_file.empty(), what, ": it is a link to the file ", other_file,
          ", which is not followed. Copy what it links to into this file, with h5copy for example.");
}

constexpr std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();

/// Product of sizes; the largest number if it does not fit into 64 bits.
std::uint64_t product(std::uint64_t a, std::uint64_t b) { return b > 0 && a > most_bytes / b ? most_bytes : a * b; }

/// Returns true if the dataset has a filter that may compress. Filters that only reorder values or add checksums do not.
bool is_compressed(hid_t settings, const std::string& what) {
  int deflates = 0;
  bool compresses = false;
  for (int i = 0; i < H5Pget_nfilters(settings); ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(settings, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
    deflates += filter == H5Z_FILTER_DEFLATE;
    compresses = compresses || (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32);
  }
  require(deflates <= 1, what, ": its values are compressed ", deflates, " times, expected once.");
  return compresses;
}

/// Size of a chunk in bytes; 0 if the dataset has no chunks.
std::uint64_t chunk_bytes(hid_t settings, std::uint64_t value_bytes) {
  if (H5Pget_layout(settings) != H5D_CHUNKED) return 0;
  hsize_t chunk[H5S_MAX_RANK] = {};
  const int rank = H5Pget_chunk(settings, H5S_MAX_RANK, chunk);
  std::uint64_t bytes = value_bytes;
  for (int axis = 0; axis < rank; ++axis) bytes = product(bytes, chunk[axis]);
  return bytes;
}

}  // namespace

bool exists(hid_t parent, const std::string& path) {
  std::string other_file;
  const Handle access = access_within_file(H5P_LINK_ACCESS, other_file);
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    if (H5Lexists(parent, path.substr(0, end).c_str(), access) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

Handle open_group(hid_t parent, const std::string& path) {
  const std::string what = "opening group " + path;
  std::string other_file;
  const Handle access = access_within_file(H5P_GROUP_ACCESS, other_file);
  const hid_t group = H5Gopen2(parent, path.c_str(), access);
  require_same_file(other_file, what);
  return {group, H5Gclose, what};
}

void do_not_cache(hid_t access, const std::string& what) {
  check(H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, 0, H5D_CHUNK_CACHE_W0_DEFAULT), what);
}

Handle open_dataset(hid_t parent, const std::string& path, bool is_cached) {
  const std::string what = "opening dataset " + path;
  std::string other_file;
  const Handle access = access_within_file(H5P_DATASET_ACCESS, other_file);
  if (!is_cached) do_not_cache(access, what);
  const hid_t opened = H5Dopen2(parent, path.c_str(), access);
  require_same_file(other_file, what);
  Handle dataset(opened, H5Dclose, what);
  const Handle settings(H5Dget_create_plist(dataset), H5Pclose, what);
  const bool is_elsewhere = H5Pget_external_count(settings) != 0 || H5Pget_layout(settings) == H5D_VIRTUAL;
  require(!is_elsewhere, what,
          ": its values are stored in another file (external storage or a virtual dataset), which is not read. Copy "
          "them into this file, with h5repack for example.");
  return dataset;
}

std::vector<hsize_t> extent_of(hid_t dataset, const std::string& what) {
  const Handle space(H5Dget_space(dataset), H5Sclose, what);
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> extent(static_cast<std::size_t>(std::max(0, rank)));
  if (rank > 0) check(H5Sget_simple_extent_dims(space, extent.data(), nullptr), what);
  return extent;
}

void require_readable(hid_t stored, hid_t memory, const std::string& what) {
  constexpr std::size_t widest = 16;
  const H5T_class_t kind = H5Tget_class(stored);
  const bool is_integer = kind == H5T_INTEGER, needs_integer = H5Tget_class(memory) == H5T_INTEGER;
  require(is_integer || (kind == H5T_FLOAT && !needs_integer), what, ": it holds ",
          kind == H5T_FLOAT ? "floating-point numbers" : "no numbers", ", expected ",
          needs_integer ? "integers." : "numbers.");
  require(H5Tget_size(stored) <= widest, what, ": its numbers have ", H5Tget_size(stored), " bytes, expected at most ",
          widest, ".");
}

void require_stored(hid_t dataset, hsize_t count, const std::string& what) {
  const Handle type(H5Dget_type(dataset), H5Tclose, what);
  const Handle settings(H5Dget_create_plist(dataset), H5Pclose, what);
  const Handle file(H5Iget_file_id(dataset), H5Fclose, what);
  const std::uint64_t value_bytes = H5Tget_size(type), bytes = product(count, value_bytes);
  hsize_t file_bytes = 0;
  check(H5Fget_filesize(file, &file_bytes), what);
  constexpr std::uint64_t small_chunk = 1ULL << 20;  // HDF5's default size of the chunk cache
  const bool compressed = is_compressed(settings, what);
  const std::uint64_t chunk = chunk_bytes(settings, value_bytes);
  if (bytes <= file_bytes && chunk <= std::max<std::uint64_t>(small_chunk, file_bytes)) return;
  const std::uint64_t stored = std::min<std::uint64_t>(H5Dget_storage_size(dataset), file_bytes);
  const std::uint64_t most = std::max<std::uint64_t>(file_bytes, compressed ? product(most_packed, stored) : 0);
  require(bytes <= most, what, ": ", count, " values of ", value_bytes, " bytes are to be read, and the file stores ",
          stored, " bytes of them. It is damaged or was never written.");
  require(chunk <= std::max(small_chunk, most), what, ": its chunks have ", chunk, " bytes, and the file stores ",
          stored, " bytes of the dataset. It is damaged or was never written.");
}

}  // namespace shoal::io::hdf5
