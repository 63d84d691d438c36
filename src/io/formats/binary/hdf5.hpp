// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

// The part of HDF5 that shoal uses, with handles that close themselves and errors that are shoal::Error.
// HDF5 may be used by one thread at a time: a run does all of it in its writer thread.
namespace shoal::io::hdf5 {

/// Keeps HDF5 from printing its error stack while it lives; errors come as exceptions.
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

/// What HDF5's error stack says first, without its bookkeeping: "No space left on device".
std::string reason();

/// Throws "<what> failed: <reason>" for a negative result.
hid_t check(hid_t result, const std::string& what);

/// Owns an identifier.
class Handle {
 public:
  using CloseFunction = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, CloseFunction closer, const std::string& what) : id_(check(id, what)), closer_(closer) {}
  Handle(Handle&& other) noexcept { swap(other); }
  Handle& operator=(Handle&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Handle();

  operator hid_t() const { return id_; }
  /// Closes now, and throws when that fails, as it does when the last bytes find no room.
  void close(const std::string& what);

 private:
  void swap(Handle& other) noexcept { std::swap(id_, other.id_), std::swap(closer_, other.closer_); }
  hid_t id_ = -1;
  CloseFunction closer_ = nullptr;
};

/// HDF5's name of a C++ type in memory.
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

/// A new file, or an old one for writing.
Handle create_file(const std::filesystem::path& path);
Handle open_for_writing(const std::filesystem::path& path);
Handle open_for_reading(const std::filesystem::path& path);

Handle create_group(hid_t parent, const char* name);

/// @name Attributes
/// @{
void write_text_attribute(hid_t object, const char* name, const std::string& text);
/// Of fixed or variable length.
std::string read_text_attribute(hid_t object, const char* name);

void write_attribute(hid_t object, const char* name, hid_t type, const void* values, hsize_t count);
void read_attribute(hid_t object, const char* name, hid_t type, void* value);

/// A single number, overwritten when it is there already.
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

/// Whether there is a link `path` below `parent`; its groups are looked for, too.
bool exists(hid_t parent, const std::string& path);

/// The names of the links in a group.
std::vector<std::string> names_in(hid_t group);

/// A new dataset of a size that stays, with the groups above it.
void write_dataset(hid_t parent, const std::string& path, hid_t type, const std::vector<hsize_t>& size,
                   const void* values);

/// A chunked dataset that grows and shrinks by rows.
class Rows {
 public:
  /// A new one, with the groups above it. `columns` = 0 is rank 1.
  struct Shape {
    hid_t type;
    hsize_t columns = 0;
    hsize_t chunk_rows = 1024;
    int compression = 0;
  };
  Rows(hid_t parent, const std::string& path, const Shape& shape);
  /// One that is there.
  Rows(hid_t parent, const std::string& path);

  hsize_t count() const;
  void append(const void* values, hid_t type, hsize_t rows);
  /// Drops what comes after the first `rows` rows.
  void keep(hsize_t rows);

  template <class T>
  void append(const std::vector<T>& values) {
    append(values.data(), type_of<T>(), values.size() / (columns_ ? columns_ : 1));
  }
  template <class T>
  std::vector<T> read() const {
    std::vector<T> values(count() * (columns_ ? columns_ : 1));
    read(values.data(), type_of<T>());
    return values;
  }
  /// Rows first, first + 1, ...
  template <class T>
  std::vector<T> read(hsize_t first, hsize_t rows) const {
    std::vector<T> values(rows * (columns_ ? columns_ : 1));
    read(values.data(), type_of<T>(), first, rows);
    return values;
  }

  /// 0 for rank 1.
  hsize_t columns() const { return columns_; }
  /// Whether its numbers are float, or narrower, so that float holds them.
  bool is_single_precision() const;

 private:
  void read(void* values, hid_t type, hsize_t first, hsize_t rows) const;
  Handle select(hid_t space, hsize_t first, hsize_t rows, const std::string& what) const;
  void read(void* values, hid_t type) const;
  std::vector<hsize_t> extent(hsize_t rows) const;

  std::string path_;
  Handle dataset_;
  hsize_t columns_ = 0;
};

}  // namespace shoal::io::hdf5
