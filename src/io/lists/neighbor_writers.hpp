// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/neighbor_file.hpp>
#include <shoal/version.hpp>

#include <type_traits>
#include <vector>

// One writer for each kind of file; write_neighbors() checks the list and selects the writer.
namespace shoal::io {

void write_neighbors_hdf5(const std::filesystem::path& file, const NeighborFile& list);
void write_neighbors_npz(const std::filesystem::path& file, const NeighborFile& list);

/// Calls `visit(name, values, columns)` for each array of the list; columns = 0 is rank 1.
template <class Visit>
void for_each_array(const NeighborFile& list, Visit visit) {
  visit("offsets", list.offsets, 0);
  std::visit([&](const auto& values) { visit("indices", values, 0); }, list.indices);
  const auto visit_lengths = [&](const char* name, const NeighborFile::Lengths& lengths, int columns) {
    std::visit(
        [&]<class Values>(const Values& values) {
          if constexpr (!std::is_same_v<Values, std::monostate>) visit(name, values, columns);
        },
        lengths);
  };
  visit_lengths("distances", list.distances, 0);
  visit_lengths("displacements", list.displacements, list.box.dimensions);
}

/// Calls `visit(name, value)` for each attribute of the list: text, a number, or a number for each axis.
template <class Visit>
void for_each_attribute(const NeighborFile& list, Visit visit) {
  std::vector<std::int64_t> periodic;
  std::vector<double> lower, upper;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(list.box.dimensions); ++axis) {
    periodic.push_back(list.box.periodic[axis]);
    lower.push_back(list.box.lower[axis]);
    upper.push_back(list.box.upper[axis]);
  }
  visit("radius", list.radius);
  visit("length_unit", std::string("m"));
  visit("predicate", std::string(to_name(list.options.predicate)));
  visit("radius_of", std::string(to_name(list.options.radius)));
  visit("include_self", static_cast<std::int64_t>(list.options.include_self));
  visit("half", static_cast<std::int64_t>(list.options.half));
  visit("order", std::string(to_name(list.options.order)));
  visit("dimensions", static_cast<std::int64_t>(list.box.dimensions));
  visit("periodic", periodic);
  visit("box_lower", lower);
  visit("box_upper", upper);
  visit("method", list.method);
  visit("device", list.device);
  visit("shoal_version", std::string(version()));
}

/// Size of all arrays in bytes.
inline std::uint64_t bytes_of(const NeighborFile& list) {
  std::uint64_t bytes = 0;
  for_each_array(list, [&]<class T>(const char*, View<const T> values, int) {
    bytes += sizeof(T) * static_cast<std::uint64_t>(values.count);
  });
  return bytes;
}

}  // namespace shoal::io
