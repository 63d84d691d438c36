// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <shoal/io/solver_fields.hpp>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

#include "io/formats/checked_read.hpp"
#include "io/formats/whole_file.hpp"
#include "io/mesh/writers/solver_values.hpp"

namespace shoal::io {

namespace {

namespace fs = std::filesystem;

constexpr std::int32_t binary_mark = 535532;  ///< first number of a binary restart file
constexpr std::size_t name_bytes = 33;

struct RestartField {
  const fs::path& restart;
  const std::string& name;
  View<const double> value;

  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw Error(text(restart.string(), ": ", parts...));
  }

  void require_new(std::string_view existing) const {
    if (existing == name) refuse("it has a field ", name, ". Choose another name.");
  }
};

/// Head of a binary restart file: five integers.
struct BinaryHead {
  std::int32_t mark, fields, points, integers, reals;
};

/// Copy of a binary file: head, names of 33 bytes, rows of doubles, metadata.
std::string with_binary_field(const RestartField& field, const std::string& content) {
  BinaryHead head;
  std::memcpy(&head, content.data(), sizeof head);
  if (head.fields < 1 || head.points < 0)
    field.refuse(head.fields, " fields of ", head.points, " points, expected numbers above 0.");
  const auto fields = static_cast<std::size_t>(head.fields), points = static_cast<std::size_t>(head.points);
  const std::size_t names = sizeof head + name_bytes * fields, row = sizeof(double) * fields;
  if (content.size() < names || (content.size() - names) / row < points)
    field.refuse("cut short: ", fields, " fields of ", points, " points take ", names + points * row,
                 " bytes, and the file has ", content.size(), ".");
  for (std::size_t i = 0; i < fields; ++i) {
    const char* const existing = content.data() + sizeof head + name_bytes * i;
    field.require_new({existing, strnlen(existing, name_bytes)});
  }
  require_values(field.restart, field.name, field.value, head.points, "points");
  ++head.fields;
  std::string out;
  out.reserve(content.size() + name_bytes + sizeof(double) * points);
  out.append(reinterpret_cast<const char*>(&head), sizeof head);
  out.append(content, sizeof head, name_bytes * fields);
  out.append(field.name).append(name_bytes - field.name.size(), '\0');
  for (std::size_t i = 0; i < points; ++i) {
    out.append(content, names + i * row, row);
    out.append(reinterpret_cast<const char*>(field.value.data + i), sizeof(double));
  }
  return out.append(content, names + points * row);
}

/// Returns the next line with its end, and moves `rest` behind it.
std::string_view next_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, std::min(rest.find('\n'), rest.size() - 1) + 1);
  rest.remove_prefix(line.size());
  return line;
}

std::string_view without_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  return line;
}

/// Names between commas, without quotes and blanks.
std::vector<std::string_view> names_of(std::string_view line) {
  std::vector<std::string_view> names;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    std::string_view name = line.substr(begin, end - begin);
    const auto is_outside = [](char c) { return c == ' ' || c == '\t' || c == '"'; };
    while (!name.empty() && is_outside(name.front())) name.remove_prefix(1);
    while (!name.empty() && is_outside(name.back())) name.remove_suffix(1);
    names.push_back(name);
    begin = end + 1;
  }
  return names;
}

/// Copy of a text file: a line of names, a line for each point, lines of metadata such as EXT_ITER= 3.
std::string with_text_field(const RestartField& field, std::string_view content) {
  std::string_view rest = content;
  const std::string_view first = without_end(next_line(rest));
  const std::vector<std::string_view> names = names_of(first);
  if (names.front() != "PointID")
    field.refuse("the first field is `", names.front(), "`, expected `PointID`: a restart file of SU2.");
  for (const std::string_view name : names) field.require_new(name);
  const bool is_quoted = first.find('"') != std::string_view::npos,
             is_spaced = first.find(", ") != std::string_view::npos;
  const std::string_view separator = is_spaced ? ", " : ",";
  const std::string_view quote = is_quoted ? "\"" : "";
  std::string out = fmt::format("{}{}{}{}{}\n", first, separator, quote, field.name, quote);
  std::vector<std::string_view> rows;
  std::string_view behind = rest;
  while (!rest.empty()) {
    const std::string_view line = next_line(rest);
    const std::size_t digit = line.find_first_not_of(" \t");
    if (digit == std::string_view::npos || line[digit] < '0' || line[digit] > '9') break;
    rows.push_back(without_end(line));
    behind = rest;
  }
  require_values(field.restart, field.name, field.value, std::ssize(rows), "points");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::count(rows[i].begin(), rows[i].end(), ',') + 1 != std::ssize(names))
      field.refuse("line ", i + 2, " has ", std::count(rows[i].begin(), rows[i].end(), ',') + 1, " values, expected ",
                   names.size(), ", one for each name.");
    const std::string_view number = names_of(rows[i]).front();
    if (number != fmt::format("{}", i))
      field.refuse("line ", i + 2, " has the point ", number, ", expected ", i, ": points in order.");
    fmt::format_to(std::back_inserter(out), "{}{}{:.15e}\n", rows[i], separator, field.value.data[i]);
  }
  return out.append(behind);
}

std::string with_field(const RestartField& field) {
  const std::string content = read_whole(field.restart);
  const auto require_bytes = [&](std::size_t least) {
    if (content.size() < least) field.refuse("the file has ", content.size(), " bytes and is no restart file.");
  };
  require_bytes(sizeof(std::int32_t));
  std::int32_t mark = 0;
  std::memcpy(&mark, content.data(), sizeof mark);
  if (mark == binary_mark) {
    require_bytes(sizeof(BinaryHead));
    return with_binary_field(field, content);
  }
  if (__builtin_bswap32(static_cast<std::uint32_t>(mark)) == binary_mark)
    field.refuse("it was written by a machine with another order of bytes. Write it as text (RESTART_ASCII).");
  return with_text_field(field, content);
}

}  // namespace

void write_su2_field(const fs::path& restart, const fs::path& out, const std::string& name, View<const double> value) {
  require_field_name(restart, name,
                     [](char letter) { return letter > ' ' && letter <= '~' && letter != '"' && letter != ','; });
  require_not_replaced({restart}, {out});
  const std::string content = checked_read(restart, [&] { return with_field({restart, name, value}); });
  write_whole_text(out, content);
}

}  // namespace shoal::io
