// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::io {

/// What a VTK XML file says for all of its arrays.
struct VtkEncoding {
  std::string file;                ///< for messages
  std::size_t header_bytes = 4;    ///< of a number in the headers of arrays: UInt32 or UInt64
  bool compressed = false;         ///< in blocks of zlib, except ascii
  bool appended_as_text = false;   ///< base64; else raw bytes
  std::string_view appended;       ///< after the underscore
  std::size_t appended_begin = 0;  ///< byte of the file
};

/// One <DataArray>.
struct VtkArray {
  std::string name, type, format;
  std::uint64_t components = 1;
  std::uint64_t offset = 0;  ///< in the appended data
  std::string_view content;  ///< between the tags
  std::size_t begin = 0;     ///< byte of the file
};

/// The numbers of an array, [tuples * components].
/// @throws Error  damaged, cut short, or not as many; says at which byte
std::vector<double> read_vtk_array(const VtkArray& array, const VtkEncoding& encoding, std::uint64_t tuples);

}  // namespace shoal::io
