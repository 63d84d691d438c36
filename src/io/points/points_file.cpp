// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/points_file.hpp>

#include "core/text.hpp"
#include "io/formats/checked_read.hpp"
#include "io/formats/file_kind.hpp"
#include "io/points/points_readers.hpp"

namespace shoal::io {

namespace {

using Reader = PointsFile (*)(const std::filesystem::path&, const PointsFileOptions&);

struct Kind {
  const char* extension;
  Reader read;
  bool is_table;  ///< true if the file has columns, which may need names
  bool has_steps;
};

constexpr Kind kinds[] = {
    {".csv", read_csv_points, true, false},       {".npy", read_npy_points, true, false},
    {".vtp", read_vtk_xml_points, false, false},  {".vtu", read_vtk_xml_points, false, false},
    {".vtkhdf", read_vtkhdf_points, false, true}, {".hdf", read_vtkhdf_points, false, true},
};

}  // namespace

PointsFile read_points(const std::filesystem::path& file, const PointsFileOptions& options) {
  const std::string name = file.string();
  const Kind& kind = kind_by_extension(file, kinds, "a points file");
  require_file(file, "a points file");
  require(kind.has_steps || !options.step, name, ": a ", kind.extension, " file has no steps; `step` is for VTKHDF.");
  require(kind.is_table || (options.columns.empty() && options.coordinates.empty()), name, ": a ", kind.extension,
          " file says itself what its coordinates are; `columns` and `coordinates` are for CSV and NPY.");
  return checked_read(file, [&] { return kind.read(file, options); });
}

}  // namespace shoal::io
