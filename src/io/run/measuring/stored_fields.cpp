// SPDX-License-Identifier: Apache-2.0
#include "io/run/measuring/stored_fields.hpp"

#include <shoal/io/points_file.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/text.hpp"
#include "io/formats/binary/hdf5_checks.hpp"

namespace shoal::io {

namespace {

namespace fs = std::filesystem;

void require_fields_file(const fs::path& folder, const fs::path& file) {
  require(fs::is_directory(folder), folder.string(), ": there is no such folder, expected the output folder of a run.");
  require(fs::exists(file) || !fs::exists(folder / "fields.pvd"), (folder / "fields.pvd").string(),
          ": probes are measured in fields.vtkhdf, but this run wrote VTP files. Run it with run.format = \"vtkhdf\".");
  require(fs::exists(file), file.string(), ": there is no such file, expected the output folder of a run of kind sph.");
  require(!fs::exists(file.string() + ".journal"), file.string(),
          ": the run was ended while it wrote this file. Complete the file with `shoal resume ", folder.string(), "`.");
}

/// Arrays that only some cases have, without the vorticity.
constexpr const char* arrays_of_some_cases[] = {"energy", "viscosity"};

std::vector<std::string> arrays_to_read(const std::vector<std::string>& more) {
  std::vector<std::string> names = {"velocity:0", "velocity:1", "velocity:2", "pressure",    "density",
                                    "id",         "material",   "wall",       "wall_number", "body"};
  names.insert(names.end(), more.begin(), more.end());
  return names;
}

/// Copies the values of an array of the file.
/// @throws Error  an integer is outside the range of its type
template <class T>
void set(std::vector<T>& target, const PointsFile& points, const std::string& name) {
  const std::vector<double>& values = points.values.at(name);
  if constexpr (std::is_integral_v<T>) {
    // 2^53 bounds the integers that a double holds exactly.
    const double most = std::min(static_cast<double>(std::numeric_limits<T>::max()), 0x1p53);
    const double least = std::is_signed_v<T> ? -most : 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      require(values[i] >= least && values[i] <= most, points.name, ": ", name, " of point ", i, " is ", values[i],
              ", expected an integer from ", least, " to ", most, ". Run the case again.");
  }
  target.assign(values.begin(), values.end());
}

template <class T>
void set_vectors(std::vector<T>& target, const std::vector<double>& x, const std::vector<double>& y,
                 const std::vector<double>& z) {
  target.reserve(3 * x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    for (const auto* component : {&x, &y, &z}) target.push_back(static_cast<T>((*component)[i]));
}

}  // namespace

StoredFields::StoredFields(const fs::path& folder) : file_(folder / "fields.vtkhdf") {
  require_fields_file(folder, file_);
  const hdf5::Quiet quiet;
  try {
    const hdf5::Handle in = hdf5::open_for_reading(file_);
    states_ = hdf5::read_scalar_attribute<std::int64_t>(hdf5::open_group(in, "VTKHDF/Steps"), "NSteps");
    const auto letters = hdf5::Rows(in, "shoal/case").read<std::uint8_t>();
    case_text_.assign(letters.begin(), letters.end());
    for (const char* name : arrays_of_some_cases)
      if (hdf5::exists(in, std::string("VTKHDF/PointData/") + name)) more_arrays_.emplace_back(name);
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(message.starts_with(file_.string()) ? message : file_.string() + ": " + message);
  }
  require(states_ > 0, file_.string(), ": it has no states, expected those of a run.");
}

std::string StoredFields::case_name() const { return file_.string() + " (its case)"; }

sph::Fields StoredFields::read(std::int64_t state) const {
  const PointsFile points = read_points(file_, {.values = arrays_to_read(more_arrays_), .step = state});
  sph::Fields fields;
  fields.clock.time = points.time.value_or(0);
  fields.clock.particles = fields.total = points.count();
  set_vectors(fields.position, points.x, points.y, points.z);
  const auto values = [&](const char* name) -> const std::vector<double>& { return points.values.at(name); };
  set_vectors(fields.velocity, values("velocity:0"), values("velocity:1"), values("velocity:2"));
  set(fields.pressure, points, "pressure");
  set(fields.density, points, "density");
  set(fields.id, points, "id");
  set(fields.material, points, "material");
  set(fields.wall, points, "wall");
  set(fields.wall_number, points, "wall_number");
  set(fields.body, points, "body");
  for (const std::string& name : more_arrays_) set(name == "energy" ? fields.energy : fields.viscosity, points, name);
  return fields;
}

}  // namespace shoal::io
