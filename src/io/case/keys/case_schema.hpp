// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/case_kinds.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "io/case/document/case_value.hpp"

// Description of the keys of a case file. Each kind of case has one table of keys, from which reading, writing, checks
// and the key reference all follow.
namespace shoal::io {

/// Condition for a key that applies only for a certain value of another key, such as `dt` for time_step = "fixed".
template <class T>
struct Condition {
  std::string key;   ///< name of the other key: "time_step"
  std::string word;  ///< value of the other key: "fixed"
  std::function<bool(const T&)> holds;
};

template <class T>
struct Key {
  std::string name;  ///< name within the section, dotted for inline tables: "box.from"
  std::string type;
  std::string unit;
  std::string meaning;
  bool required = false;        ///< true: an error if the key is missing although it applies
  bool has_no_default = false;  ///< true: a missing key is not equivalent to any value
  Range range;
  Condition<T> only_with;
  std::string hint;  ///< end of the message if the key is given although it does not apply
  std::function<void(const Value&, T&)> read;
  std::function<std::string(const T&, int dimensions)> write;

  bool counts(const T& section) const { return !only_with.holds || only_with.holds(section); }
};

/// Properties of a key besides its name and its member.
template <class T>
struct About {
  std::string meaning;
  std::string unit = {};
  bool required = false;
  bool has_no_default = false;
  Range range = {};
  Condition<T> only_with = {};
  std::string hint = {};
  /// True for an array of three numbers that is not a point. It has three numbers in 2-D cases, too.
  bool three_numbers = false;
};

/// Returns the key `name` for the member of T that `member` (pointer to member, or function) accesses.
template <class T, class Member>
Key<T> key(const char* name, Member member, About<T> about) {
  using Type = std::remove_cvref_t<decltype(std::invoke(member, std::declval<T&>()))>;
  const bool three = about.three_numbers;
  return {.name = name,
          .type = three ? "3 numbers" : type_name<Type>(),
          .unit = std::move(about.unit),
          .meaning = std::move(about.meaning),
          .required = about.required,
          .has_no_default = about.has_no_default,
          .range = about.range,
          .only_with = std::move(about.only_with),
          .hint = std::move(about.hint),
          .read =
              [member, three](const Value& value, T& section) {
                Value vector = value;
                if (three) vector.dimensions = 3;
                read_value(vector, std::invoke(member, section));
              },
          .write = [member, three](
                       const T& section,
                       int dimensions) { return write_value(std::invoke(member, section), three ? 3 : dimensions); }};
}

/// TOML form of a section.
enum class Shape {
  table,  ///< [run]
  list,   ///< [[body]]
  named   ///< [material.NAME]
};

template <class T>
struct Section {
  std::string name;  ///< section name; empty for the top of the file
  Shape shape;
  bool required = false;
  std::vector<Key<T>> keys;

  /// Returns the TOML heading: "[run]", "[[body]]", "[material.NAME]", "".
  std::string heading(const std::string& own_name = "NAME") const {
    if (name.empty()) return "";
    if (shape == Shape::list) return "[[" + name + "]]";
    return "[" + name + (shape == Shape::named ? "." + own_name : "") + "]";
  }
};

/// Names that a section allows, independent of its type.
struct Outline {
  std::string name, heading;
  Shape shape;
  std::vector<std::string> keys;

  bool has(const std::string& key) const { return std::find(keys.begin(), keys.end(), key) != keys.end(); }
  bool has_below(const std::string& key) const {
    return std::any_of(keys.begin(), keys.end(), [&](const std::string& k) { return k.starts_with(key + "."); });
  }
};

/// Calls `visit` with each section of a kind of case.
/// @param schema  has for_each(case, visit), which calls `visit` with each section and its member of a case
template <class Schema, class Visit>
void for_each_section(const Schema& schema, const Visit& visit) {
  const typename Schema::Case defaults{};
  schema.for_each(defaults, [&](const auto& section, const auto&) { visit(section); });
}

/// Returns the outlines of all sections of a kind of case, the top of the file first.
template <class Schema>
std::vector<Outline> outlines(const Schema& schema) {
  std::vector<Outline> list;
  for_each_section(schema, [&]<class T>(const Section<T>& section) {
    Outline outline{section.name, section.heading(), section.shape, {}};
    if (section.name.empty()) outline.keys.emplace_back("kind");
    for (const Key<T>& k : section.keys) outline.keys.push_back(k.name);
    list.push_back(outline);
  });
  return list;
}

/// Returns the reference of the keys of all sections of a kind of case.
template <class Schema>
std::vector<KeyInfo> key_infos(const Schema& schema) {
  std::vector<KeyInfo> list = {{Schema::kind, "", "kind", Schema::kind, "", true, "", "kind of the file"}};
  for_each_section(schema, [&]<class T>(const Section<T>& section) {
    const T defaults{};
    for (const Key<T>& k : section.keys) {
      KeyInfo info{Schema::kind, section.heading(), k.name, k.type, k.unit, k.required, "", k.meaning};
      if (k.only_with.holds) info.meaning += " (with " + k.only_with.key + " = \"" + k.only_with.word + "\")";
      if (!k.required && !k.has_no_default) info.default_value = k.write(defaults, 2);
      list.push_back(info);
    }
  });
  return list;
}

}  // namespace shoal::io
