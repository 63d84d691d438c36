// SPDX-License-Identifier: Apache-2.0
// Reader of points in NumPy's file of one array: n×1, n×2 or n×3, or more columns if they are named.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/text.hpp"
#include "io/formats/binary/npy.hpp"
#include "io/points/points_columns.hpp"
#include "io/points/points_readers.hpp"

namespace shoal::io {

namespace {

/// Table of numbers in a file, stored row by row or column by column.
struct Table {
  std::istream& in;
  const std::string& file;
  bool by_column;
  std::uint64_t rows, columns;
};

template <class T>
void read_block(const Table& table, T* into, std::uint64_t count) {
  table.in.read(reinterpret_cast<char*>(into), static_cast<std::streamsize>(count * sizeof(T)));
  require(table.in.good(), table.file, ": reading failed: ", std::strerror(errno), ".");
}

/// Values of the columns `wanted`, in that order.
template <class T>
std::vector<std::vector<double>> read_columns(const Table& table, const std::vector<std::size_t>& wanted) {
  const std::uint64_t width = table.by_column ? 1 : table.columns;  // width of a block in numbers
  const std::uint64_t block_rows = std::max<std::uint64_t>(1, (1 << 17) / std::max<std::uint64_t>(1, width));
  std::vector<T> block(block_rows * width);
  std::vector<std::vector<double>> columns(wanted.size());
  for (auto& column : columns) column.reserve(table.rows);
  const std::uint64_t passes = table.by_column ? table.columns : 1;
  for (std::uint64_t pass = 0; pass < passes; ++pass)
    for (std::uint64_t row = 0; row < table.rows; row += block_rows) {
      const std::uint64_t rows = std::min(block_rows, table.rows - row);
      read_block(table, block.data(), rows * width);
      for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (table.by_column && wanted[i] != pass) continue;
        const T* value = block.data() + (table.by_column ? 0 : wanted[i]);
        for (std::uint64_t k = 0; k < rows; ++k, value += width) columns[i].push_back(static_cast<double>(*value));
      }
    }
  return columns;
}

void require_numbers(const std::string& file, const NpyHeader& header) {
  const std::string& type = header.type;
  require(!type.starts_with('>'), file, ": its numbers are big-endian (", type,
          "), expected little-endian <f4 or <f8. Save a.astype('<f8').");
  require(type == "<f4" || type == "<f8", file, ": its numbers are ", type,
          ", expected <f4 or <f8. Save a.astype('<f8').");
  require(header.shape.size() == 1 || header.shape.size() == 2, file, ": its shape is ", shape_text(header.shape),
          ", expected (n,), (n, 1), (n, 2) or (n, 3).");
}

/// Checks that the file has all numbers of the header, and nothing after them.
void require_size(const std::filesystem::path& path, std::uint64_t start, const Table& table,
                  std::uint64_t bytes_each) {
  const std::uint64_t bytes = std::filesystem::file_size(path) - start;
  const std::uint64_t row_bytes = table.columns * bytes_each;
  const bool fits_64_bits = row_bytes == 0 || table.rows <= UINT64_MAX / 2 / row_bytes;
  require(fits_64_bits && bytes >= table.rows * row_bytes, table.file, ": cut short: ", bytes,
          " bytes of numbers from byte ", start, " on, expected ", table.rows, " x ", table.columns, " of ", bytes_each,
          " bytes.");
  require(bytes == table.rows * row_bytes, table.file, ": ", bytes - table.rows * row_bytes,
          " bytes are left after the array, from byte ", start + table.rows * row_bytes,
          " on. Expected a file of one array.");
}

}  // namespace

PointsFile read_npy_points(const std::filesystem::path& path, const PointsFileOptions& options) {
  const std::string file = path.string();
  std::ifstream in(path, std::ios::binary);
  require(in.good(), file, ": cannot be read: ", std::strerror(errno), ".");
  const NpyHeader header = read_npy_header(in, file);
  require_numbers(file, header);
  const bool single = header.type == "<f4";
  const std::uint64_t width = header.shape.size() == 2 ? header.shape[1] : 1;
  constexpr std::uint64_t most_columns = 1 << 16;
  require(width >= 1 && width <= most_columns, file, ": its shape is ", shape_text(header.shape),
          ", expected one row a point: (n,), (n, 1), (n, 2) or (n, 3).");
  const Table table{in, file, header.fortran_order, header.shape[0], width};
  require_size(path, static_cast<std::uint64_t>(in.tellg()), table, single ? 4 : 8);
  const ColumnChoice choice = choose_columns(file, {}, width, options);
  auto columns = single ? read_columns<float>(table, choice.columns()) : read_columns<double>(table, choice.columns());
  PointsFile points = points_of_columns(file, choice, std::move(columns), options);
  points.single_precision = single;
  return points;
}

}  // namespace shoal::io
