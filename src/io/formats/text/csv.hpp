// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"

namespace shoal::io {

/// A table that grows by rows, the first column being time; on disk after each row. Numbers in the shortest form that
/// reads back as the same value.
class Csv {
 public:
  /// @param columns         names with units, such as "time [s]"
  /// @param continue_after  continues the file that is there, after dropping rows later than this
  /// @throws Error  cannot be written, or continues a file with other columns
  Csv(std::filesystem::path path, const std::vector<std::string>& columns, std::optional<double> continue_after = {});

  template <class... Numbers>
  void append(const Numbers&... numbers) {
    write_line(join({text(numbers)...}, ","));
  }
  void append_row(const std::vector<double>& numbers);

  /// The first row of a table; empty if there is none, or it is not whole.
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
