// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <system_error>

namespace shoal::io {

/// Content of a file.
/// @throws Error  if the file cannot be read
std::string read_whole(const std::filesystem::path& file);

/// Writes a file that appears under its name only when it is complete: `write(path)` writes a temporary file beside
/// `file`, which is then renamed. If `write` throws, the temporary file is removed and an existing `file` stays
/// unchanged.
template <class Write>
void write_whole(const std::filesystem::path& file, Write&& write) {
  const std::filesystem::path partial = file.string() + ".partial";
  try {
    write(partial);
    std::filesystem::rename(partial, file);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);  // frees the disk space
    throw;
  }
}

}  // namespace shoal::io
