// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <system_error>

namespace shoal::io {

/// All bytes of a file.
/// @throws Error  cannot be read
std::string read_whole(const std::filesystem::path& file);

/// Makes `file` appear under its name only when it is complete: `write(path)` fills a file beside it, which then takes
/// the name. When `write` throws, what it wrote is removed, and a file that was there before stays.
template <class Write>
void write_whole(const std::filesystem::path& file, Write&& write) {
  const std::filesystem::path partial = file.string() + ".partial";
  try {
    write(partial);
    std::filesystem::rename(partial, file);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);  // leaves the room to others
    throw;
  }
}

}  // namespace shoal::io
