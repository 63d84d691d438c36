// SPDX-License-Identifier: Apache-2.0
// Points in every layout that NumPy and h5py write, and error messages for other files. CSV and damaged VTK files have
// separate tests.
#include <gmock/gmock.h>
#include <shoal/io/points_file.hpp>

#include <cmath>

#include "io/run/fields/field_writer.hpp"
#include "io/run/sample_state.hpp"
#include "io/scripts/python_check.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::io {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::HasSubstr;

/// Array of `value(i)`, [1000].
template <class Value>
std::vector<double> column(Value value) {
  std::vector<double> values(1000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(static_cast<double>(i));
  return values;
}

/// Compares with the points of make_points.py, shifted by `shift` in x.
void expect_written_points(const PointsFile& points, double shift = 0) {
  EXPECT_EQ(points.x, column([&](double i) { return i + 0.25 + shift; })) << points.name;
  const auto y = column([](double i) { return 10 * i - 3; });
  const auto z = column([](double i) { return std::fmod(i, 7) / 2; });
  EXPECT_EQ(points.y, points.dimensions > 1 ? y : std::vector<double>{}) << points.name;
  EXPECT_EQ(points.z, points.dimensions > 2 ? z : std::vector<double>{}) << points.name;
  for (const auto& [name, values] : points.values)
    EXPECT_EQ(values, column([&name = name](double i) { return name == "mass" ? 100 + i : 3 * i; })) << points.name;
}

struct PointsFiles : testing::Test {
  ScratchFolder folder;

  void make_points() const { ASSERT_EQ(complaints_of("make_points.py " + folder.path().string()), ""); }
  std::string refusal(const std::string& name, const PointsFileOptions& options = {}) const {
    return folder.without_path(message_of([&] { read_points(folder / name, options); }));
  }
  std::string refusal_of(const std::string& name, const std::string& content) const {
    write_text(folder / name, content);
    return refusal(name);
  }
};

TEST_F(PointsFiles, NpyInEveryVersionOrderAndPrecision) {
  SKIP_WITHOUT_H5PY();
  make_points();
  for (const char* name : {"version_1.npy", "version_2.npy", "version_3.npy", "fortran.npy"}) {
    const PointsFile points = read_points(folder / name);
    expect_written_points(points);
    EXPECT_EQ(points.dimensions, 3) << name;
    EXPECT_FALSE(points.single_precision) << name;
  }
  for (const char* name : {"float.npy", "fortran_float.npy"}) {
    const PointsFile points = read_points(folder / name);
    expect_written_points(points);
    EXPECT_TRUE(points.single_precision) << name;
  }
}

TEST_F(PointsFiles, NpyOfEveryWidth) {
  SKIP_WITHOUT_H5PY();
  make_points();
  const std::pair<const char*, int> widths[] = {{"two.npy", 2}, {"one.npy", 1}, {"flat.npy", 1}};
  for (const auto& [name, dimensions] : widths) {
    const PointsFile points = read_points(folder / name);
    expect_written_points(points);
    EXPECT_EQ(points.dimensions, dimensions) << name;
  }
  EXPECT_EQ(read_points(folder / "none.npy").count(), 0);
  EXPECT_EQ(read_points(folder / "none.npy").dimensions, 3);
  for (const char* name : {"with_mass.npy", "fortran_with_mass.npy"})
    expect_written_points(read_points(folder / name, {.columns = {"mass", "x", "y", "z"}, .values = {"mass"}}));
  EXPECT_EQ(refusal("with_mass.npy"),
            "with_mass.npy: 4 columns could be coordinates; the columns have no names. Name them all with `columns`, "
            "such as x,y,z,mass.");
}

std::string npy(const std::string& header, const std::string& numbers = "") {
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header + numbers;
}
std::string npy_of(const std::string& type, const std::string& shape, const std::string& numbers = "") {
  return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n", numbers);
}

TEST_F(PointsFiles, NpyThatIsDamagedOrOfAnotherKindIsRefused) {
  const auto message = [&](const std::string& content) { return refusal_of("p.npy", content); };
  EXPECT_EQ(message("1,2,3\n"),
            "p.npy: this is no NPY file: it does not begin with \\x93NUMPY. Write it with numpy.save.");
  EXPECT_EQ(message(std::string("\x93NUMPY\x04\x00", 8)), "p.npy: NPY version 4, expected 1, 2 or 3.");
  EXPECT_EQ(message(npy_of("<f8", "(3,)").substr(0, 30)), "p.npy: cut short: the NPY header ends before byte 68.");
  EXPECT_EQ(message(npy_of(">f8", "(3,)")),
            "p.npy: its numbers are big-endian (>f8), expected little-endian <f4 or <f8. Save a.astype('<f8').");
  EXPECT_EQ(message(npy_of("<i8", "(3,)")), "p.npy: its numbers are <i8, expected <f4 or <f8. Save a.astype('<f8').");
  EXPECT_EQ(message(npy_of("<f8", "(2, 3, 4)")),
            "p.npy: its shape is (2, 3, 4), expected (n,), (n, 1), (n, 2) or (n, 3).");
  EXPECT_EQ(message(npy_of("<f8", "()", "12345678")),
            "p.npy: its shape is (), expected (n,), (n, 1), (n, 2) or (n, 3).");
  EXPECT_EQ(message(npy_of("<f8", "(5, 0)")),
            "p.npy: its shape is (5, 0), expected one row a point: (n,), (n, 1), (n, 2) or (n, 3).");
  EXPECT_EQ(message(npy_of("<f4", "(2, 3)", std::string(20, '\0'))),
            "p.npy: cut short: 20 bytes of numbers from byte 70 on, expected 2 x 3 of 4 bytes.");
  EXPECT_EQ(message(npy_of("<f4", "(4611686018427387904, 3)", "")),
            "p.npy: cut short: 0 bytes of numbers from byte 88 on, expected 4611686018427387904 x 3 of 4 bytes.");
  EXPECT_EQ(message(npy_of("<f4", "(2,)", "123456789")),
            "p.npy: 1 bytes are left after the array, from byte 76 on. Expected a file of one array.");
  EXPECT_EQ(message(npy("{'descr': [('x', '<f8'), ('y', '<f8')], 'fortran_order': False, 'shape': (2,), }\n")),
            "p.npy: its rows are records with named fields, expected plain numbers (<f4 or <f8). Save "
            "numpy.stack([a['x'], a['y'], a['z']], axis=1).");
  EXPECT_EQ(message(npy("{'descr': '<f8', }\n")),
            "p.npy: its NPY header does not say `fortran_order`: {'descr': '<f8', }");
}

TEST_F(PointsFiles, ThatAreLinksToThemselvesAreRefused) {
  std::filesystem::create_symlink("p.npy", folder / "p.npy");
  EXPECT_EQ(folder.without_path(message_of([&] { read_points(folder / "p.npy"); })),
            "p.npy: cannot be read: Too many levels of symbolic links.");
}

TEST_F(PointsFiles, ThatAreHolesAreRefused) {
  write_text(folder / "p.npy", npy_of("<f8", "(16777216,)"));
  std::filesystem::resize_file(folder / "p.npy", std::filesystem::file_size(folder / "p.npy") + (8U << 24));
  EXPECT_EQ(folder.without_path(message_of([&] { read_points(folder / "p.npy"); })),
            "p.npy: the file has 134217803 bytes, and the disk stores less than 1/1100 of them: it is sparse. Write it "
            "whole.");
}

TEST_F(PointsFiles, VtkXmlInEveryEncoding) {
  SKIP_WITHOUT_H5PY();
  make_points();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".vtp" && extension != ".vtu") continue;
    const PointsFile points = read_points(entry.path(), {.values = {"mass", "velocity:2"}});
    expect_written_points(points);
    EXPECT_EQ(points.dimensions, 3) << points.name;
    EXPECT_TRUE(points.single_precision) << points.name;
    EXPECT_THAT(points.coordinates, ElementsAre("x", "y", "z"));
    ++files;
  }
  EXPECT_GE(files, 16);
}

