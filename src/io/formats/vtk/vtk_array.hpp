// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// Encoding that a VTK XML file declares for all of its arrays.
struct VtkEncoding {
  std::string file;                ///< name of the file in messages
  std::size_t header_bytes = 4;    ///< size of a number in the headers of arrays: 4 (UInt32) or 8 (UInt64)
  bool compressed = false;         ///< true if zlib compresses all arrays except ascii ones, in blocks
  bool appended_as_text = false;   ///< true if the appended data are base64, false if raw bytes
  std::string_view appended;       ///< appended data after the underscore
  std::size_t appended_begin = 0;  ///< byte of the file at which `appended` begins
};

/// Attributes and content of a <DataArray>.
struct VtkArray {
  std::string name, type, format;
  std::uint64_t components = 1;
  std::uint64_t offset = 0;  ///< first byte of the array in the appended data
  std::string_view content;  ///< text between the tags
  std::size_t begin = 0;     ///< byte of the file at which the tag begins
};

/// Numbers of an array, [tuples * components].
/// @throws Error  if the array is damaged, cut short, or has another number of values; the message names the byte
std::vector<double> read_vtk_array(const VtkArray& array, const VtkEncoding& encoding, std::uint64_t tuples);

}  // namespace shoal::io
