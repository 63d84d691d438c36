// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

namespace shoal::io {

/// A list of neighbors in host memory, and what it is a list of. The views are contiguous.
struct NeighborFile {
  using Lengths = std::variant<std::monostate, View<const float>, View<const double>>;  ///< monostate: none

  View<const std::int64_t> offsets = {};                                          ///< [destinations + 1]
  std::variant<View<const std::int32_t>, View<const std::int64_t>> indices = {};  ///< [offsets[destinations]]
  Lengths distances = {};                                                         ///< m, as many as indices
  Lengths displacements = {};  ///< m, [as many, dimensions], destination − source
  double radius = 0;           ///< m
  Box box = {};
  NeighborsOptions options = {};
  std::string method = {};  ///< that made the list
  std::string device = {};  ///< on which it ran, for people
};

/// Writes a list to HDF5 (.h5, .hdf5) or NumPy's .npz, as the extension says; docs/points_files.md has the layout. The
/// file appears under its name only when it is complete; one that was there before stays until then.
///
/// Cost: the bytes of the list, once to disk; a .npz reads them twice, for its checksums.
/// @throws Error  another extension; offsets that do not begin with 0, or numbers of indices, distances or
/// displacements
///                that do not agree; not in contiguous host memory; disk full or not writable
void write_neighbors(const std::filesystem::path& file, const NeighborFile& list);

/// That `file` has a known extension and its folder is there, for those who want to know before they search.
/// @throws Error  if not
void require_neighbor_file(const std::filesystem::path& file);

}  // namespace shoal::io
