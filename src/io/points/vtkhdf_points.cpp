// SPDX-License-Identifier: Apache-2.0
// Reader of points in a VTKHDF file: all parts of the file, or of one step. docs/points_files.md lists the parts that
// are read.
#include <algorithm>
#include <limits>

#include "core/text.hpp"
#include "io/formats/binary/hdf5_checks.hpp"
#include "io/points/points_readers.hpp"
#include "io/points/vtk_points.hpp"

namespace shoal::io {

namespace {

using hdf5::Rows;

/// Contiguous rows of the file's datasets.
struct Slab {
  std::uint64_t first = 0, count = 0;
};

class VtkHdfPoints {
 public:
  VtkHdfPoints(const hdf5::Handle& file, const PointsFileOptions& options) : file_(file), options_(options) {}

  void read(PointsFile& points) {
    check_header();
    const std::vector<std::int64_t> parts = Rows(file_, "VTKHDF/NumberOfPoints").read<std::int64_t>();
    require(std::all_of(parts.begin(), parts.end(), [](std::int64_t n) { return n >= 0; }),
            "NumberOfPoints has a negative number.");
    const bool has_steps = hdf5::exists(file_, "VTKHDF/Steps");
    require(has_steps || !options_.step, "it has no steps, and step ", options_.step.value_or(0), " was asked for.");
    slab_ = has_steps ? slab_of_step(parts, points) : Slab{0, sum(parts.begin(), parts.end())};
    read_coordinates(points, has_steps);
    for (const std::string& name : options_.values) read_value(points, name);
  }

 private:
  using Part = std::vector<std::int64_t>::const_iterator;
  /// Number of points in these parts, none of which is negative.
  static std::uint64_t sum(Part begin, Part end) {
    std::uint64_t points = 0;
    for (Part part = begin; part != end; ++part) {
      const auto in_part = static_cast<std::uint64_t>(*part);
      require(in_part <= std::numeric_limits<std::uint64_t>::max() - points,
              "NumberOfPoints adds up to more than 64 bits hold.");
      points += in_part;
    }
    return points;
  }

  void check_header() const {
    require(hdf5::exists(file_, "VTKHDF"), "it has no group /VTKHDF; this is HDF5, but no VTKHDF.");
    const hdf5::Handle vtk = hdf5::open_group(file_, "VTKHDF");
    const std::string type = hdf5::read_text_attribute(vtk, "Type");
    require(type == "PolyData" || type == "UnstructuredGrid", "it holds ", type,
            ", expected PolyData or UnstructuredGrid.");
  }

  /// Value of a dataset of Steps for this step, such as its first row of another dataset.
  std::int64_t of_step(const std::string& dataset) const {
    const auto number = Rows(file_, "VTKHDF/Steps/" + dataset).read<std::int64_t>(static_cast<hsize_t>(*step_), 1);
    require(number[0] >= 0, "Steps/", dataset, " of step ", *step_, " is ", number[0], ", expected 0 or more.");
    return number[0];
  }

  Slab slab_of_step(const std::vector<std::int64_t>& parts, PointsFile& points) {
    const auto steps = hdf5::read_scalar_attribute<std::int64_t>(hdf5::open_group(file_, "VTKHDF/Steps"), "NSteps");
    require(steps > 0, "it has no step yet.");
    step_ = options_.step.value_or(steps - 1);
    require(*step_ >= 0 && *step_ < steps, "step ", *step_, " was asked for; it has ", steps, ", 0 to ", steps - 1,
            ".");
    if (hdf5::exists(file_, "VTKHDF/Steps/Values"))
      points.time = Rows(file_, "VTKHDF/Steps/Values").read<double>(static_cast<hsize_t>(*step_), 1)[0];
    const auto part_count = static_cast<std::int64_t>(parts.size());
    const std::int64_t first = of_step("PartOffsets");
    const bool says_number = hdf5::exists(file_, "VTKHDF/Steps/NumberOfParts");
    const std::int64_t number = says_number ? of_step("NumberOfParts") : part_count / steps;
    require(first <= part_count && number <= part_count - first, "step ", *step_, " has ", number, " parts from part ",
            first, " on, and NumberOfPoints only ", part_count, ".");
    return {static_cast<std::uint64_t>(of_step("PointOffsets")),
            sum(parts.begin() + first, parts.begin() + first + number)};
  }

  void read_coordinates(PointsFile& points, bool has_steps) const {
    const Rows rows(file_, "VTKHDF/Points");
    require(rows.columns() == 3, "Points has ", rows.columns(), " columns, expected 3.");
    require(has_steps || rows.count() == slab_.count, "Points has ", rows.count(),
            " rows, and NumberOfPoints adds up to ", slab_.count, ".");
    append_vtk_points(points, rows.read<double>(slab_.first, slab_.count));
    points.single_precision = rows.is_single_precision();
  }

  void read_value(PointsFile& points, const std::string& name) const {
    const bool has_data = hdf5::exists(file_, "VTKHDF/PointData");
    const VtkValueName value(
        name, has_data ? hdf5::names_in(hdf5::open_group(file_, "VTKHDF/PointData")) : std::vector<std::string>{},
        points.name);
    const Rows rows(file_, "VTKHDF/PointData/" + value.array);
    const hsize_t components = std::max<hsize_t>(1, rows.columns());
    value.require_component(points.name, components);
    const std::string offsets = "PointDataOffsets/" + value.array;
    const bool has_offset = step_ && hdf5::exists(file_, "VTKHDF/Steps/" + offsets);
    const std::uint64_t first = has_offset ? static_cast<std::uint64_t>(of_step(offsets)) : slab_.first;
    value.append(points.values[name], rows.read<double>(first, slab_.count), components);
  }

  const hdf5::Handle& file_;
  const PointsFileOptions& options_;
  std::optional<std::int64_t> step_;
  Slab slab_;
};

}  // namespace

PointsFile read_vtkhdf_points(const std::filesystem::path& path, const PointsFileOptions& options) {
  PointsFile points = empty_vtk_points(path, options);
  const hdf5::Quiet quiet;
  try {
    const hdf5::Handle file = hdf5::open_for_reading(path);
    VtkHdfPoints(file, options).read(points);
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(message.starts_with(points.name) ? message : points.name + ": " + message);
  }
  return points;
}

}  // namespace shoal::io
