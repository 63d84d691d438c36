// SPDX-License-Identifier: Apache-2.0
#include "io/mesh/openfoam/foam_file.hpp"

#include <bit>

#include "core/text.hpp"
#include "io/formats/binary/gzip.hpp"
#include "io/formats/checked_read.hpp"
#include "io/formats/file_kind.hpp"
#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace {

constexpr std::string_view blank = " \t\r\v\f\n";
constexpr std::string_view punctuation = "(){};";
constexpr std::size_t longest_shown = 40;

FileCursor open(const std::filesystem::path& file) {
  const std::filesystem::path packed = file.string() + ".gz";
  std::error_code ignored;
  const bool is_packed = !std::filesystem::exists(file, ignored) && std::filesystem::exists(packed, ignored);
  const std::filesystem::path& stored = is_packed ? packed : file;
  require_file(stored, "a file of OpenFOAM");
  require_not_sparse(stored);
  std::string content = read_whole(stored);
  return {stored.string(), is_packed ? unpack_gzip(content, stored) : std::move(content)};
}

std::string one_of(std::span<const std::string_view> words) {
  return join(std::vector<std::string>(words.begin(), words.end()), " or ");
}

std::string_view without_quotes(std::string_view token) {
  return token.starts_with('"') ? token.substr(1, token.size() - 2) : token;
}

}  // namespace

FoamFile::FoamFile(const std::filesystem::path& file, std::span<const std::string_view> classes) : file_(open(file)) {
  header_.is_compressed = file_.name() != file.string();
  read_header(classes);
}

FoamFile::FoamFile(const FoamBlock& block, std::span<const std::string_view> classes)
    : file_(block.name, block.content), header_(block.header) {
  skip_blanks();
  if (header_.class_name.empty() || file_.content().compare(file_.position(), 8, "FoamFile") == 0)
    read_header(classes);
  else
    require_class(classes);
}

void FoamFile::read_header(std::span<const std::string_view> classes) {
  if (token("FoamFile") != "FoamFile") refuse("this is no file of OpenFOAM: it does not begin with FoamFile.");
  expect('{', "after FoamFile");
  while (!take('}')) read_entry(token("an entry of the header or }"));
  if (header_.class_name.empty()) refuse("the header has no class, expected ", one_of(classes), ".");
  require_class(classes);
}

void FoamFile::require_class(std::span<const std::string_view> classes) const {
  if (std::find(classes.begin(), classes.end(), header_.class_name) == classes.end())
    refuse("the header says class ", header_.class_name.substr(0, longest_shown), ", expected ", one_of(classes), ".");
}

/// Reads `key value;` of the header. Other keys than these four have no influence on the content.
void FoamFile::read_entry(std::string_view key) {
  const std::string_view value = without_quotes(token("a value of the header"));
  if (key == "class") {
    header_.class_name = value;
  } else if (key == "format") {
    if (value != "ascii" && value != "binary")
      refuse("format ", value.substr(0, longest_shown), ", expected ascii or binary.");
    header_.is_binary = value == "binary";
  } else if (key == "arch") {
    read_arch(value);
  }
  while (!take(';')) token("; after an entry of the header");
}

/// Reads "LSB;label=32;scalar=64".
void FoamFile::read_arch(std::string_view arch) {
  const auto bytes_of = [&](std::string_view key) {
    const std::size_t begin = arch.find(key);
    if (begin == std::string_view::npos)
      refuse("arch \"", arch.substr(0, longest_shown), "\" has no ", key, "32 or 64.");
    const std::string_view bits = arch.substr(begin + key.size(), 2);
    if (bits != "32" && bits != "64")
      refuse("arch \"", arch.substr(0, longest_shown), "\", expected 32 or 64 after ", key, ".");
    return bits == "32" ? 4 : 8;
  };
  const bool is_little = arch.starts_with("LSB"), is_big = arch.starts_with("MSB");
  if (!is_little && !is_big)
    refuse("arch \"", arch.substr(0, longest_shown), "\", expected LSB or MSB, label= and scalar=.");
  header_.is_swapped = is_big == (std::endian::native == std::endian::little);
  header_.label_bytes = bytes_of("label=");
  header_.scalar_bytes = bytes_of("scalar=");
}

