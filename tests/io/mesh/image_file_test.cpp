// SPDX-License-Identifier: Apache-2.0
// Images read back with HDF5's own functions, and compared with the layout that VTK's reader requires.
#include <gmock/gmock.h>
#include <shoal/io/image_file.hpp>

#include <numeric>

#include "io/formats/binary/hdf5.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

/// Values 0, 1, 2, ... of the nodes or cells.
template <class Real>
std::vector<Real> numbers(std::int64_t count) {
  std::vector<Real> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), Real(0));
  return values;
}

/// Grid of two cells along x, three along y and one along z.
Grid small_grid(std::array<bool, 3> periodic = {}) { return {3, {-1, 2, 0.5}, {0.5, 2, 0.25}, {2, 3, 1}, periodic}; }

/// Dataset and its shape, read with HDF5.
template <class T>
struct Stored {
  std::vector<hsize_t> size;
  std::vector<T> values;
  hid_t type_class = H5T_NO_CLASS;
  std::size_t bytes = 0;

  Stored(hid_t file, const char* path) {
    const hdf5::Handle dataset(H5Dopen2(file, path, H5P_DEFAULT), H5Dclose, path);
    const hdf5::Handle space(H5Dget_space(dataset), H5Sclose, path), type(H5Dget_type(dataset), H5Tclose, path);
    size.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, size.data(), nullptr);
    values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    type_class = H5Tget_class(type);
    bytes = H5Tget_size(type);
    hdf5::check(H5Dread(dataset, hdf5::type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path);
  }
};

template <class T>
std::vector<T> values_of_attribute(hid_t object, const char* name) {
  const hdf5::Handle attribute(H5Aopen(object, name, H5P_DEFAULT), H5Aclose, name);
  const hdf5::Handle space(H5Aget_space(attribute), H5Sclose, name);
  EXPECT_EQ(H5Sget_simple_extent_ndims(space), 1) << name;
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  hdf5::check(H5Aread(attribute, hdf5::type_of<T>(), values.data()), name);
  return values;
}

struct ImageFiles : testing::Test {
  ScratchFolder folder;
  std::filesystem::path file = folder / "image.vtkhdf";

  /// Writes an image of two arrays on nodes, double and float, and one on cells.
  void write(const DepositGrid& grid) const {
    const std::vector<double> nodes = numbers<double>(grid.node_count());
    const std::vector<float> narrow = numbers<float>(grid.node_count());
    const std::vector<double> cells = numbers<double>(grid.cell_count());
    write_image(file, {grid,
                       {{"mass", View<const double>(nodes)}, {"narrow", View<const float>(narrow)}},
                       {{"mass", View<const double>(cells)}}});
  }
  std::string refusal(const std::string& name, const ImageFile& image) const {
    return folder.without_path(message_of([&] { write_image(folder / name, image); }));
  }
};

TEST_F(ImageFiles, SayWhatGridTheyAre) {
  write(small_grid());
  const hdf5::Handle in = hdf5::open_for_reading(file);
  const hdf5::Handle vtk(H5Gopen2(in, "VTKHDF", H5P_DEFAULT), H5Gclose, "VTKHDF");
  EXPECT_THAT(values_of_attribute<std::int64_t>(vtk, "Version"), ElementsAre(1, 0));
  EXPECT_EQ(hdf5::read_text_attribute(vtk, "Type"), "ImageData");
  const hdf5::Handle kind(H5Aopen(vtk, "Type", H5P_DEFAULT), H5Aclose, "Type");
  const hdf5::Handle type(H5Aget_type(kind), H5Tclose, "Type");
  EXPECT_EQ(H5Tis_variable_str(type), 0);
  EXPECT_EQ(H5Tget_cset(type), H5T_CSET_ASCII);
  EXPECT_LE(H5Tget_size(type), 32u);
  EXPECT_THAT(values_of_attribute<std::int64_t>(vtk, "WholeExtent"), ElementsAre(0, 2, 0, 3, 0, 1));
  EXPECT_THAT(values_of_attribute<double>(vtk, "Origin"), ElementsAre(-1, 2, 0.5));
  EXPECT_THAT(values_of_attribute<double>(vtk, "Spacing"), ElementsAre(0.5, 2, 0.25));
  EXPECT_THAT(values_of_attribute<double>(vtk, "Direction"), ElementsAre(1, 0, 0, 0, 1, 0, 0, 0, 1));
  EXPECT_THAT(hdf5::names_in(vtk), ElementsAre("CellData", "PointData"));
}

TEST_F(ImageFiles, HaveArraysWithXFastest) {
  write(small_grid());
  const hdf5::Handle in = hdf5::open_for_reading(file);
  const Stored<double> nodes(in, "VTKHDF/PointData/mass"), cells(in, "VTKHDF/CellData/mass");
  EXPECT_THAT(nodes.size, ElementsAre(2, 4, 3)) << "z, y, x";
  EXPECT_THAT(nodes.values, ElementsAreArray(numbers<double>(24)));
  EXPECT_THAT(cells.size, ElementsAre(1, 3, 2));
  EXPECT_THAT(cells.values, ElementsAreArray(numbers<double>(6)));
  EXPECT_EQ(nodes.bytes, 8u);
  const Stored<float> narrow(in, "VTKHDF/PointData/narrow");
  EXPECT_EQ(narrow.type_class, H5T_FLOAT);
  EXPECT_EQ(narrow.bytes, 4u);
  EXPECT_THAT(narrow.values, ElementsAreArray(numbers<float>(24)));
}

