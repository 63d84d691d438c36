// SPDX-License-Identifier: Apache-2.0
// Reader of points in text files. The first line that is neither empty nor a comment is the header, unless all its
// fields are numbers.
#include <shoal/io/text.hpp>

#include <algorithm>

#include "core/text.hpp"
#include "io/formats/text/line_reader.hpp"
#include "io/formats/text/strings.hpp"
#include "io/points/points_columns.hpp"
#include "io/points/points_readers.hpp"

namespace shoal::io {

namespace {

char separator_of(std::string_view line) {
  for (const char separator : {',', ';', '\t'})
    if (line.find(separator) != std::string_view::npos) return separator;
  return ',';
}

/// Field of a line and the text after it; `rest` without data marks the end of the line.
struct Field {
  std::string_view content, rest;
  const char* fault = nullptr;  ///< error in its quotes; null if there is none
};

/// Position of the quote that closes the field in quotes that begins at `open`; a doubled quote is a part of the field.
std::size_t closing_quote(std::string_view line, std::size_t open) {
  std::size_t close = line.find('"', open + 1);
  while (close != std::string_view::npos && close + 1 < line.size() && line[close + 1] == '"')
    close = line.find('"', close + 2);
  return close;
}

/// First field of `line`, without its quotes.
Field first_field(std::string_view line, char separator) {
  const std::size_t first = line.find_first_not_of(" \t");
  const bool quoted = first != std::string_view::npos && line[first] == '"';
  const std::size_t close = quoted ? closing_quote(line, first) : 0;
  if (close == std::string_view::npos) return {{}, {}, "a quote is not closed on this line"};
  const std::size_t end = std::min(line.size(), line.find(separator, close));
  Field field;
  field.content = quoted ? line.substr(first + 1, close - first - 1) : trimmed(line.substr(0, end));
  if (end < line.size()) field.rest = line.substr(end + 1);
  if (quoted && !trimmed(line.substr(close + 1, end - close - 1)).empty())
    field.fault = "text follows the quote that closes a field, expected a separator";
  return field;
}

/// Number of fields of a line, and the error in its quotes; null if there is none.
struct FieldCount {
  std::size_t count = 0;
  const char* fault = nullptr;
};

/// Calls `use(content, number)` for each field of a line, up to the first error in quotes.
template <class Use>
FieldCount for_each_field(std::string_view line, char separator, Use use) {
  for (std::size_t number = 0;;) {
    const Field field = first_field(line, separator);
    if (field.fault) return {number, field.fault};
    use(field.content, number++);
    if (!field.rest.data()) return {number};
    line = field.rest;
  }
}

bool is_number(const std::string& field) {
  double number = 0;
  return read_number(field, number);
}

class CsvPoints {
 public:
  CsvPoints(const std::filesystem::path& file, const PointsFileOptions& options)
      : name_(file.string()), options_(options), lines_(file) {}

  PointsFile read() {
    std::optional<std::string_view> line = next_content();
    require(line.has_value(), name_, ": this file has no lines. Expected a header such as x,y,z and a line a point.");
    separator_ = separator_of(*line);
    require_utf8(*line);
    const std::vector<std::string> first = fields_of(*line);
    const std::vector<std::string> header = header_of(first);
    field_count_ = first.size();
    const ColumnChoice choice = choose_columns(name_, header, field_count_, options_);
    const std::vector<std::size_t> wanted = choice.columns();
    column_of_field_.assign(field_count_, {});
    columns_.resize(wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) column_of_field_[wanted[i]].push_back(i);
    names_ = header.empty() ? options_.columns : header;
    if (header == first) line = next_content();
    for (; line; line = next_content()) read_row(*line);
    return points_of_columns(name_, choice, std::move(columns_), options_);
  }

 private:
  /// Next line that is neither empty nor a comment. A comment directly above the first line may be its header, as
  /// NumPy's savetxt writes it.
  std::optional<std::string_view> next_content() {
    while (std::optional<std::string_view> line = lines_.next()) {
      const std::string_view content = trimmed(*line);
      if (content.empty()) continue;
      if (content[0] != '#') return line;
      comment_ = trimmed(content.substr(1));
    }
    return {};
  }

  void require_no_fault(const char* fault) const {
    require(fault == nullptr, name_, ":", lines_.number(), ": ", fault ? fault : "", ".");
  }

  /// Fields of the line that was read last.
  std::vector<std::string> fields_of(std::string_view line) const {
    std::vector<std::string> fields;
    require_no_fault(for_each_field(line, separator_, [&](std::string_view field, std::size_t) {
                       fields.emplace_back(field);
                     }).fault);
    return fields;
  }

  /// Names in the last comment; none if its quotes are wrong.
  std::vector<std::string> names_in_comment() const {
    std::vector<std::string> names;
    const FieldCount fields =
        for_each_field(comment_, separator_, [&](std::string_view name, std::size_t) { names.emplace_back(name); });
    return fields.fault ? std::vector<std::string>{} : names;
  }

  void require_utf8(std::string_view first_line) const {
    require(!first_line.starts_with("\xff\xfe") && !first_line.starts_with("\xfe\xff"), name_,
            ": this is UTF-16 text, expected UTF-8. Save it as UTF-8.");
  }

  /// Names of the columns; empty if the first line has numbers and no comment above it has names.
  std::vector<std::string> header_of(const std::vector<std::string>& first) const {
    if (std::none_of(first.begin(), first.end(), is_number)) return first;
    const auto word = std::find_if_not(first.begin(), first.end(), is_number);
    require(word == first.end() || !options_.columns.empty(), name_, ":", lines_.number(), ": field ",
            word - first.begin() + 1, " is \"", word == first.end() ? "" : printable(*word),
            "\", and others are numbers. Expected a header such as x,y,z or a line of numbers.");
    const std::vector<std::string> above = names_in_comment();
    const bool names_columns = above.size() == first.size() && std::none_of(above.begin(), above.end(), is_number);
    return names_columns && !comment_.empty() && options_.columns.empty() ? above : std::vector<std::string>{};
  }

  void read_row(std::string_view line) {
    const FieldCount fields = for_each_field(line, separator_, [&](std::string_view field, std::size_t number) {
      if (number >= field_count_) return;
      for (const std::size_t column : column_of_field_[number]) {
        double value = 0;
        if (!read_number(field, value)) throw_not_a_number(field, number);
        columns_[column].push_back(value);
      }
    });
    require_no_fault(fields.fault);
    require(fields.count == field_count_, name_, ":", lines_.number(), ": it has ", fields.count, " fields, expected ",
            field_count_, " as on the first line.");
  }

  [[noreturn]] void throw_not_a_number(std::string_view field, std::size_t number) const {
    const std::string name = names_.empty() ? "" : text(" (", printable(names_[number]), ")");
    throw Error(text(name_, ":", lines_.number(), ": field ", number + 1, name, " is ",
                     field.empty() ? "empty" : text('"', printable(field), '"'),
                     ", expected a number that double can hold."));
  }

  std::string name_;
  const PointsFileOptions& options_;
  LineReader lines_;
  std::string comment_;  ///< last comment
  char separator_ = ',';
  std::size_t field_count_ = 0;
  std::vector<std::string> names_;
  std::vector<std::vector<std::size_t>> column_of_field_;  ///< numbers of columns in columns_, for each field
  std::vector<std::vector<double>> columns_;
};

}  // namespace

PointsFile read_csv_points(const std::filesystem::path& file, const PointsFileOptions& options) {
  return CsvPoints(file, options).read();
}

}  // namespace shoal::io
