// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/readers/fluent/fluent_sections.hpp"

#include <charconv>
#include <fstream>

namespace shoal::io {

namespace {

constexpr std::string_view blank = " \t\r\v\f\n";
constexpr std::string_view end_of_binary = "End of Binary Section";
constexpr std::size_t longest_shown = 40;

}  // namespace

void FluentFile::skip_blanks() {
  file_.seek(std::min(file_.content().size(), file_.content().find_first_not_of(blank, file_.position())));
}

/// Next word: a parenthesis, a text in quotes, or characters up to a blank or parenthesis.
std::string_view FluentFile::word(const char* what) {
  skip_blanks();
  is_raw_ = false;
  const std::string_view content = file_.content();
  last_ = file_.position();
  if (last_ == content.size()) refuse("cut short: the file ends, expected ", what, ".");
  std::size_t end = last_ + 1;
  if (content[last_] == '"') {
    end = content.find('"', end);
    if (end == std::string_view::npos) refuse("cut short: the text in quotes that begins here does not end.");
    ++end;
  } else if (content[last_] != '(' && content[last_] != ')') {
    end = std::min(content.size(), content.find_first_of(" \t\r\v\f\n()\"", end));
  }
  file_.seek(end);
  return content.substr(last_, end - last_);
}

void FluentFile::expect(char character, const char* where) {
  const std::string_view expected(&character, 1), next = word(where);
  if (next != expected) refuse("\"", next.substr(0, longest_shown), "\", expected ", expected, " ", where, ".");
}

std::int64_t FluentFile::number(const char* what, int base) {
  const std::string_view text = word(what);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size())
    refuse("\"", text.substr(0, longest_shown), "\" is not ", base == 16 ? "a hexadecimal" : "an",
           " integer, expected ", what, ".");
  return value;
}

std::optional<FluentSection> FluentFile::next_section() {
  skip_blanks();
  if (file_.position() == file_.content().size()) return {};
  FluentSection section;
  section.begin = file_.position();
  expect('(', "before a section");
  section.number = decimal("the number of a section");
  constexpr std::int64_t thousand = 1000;
  section.kind = section.number % thousand;
  section.is_binary = section.number / thousand > 0;
  section.is_single = section.number / thousand == 2;
  return section;
}

void FluentFile::skip(const FluentSection& section) {
  if (section.is_binary) {
    const std::size_t end = file_.content().find(end_of_binary, file_.position());
    last_ = section.begin;
    is_raw_ = true;
    if (end == std::string::npos) refuse("cut short: binary section ", section.number, " does not end.");
    file_.seek(end + end_of_binary.size());
    const std::int64_t ended = decimal("the number of the section that ends");
    if (ended != section.number)
      refuse("cut short: binary section ", section.number, " ends as section ", ended, ", expected its own number.");
    return expect(')', "after a section");
  }
  file_.seek(section.begin);
  for (std::int64_t depth = 0;;) {
    const std::string_view next = word("the end of a section");
    if (next == "(") ++depth;
    if (next == ")" && --depth == 0) return;
  }
}

std::vector<std::int64_t> FluentFile::header() {
  expect('(', "before the header of a section");
  std::vector<std::int64_t> numbers;
  while (true) {
    skip_blanks();
    if (file_.position() < file_.content().size() && file_.content()[file_.position()] == ')') break;
    numbers.push_back(number("a number of a header", 16));
  }
  expect(')', "after a header");
  return numbers;
}

std::pair<std::int64_t, std::string> FluentFile::zone_name() {
  expect('(', "before the header of a zone");
  const std::int64_t number = decimal("the number of a zone");
  word("the type of a zone");
  const std::string_view name = word("the name of a zone");
  if (name == ")" || name == "(") refuse("zone ", number, " has no name, expected its number, type and name.");
  return {number, std::string(name)};
}

void FluentFile::open_body(const FluentSection& section) {
  expect('(', "before the numbers of a section");
  if (!section.is_binary) return;
  const std::string_view content = file_.content();
  std::size_t begin = file_.position();
  if (content.substr(begin, 2) == "\r\n")
    begin += 2;
  else if (content.substr(begin, 1) == "\n")
    begin += 1;
  file_.seek(begin);
}

std::int64_t FluentFile::integer(const FluentSection& section, const char* what) {
  if (!section.is_binary) return number(what, 16);
  is_raw_ = true;
  last_ = file_.position();
  return file_.raw<std::int32_t>(what);
}

double FluentFile::coordinate(const FluentSection& section) {
  if (section.is_binary) {
    is_raw_ = true;
    last_ = file_.position();
    return section.is_single ? file_.raw_coordinate<float>() : file_.raw_coordinate<double>();
  }
  const std::string_view text = word("a coordinate");
  double value = 0;
  if (!read_number(text, value))
    refuse("\"", text.substr(0, longest_shown), "\" is not a number, expected a coordinate.");
  if (!std::isfinite(value)) refuse("a coordinate is ", value, ", expected a finite one.");
  return value;
}

void FluentFile::close_body(const FluentSection& section) {
  expect(')', "after the numbers of a section");
  if (section.is_binary) return skip(section);
  expect(')', "after a section");
}

bool begins_as_fluent(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  char first = 0;
  in >> std::ws >> first;
  return first == '(';
}

}  // namespace shoal::io
