// SPDX-License-Identifier: Apache-2.0
// `shoal deposit` of particles that are few enough to deposit by hand.
#include <shoal/methods.hpp>

#include <cstdint>

#include "io/formats/binary/hdf5.hpp"
#include "support/command_line.hpp"
#include "support/devices.hpp"
#include "support/hdf5_values.hpp"

namespace shoal {
namespace {

using namespace testing_support;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pointwise;
using testing::StartsWith;

struct DepositCommand : CommandLineTest {
  /// One particle in the left cell, halfway along x and a quarter along y; one on the last corner.
  std::string points = write("points.csv", "x,y,mass,volume\n0.5,0.25,8,-1\n2,1,2,3\n");
  std::string image = path("image.vtkhdf");
  std::string device = "cpu --threads 1";
  std::string grid = "--grid 2,1 --box 0,2,0,1 ";  // two square cells of 1 m

  Result deposit(const std::string& arguments, const std::string& file = {}) const {
    return run_shoal("deposit " + (file.empty() ? points : file) + " --device " + device + " " + arguments);
  }
  template <class T>
  std::vector<T> written(const std::string& dataset) const {
    return read_dataset<T>(image, "VTKHDF/" + dataset);
  }
  /// The nodes' values of an array.
  std::vector<double> nodes(const std::string& arguments, const std::string& file = {},
                            const std::string& name = "mass") const {
    EXPECT_THAT(deposit(arguments + " --force --out " + image, file), Succeeds());
    return written<double>("PointData/" + name);
  }
  void expect_refused(const std::string& arguments, const std::string& message) const {
    const Result result = deposit(arguments);
    EXPECT_THAT(result, Refuses(message));
    EXPECT_THAT(result.text, StartsWith("shoal: "));
    EXPECT_FALSE(std::filesystem::exists(image));
  }
};

TEST_F(DepositCommand, WritesNodesAndCells) {
  EXPECT_THAT(nodes(grid + "--values mass,volume"), ElementsAre(3, 3, 0, 1, 1, 2));
  EXPECT_THAT(written<double>("PointData/volume"), ElementsAre(-0.375, -0.375, 0, -0.125, -0.125, 3));
  EXPECT_THAT(written<double>("CellData/mass"), ElementsAre(8, 2)) << "each is beyond the center of its cell";
  EXPECT_THAT(written<double>("CellData/volume"), ElementsAre(-1, 3));
}

struct DepositCommandBy : DepositCommand, testing::WithParamInterface<MethodInfo> {
  void SetUp() override {
    SHOAL_SKIP_WITHOUT(GetParam().device);
    if (GetParam().device == DeviceKind::cuda) device = "cuda";
  }
};
INSTANTIATE_TEST_SUITE_P(Methods, DepositCommandBy, testing::ValuesIn(methods("deposit")),
                         [](const auto& method) { return method.param.name + "_" + device_word(method.param.device); });

TEST_P(DepositCommandBy, GivesTheSame) {
  const std::string by = grid + "--values mass --method " + GetParam().name;
  EXPECT_THAT(nodes(by), ElementsAre(3, 3, 0, 1, 1, 2));
  EXPECT_THAT(nodes(by + " --precision float"), ElementsAre(3, 3, 0, 1, 1, 2));
  const io::hdf5::Handle in = io::hdf5::open_for_reading(image);
  const io::hdf5::Handle values(H5Dopen2(in, "VTKHDF/PointData/mass", H5P_DEFAULT), H5Dclose, "mass");
  const io::hdf5::Handle type(H5Dget_type(values), H5Tclose, "mass");
  EXPECT_EQ(H5Tget_size(type), 4u);
}

TEST_F(DepositCommand, ReadsEveryKindOfFile) {
  const std::string npy = (folder / "points.npy").string(), vtp = (folder / "points.vtp").string(),
                    vtkhdf = (folder / "points.vtkhdf").string();
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }";
  header.resize(117, ' ');
  const double rows[] = {0.5, 0.25, 8, 2, 1, 2};
  write_text(npy, std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" +
                      std::string(reinterpret_cast<const char*>(rows), sizeof rows));
  write_text(vtp,
             "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
             "<PolyData><Piece NumberOfPoints=\"2\">\n<PointData><DataArray type=\"Float64\" Name=\"mass\" "
             "format=\"ascii\">8 2</DataArray></PointData>\n<Points><DataArray type=\"Float64\" Name=\"Points\" "
             "NumberOfComponents=\"3\" format=\"ascii\">0.5 0.25 7 2 1 7</DataArray></Points>\n"
             "</Piece></PolyData></VTKFile>\n");
  {
    const io::hdf5::Handle file = io::hdf5::create_file(vtkhdf);
    const io::hdf5::Handle vtk = io::hdf5::create_group(file, "VTKHDF");
    const std::int64_t layout[] = {2, 0}, count[] = {2};
    const double places[] = {0.5, 0.25, 7, 2, 1, 7}, mass[] = {8, 2};
    io::hdf5::write_attribute(vtk, "Version", H5T_NATIVE_INT64, layout, 2);
    io::hdf5::write_text_attribute(vtk, "Type", "PolyData");
    io::hdf5::write_dataset(vtk, "NumberOfPoints", H5T_NATIVE_INT64, {1}, count);
    io::hdf5::write_dataset(vtk, "Points", H5T_NATIVE_DOUBLE, {2, 3}, places);
    io::hdf5::write_dataset(vtk, "PointData/mass", H5T_NATIVE_DOUBLE, {2}, mass);
  }
  const auto expected = ElementsAre(3, 3, 0, 1, 1, 2);
  EXPECT_THAT(nodes(grid + "--values mass --columns x,y,mass", npy), expected);
  EXPECT_THAT(nodes(grid + "--values mass", vtp), expected) << "z is left out";
  EXPECT_THAT(nodes(grid + "--values mass", vtkhdf), expected);
}

TEST_F(DepositCommand, TakesTheBoxFromTheParticles) {
  const Result result = deposit("--grid 1,1 --values mass --out " + image);
  EXPECT_THAT(result.text, HasSubstr("grid       1 x 1 cells over [0.5, 2] x [0.25, 1] m\n"));
  EXPECT_THAT(written<double>("PointData/mass"), ElementsAre(8, 0, 0, 2));
  // Ends that rounding would put beyond the last cell: 3 x (0.7 - 0.1) / 3 is less than 0.6.
  write_text(points, "x,y,mass\n0.1,0.1,1\n0.7,0.7,1\n");
  for (const char* cells : {"3,3", "7,11", "49,107"})
    EXPECT_EQ(deposit("--values mass --grid " + std::string(cells)).code, 0) << cells;
}

TEST_F(DepositCommand, RepeatsPeriodicAxes) {
  write_text(points, "x,y,mass\n-0.5,0,8\n");
  EXPECT_THAT(nodes(grid + "--values mass --periodic x"), ElementsAre(4, 4, 4, 0, 0, 0))
      << "halfway through the last cell; the first node is written at both ends";
  EXPECT_THAT(deposit(grid + "--values mass --periodic x,y").text,
              HasSubstr("grid       2 x 1 cells over [0, 2] x [0, 1] m, periodic along x and y\n"));
}

TEST_F(DepositCommand, PrintsASummary) {
  const Result result = deposit(grid + "--values mass,volume");
  EXPECT_THAT(result, Succeeds());
  EXPECT_THAT(result.text, StartsWith("particles  2 in " + points +
                                      " (x, y)\n"
                                      "grid       2 x 1 cells over [0, 2] x [0, 1] m\n"
                                      "shape      cic\n"
                                      "method     sorted in double on cpu, 1 thread\n"
                                      "cells      mean 1 particles, maximum 1, 0 of 2 empty\n"
                                      "mass       10 on particles, 10 on nodes, relative difference +0.0e0\n"
                                      "volume     2 on particles, 2 on nodes, relative difference +0.0e0\n"
                                      "time       reading "));
  EXPECT_THAT(result.text, Not(HasSubstr("\nfile ")));
  EXPECT_THAT(deposit(grid + "--values mass --out " + image).text, HasSubstr("\nfile       " + image + "\n"));
}

TEST_F(DepositCommand, DoesWithParticlesOutsideWhatItIsTold) {
  const std::string narrow = "--grid 1,1 --box 0,1,0,1 --values mass ";
  const Result refused = deposit(narrow + "--out " + image);
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(refused.text,
            "shoal: deposit: particle 1 is outside the grid: x = 2 m, allowed [0, 1] m. Enlarge the grid or set "
            "outside = \"clamp\" or \"skip\".\n");
  EXPECT_FALSE(std::filesystem::exists(image));
  EXPECT_THAT(nodes(narrow + "--outside clamp"), ElementsAre(3, 3, 1, 3));
  EXPECT_THAT(nodes(narrow + "--outside skip"), ElementsAre(3, 3, 1, 1));
  EXPECT_THAT(deposit(narrow + "--outside skip").text,
              HasSubstr("cells      mean 1 particles, maximum 1, 0 of 1 empty\n"
                        "skipped    1 of 2\n"
                        "mass       10 on particles, 2 on skipped ones, 8 on nodes, relative difference +0.0e0\n"));
}

TEST_F(DepositCommand, PrintsJson) {
  const Result result = deposit(grid + "--values volume --periodic y --outside skip --json --out " + image);
  EXPECT_EQ(result.code, 0) << result.text;
  EXPECT_EQ(result.text.find('\n'), result.text.size() - 1);
  EXPECT_THAT(result.text,
              StartsWith("{\"file\": \"" + points +
                         R"(", "particles": 2, "coordinates": ["x", "y"], "grid": [{"axis": "x", "cells": 2, )"
                         R"("from": 0, "to": 2, "periodic": false}, {"axis": "y", "cells": 1, "from": 0, "to": 1, )"
                         R"("periodic": true}], "outside": "skip", "skipped": 0, "shape": "cic", "method": "sorted", )"
                         R"("precision": "double", "device": "cpu, 1 thread", "particles_in_cells": {"mean": 1, )"
                         R"("max": 1, "empty": 0, "total": 2}, "values": [{"name": "volume", "particles": 2, )"
                         R"("skipped": 0, "nodes": 2, "relative_difference": 0}], "out": ")"));
  EXPECT_THAT(result.text, HasSubstr("\"seconds\": {\"reading\": "));
}

TEST_F(DepositCommand, HasShapesOfParticlesWithoutCells) {
  write_text(points, "x,y,mass\n2.5,0.5,48\n");
  const std::string periodic = "--grid 4,1 --box 0,4,0,1 --periodic x,y --values mass --shape ";  // node 4 is node 0
  const std::vector<double> tsc = {0, 0, 24, 24, 0, 0, 0, 24, 24, 0}, pcs = {1, 1, 23, 23, 1, 1, 1, 23, 23, 1};
  EXPECT_THAT(nodes(periodic + "tsc"), Pointwise(DoubleNear(1e-12), tsc));
  EXPECT_THAT(nodes(periodic + "pcs"), Pointwise(DoubleNear(1e-12), pcs));
  const io::hdf5::Handle in = io::hdf5::open_for_reading(image);
  EXPECT_EQ(H5Lexists(in, "VTKHDF/CellData", H5P_DEFAULT), 0);
  EXPECT_THAT(deposit(periodic + "pcs").text, HasSubstr("\nshape      pcs\n"));
}

TEST_F(DepositCommand, TakesNoParticles) {
  write_text(points, "x,y,mass\n");
  EXPECT_THAT(nodes(grid + "--values mass"), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(deposit(grid + "--values mass").text,
              HasSubstr("cells      mean 0 particles, maximum 0, 2 of 2 empty\n"
                        "mass       0 on particles, 0 on nodes, relative difference +0.0e0\n"));
  std::filesystem::remove(image);
  expect_refused("--grid 2,1 --values mass", "it has no particle to take the box from. Give --box.");
}

TEST_F(DepositCommand, RefusesBadArguments) {
  EXPECT_THAT(deposit("--values mass"), Refuses("--grid is required"));
  EXPECT_THAT(deposit("--grid 1,1"), Refuses("--values is required"));
  EXPECT_THAT(deposit(grid + "--values mass --outside ignore"), Refuses("--outside"));
  EXPECT_THAT(deposit(grid + "--values mass --shape ngp"), Refuses("--shape"));
  EXPECT_THAT(deposit(grid + "--values mass --precision half"), Refuses("--precision"));
  const std::string mass = "--values mass ";
  expect_refused(mass + "--grid 4", "--grid has 1 numbers, expected cells along x, y and z: nx,ny,nz or nx,ny.");
  expect_refused(mass + "--grid 4,4,4", "--grid has 3 numbers, and points of " + points + " 2 coordinates.");
  expect_refused(mass + "--grid 4,0", "--grid: 0 cells along y, expected at least 1.");
  expect_refused(mass + "--grid 99999,99999", "cells, expected at most");
  expect_refused(mass + "--grid 4,4 --box 0,1", "--box has 2 numbers, expected 4 for a grid of 2 dimensions");
  expect_refused(mass + "--grid 4,4 --box 0,1,1,1", "--box: y from 1 to 1 m, expected two finite numbers");
  expect_refused(mass + "--grid 4,4 --box 0,1,0,inf", "--box: y from 0 to inf m, expected two finite numbers");
  expect_refused(mass + "--grid 4,4 --periodic x", "--periodic needs a period, which is the length of the box.");
  expect_refused(mass + grid + "--periodic w", "--periodic w: expected axes, such as x,y.");
  expect_refused(mass + grid + "--periodic z", "--periodic z: the grid has 2 dimensions.");
  expect_refused(mass + grid + "--method fastest", "method `fastest` is not available on cpu");
  expect_refused(mass + grid + "--step 2", "a .csv file has no steps");
  expect_refused(mass + grid + "--out image.png", "an image ends with .vtkhdf.");
  expect_refused(mass + grid + "--out no/image.vtkhdf", "no/image.vtkhdf: there is no folder no.");
  expect_refused("--values mas " + grid, "there is no column `mas`; did you mean `mass`? It has x, y, mass, volume.");
  expect_refused("--values mass,mass " + grid, "--values: mass is there twice.");
  expect_refused("--values a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q " + grid, "--values has 17 names, expected at most 16.");
}

TEST_F(DepositCommand, RefusesBadFiles) {
  const std::string flat = "--grid 4,4 --values mass";
  write_text(points, "x,y,mass\n0,5,1\n1,5,1\n");
  expect_refused(flat, "all particles have y = 5 m, so their box has no length along y. Give --box.");
  write_text(points, "x,y,z,mass\n0,0,5,1\n1,1,5,1\n");
  expect_refused("--grid 4,4,4 --values mass",
                 "so their box has no length along z. Give --box, or two numbers to --grid, which leave z out.");
  write_text(points, "x,mass\n0,1\n");
  expect_refused(flat, "--grid has 2 numbers, and points of " + points + " 1 coordinate.");
  write_text(points, "x,y,mass\n0,0,1\n1,1,nan\n");
  expect_refused(flat, "points.csv: mass of particle 1 is nan, expected a finite number. Repair or remove it.");
  write_text(points, "x,y,mass\n0,0,1\n1,1,1e300\n");
  EXPECT_THAT(deposit(flat), Succeeds());
  expect_refused(flat + " --precision float", "is 1e+300, expected a finite number that float can hold.");
  write_text(points, "x,y,a.b\n0,0,1\n1,1,1\n");
  EXPECT_THAT(deposit("--grid 4,4 --values a.b"), Succeeds());
  expect_refused("--grid 4,4 --values a.b --out " + image, "an array is called \"a.b\", expected a name without");
  std::filesystem::remove(points);
  expect_refused(flat, "points.csv: there is no such file.");
}

TEST_F(DepositCommand, NamesTheParticleThatIsNowhere) {
  write_text(points, "x,y,mass\n0,0,1\n1,nan,2\n1,1,4\n");
  const Result result = deposit("--grid 1,1 --values mass --out " + image);
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.text,
            "shoal: deposit: particle 1 has no cell: y = nan; expected a finite coordinate. Repair it or set outside = "
            "\"skip\".\n");
  EXPECT_FALSE(std::filesystem::exists(image));
  EXPECT_THAT(nodes("--grid 1,1 --values mass --outside skip"), ElementsAre(1, 0, 0, 4));
}

}  // namespace
}  // namespace shoal
