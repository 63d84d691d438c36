// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

// Wrapper of the part of HDF5 that shoal uses: handles close themselves, and errors are shoal::Error. Only one thread
// at a time may use HDF5. A run makes all its HDF5 calls in the writer thread.
namespace shoal::io::hdf5 {

/// Suppresses HDF5's printed error stack during its lifetime; errors are thrown as exceptions.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// First message of HDF5's error stack without its internal details, such as "No space left on device".
std::string reason();

/// Returns `result`, or throws "<what> failed: <reason>" if it is negative.
hid_t check(hid_t result, const std::string& what);

/// Owner of an HDF5 identifier, which its destructor closes.
class Handle {
 public:
  using CloseFunction = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, CloseFunction closer, const std::string& what) : id_(check(id, what)), closer_(closer) {}
  Handle(Handle&& handle) noexcept { swap(handle); }
  Handle& operator=(Handle&& handle) noexcept {
    swap(handle);
    return *this;
  }
  ~Handle();

  operator hid_t() const { return id_; }
  /// Closes the identifier and throws if that fails. Closing writes the last bytes, for which the disk may be too full.
  void close(const std::string& what);

 private:
  void swap(Handle& handle) noexcept { std::swap(id_, handle.id_), std::swap(closer_, handle.closer_); }
  hid_t id_ = -1;
  CloseFunction closer_ = nullptr;
};

/// HDF5's native memory type of a C++ type.
template <class T>
hid_t type_of();
template <>
inline hid_t type_of<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
inline hid_t type_of<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t type_of<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
inline hid_t type_of<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t type_of<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}
template <>
inline hid_t type_of<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}

/// Creates a file, replacing an existing one; the next two functions open an existing file.
Handle create_file(const std::filesystem::path& path);
Handle open_for_writing(const std::filesystem::path& path);
Handle open_for_reading(const std::filesystem::path& path);

/// Creates or opens a file whose flushes take place as a whole or not at all (journaled_file.hpp).
Handle create_journaled(const std::filesystem::path& path);
Handle open_journaled(const std::filesystem::path& path);
/// Flushes such a file for the last time: the file on disk is whole from then on, and closing does not change it.
/// @throws Error  an error of any write
void finish_journaled(hid_t file);

Handle create_group(hid_t parent, const char* name);

/// @name Attributes
/// @{
void write_text_attribute(hid_t object, const char* name, const std::string& text);
/// Text of an attribute of fixed or variable length.
/// @throws Error  if the attribute is not exactly one text
std::string read_text_attribute(hid_t object, const char* name);

void write_attribute(hid_t object, const char* name, hid_t type, const void* values, hsize_t count);
/// Reads an attribute that is a single number.
/// @throws Error  if the attribute is not exactly one number
void read_attribute(hid_t object, const char* name, hid_t type, void* value);

/// Writes an attribute that is a single number; overwrites an existing one.
template <class T>
void write_scalar_attribute(hid_t object, const char* name, T value) {
  write_attribute(object, name, type_of<T>(), &value, 0);
}
template <class T>
T read_scalar_attribute(hid_t object, const char* name) {
  T value{};
  read_attribute(object, name, type_of<T>(), &value);
  return value;
}
/// @}

/// Names of the links in a group.
std::vector<std::string> names_in(hid_t group);

/// Writes a new dataset of fixed size; creates the groups above it.
void write_dataset(hid_t parent, const std::string& path, hid_t type, const std::vector<hsize_t>& size,
                   const void* values);

/// Chunked dataset that grows and shrinks by rows.
class Rows {
 public:
  /// Type, row width and storage of a new dataset; `columns` = 0 gives a dataset of rank 1.
  struct Shape {
    hid_t type;
    hsize_t columns = 0;
    hsize_t chunk_rows = 1024;
    int compression = 0;
    /// Storage is allocated with the size, so that several ranks can write rows (shared_file.hpp). Not compressed.
    bool is_shared = false;
  };
  /// Creates the dataset and the groups above it.
  Rows(hid_t parent, const std::string& path, const Shape& shape);
  /// Opens an existing dataset of one or two dimensions.
  /// @throws Error  there is none, or its values are in another file (hdf5_checks.hpp)
  Rows(hid_t parent, const std::string& path);

  hsize_t count() const;
  void append(const void* values, hid_t type, hsize_t rows);
  /// Adds rows without values. Returns the number of rows before.
  hsize_t grow(hsize_t rows);
  /// Writes `rows` existing rows from row `first` on.
  void write(const void* values, hid_t type, hsize_t first, hsize_t rows) const;
  /// Removes all rows after the first `rows`.
  void keep(hsize_t rows);
  /// Requires that the dataset stores at least `rows` rows: as many rows, and all of their chunks.
  /// @throws Error  rows or chunks are missing, as in a file whose writer was killed
  void require_rows(hsize_t rows) const;

  template <class T>
  void append(const std::vector<T>& values) {
    append(values.data(), type_of<T>(), values.size() / (columns_ ? columns_ : 1));
  }
  template <class T>
  std::vector<T> read() const {
    return read<T>(0, count());
  }
  /// Values of `rows` rows from row `first` on.
  template <class T>
  std::vector<T> read(hsize_t first, hsize_t rows) const {
    std::vector<T> values(values_in(first, rows, type_of<T>()));
    read(values.data(), type_of<T>(), first, rows);
    return values;
  }

  /// Returns true if the dataset was created as one that several ranks can write.
  bool is_shared() const;
  /// Number of columns; 0 for a dataset of rank 1.
  hsize_t columns() const { return columns_; }
  /// Returns true if the stored type is float or narrower, so that float represents all values.
  bool is_single_precision() const;

 private:
  /// Number of values in these rows, after the checks that the dataset has them and that the file can hold them.
  hsize_t values_in(hsize_t first, hsize_t rows, hid_t type) const;
  void read(void* values, hid_t type, hsize_t first, hsize_t rows) const;
  Handle select(hid_t space, hsize_t first, hsize_t rows, const std::string& what) const;
  std::vector<hsize_t> extent(hsize_t rows) const;

  std::string path_;
  Handle dataset_;
  hsize_t columns_ = 0;
};

}  // namespace shoal::io::hdf5
