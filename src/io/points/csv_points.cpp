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
};

/// First field of `line`, without its quotes; nothing if a quote is not closed.
std::optional<Field> first_field(std::string_view line, char separator) {
  const std::size_t first = line.find_first_not_of(" \t");
  const bool quoted = first != std::string_view::npos && line[first] == '"';
  const std::size_t close = quoted ? line.find('"', first + 1) : 0;
  if (close == std::string_view::npos) return {};
  const std::size_t end = line.find(separator, close);
  Field field;
  field.content = quoted ? line.substr(first + 1, close - first - 1) : trimmed(line.substr(0, end));
  if (end != std::string_view::npos) field.rest = line.substr(end + 1);
  return field;
}

/// Calls `use(content, number)` for each field of a line and returns the number of fields; nothing if a quote is not
/// closed.
template <class Use>
std::optional<std::size_t> for_each_field(std::string_view line, char separator, Use use) {
  for (std::size_t number = 0;;) {
    const std::optional<Field> field = first_field(line, separator);
    if (!field) return {};
    use(field->content, number++);
    if (!field->rest.data()) return number;
    line = field->rest;
  }
}

/// Fields of a line; empty if a quote is not closed.
std::vector<std::string> fields_of(std::string_view line, char separator) {
  std::vector<std::string> fields;
  const auto count =
      for_each_field(line, separator, [&](std::string_view field, std::size_t) { fields.emplace_back(field); });
  return count ? fields : std::vector<std::string>{};
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
    const std::vector<std::string> first = fields_of(*line, separator_);
    require_closed_quotes(!first.empty());
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

  void require_closed_quotes(bool closed) const {
    require(closed, name_, ":", lines_.number(), ": a quote is not closed on this line.");
  }

  /// Names of the columns; empty if the first line has numbers and no comment above it has names.
  std::vector<std::string> header_of(const std::vector<std::string>& first) const {
    if (std::none_of(first.begin(), first.end(), is_number)) return first;
    const auto word = std::find_if_not(first.begin(), first.end(), is_number);
    require(word == first.end() || !options_.columns.empty(), name_, ":", lines_.number(), ": field ",
            word - first.begin() + 1, " is \"", word == first.end() ? "" : *word,
            "\", and others are numbers. Expected a header such as x,y,z or a line of numbers.");
    const std::vector<std::string> above = fields_of(comment_, separator_);
    const bool names_columns = above.size() == first.size() && std::none_of(above.begin(), above.end(), is_number);
    return names_columns && !comment_.empty() && options_.columns.empty() ? above : std::vector<std::string>{};
  }

  void read_row(std::string_view line) {
    const auto count = for_each_field(line, separator_, [&](std::string_view field, std::size_t number) {
      if (number >= field_count_) return;
      for (const std::size_t column : column_of_field_[number]) {
        double value = 0;
        if (!read_number(field, value)) throw_not_a_number(field, number);
        columns_[column].push_back(value);
      }
    });
    require_closed_quotes(count.has_value());
    require(count == field_count_, name_, ":", lines_.number(), ": it has ", *count, " fields, expected ", field_count_,
            " as on the first line.");
  }

  [[noreturn]] void throw_not_a_number(std::string_view field, std::size_t number) const {
    const std::string name = names_.empty() ? "" : text(" (", names_[number], ")");
    throw Error(text(name_, ":", lines_.number(), ": field ", number + 1, name, " is ",
                     field.empty() ? "empty" : text('"', field, '"'), ", expected a number that double can hold."));
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
