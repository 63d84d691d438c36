// SPDX-License-Identifier: Apache-2.0
#include "io/run/fields/poly_data.hpp"

#include <shoal/version.hpp>

namespace shoal::io {

hdf5::Handle create_poly_data(const std::filesystem::path& path, const std::string& case_text) {
  hdf5::Handle file = hdf5::create_journaled(path);
  const hdf5::Handle vtk = hdf5::create_group(file, "VTKHDF");
  const std::int64_t layout[] = {2, 0};
  hdf5::write_attribute(vtk, "Version", H5T_NATIVE_INT64, layout, 2);
  hdf5::write_text_attribute(vtk, "Type", "PolyData");
  const hdf5::Handle origin = hdf5::create_group(file, "shoal");
  hdf5::write_text_attribute(origin, "version", std::string(version()));
  // A dataset holds the case, because an attribute is limited to 64 KiB.
  hdf5::Rows text(origin, "case", {H5T_NATIVE_UINT8});
  text.append(case_text.data(), H5T_NATIVE_UINT8, case_text.size());
  return file;
}

void write_step_count(hid_t file, std::int64_t states) {
  const hdf5::Handle steps(H5Gopen2(file, "VTKHDF/Steps", H5P_DEFAULT), H5Gclose, "opening Steps");
  hdf5::write_scalar_attribute<std::int64_t>(steps, "NSteps", states);
}

}  // namespace shoal::io
