// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/output_file.hpp>

#include <algorithm>
#include <cctype>

#include "core/text.hpp"
#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace fs = std::filesystem;

void require_file_name(const std::string& name, const std::string& what) {
  constexpr std::size_t most = 100;  // file systems allow 255 bytes, from which endings such as .csv.partial go off
  constexpr std::size_t most_shown = 40;
  const bool is_plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-' || c == '.');
  });
  const std::string shown = name.size() > most_shown ? text(name.substr(0, most_shown), "...") : name;
  require(!name.empty() && name.size() <= most && is_plain && name[0] != '.', what, " = \"", shown, "\" (", name.size(),
          " characters) is no name for a file; expected at most ", most,
          " letters, digits, _, - and ., the first one no dot.");
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  const bool is_there = fs::exists(a, failed);
  if (a.empty() || b.empty() || is_there != fs::exists(b, failed)) return false;
  if (is_there) return fs::equivalent(a, b, failed);
  const auto without_links = [&](const fs::path& file) {
    return fs::weakly_canonical(file.is_absolute() ? file : "." / file, failed);
  };
  const fs::path path = without_links(a);
  return !failed && path == without_links(b) && !failed;
}

void require_not_replaced(const std::vector<fs::path>& inputs, const std::vector<fs::path>& outputs) {
  for (const fs::path& input : inputs)
    for (const fs::path& output : outputs)
      require(!is_same_file(input, output), input.string(),
              ": the output would replace this file, which is read to make it. Write the output elsewhere.");
}

void require_output_file(const fs::path& output, const std::vector<fs::path>& inputs, bool force) {
  require(!output.empty(), "the name of the output file is empty, expected a path.");
  require_not_replaced(inputs, {output, partial_of(output)});
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(output, ignored);
  require(!fs::is_directory(fs::status(output, ignored)), output.string(), ": this is a folder, expected a file.");
  const bool holds_data = fs::is_regular_file(status) || fs::is_symlink(status);
  require(force || !holds_data, output.string(),
          ": this file exists. Choose another one, or replace it with the option `force`.");
}

std::string folder_name(const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

}  // namespace shoal::io
