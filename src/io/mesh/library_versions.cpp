// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <hdf5.h>
#include <toml++/toml.h>
#include <zlib.h>
#include <shoal/io/libraries.hpp>

#include "io/formats/binary/shared_file.hpp"
#include "io/mesh/readers/mesh_readers.hpp"

namespace shoal::io {

std::vector<LibraryInfo> libraries() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  const std::string cgns = cgns_version();
  return {
      {"HDF5", fmt::format("{}.{}.{}", major, minor, release), "BSD-3-Clause", "fields, restarts, meshes", true},
      {"toml++", fmt::format("{}.{}.{}", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH), "MIT", "case files", true},
      {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100), "MIT",
       "text in files and messages", true},
      {"zlib", zlibVersion(), "Zlib", "compressed VTK and NumPy files, checksums", true},
      {"CGNS", cgns, "Zlib", "meshes in CGNS", !cgns.empty()}};
}

std::string hdf5_kind() { return hdf5::is_parallel ? "parallel" : "serial"; }

}  // namespace shoal::io
