// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/output_file.hpp>

#include <algorithm>
#include <cctype>

#include "core/text.hpp"

namespace shoal::io {

namespace fs = std::filesystem;

void require_file_name(const std::string& name, const std::string& what) {
  constexpr std::size_t most = 100;  // file systems allow 255 bytes, from which endings such as .csv.partial go off
  constexpr std::size_t most_shown = 40;
  const bool is_plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-' || c == '.');
  });
  const std::string shown = name.size() > most_shown ? name.substr(0, most_shown) + "..." : name;
  require(!name.empty() && name.size() <= most && is_plain && name[0] != '.', what, " = \"", shown, "\" (", name.size(),
          " characters) is no name for a file; expected at most ", most,
          " letters, digits, _, - and ., the first one no dot.");
}

std::string folder_name(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace shoal::io
