// SPDX-License-Identifier: Apache-2.0
#include "io/formats/whole_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/text.hpp"

namespace shoal::io {

std::string read_whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  require(in.good(), file.string(), ": cannot be read: ", std::strerror(errno), ".");
  std::string content(std::filesystem::file_size(file), '\0');
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  require(in.good(), file.string(), ": cannot be read: ", std::strerror(errno), ".");
  return content;
}

}  // namespace shoal::io
