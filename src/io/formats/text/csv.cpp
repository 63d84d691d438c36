// SPDX-License-Identifier: Apache-2.0
#include "io/formats/text/csv.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>

#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace {

/// Numbers of a row; empty if a field is not a number.
std::vector<double> numbers_of(const std::string& line) {
  std::vector<double> row;
  for (const char* at = line.data(); at < line.data() + line.size(); ++at) {
    double number = 0;
    const auto [end, error] = std::from_chars(at, line.data() + line.size(), number);
    if (error != std::errc{}) return {};
    row.push_back(number);
    at = end;
  }
  return row;
}

}  // namespace

Csv::Csv(std::filesystem::path path, const std::vector<std::string>& columns, std::optional<double> continue_after)
    : path_(std::move(path)) {
  const std::string header = join(columns, ",");
  if (continue_after && std::filesystem::exists(path_)) {
    drop_rows_after(*continue_after, header);
    open(std::ios::app);
  } else {
    open(std::ios::trunc);
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

void Csv::append_row(const std::vector<double>& numbers) {
  std::vector<std::string> words;
  for (const double number : numbers) words.push_back(text(number));
  write_line(join(words, ","));
}

std::vector<double> Csv::first_row(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line) || !std::getline(in, line) || in.eof()) return {};
  return numbers_of(line);
}

std::vector<double> Csv::last_row(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line, last;
  std::getline(in, line);
  while (std::getline(in, line) && !in.eof()) last = line;
  return numbers_of(last);
}

void Csv::drop_rows_after(double time, const std::string& header) {
  std::ifstream in(path_);
  std::string line;
  require(std::getline(in, line) && line == header, path_.string(), ": its columns are \"", line, "\", expected \"",
          header, "\". It is not from this run; move it away.");
  std::string kept = header + '\n';
  while (std::getline(in, line)) {
    double row_time = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), row_time);
    const bool complete = error == std::errc{} && !in.eof();  // a crash may have cut the last row
    if (complete && row_time <= time) kept += line + '\n';
  }
  in.close();
  write_whole(path_, [&](const std::filesystem::path& partial) {
    std::ofstream out(partial, std::ios::trunc);
    out << kept << std::flush;
    require(out.good(), partial.string(), ": writing failed: ", std::strerror(errno), ".");
  });
}

}  // namespace shoal::io
