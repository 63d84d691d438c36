// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <toml++/toml.h>
#include <shoal/sph_case.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/text.hpp"
#include "io/formats/text/spelling.hpp"

// Values of a case file: from TOML with messages that name file, line and key, and back to TOML.
namespace shoal::io {

class Document;

/// The numbers that a key takes.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool without_least = false;  ///< `least` itself is refused

  bool holds(double value) const { return value <= most && (without_least ? value > least : value >= least); }
  /// " positive", " from 0 to 9", or "".
  std::string text() const;
};

inline constexpr Range positive{0, std::numeric_limits<double>::infinity(), true};
inline constexpr Range not_negative{0};

/// One value, with all that a message about it needs.
struct Value {
  const toml::node& node;
  std::string where;  ///< "case.toml:14" or "--set scheme.cfl"
  std::string path;   ///< "scheme.cfl"
  std::string unit;
  Range range;
  int dimensions;                      ///< of the case: points have as many numbers
  const Document* document = nullptr;  ///< that says where parts of the value are

  /// "case.toml:14: `scheme.cfl` is true, expected a number."
  [[noreturn]] void wrong_type(const std::string& expected) const;
  [[noreturn]] void out_of_range(const std::string& got) const;
  /// `number` as a finite number in range.
  double checked(const toml::node& number, const std::string& expected) const;
};

/// A TOML node as a message shows it: `"wide"`, `-0.02`, `[1, 2]`.
std::string describe(const toml::node& node);

/// @name What a key of each type is called, how it is read and how it is written
/// Writing gives an empty string for "not given".
/// @{
void read_value(const Value& value, double& into);
void read_value(const Value& value, int& into);
void read_value(const Value& value, bool& into);
void read_value(const Value& value, std::string& into);
void read_value(const Value& value, std::filesystem::path& into);
void read_value(const Value& value, std::vector<std::string>& into);
void read_value(const Value& value, std::vector<double>& into);
void read_value(const Value& value, sph::Vector& into);
void read_value(const Value& value, std::array<double, 2>& into);
void read_numbers(const Value& value, double* into, std::size_t count);

std::string write_value(double value, int dimensions);
std::string write_value(int value, int dimensions);
std::string write_value(bool value, int dimensions);
std::string write_value(const std::string& value, int dimensions);
std::string write_value(const std::filesystem::path& value, int dimensions);
std::string write_value(const std::vector<std::string>& value, int dimensions);
std::string write_value(const std::vector<double>& value, int dimensions);
std::string write_value(const sph::Vector& value, int dimensions);
std::string write_value(const std::array<double, 2>& value, int dimensions);
std::string write_numbers(const double* values, std::size_t count);

/// Text as a TOML basic string, with its quotes.
std::string toml_text(std::string_view text);

/// A name as a TOML key: bare if it can be, with quotes else.
std::string toml_key(const std::string& name);

template <class Enum>
std::vector<std::string> word_list() {
  return {enumerator_names<Enum>.begin(), enumerator_names<Enum>.end()};
}

template <class T>
void read_value(const Value& value, std::optional<T>& into) {
  read_value(value, into.emplace());
}

template <class T>
std::string write_value(const std::optional<T>& value, int dimensions) {
  return value ? write_value(*value, dimensions) : "";
}

/// The index of a word of `known`; the message lists them and names the nearest.
std::size_t read_word(const Value& value, const toml::node& node, const std::vector<std::string>& known);

template <class Enum>
requires std::is_enum_v<Enum>
void read_value(const Value& value, Enum& into) {
  into = static_cast<Enum>(read_word(value, value.node, word_list<Enum>()));
}

template <class Enum>
requires std::is_enum_v<Enum>
void read_value(const Value& value, std::vector<Enum>& into) {
  const toml::array* list = value.node.as_array();
  if (!list) value.wrong_type("a list of words: " + list_names<Enum>());
  into.clear();
  for (const toml::node& node : *list) into.push_back(static_cast<Enum>(read_word(value, node, word_list<Enum>())));
}

template <class Enum>
requires std::is_enum_v<Enum> std::string write_value(Enum value, int) { return toml_text(to_name(value)); }

template <class Enum>
requires std::is_enum_v<Enum> std::string write_value(const std::vector<Enum>& values, int) {
  std::vector<std::string> list;
  list.reserve(values.size());
  for (const Enum value : values) list.push_back(toml_text(to_name(value)));
  return "[" + join(list) + "]";
}

template <class T>
std::string type_name() {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::optional<double>>) return "number";
  if constexpr (std::is_same_v<T, int>) return "whole number";
  if constexpr (std::is_same_v<T, bool>) return "true or false";
  if constexpr (std::is_same_v<T, std::string>) return "text";
  if constexpr (std::is_same_v<T, std::filesystem::path>) return "file";
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return "list of text";
  if constexpr (std::is_same_v<T, sph::Vector>) return "point";
  if constexpr (std::is_same_v<T, std::array<double, 2>>) return "2 numbers";
  if constexpr (std::is_same_v<T, std::vector<double>>) return "list of numbers";
  if constexpr (std::is_enum_v<T>) return list_names<T>();
  if constexpr (std::is_same_v<T, std::vector<sph::Side>>) return "list of " + list_names<sph::Side>();
  if constexpr (std::is_same_v<T, std::vector<sph::Axis>>) return "list of " + list_names<sph::Axis>();
}
/// @}

}  // namespace shoal::io
