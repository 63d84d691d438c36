// SPDX-License-Identifier: Apache-2.0
#include "own_folder.hpp"

namespace shoal::cli {

std::optional<std::filesystem::path> own_folder(std::initializer_list<const char*> places, const char* inside) {
  std::error_code failed;
  std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", failed);
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    for (const char* place : places)
      if (std::filesystem::exists(folder / place / inside, failed)) return folder / place;
  }
  return std::nullopt;
}

}  // namespace shoal::cli
