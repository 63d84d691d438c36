// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <hdf5.h>
#include <toml++/toml.h>
#include <zlib.h>
#include <shoal/io/libraries.hpp>

#include "io/mesh/readers/mesh_readers.hpp"

namespace shoal::io {

std::string libraries() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("HDF5 {}.{}.{}, toml++ {}.{}.{}, fmt {}.{}.{}, zlib {}, {}", major, minor, release, TOML_LIB_MAJOR,
                     TOML_LIB_MINOR, TOML_LIB_PATCH, FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100,
                     zlibVersion(), cgns_version());
}

}  // namespace shoal::io
