// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "io/formats/text/strings.hpp"

namespace shoal::io {

/// Entry of `kinds` whose member `extension` is the extension of the file, in small or capital letters.
/// @param what  kind of file for the message, such as "a points file"
/// @throws Error  if no entry has this extension; the message lists the known ones
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

/// Checks that the folder of an output file exists.
inline void require_folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  require(std::filesystem::is_directory(folder), file.string(), ": there is no folder ", folder.string(), ".");
}

/// Checks that `file` exists and is not a folder.
/// @param what  kind of file for the message, such as "a points file"
/// @throws Error  if there is no such file, or it is a folder
inline void require_file(const std::filesystem::path& file, const char* what) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(file, failed);
  require(status.type() != std::filesystem::file_type::not_found, file.string(), ": there is no such file.");
  require(!failed, file.string(), ": cannot be read: ", failed.message(), ".");
  require(!std::filesystem::is_directory(status), file.string(), ": this is a folder, expected ", what, ".");
}

}  // namespace shoal::io
