// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <toml++/toml.h>
#include <shoal/sph/case.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/text.hpp"
#include "io/formats/text/spelling.hpp"

// Values of a case file: conversion from TOML, with messages that give file, line and key, and back to TOML.
namespace shoal::io {

class Document;

/// Interval of valid numbers of a key.
struct Range {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool without_least = false;  ///< true: the interval excludes `least`

  bool holds(double value) const { return value <= most && (without_least ? value > least : value >= least); }
  /// Returns the interval as text for messages: " positive", " from 0 to 9", or "".
  std::string text() const;
};

inline constexpr Range positive{0, std::numeric_limits<double>::infinity(), true};
inline constexpr Range not_negative{0};

/// Value of a key with the context that its error messages need.
struct Value {
  const toml::node& node;
  std::string where;  ///< location in the case file: "case.toml:14" or "--set scheme.cfl"
  std::string path;   ///< dotted path of the key: "scheme.cfl"
  std::string unit;
  Range range;
  /// Number of space dimensions of the case, which is the number of coordinates of a point.
  int dimensions;
  const Document* document = nullptr;  ///< document that locates the parts of the value, for messages

  /// Throws an Error such as "case.toml:14: `scheme.cfl` is true, expected a number."
  [[noreturn]] void wrong_type(const std::string& expected) const;
  [[noreturn]] void out_of_range(const std::string& got) const;
  /// Returns `number` if it is finite and in range.
  /// @throws Error  wrong type, not finite, or out of range; `expected` describes the type
  double checked(const toml::node& number, const std::string& expected) const;
};

/// Returns a TOML node as messages show it: `"wide"`, `-0.02`, `[1, 2]`.
std::string describe(const toml::node& node);

/// @name Reading, writing and type name of each type of value
/// An empty string from write_value() stands for a value that is not given.
/// @{
void read_value(const Value& value, double& into);
void read_value(const Value& value, int& into);
void read_value(const Value& value, bool& into);
void read_value(const Value& value, std::string& into);
void read_value(const Value& value, std::filesystem::path& into);
void read_value(const Value& value, std::vector<std::string>& into);
void read_value(const Value& value, std::vector<double>& into);
void read_value(const Value& value, sph::Vector& into);
void read_value(const Value& value, std::vector<sph::Vector>& into);
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
std::string write_value(const std::vector<sph::Vector>& value, int dimensions);
std::string write_value(const std::array<double, 2>& value, int dimensions);
std::string write_numbers(const double* values, std::size_t count);

/// Returns a text as a TOML basic string with quotes.
std::string toml_text(std::string_view text);

/// Returns a name as a TOML key, with quotes only where TOML requires them.
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

/// Returns the index of a name in `known`. The message for an unknown name lists all names and suggests the nearest.
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
  if constexpr (std::is_same_v<T, sph::Vector> || std::is_same_v<T, std::optional<sph::Vector>>) return "point";
  if constexpr (std::is_same_v<T, std::vector<sph::Vector>>) return "list of points";
  if constexpr (std::is_same_v<T, std::array<double, 2>>) return "2 numbers";
  if constexpr (std::is_same_v<T, std::vector<double>>) return "list of numbers";
  if constexpr (std::is_enum_v<T>) return list_names<T>();
  if constexpr (std::is_same_v<T, std::vector<sph::Side>>) return "list of " + list_names<sph::Side>();
  if constexpr (std::is_same_v<T, std::vector<sph::Axis>>) return "list of " + list_names<sph::Axis>();
}
/// @}

}  // namespace shoal::io
