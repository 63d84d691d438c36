// SPDX-License-Identifier: Apache-2.0
#include "io/formats/text/csv.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>

#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace {

/// Numbers of a row; empty if a field is not a number.
std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> row;
  for (const char* field = line.data(); field < line.data() + line.size(); ++field) {
    double number = 0;
    const auto [end, error] = std::from_chars(field, line.data() + line.size(), number);
    if (error != std::errc{}) return {};
    row.push_back(number);
    field = end;
  }
  return row;
}

/// Reads the line of the names of the columns. Returns the lines of the comment above it, each with its end.
std::string read_header(std::istream& in, std::string& header) {
  std::string comment;
  while (std::getline(in, header) && header.starts_with('#')) comment += header + '\n';
  return comment;
}

}  // namespace

Csv::Csv(std::filesystem::path path, const std::vector<std::string>& columns, std::optional<std::int64_t> kept_rows,
         const std::vector<std::string>& comment)
    : path_(std::move(path)) {
  const std::string header = join(columns, ",");
  if (kept_rows) {
    keep_rows(*kept_rows, header);
    open(std::ios::app);
  } else {
    open(std::ios::trunc);
    for (const std::string& line : comment) write_line("# " + line);
    write_line(header);
  }
}

void Csv::open(std::ios::openmode mode) {
  out_.open(path_, std::ios::out | mode);
  require(out_.good(), path_.string(), ": cannot write: ", std::strerror(errno), ".");
}

void Csv::write_line(const std::string& line) {
  out_ << line << '\n' << std::flush;
  require(out_.good(), path_.string(), ": writing failed: ", std::strerror(errno), ". Earlier rows are kept.");
}

void Csv::write_row(const std::string& line) {
  write_line(line);
  ++rows_;
}

void Csv::append_row(const std::vector<double>& numbers) {
  std::vector<std::string> words;
  for (const double number : numbers) words.push_back(text(number));
  write_row(join(words, ","));
}

std::vector<std::string> Csv::columns(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string header, name;
  read_header(in, header);
  std::vector<std::string> names;
  for (std::istringstream line(header); std::getline(line, name, ',');) names.push_back(name);
  return names;
}

std::vector<double> Csv::first_row(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  read_header(in, line);
  if (!std::getline(in, line) || in.eof()) return {};
  return numbers_of(line);
}

std::vector<double> Csv::last_row(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line, last;
  read_header(in, line);
  while (std::getline(in, line) && !in.eof()) last = line;
  return numbers_of(last);
}

void Csv::keep_rows(std::int64_t count, const std::string& header) {
  std::ifstream in(path_);
  std::string line;
  require(in.good(), path_.string(), ": there is no such table, expected the ", count,
          " rows that the run had written when its restart was made. Put it back, or run the case again.");
  const std::string comment = read_header(in, line);
  require(!in.fail() && line == header, path_.string(), ": its columns are \"", line, "\", expected \"", header,
          "\". It is not from this run; move it away.");
  std::string kept = comment + header + '\n';
  while (rows_ < count && std::getline(in, line) && !in.eof()) {  // a crash may have cut the last row
    kept += line + '\n';
    ++rows_;
  }
  require(rows_ == count, path_.string(), ": the table has ", rows_, " rows, expected at least the ", count,
          " that the run had written when its restart was made. Put the whole table back, or run the case again.");
  in.close();
  write_whole_text(path_, kept);
}

}  // namespace shoal::io
