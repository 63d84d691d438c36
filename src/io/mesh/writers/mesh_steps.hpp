// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/mesh_values.hpp>

#include <map>

#include "io/formats/binary/hdf5.hpp"

namespace shoal::io {

/// Writer of a fixed mesh with values at several times: temporal UnstructuredGrid in VTKHDF 2.0. The file stores the
/// mesh once and is complete after each state.
class MeshSteps {
 public:
  /// @param case_text  text of the case, which the file stores
  /// @throws Error  if the file cannot be written
  MeshSteps(std::filesystem::path path, const MeshFile& mesh, MeshPart part, const std::string& case_text,
            int compression);

  /// Appends a state.
  /// @param arrays  values of the state; each call must pass the same arrays
  /// @throws Error  if the disk is full or not writable; earlier states are kept
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
