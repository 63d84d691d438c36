// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "io/mesh/mesh_builder.hpp"

namespace shoal::io {

/// Section of a file of Fluent: (10 ...) in text, (2010 ...) in binary with float, (3010 ...) with double.
struct FluentSection {
  std::int64_t number = 0;
  std::int64_t kind = 0;  ///< number without thousands
  bool is_binary = false;
  bool is_single = false;  ///< true: raw coordinates are float
  std::size_t begin = 0;   ///< position of its parenthesis
};

/// File of Fluent: sections, headers in parentheses, and lists in text or binary.
class FluentFile {
 public:
  /// @throws Error  the file cannot be read
  explicit FluentFile(const std::filesystem::path& path) : file_(path) {}

  const std::string& name() const { return file_.name(); }
  /// Number of items that the file can hold: each takes one byte or more.
  std::int64_t most_items() const { return static_cast<std::int64_t>(file_.content().size()); }

  /// Begins the next section; nothing at the end of the file.
  std::optional<FluentSection> next_section();
  /// Skips the rest of a section.
  void skip(const FluentSection& section);
  /// Next number, decimal.
  std::int64_t decimal(const char* what) { return number(what, 10); }
  /// Hexadecimal numbers in parentheses.
  std::vector<std::int64_t> header();
  /// Number, decimal, and name of a zone, from (number type name ...).
  std::pair<std::int64_t, std::string> zone_name();

  void open_body(const FluentSection& section);
  std::int64_t integer(const FluentSection& section, const char* what);
  double coordinate(const FluentSection& section);
  void close_body(const FluentSection& section);

  /// Throws "file:line:column: ..." for the word that was read last, "file: byte n: ..." for a raw number.
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    if (is_raw_) file_.refuse_byte(last_, parts...);
    file_.refuse(last_, parts...);
  }

 private:
  void skip_blanks();
  std::string_view word(const char* what);
  void expect(char character, const char* where);
  std::int64_t number(const char* what, int base);

  FileCursor file_;
  std::size_t last_ = 0;  ///< position of the word or raw number that was read last
  bool is_raw_ = false;   ///< true: `last_` is that of a raw number
};

/// Returns true if the first character of a file, without blanks, is a parenthesis, as in files of Fluent.
bool begins_as_fluent(const std::filesystem::path& file);

}  // namespace shoal::io
