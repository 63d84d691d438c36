// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "io/formats/text/strings.hpp"

namespace shoal::io {

/// The one of `kinds` whose member `extension` the file's name ends with, in small or capital letters.
/// @param what  "a points file", for the message
/// @throws Error  none; lists them
template <class Kinds>
const auto& kind_by_extension(const std::filesystem::path& file, const Kinds& kinds, const char* what) {
  const std::string extension = lower_case(file.extension().string());
  std::vector<std::string> known;
  for (const auto& kind : kinds) {
    if (extension == kind.extension) return kind;
    known.emplace_back(kind.extension);
  }
  throw Error(text(file.string(), ": cannot tell what kind of file this is; ", what, " ends with ", join(known), "."));
}

/// That the folder in which `file` is to be made is there.
inline void require_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  require(std::filesystem::is_directory(folder), file.string(), ": there is no folder ", folder.string(), ".");
}

/// @param what  "a points file", for the message
/// @throws Error  there is no such file, or it is a folder
inline void require_file(const std::filesystem::path& file, const char* what) {
  require(std::filesystem::exists(file), file.string(), ": there is no such file.");
  require(!std::filesystem::is_directory(file), file.string(), ": this is a folder, expected ", what, ".");
}

}  // namespace shoal::io
