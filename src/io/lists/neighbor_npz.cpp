// SPDX-License-Identifier: Apache-2.0
// Neighbor list in NumPy's .npz: a zip of .npy files, one for each array and one for each attribute of the list.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/text.hpp"
#include "io/formats/binary/npy.hpp"
#include "io/formats/binary/zip_store.hpp"
#include "io/formats/disk_space.hpp"
#include "io/lists/neighbor_writers.hpp"

namespace shoal::io {

namespace {

template <class T>
constexpr const char* npy_type() {
  if constexpr (std::is_same_v<T, float>) return "<f4";
  if constexpr (std::is_same_v<T, double>) return "<f8";
  if constexpr (std::is_same_v<T, std::int32_t>) return "<i4";
  if constexpr (std::is_same_v<T, std::int64_t>) return "<i8";
}

class NpzWriter {
 public:
  explicit NpzWriter(std::ostream& out) : zip_(out) {}

  template <class T>
  void add(const std::string& name, const T* values, const std::vector<std::uint64_t>& shape) {
    std::uint64_t count = 1;
    for (const std::uint64_t size : shape) count *= size;
    add_member(name, npy_header(npy_type<T>(), shape), std::as_bytes(std::span(values, count)));
  }

  void operator()(const char* name, const std::string& value) {
    std::u32string characters(value.begin(), value.end());  // NumPy's text has four bytes per character
    characters.resize(std::max<std::size_t>(1, characters.size()));
    add_member(name, npy_header(text("<U", characters.size()), {}), std::as_bytes(std::span(characters)));
  }
  template <class T>
  void operator()(const char* name, const std::vector<T>& values) {
    add(name, values.data(), {values.size()});
  }
  template <class T>
  void operator()(const char* name, T value) {
    add(name, &value, {});
  }

  void finish() { zip_.finish(); }

 private:
  void add_member(const std::string& name, const std::string& header, std::span<const std::byte> values) {
    zip_.add(name + ".npy", std::as_bytes(std::span(header)), values);
  }

  ZipStore zip_;
};

}  // namespace

void write_neighbors_npz(const std::filesystem::path& path, const NeighborFile& list) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  require(out.good(), std::strerror(errno), ".");
  constexpr std::uint64_t headers = 1 << 14;
  reserve_space(path, bytes_of(list) + headers);
  NpzWriter npz(out);
  for_each_array(list, [&]<class T>(const char* name, View<const T> values, int columns) {
    const auto width = static_cast<std::uint64_t>(columns), count = static_cast<std::uint64_t>(values.count);
    const std::vector<std::uint64_t> rows = {count / (columns ? width : 1)};
    npz.add(name, values.data, columns ? std::vector<std::uint64_t>{rows[0], width} : rows);
  });
  for_each_attribute(list, [&](const char* name, const auto& value) { npz(name, value); });
  npz.finish();
  out.close();
  require(out.good(), std::strerror(errno), ".");
}

}  // namespace shoal::io
