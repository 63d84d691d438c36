// SPDX-License-Identifier: Apache-2.0
#include "io/case/document/case_value.hpp"

#include <algorithm>

namespace shoal::io {

std::string Range::text() const {
  const bool bounded_above = std::isfinite(most), bounded_below = std::isfinite(least);
  if (bounded_above && bounded_below) return shoal::text(" from ", least, " to ", most);
  if (bounded_below && least == 0) return without_least ? " above 0" : " not below 0";
  if (bounded_below) return shoal::text(" of at least ", least);
  return "";
}

namespace {

std::string describe_list(const toml::array& list) {
  constexpr std::size_t most_shown = 6;
  if (list.size() > most_shown || list.is_array_of_tables()) return text("a list of ", list.size());
  std::vector<std::string> shown;
  for (const toml::node& entry : list) shown.push_back(describe(entry));
  return "[" + join(shown) + "]";
}

bool is_bare_key(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) || c == '_' || c == '-');
  });
}

}  // namespace

std::string describe(const toml::node& node) {
  if (const auto* text = node.as_string()) return toml_text(text->get());
  if (const auto* number = node.as_integer()) return shoal::text(number->get());
  if (const auto* number = node.as_floating_point()) return shoal::text(number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* list = node.as_array()) return describe_list(*list);
  if (node.is_table()) return "a table";
  return "a date or time";
}

void Value::wrong_type(const std::string& expected) const {
  throw Error(text(where, ": `", path, "` is ", describe(node), ", expected ", expected, "."));
}

void Value::out_of_range(const std::string& got) const {
  throw Error(
      text(where, ": `", path, "` = ", got, unit.empty() ? "" : " ", unit, ", expected a number", range.text(), "."));
}

double Value::checked(const toml::node& number, const std::string& expected) const {
  if (!number.is_number() || (number.is_floating_point() && !std::isfinite(*number.value<double>())))
    wrong_type(expected);
  const double value = *number.value<double>();
  if (!range.holds(value)) out_of_range(text(value));
  return value;
}

namespace {

std::string in_unit(const std::string& unit) { return unit.empty() ? "" : " in " + unit; }

}  // namespace

void read_value(const Value& value, double& into) {
  into = value.checked(value.node, "a finite number" + in_unit(value.unit));
}

void read_value(const Value& value, int& into) {
  if (!value.node.is_integer()) value.wrong_type("a whole number");
  const std::int64_t number = *value.node.value<std::int64_t>();
  if (!value.range.holds(static_cast<double>(number)) || number != static_cast<int>(number))
    value.out_of_range(text(number));
  into = static_cast<int>(number);
}

void read_value(const Value& value, bool& into) {
  if (!value.node.is_boolean()) value.wrong_type("true or false");
  into = *value.node.value<bool>();
}

void read_value(const Value& value, std::string& into) {
  if (!value.node.is_string()) value.wrong_type("text");
  into = *value.node.value<std::string>();
}

void read_value(const Value& value, std::filesystem::path& into) {
  std::string name;
  read_value(value, name);
  into = name;
}

void read_value(const Value& value, std::vector<std::string>& into) {
  const toml::array* list = value.node.as_array();
  if (!list) value.wrong_type("a list of text");
  into.clear();
  for (const toml::node& node : *list) {
    if (!node.is_string()) value.wrong_type("a list of text");
    into.push_back(*node.value<std::string>());
  }
}

void read_numbers(const Value& value, double* into, std::size_t count) {
  const std::string expected = text("a list of ", count, " finite numbers", in_unit(value.unit));
  const toml::array* list = value.node.as_array();
  if (!list || list->size() != count) value.wrong_type(expected);
  for (std::size_t i = 0; i < count; ++i) into[i] = value.checked(list->at(i), expected);
}

void read_value(const Value& value, std::vector<double>& into) {
  const std::string expected = "a list of finite numbers" + in_unit(value.unit);
  const toml::array* list = value.node.as_array();
  if (!list) value.wrong_type(expected);
  into.clear();
  for (const toml::node& node : *list) into.push_back(value.checked(node, expected));
}

void read_value(const Value& value, sph::Vector& into) {
  into = {};
  read_numbers(value, into.data(), static_cast<std::size_t>(value.dimensions));
}

void read_value(const Value& value, std::vector<sph::Vector>& into) {
  const std::string expected =
      text("a list of points of ", value.dimensions, " finite numbers each", in_unit(value.unit));
  const toml::array* list = value.node.as_array();
  if (!list) value.wrong_type(expected);
  into.clear();
  for (const toml::node& node : *list) {
    const toml::array* point = node.as_array();
    if (!point || point->size() != static_cast<std::size_t>(value.dimensions)) value.wrong_type(expected);
    sph::Vector& position = into.emplace_back();
    for (std::size_t axis = 0; axis < point->size(); ++axis)
      position[axis] = value.checked(*point->get(axis), expected);
  }
}

void read_value(const Value& value, std::array<double, 2>& into) { read_numbers(value, into.data(), into.size()); }

std::size_t read_word(const Value& value, const toml::node& node, const std::vector<std::string>& known) {
  if (!node.is_string()) value.wrong_type("one of the words " + join(known));
  const std::string word = *node.value<std::string>();
  for (std::size_t i = 0; i < known.size(); ++i)
    if (known[i] == word) return i;
  const auto near = nearest(word, known);
  throw Error(text(value.where, ": `", value.path, "` = ", toml_text(word), " is an unknown name; expected one of ",
                   join(known), near ? "; did you mean \"" + *near + "\"?" : "."));
}

std::string write_value(double value, int) { return text(value); }
std::string write_value(int value, int) { return text(value); }
std::string write_value(bool value, int) { return value ? "true" : "false"; }
std::string write_value(const std::string& value, int) { return value.empty() ? "" : toml_text(value); }

std::string write_value(const std::filesystem::path& value, int dimensions) {
  return write_value(value.string(), dimensions);
}

std::string write_value(const std::vector<std::string>& value, int) {
  std::vector<std::string> list;
  for (const std::string& word : value) list.push_back(toml_text(word));
  return "[" + join(list) + "]";
}

std::string write_numbers(const double* values, std::size_t count) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(text(values[i]));
  return "[" + join(list) + "]";
}

std::string write_value(const std::vector<double>& value, int) { return write_numbers(value.data(), value.size()); }

std::string write_value(const sph::Vector& value, int dimensions) {
  return write_numbers(value.data(), static_cast<std::size_t>(dimensions));
}

std::string write_value(const std::vector<sph::Vector>& values, int dimensions) {
  std::vector<std::string> points;
  points.reserve(values.size());
  for (const sph::Vector& value : values) points.push_back(write_value(value, dimensions));
  return "[" + join(points) + "]";
}

std::string write_value(const std::array<double, 2>& value, int) { return write_numbers(value.data(), value.size()); }

std::string toml_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (code < 0x20 || code == 0x7f) {
      constexpr char digits[] = "0123456789ABCDEF";
      out += "\\u00";
      out += {digits[code >> 4], digits[code & 15]};
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string toml_key(const std::string& name) { return is_bare_key(name) ? name : toml_text(name); }

}  // namespace shoal::io
