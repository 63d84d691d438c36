// SPDX-License-Identifier: Apache-2.0
// Writer of ImageData in VTKHDF 1.0, which newer readers accept as well: attributes of the grid, and one dataset per
// array. The shape of a dataset is [z, y, x]. Two-dimensional images have a flat extent along z, and datasets of rank
// 2.
#include <shoal/io/image_file.hpp>
#include <shoal/version.hpp>

#include <algorithm>
#include <functional>

#include "core/text.hpp"
#include "io/formats/array_names.hpp"
#include "io/formats/binary/hdf5.hpp"
#include "io/formats/disk_space.hpp"
#include "io/formats/file_kind.hpp"
#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace {

struct Kind {
  const char* extension;
};
constexpr Kind kinds[] = {{".vtkhdf"}};

constexpr const char* axis_names[] = {"x", "y", "z"};

void require_fits(const ImageArray& array, const char* of_what, std::int64_t count) {
  std::visit(
      [&](const auto& values) {
        require(values.device.kind == DeviceKind::cpu, "image: ", array.name, " is on ", to_string(values.device),
                ", expected host memory. Copy it with to_host.");
        require(values.contiguous(), "image: ", array.name, " has stride ", values.stride, ", expected 1.");
        require(values.count == count, "image: ", array.name, " has ", values.count, " values, and the grid ", count,
                " ", of_what, ".");
      },
      array.values);
}

/// Number of points of the image along each axis: one more than cells, on periodic axes too.
std::array<std::int64_t, 3> points_of(const Grid& grid) {
  std::array<std::int64_t, 3> points = {1, 1, 1};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(grid.dimensions); ++axis)
    points[axis] = grid.cells[axis] + 1;
  return points;
}

/// Values at the nodes; the values at periodic ends are repeated.
template <class Real>
std::vector<Real> point_values(const Grid& grid, View<const Real> nodes) {
  const std::array<std::int64_t, 3> points = points_of(grid);
  const auto node_along = [&](std::size_t axis, std::int64_t point) {
    return grid.periodic[axis] ? point % grid.cells[axis] : point;
  };
  const auto nodes_along = [&](std::size_t axis) { return points[axis] - (grid.periodic[axis] ? 1 : 0); };
  std::vector<Real> values;
  values.reserve(static_cast<std::size_t>(points[0] * points[1] * points[2]));
  for (std::int64_t z = 0; z < points[2]; ++z)
    for (std::int64_t y = 0; y < points[1]; ++y)
      for (std::int64_t x = 0; x < points[0]; ++x)
        values.push_back(
            nodes.data[(node_along(2, z) * nodes_along(1) + node_along(1, y)) * nodes_along(0) + node_along(0, x)]);
  return values;
}

class ImageWriter {
 public:
  ImageWriter(const std::filesystem::path& path, const Grid& grid)
      : grid_(grid), file_(hdf5::create_file(path)), vtk_(hdf5::create_group(file_, "VTKHDF")) {}

  void write(const ImageFile& image) {
    write_header();
    for (const ImageArray& array : image.nodes)
      std::visit([&](auto values) { add_nodes(array.name, values); }, array.values);
    for (const ImageArray& array : image.cells)
      std::visit([&](auto values) { add("CellData/" + array.name, grid_.cells, values.data); }, array.values);
    vtk_.close("writing");
    file_.close("writing");
  }

 private:
  void write_header() const {
    const std::int64_t layout[] = {1, 0};
    const std::array<std::int64_t, 3> points = points_of(grid_);
    const std::int64_t extent[] = {0, points[0] - 1, 0, points[1] - 1, 0, points[2] - 1};
    std::array<double, 3> origin{}, spacing = {1, 1, 1};  // two-dimensional grids have no z
    std::copy_n(grid_.origin.begin(), grid_.dimensions, origin.begin());
    std::copy_n(grid_.spacing.begin(), grid_.dimensions, spacing.begin());
    const double axes_as_they_are[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    hdf5::write_attribute(vtk_, "Version", H5T_NATIVE_INT64, layout, 2);
    hdf5::write_text_attribute(vtk_, "Type", "ImageData");
    hdf5::write_attribute(vtk_, "WholeExtent", H5T_NATIVE_INT64, extent, 6);
    hdf5::write_attribute(vtk_, "Origin", H5T_NATIVE_DOUBLE, origin.data(), 3);
    hdf5::write_attribute(vtk_, "Spacing", H5T_NATIVE_DOUBLE, spacing.data(), 3);
    hdf5::write_attribute(vtk_, "Direction", H5T_NATIVE_DOUBLE, axes_as_they_are, 9);
    const hdf5::Handle shoal_group = hdf5::create_group(file_, "shoal");
    hdf5::write_text_attribute(shoal_group, "version", std::string(version()));
  }

  template <class Real>
  void add_nodes(const std::string& name, View<const Real> nodes) const {
    const bool as_they_are =
        std::none_of(grid_.periodic.begin(), grid_.periodic.begin() + grid_.dimensions, std::identity());
    const std::vector<Real> repeated = as_they_are ? std::vector<Real>() : point_values(grid_, nodes);
    add("PointData/" + name, points_of(grid_), as_they_are ? nodes.data : repeated.data());
  }

  template <class Real>
  void add(const std::string& path, const std::array<std::int64_t, 3>& size, const Real* values) const {
    const std::vector<hsize_t> z_first(size.rend() - grid_.dimensions, size.rend());
    hdf5::write_dataset(vtk_, path, hdf5::type_of<Real>(), z_first, values);
  }

  const Grid& grid_;
  hdf5::Handle file_, vtk_;
};

std::uint64_t bytes_of(const ImageFile& image) {
  const std::array<std::int64_t, 3> points = points_of(image.grid.grid);
  std::uint64_t bytes = 0;
  const auto add = [&](const std::vector<ImageArray>& arrays, std::int64_t count) {
    for (const ImageArray& array : arrays)
      bytes += static_cast<std::uint64_t>(count) *
               std::visit([]<class T>(const View<const T>&) { return sizeof(T); }, array.values);
  };
  add(image.nodes, points[0] * points[1] * points[2]);
  add(image.cells, image.grid.cell_count());
  return bytes;
}

}  // namespace

void require_image_file(const std::filesystem::path& file, const DepositGrid& grid,
                        const std::vector<std::string>& names) {
  kind_by_extension(file, kinds, "an image");
  require_folder_of(file);
  require_valid(grid);
  for (std::size_t axis = 0; axis < 3; ++axis)
    require(grid.nodes[axis].empty(), file.string(), ": the grid is stretched along ", axis_names[axis],
            ", and ImageData has one spacing along an axis. Deposit to a uniform grid.");
  require_array_names(file, names);
}

void write_image(const std::filesystem::path& file, const ImageFile& image) {
  require_image_file(file, image.grid, array_names(image.nodes));
  require_image_file(file, image.grid, array_names(image.cells));
  for (const ImageArray& array : image.nodes) require_fits(array, "nodes", image.grid.node_count());
  for (const ImageArray& array : image.cells) require_fits(array, "cells", image.grid.cell_count());
  try {
    write_whole(file, [&](const std::filesystem::path& partial) {
      const hdf5::Quiet quiet;
      ImageWriter writer(partial, image.grid.grid);
      constexpr std::uint64_t metadata = 1 << 16;
      reserve_space(partial, bytes_of(image) + metadata);
      writer.write(image);
    });
  } catch (const std::exception& error) {
    throw Error(text(file.string(), ": writing the image failed: ", error.what()));
  }
}

}  // namespace shoal::io
