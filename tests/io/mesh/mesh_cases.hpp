// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gmock/gmock.h>
#include <shoal/io/mesh_file.hpp>

#include <bit>
#include <cstring>

#include "support/messages.hpp"
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
    const std::string message = message_of(call), path = folder.path().string() + "/";
    return message.starts_with(path) ? message.substr(path.size()) : message;
  }
  std::string refusal(const std::string& name, const std::string& content,
                      const io::MeshFileOptions& options = {}) const {
    return refusal_of([&] { read(name, content, options); });
  }
};

inline std::vector<std::string> marker_names(const io::MeshFile& mesh) {
  std::vector<std::string> names;
  for (const io::MeshMarker& marker : mesh.markers) names.push_back(marker.name);
  return names;
}

/// Text with the first `from` replaced by `to`; `from` must occur in it.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// Bytes of consecutive numbers, in native or in swapped byte order.
template <class T>
std::string bytes_of(const std::vector<T>& numbers, bool swapped = false) {
  std::string bytes;
  for (const T number : numbers) {
    char its[sizeof(T)] = {};
    std::memcpy(its, &number, sizeof(T));
    std::string word(its, sizeof(T));
    bytes += swapped ? std::string(word.rbegin(), word.rend()) : word;
  }
  return bytes;
}

}  // namespace shoal::testing_support