void FoamFile::skip_blanks() {
  const std::string_view content = file_.content();
  while (true) {
    const std::size_t begin = std::min(content.size(), content.find_first_not_of(blank, file_.position()));
    file_.seek(begin);
    const std::string_view next = content.substr(begin, 2);
    if (next == "//") {
      file_.seek(std::min(content.size(), content.find('\n', begin)));
    } else if (next == "/*") {
      const std::size_t end = content.find("*/", begin + 2);
      if (end == std::string_view::npos) file_.refuse(begin, "cut short: the comment that begins here does not end.");
      file_.seek(end + 2);
    } else {
      return;
    }
  }
}

std::string_view FoamFile::token(std::string_view what) {
  skip_blanks();
  is_raw_ = false;
  const std::string_view content = file_.content();
  last_ = file_.position();
  if (last_ == content.size()) refuse("cut short: the file ends, expected ", what, ".");
  const char first = content[last_];
  std::size_t end = last_ + 1;
  if (first == '"') {
    end = content.find('"', end);
    if (end == std::string_view::npos) refuse("cut short: the text in quotes that begins here does not end.");
    ++end;
  } else if (punctuation.find(first) == std::string_view::npos) {
    const auto goes_on = [&](std::size_t i) {
      const std::string_view two = content.substr(i, 2);
      return blank.find(content[i]) == std::string_view::npos &&
             punctuation.find(content[i]) == std::string_view::npos && content[i] != '"' && two != "//" && two != "/*";
    };
    while (end < content.size() && goes_on(end)) ++end;
  }
  file_.seek(end);
  const std::string_view token = content.substr(last_, end - last_);
  if (first == '#' || first == '$')
    refuse("\"", token.substr(0, longest_shown),
           "\": directives and macros are not supported. Write their values here.");
  return token;
}

bool FoamFile::take(char character) {
  skip_blanks();
  if (file_.position() == file_.content().size() || file_.content()[file_.position()] != character) return false;
  token("a character");
  return true;
}

void FoamFile::expect(char character, std::string_view where) {
  const std::string_view next = token(std::string_view(&character, 1));
  if (next != std::string_view(&character, 1))
    refuse("\"", next.substr(0, longest_shown), "\", expected ", character, " ", where, ".");
}

std::int64_t FoamFile::integer(std::string_view what) {
  const std::string_view word = token(what);
  std::int64_t value = 0;
  if (word == ")") refuse("cut short: the list ends, expected ", what, ".");
  if (!read_number(word, value))
    refuse("\"", word.substr(0, longest_shown), "\" is not an integer, expected ", what, ".");
  return value;
}

std::int64_t FoamFile::count(std::string_view what, std::int64_t most) {
  const std::int64_t value = integer(what);
  if (value < 0 || value > most) refuse(value, " as ", what, ", expected 0 to ", most, ".");
  return value;
}

std::string FoamFile::raw_bytes(std::string_view what) {
  const std::int64_t bytes = count("the number of bytes", most_entries());
  expect('(', text("before ", what));
  std::string content(file_.bytes(static_cast<std::uint64_t>(bytes), what));
  expect(')', text("after ", bytes, " bytes of ", what));
  return content;
}

bool FoamFile::at_end() {
  skip_blanks();
  return file_.position() == file_.content().size();
}

void FoamFile::expect_end() {
  if (at_end()) return;
  token("the end");
  refuse("more follows the last list, expected the end of the file.");
}

