// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_values.hpp>

#include <map>

#include "io/formats/binary/hdf5.hpp"

namespace shoal::io {

/// A mesh that stands still and values on it at one time after the other: temporal UnstructuredGrid in VTKHDF 2.0. The
/// mesh is stored once. The file is whole after each state.
class MeshSteps {
 public:
  /// @param case_text  is kept in the file
  /// @throws Error  the file cannot be written
  MeshSteps(std::filesystem::path path, const MeshFile& mesh, MeshPart part, const std::string& case_text,
            int compression);

  /// @param arrays  the same ones each time
  /// @throws Error  disk full or not writable; what was written before is kept
  void append(double time, const std::vector<MeshArray>& arrays);

 private:
  void add(const std::string& path, const hdf5::Rows::Shape& shape);
  void open_arrays(const std::vector<MeshArray>& arrays);
  void append_state(double time, const std::vector<MeshArray>& arrays);
  void finish_state();
  void take_back(const std::map<std::string, hsize_t>& counts) noexcept;

  std::filesystem::path path_;
  std::string section_;  ///< "CellData" or "PointData"
  int compression_;
  hdf5::Handle file_;
  std::map<std::string, hdf5::Rows> rows_;
};

}  // namespace shoal::io
