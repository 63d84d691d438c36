// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"

namespace shoal::io {

/// CSV table with the time in the first column. Each row is on disk as soon as it is appended. Numbers are in the
/// shortest form that reads back as the same value.
class Csv {
 public:
  /// @param columns         names with units, such as "time [s]"
  /// @param continue_after  time after which the rows of an existing file are removed before it is continued
  /// @throws Error  if the file cannot be written, or the continued file has other columns
  Csv(std::filesystem::path path, const std::vector<std::string>& columns, std::optional<double> continue_after = {});

  template <class... Numbers>
  void append(const Numbers&... numbers) {
    write_line(join({text(numbers)...}, ","));
  }
  void append_row(const std::vector<double>& numbers);

  /// First row of a table; empty if there is no row, or it is incomplete.
  static std::vector<double> first_row(const std::filesystem::path& path);
  static std::vector<double> last_row(const std::filesystem::path& path);

 private:
  void open(std::ios::openmode mode);
  void write_line(const std::string& line);
  void drop_rows_after(double time, const std::string& header);

  std::filesystem::path path_;
  std::ofstream out_;
};

}  // namespace shoal::io
