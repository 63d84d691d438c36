// SPDX-License-Identifier: Apache-2.0
#include "io/formats/vtk/zlib_block.hpp"

#include <zlib.h>

namespace shoal::io {

std::string unpacked(std::string_view packed, std::size_t size) {
  std::string bytes(size, '\0');
  uLongf unpacked_size = size;
  const int status = ::uncompress(reinterpret_cast<Bytef*>(bytes.data()), &unpacked_size,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  return status == Z_OK && unpacked_size == size ? bytes : std::string{};
}

}  // namespace shoal::io
