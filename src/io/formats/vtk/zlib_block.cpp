// SPDX-License-Identifier: Apache-2.0
#include "io/formats/vtk/zlib_block.hpp"

#ifdef SHOAL_WITH_ZLIB

#include <zlib.h>

namespace shoal::io {

bool has_zlib() { return true; }

std::string unpacked(std::string_view packed, std::size_t size) {
  std::string bytes(size, '\0');
  uLongf unpacked_size = size;
  const int status = ::uncompress(reinterpret_cast<Bytef*>(bytes.data()), &unpacked_size,
                                  reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  return status == Z_OK && unpacked_size == size ? bytes : std::string{};
}

}  // namespace shoal::io

#else

namespace shoal::io {

bool has_zlib() { return false; }

std::string unpacked(std::string_view, std::size_t) { return {}; }

}  // namespace shoal::io

#endif