TEST_F(PointsFiles, VtkhdfOfOneOrSeveralParts) {
  SKIP_WITHOUT_H5PY();
  make_points();
  for (const char* name : {"one.vtkhdf", "parts.vtkhdf", "grid.hdf"}) {
    const PointsFile points = read_points(folder / name, {.values = {"mass", "velocity:2"}});
    expect_written_points(points);
    EXPECT_FALSE(points.single_precision);
    EXPECT_FALSE(points.time.has_value());
  }
}

TEST_F(PointsFiles, VtkhdfWithStepsGivesTheLastOrTheOneAskedFor) {
  SKIP_WITHOUT_H5PY();
  make_points();
  const std::filesystem::path file = folder / "steps.vtkhdf";
  for (const std::int64_t step : {0, 1, 2}) {
    const PointsFile points = read_points(file, {.values = {"mass", "velocity:2"}, .step = step});
    expect_written_points(points, 1000.0 * static_cast<double>(step));
    EXPECT_EQ(points.time, 0.5 * static_cast<double>(step));
  }
  expect_written_points(read_points(file), 2000);
  EXPECT_EQ(refusal("steps.vtkhdf", {.step = 3}), "steps.vtkhdf: step 3 was asked for; it has 3, 0 to 2.");
  EXPECT_EQ(refusal("one.vtkhdf", {.step = 0}), "one.vtkhdf: it has no steps, and step 0 was asked for.");
}

