// SPDX-License-Identifier: Apache-2.0
// Velocity distributions from NumPy and HDF5 files, and initial distributions of cases.
#include <shoal/io/relaxation.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "collision/relaxation/exact_solutions.hpp"
#include "core/text.hpp"
#include "io/formats/binary/hdf5_checks.hpp"
#include "io/formats/binary/npy.hpp"
#include "io/formats/checked_read.hpp"

namespace shoal::io::relaxation {

namespace {

using FileShape = std::vector<std::uint64_t>;

void require_shape(const std::string& place, const FileShape& shape, int nodes) {
  const auto n = static_cast<std::uint64_t>(nodes);
  require(shape == FileShape{n, n, n} || shape == FileShape{n * n * n}, place, ": its shape is ", shape_text(shape),
          ", expected ", shape_text({n, n, n}), " or ", shape_text({n * n * n}),
          ", the nodes of the grid. Set grid.nodes to what the file has.");
}

std::size_t cubed(int nodes) {
  const auto n = static_cast<std::size_t>(nodes);
  return n * n * n;
}

template <class T>
std::vector<double> read_numbers(std::istream& in, const std::string& file, std::size_t count) {
  std::vector<T> values(count);
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
  require(in.good(), file, ": reading failed: ", std::strerror(errno), ".");
  return {values.begin(), values.end()};
}

std::vector<double> read_npy(const std::filesystem::path& path, int nodes) {
  const std::string file = path.string();
  std::ifstream in(path, std::ios::binary);
  require(in.good(), file, ": cannot read this file; does it exist?");
  const NpyHeader header = read_npy_header(in, file);
  require_shape(file, header.shape, nodes);
  require(header.type == "<f4" || header.type == "<f8", file, ": its numbers are ", header.type,
          ", expected <f4 or <f8. Save a.astype('<f8').");
  require(!header.fortran_order || header.shape.size() == 1, file,
          ": its numbers are in Fortran order, expected C order, x being the last index. Save "
          "numpy.ascontiguousarray(a).");
  const std::size_t count = cubed(nodes), bytes = count * (header.type == "<f4" ? sizeof(float) : sizeof(double));
  const std::size_t stored = std::filesystem::file_size(path) - static_cast<std::size_t>(in.tellg());
  require(stored == bytes, file, stored < bytes ? ": cut short: " : ": ", stored, " bytes of numbers, expected ", bytes,
          " for ", count, " numbers.");
  return header.type == "<f4" ? read_numbers<float>(in, file, count) : read_numbers<double>(in, file, count);
}

std::vector<double> read_hdf5(const std::filesystem::path& path, const std::string& dataset, int nodes) {
  const hdf5::Quiet quiet;
  const std::string place = path.string() + ", dataset " + dataset;
  const hdf5::Handle file = hdf5::open_for_reading(path);
  require(hdf5::exists(file, dataset), path.string(), ": there is no dataset \"", dataset, "\"; the file has ",
          join(hdf5::names_in(file)), ".");
  const hdf5::Handle data = hdf5::open_dataset(file, dataset);
  const hdf5::Handle type(H5Dget_type(data), H5Tclose, place);
  require(H5Tget_class(type) == H5T_FLOAT, place, ": its numbers are no floating-point numbers.");
  const std::vector<hsize_t> size = hdf5::extent_of(data, place);
  require_shape(place, {size.begin(), size.end()}, nodes);
  const std::size_t count = cubed(nodes);
  hdf5::require_stored(data, count, place);
  std::vector<double> values(count);
  hdf5::check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), "reading " + place);
  return values;
}

}  // namespace

std::vector<double> read_distribution(const std::filesystem::path& file, const std::string& dataset, int nodes) {
  const std::string ending = file.extension().string();
  if (ending == ".npy") return checked_read(file, [&] { return read_npy(file, nodes); });
  require(ending == ".h5" || ending == ".hdf5", file.string(), ": a distribution in a file that ends in \"", ending,
          "\", expected .npy, .h5 or .hdf5.");
  return checked_read(file, [&] { return read_hdf5(file, dataset, nodes); });
}

namespace {

/// f of one gas at the nodes.
std::vector<double> distribution_of(const Initial& initial, const VelocityGrid& grid) {
  const auto c2 = [&](const Vector& v) {
    double sum = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      sum += (v[axis] - initial.velocity[axis]) * (v[axis] - initial.velocity[axis]);
    return sum;
  };
  switch (initial.distribution) {
    case Distribution::bkw: {
      const collision::BkwSolution bkw{initial.density, initial.temperature, 1, initial.amplitude};
      // The BKW solution with amplitude 2/5 is 0 at the mean velocity; rounding may make it negative.
      return collision::at_velocities<double>(
          grid, [&](const Vector& v) { return std::max(0.0, bkw.distribution(c2(v), 0)); });
    }
    case Distribution::two_beams: {
      const collision::TwoBeams beams{initial.density, initial.temperature, initial.velocity, initial.apart};
      return collision::at_velocities<double>(grid, [&](const Vector& v) { return beams.distribution(v); });
    }
    case Distribution::maxwellian:
      return collision::at_velocities<double>(
          grid, [&](const Vector& v) { return collision::maxwellian_at(initial.density, initial.temperature, c2(v)); });
    case Distribution::file:
      break;
  }
  try {
    return read_distribution(initial.file, initial.dataset, grid.nodes);
  } catch (const Error& error) {
    throw Error(initial.place + ": " + error.what());
  }
}

}  // namespace

std::vector<double> initial_distribution(const Case& simulation) {
  std::vector<double> f = distribution_of(simulation.initial, simulation.grid);
  if (!simulation.second_initial) return f;
  const std::vector<double> second = distribution_of(*simulation.second_initial, simulation.grid);
  f.insert(f.end(), second.begin(), second.end());
  return f;
}

}  // namespace shoal::io::relaxation