std::int64_t FoamFile::raw_label() {
  is_raw_ = true;
  last_ = file_.position();
  return header_.label_bytes == 8 ? file_.raw<std::int64_t>("a list of integers", header_.is_swapped)
                                  : file_.raw<std::int32_t>("a list of integers", header_.is_swapped);
}

/// Next integer of a list.
std::int64_t FoamFile::label(const LabelRange& range) {
  const std::int64_t value = header_.is_binary ? raw_label() : integer(range.item);
  if (value < range.least || value >= range.limit)
    refuse(value, " as ", range.item, ", expected ", range.least, " to ", range.limit - 1, ".");
  return value;
}

/// Returns true if a raw list has no entries; it may then have no parentheses.
bool FoamFile::take_empty(std::int64_t entries) {
  if (entries > 0 || !header_.is_binary) return false;
  if (take('(')) expect(')', "after 0 entries");
  return true;
}

std::int64_t FoamFile::append_labels(const LabelRange& range, std::vector<std::int64_t>& values) {
  const std::int64_t entries = count(range.length, range.most_entries);
  if (take_empty(entries)) return 0;
  const auto size = values.size() + static_cast<std::size_t>(entries);
  if (values.empty()) values.reserve(size);
  if (take('{')) {
    require_label_size(1);
    values.resize(size, label(range));
    expect('}', "after the value of a uniform list");
    return entries;
  }
  expect('(', "before the entries of a list");
  require_label_size(entries);
  while (values.size() < size) values.push_back(label(range));
  expect(')', text("after ", entries, " entries"));
  return entries;
}

/// Finds the size of the integers of a raw list of a file without arch: that after which the list ends.
void FoamFile::require_label_size(std::int64_t entries) {
  if (!header_.is_binary || header_.label_bytes != 0 || entries == 0) return;
  const auto count = static_cast<std::uint64_t>(entries);
  for (const int bytes : {4, 8})
    if (header_.label_bytes == 0 && ends_after(count * static_cast<std::uint64_t>(bytes))) header_.label_bytes = bytes;
  if (header_.label_bytes == 0)
    file_.refuse_byte(file_.position(), "cut short: a list of ", entries,
                      " integers of 4 or 8 bytes does not end with ).");
}

bool FoamFile::ends_after(std::uint64_t bytes) const {
  const std::string_view rest = std::string_view(file_.content()).substr(file_.position());
  if (bytes >= rest.size() || (rest[bytes] != ')' && rest[bytes] != '}')) return false;
  return bytes + 1 == rest.size() || blank.find(rest[bytes + 1]) != std::string_view::npos || rest[bytes + 1] == '/';
}

double FoamFile::scalar() {
  double value = 0;
  if (header_.is_binary) {
    is_raw_ = true;
    last_ = file_.position();
    value = header_.scalar_bytes == 4 ? static_cast<double>(file_.raw<float>("a list of vectors", header_.is_swapped))
                                      : file_.raw<double>("a list of vectors", header_.is_swapped);
  } else {
    const std::string_view word = token("a coordinate");
    if (!read_number(word, value))
      refuse("\"", word.substr(0, longest_shown), "\" is not a number, expected a coordinate.");
  }
  if (!std::isfinite(value)) refuse("a coordinate is ", value, ", expected a finite one.");
  return value;
}

void FoamFile::append_vectors(std::vector<double>& x, std::vector<double>& y, std::vector<double>& z) {
  const std::int64_t entries = count("the number of points", most_entries());
  if (take_empty(entries)) return;
  expect('(', "before the points");
  for (std::int64_t i = 0; i < entries; ++i) {
    if (!header_.is_binary) expect('(', text("before the coordinates of point ", i, " of ", entries));
    x.push_back(scalar());
    y.push_back(scalar());
    z.push_back(scalar());
    if (!header_.is_binary) expect(')', "after the coordinates of a point");
  }
  expect(')', text("after ", entries, " points"));
}

}  // namespace shoal::io
