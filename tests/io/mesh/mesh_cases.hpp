// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gmock/gmock.h>
#include <shoal/io/mesh_file.hpp>

#include <algorithm>
#include <cstring>

#include "support/messages.hpp"
#include "support/replaced.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::testing_support {

/// Fixture that writes small meshes and reads them.
struct MeshFiles : testing::Test {
  ScratchFolder folder;

  io::MeshFile read(const std::string& name, const std::string& content,
                    const io::MeshFileOptions& options = {}) const {
    write_text(folder / name, content);
    return io::read_mesh(folder / name, options);
  }
  /// Message of the Error that `call` throws, without the folder of the file.
  template <class Call>
  std::string refusal_of(Call&& call) const {
    return folder.without_path(message_of(call));
  }
  std::string refusal(const std::string& name, const std::string& content,
                      const io::MeshFileOptions& options = {}) const {
    return refusal_of([&] { read(name, content, options); });
  }
  /// Expects an error for each beginning of `content` of fewer than `size` bytes.
  void expect_cut_short(const std::string& name, const std::string& content, std::size_t size) const {
    for (std::size_t bytes = 0; bytes < size; ++bytes)
      EXPECT_NE(refusal(name, content.substr(0, bytes)), "no error") << bytes;
  }
};

inline std::vector<std::string> marker_names(const io::MeshFile& mesh) {
  std::vector<std::string> names;
  for (const io::MeshMarker& marker : mesh.markers) names.push_back(marker.name);
  return names;
}

/// Checks the cells of the mesh that the tests of several formats write: a quadrilateral and an adjacent triangle.
inline void expect_two_cells(const io::MeshFile& mesh) {
  EXPECT_EQ(mesh.dimensions, 2);
  EXPECT_THAT(mesh.nodes.x, testing::ElementsAre(0, 1, 1, 0, 2));
  EXPECT_THAT(mesh.cell_shape, testing::ElementsAre(io::CellShape::quadrilateral, io::CellShape::triangle));
  EXPECT_THAT(mesh.cell_corners, testing::ElementsAre(0, 1, 2, 3, 1, 4, 2));
}

/// Bytes of consecutive numbers, in native or in swapped byte order.
template <class T>
std::string bytes_of(const std::vector<T>& numbers, bool swapped = false) {
  std::string bytes;
  for (const T number : numbers) {
    std::string representation(sizeof(T), '\0');
    std::memcpy(representation.data(), &number, sizeof(T));
    if (swapped) std::reverse(representation.begin(), representation.end());
    bytes += representation;
  }
  return bytes;
}

}  // namespace shoal::testing_support
