// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

static_assert(std::endian::native == std::endian::little, "points and lists are read and written as memory has them");

/// Header of a .npy file (NumPy's format, versions 1 to 3).
struct NpyHeader {
  std::string type;  ///< type of an element in NumPy's notation, such as "<f8"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Reads the header and leaves `in` at the first number.
/// @throws Error  if the file is not a .npy file or its header is cut short; the message names `file`
NpyHeader read_npy_header(std::istream& in, const std::string& file);

/// Header of a .npy file for an array in C order; its length is a multiple of 64 bytes.
/// @param least_bytes  smallest length
std::string npy_header(std::string_view type, const std::vector<std::uint64_t>& shape, std::size_t least_bytes = 0);

/// Writes numbers as a .npy file of a shape. A temporary file replaces `file` when it is complete.
/// @throws Error  disk full or not writable
void write_npy(const std::filesystem::path& file, const std::vector<std::uint64_t>& shape,
               const std::vector<float>& values);
void write_npy(const std::filesystem::path& file, const std::vector<std::uint64_t>& shape,
               const std::vector<double>& values);

/// Shape as text, such as "(1000, 3)".
std::string shape_text(const std::vector<std::uint64_t>& shape);

}  // namespace shoal::io
