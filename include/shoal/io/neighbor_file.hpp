// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

namespace shoal::io {

/// Neighbor list in host memory, with the parameters of its search. The views are contiguous.
struct NeighborFile {
  using Lengths = std::variant<std::monostate, View<const float>, View<const double>>;  ///< lengths; monostate: none

  View<const std::int64_t> offsets = {};  ///< [destinations + 1] CSR offsets
  /// Source indices, [offsets[destinations]].
  std::variant<View<const std::int32_t>, View<const std::int64_t>> indices = {};
  /// Distances in m, [offsets[destinations]].
  Lengths distances = {};
  Lengths displacements = {};  ///< [offsets[destinations], dimensions] destination − source, m
  double radius = 0;           ///< search radius, m
  Box box = {};
  NeighborsOptions options = {};
  std::string method = {};  ///< name of the search method
  std::string device = {};  ///< name of the device, for information only
};

/// Writes a neighbor list to HDF5 (.h5, .hdf5) or NumPy's .npz, by the extension; docs/points_files.md has the layout.
/// A temporary file replaces `file` when it is complete, so that `file` is never half written.
///
/// Cost: the bytes of the list, once to disk; a .npz reads them twice because of its checksums.
/// @throws Error  an unknown extension; offsets that do not begin with 0; inconsistent numbers of indices, distances or
///                displacements; arrays that are not contiguous in host memory; disk full or not writable
void write_neighbors(const std::filesystem::path& file, const NeighborFile& list);

/// Requires a known extension and an existing folder of `file`. Callers check before a long search.
/// @throws Error  unknown extension or missing folder
void require_neighbor_file(const std::filesystem::path& file);

}  // namespace shoal::io
