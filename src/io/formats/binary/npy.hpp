// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

static_assert(std::endian::native == std::endian::little, "points and lists are read and written as memory has them");

/// What stands before the numbers of a .npy file (NumPy's format, versions 1 to 3).
struct NpyHeader {
  std::string type;  ///< as NumPy writes it: "<f8"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Leaves `in` at the first number.
/// @throws Error  not a .npy file, or its header is cut short; names `file`
NpyHeader read_npy_header(std::istream& in, const std::string& file);

/// The bytes before the numbers, in C order; a multiple of 64.
std::string npy_header(std::string_view type, const std::vector<std::uint64_t>& shape);

/// "(1000, 3)".
std::string shape_text(const std::vector<std::uint64_t>& shape);

}  // namespace shoal::io