TEST_F(ImageFiles, RepeatTheNodesOfPeriodicEnds) {
  write(small_grid({true, false, true}));  // 2 x 4 x 1 nodes
  const hdf5::Handle in = hdf5::open_for_reading(file);
  const Stored<double> nodes(in, "VTKHDF/PointData/mass");
  EXPECT_THAT(nodes.size, ElementsAre(2, 4, 3));
  const std::vector<double> plane = {0, 1, 0, 2, 3, 2, 4, 5, 4, 6, 7, 6};
  EXPECT_THAT(std::vector<double>(nodes.values.begin(), nodes.values.begin() + 12), ElementsAreArray(plane));
  EXPECT_THAT(std::vector<double>(nodes.values.begin() + 12, nodes.values.end()), ElementsAreArray(plane));
}

TEST_F(ImageFiles, OfTwoDimensionsAreFlat) {
  write(Grid{2, {3, 4, 5}, {1, 2, 0}, {2, 1, 1}, {false, true, false}});
  const hdf5::Handle in = hdf5::open_for_reading(file);
  const hdf5::Handle vtk(H5Gopen2(in, "VTKHDF", H5P_DEFAULT), H5Gclose, "VTKHDF");
  EXPECT_THAT(values_of_attribute<std::int64_t>(vtk, "WholeExtent"), ElementsAre(0, 2, 0, 1, 0, 0));
  EXPECT_THAT(values_of_attribute<double>(vtk, "Origin"), ElementsAre(3, 4, 0));
  EXPECT_THAT(values_of_attribute<double>(vtk, "Spacing"), ElementsAre(1, 2, 1));
  const Stored<double> nodes(in, "VTKHDF/PointData/mass"), cells(in, "VTKHDF/CellData/mass");
  EXPECT_THAT(nodes.size, ElementsAre(2, 3));
  EXPECT_THAT(nodes.values, ElementsAre(0, 1, 2, 0, 1, 2));
  EXPECT_THAT(cells.size, ElementsAre(1, 2));
}

TEST_F(ImageFiles, AreTheSameBytesEveryTime) {
  write(small_grid());
  const std::string first = read_text(file);
  write(small_grid());
  EXPECT_EQ(read_text(file), first);
}

TEST_F(ImageFiles, AppearWholeOrNotAtAll) {
  write_text(file, "before");
  const std::filesystem::path partial = file.string() + ".partial";
  std::filesystem::create_directory(partial);  // blocks the new file
  EXPECT_THAT(refusal("image.vtkhdf", {small_grid()}), HasSubstr("image.vtkhdf: writing the image failed: "));
  EXPECT_EQ(read_text(file), "before");
  std::filesystem::remove(partial);
  write(small_grid());
  EXPECT_FALSE(std::filesystem::exists(partial));
  EXPECT_NO_THROW(hdf5::open_for_reading(file));
}

TEST_F(ImageFiles, ThatCannotBeAreRefused) {
  const std::vector<double> nodes = numbers<double>(24);
  const auto with = [&](const std::string& name, View<const double> values) {
    return ImageFile{small_grid(), {{name, values}}, {}};
  };
  EXPECT_EQ(refusal("image.png", {small_grid()}),
            "image.png: cannot tell what kind of file this is; an image ends with .vtkhdf.");
  EXPECT_EQ(refusal("no/image.vtkhdf", {small_grid()}),
            "no/image.vtkhdf: there is no folder " + (folder / "no").string() + ".");
  DepositGrid stretched = small_grid();
  stretched.stretch(1, {0, 1, 3});
  EXPECT_EQ(refusal("image.vtkhdf", {stretched}),
            "image.vtkhdf: the grid is stretched along y, and ImageData has one spacing along an axis. Deposit to a "
            "uniform grid.");
  EXPECT_EQ(refusal("image.vtkhdf", {Grid{3, {}, {1, 1, 1}, {0, 1, 1}}}),
            "grid: 0 cells along x, expected at least 1.");
  for (const std::string name : {"", "a/b", "a.b"})
    EXPECT_EQ(refusal("image.vtkhdf", with(name, nodes)),
              "image.vtkhdf: an array is called \"" + name +
                  "\", expected a name without \"/\" and \".\", which VTKHDF does not allow.");
  EXPECT_EQ(
      refusal("image.vtkhdf", {small_grid(), {}, {{"m", View<const double>(nodes)}, {"m", View<const double>(nodes)}}}),
      "image.vtkhdf: there are two arrays called \"m\". Give each a name of its own.");
  EXPECT_EQ(refusal("image.vtkhdf", with("m", {nodes.data(), 23})), "image: m has 23 values, and the grid 24 nodes.");
  EXPECT_EQ(refusal("image.vtkhdf", {small_grid(), {}, {{"m", View<const double>(nodes)}}}),
            "image: m has 24 values, and the grid 6 cells.");
  EXPECT_EQ(refusal("image.vtkhdf", with("m", {nodes.data(), 24, {}, 2})), "image: m has stride 2, expected 1.");
  EXPECT_EQ(refusal("image.vtkhdf", with("m", {nodes.data(), 24, {DeviceKind::cuda, 0}})),
            "image: m is on cuda:0, expected host memory. Copy it with to_host.");
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace shoal::io