/// Compares with the second of two states, of 7 and 5 particles.
void expect_second_state(const PointsFile& points) {
  const sph::Fields fields = sample_fields(0.25, {0, 1, 2, 3, 4});
  ASSERT_EQ(points.count(), 5);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(points.x[i], fields.position[3 * i]);
    EXPECT_EQ(points.y[i], fields.position[3 * i + 1]);
    EXPECT_EQ(points.z[i], 0);
    EXPECT_EQ(points.values.at("density")[i], fields.density[i]);
    EXPECT_EQ(points.values.at("velocity:1")[i], fields.velocity[3 * i + 1]);
    EXPECT_EQ(points.values.at("id")[i], static_cast<double>(i));
    EXPECT_EQ(points.values.at("wall")[i], fields.wall[i]);
  }
}

TEST_F(PointsFiles, AreTheFieldsThatARunWrites) {
  for (const auto open : {open_vtkhdf, open_vtp}) {
    const auto writer = open(folder.path(), sample_case(), {});
    writer->write(sample_fields(0, {0, 1, 2, 3, 4, 5, 6}));
    writer->write(sample_fields(0.25, {0, 1, 2, 3, 4}));
  }
  const std::vector<std::string> values = {"density", "velocity:1", "id", "wall"};
  expect_second_state(read_points(folder / "fields/250.vtp", {.values = values}));
  expect_second_state(read_points(folder / "fields.vtkhdf", {.values = values}));
  EXPECT_EQ(read_points(folder / "fields.vtkhdf").time, 0.25);
  EXPECT_EQ(read_points(folder / "fields.vtkhdf", {.step = 0}).count(), 7);
}

TEST_F(PointsFiles, OfAnotherKindAreRefused) {
  EXPECT_EQ(refusal("points.xyz"),
            "points.xyz: cannot tell what kind of file this is; a points file ends with .csv, .npy, .vtp, .vtu, "
            ".vtkhdf, .hdf.");
  EXPECT_EQ(refusal("points.csv"), "points.csv: there is no such file.");
  std::filesystem::create_directory(folder / "folder.csv");
  EXPECT_EQ(refusal("folder.csv"), "folder.csv: this is a folder, expected a points file.");
  write_text(folder / "points.CSV", "x\n1\n");
  EXPECT_EQ(read_points(folder / "points.CSV").count(), 1);
  EXPECT_EQ(refusal("points.CSV", {.step = 0}), "points.CSV: a .csv file has no steps; `step` is for VTKHDF.");
  write_text(folder / "points.vtp", "");
  EXPECT_EQ(refusal("points.vtp", {.columns = {"x"}}),
            "points.vtp: a .vtp file says itself what its coordinates are; `columns` and `coordinates` are for CSV and "
            "NPY.");
}

}  // namespace
}  // namespace shoal::io
