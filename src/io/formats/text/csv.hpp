// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"

namespace shoal::io {

/// CSV table with the time in the first column. Each row is passed to the system as soon as it is appended. Numbers are in the
/// shortest form that reads back as the same value.
class Csv {
 public:
  /// @param columns    names with units, such as "time [s]"
  /// @param kept_rows  continues the existing file after so many rows and removes those behind; empty: a new file
  /// @param comment    lines of a new file above the names of the columns, without "# "
  /// @throws Error  if the file cannot be written, or the continued file has other columns or fewer rows
  Csv(std::filesystem::path path, const std::vector<std::string>& columns, std::optional<std::int64_t> kept_rows = {},
      const std::vector<std::string>& comment = {});

  template <class... Numbers>
  void append(const Numbers&... numbers) {
    write_row(join({text(numbers)...}, ","));
  }
  /// Appends a row of `numbers`, then of `more`.
  template <class... Numbers>
  void append_with(const std::vector<double>& more, const Numbers&... numbers) {
    std::vector<std::string> words{text(numbers)...};
    for (const double number : more) words.push_back(text(number));
    write_row(join(words, ","));
  }
  void append_row(const std::vector<double>& numbers);

  /// Number of rows, without the header.
  std::int64_t row_count() const { return rows_; }
  const std::filesystem::path& path() const { return path_; }

  /// Names of the columns of a table; empty if there is none.
  static std::vector<std::string> columns(const std::filesystem::path& path);
  /// First row of a table; empty if there is no row, or it is incomplete.
  static std::vector<double> first_row(const std::filesystem::path& path);
  static std::vector<double> last_row(const std::filesystem::path& path);

 private:
  void open(std::ios::openmode mode);
  void write_line(const std::string& line);
  void write_row(const std::string& line);
  void keep_rows(std::int64_t count, const std::string& header);

  std::filesystem::path path_;
  std::ofstream out_;
  std::int64_t rows_ = 0;
};

}  // namespace shoal::io
