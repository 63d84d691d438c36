// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "io/case_value.hpp"

// The table of keys that reading, writing, checking and the key reference all walk through.
namespace shoal::io {

/// A key that only counts beside a certain word of another key, such as `dt` beside time_step = "fixed".
template <class T>
struct Condition {
  std::string key;   ///< "time_step"
  std::string word;  ///< "fixed"
  std::function<bool(const T&)> holds;
};

template <class T>
struct Key {
  std::string name;  ///< within its section, dotted for inline tables: "box.from"
  std::string type;
  std::string unit;
  std::string meaning;
  bool required = false;  ///< where its condition, if any, holds
  Range range;
  Condition<T> only_with;
  std::function<void(const Value&, T&)> read;
  std::function<std::string(const T&, int dimensions)> write;

  bool counts(const T& section) const { return !only_with.holds || only_with.holds(section); }
};

/// What a key is besides its name and place.
template <class T>
struct About {
  std::string meaning;
  std::string unit = {};
  bool required = false;
  Range range = {};
  Condition<T> only_with = {};
  bool three_numbers = false;  ///< an array of 3 that is no point: 3 numbers in 2-D cases, too
};

/// The key `name` for the member of T that `member` (pointer to member, or function) leads to.
template <class T, class Member>
Key<T> key(const char* name, Member member, About<T> about) {
  using Type = std::remove_cvref_t<decltype(std::invoke(member, std::declval<T&>()))>;
  const bool three = about.three_numbers;
  return {.name = name,
          .type = three ? "3 numbers" : type_name<Type>(),
          .unit = std::move(about.unit),
          .meaning = std::move(about.meaning),
          .required = about.required,
          .range = about.range,
          .only_with = std::move(about.only_with),
          .read =
              [member, three](const Value& value, T& section) {
                Value all = value;
                if (three) all.dimensions = 3;
                read_value(all, std::invoke(member, section));
              },
          .write = [member, three](
                       const T& section,
                       int dimensions) { return write_value(std::invoke(member, section), three ? 3 : dimensions); }};
}

/// How a section stands in the file.
enum class Shape {
  table,  ///< [run]
  list,   ///< [[body]]
  named   ///< [material.NAME]
};

template <class T>
struct Section {
  std::string name;  ///< empty for the top of the file
  Shape shape;
  bool required = false;
  std::vector<Key<T>> keys;

  /// "[run]", "[[body]]", "[material.NAME]", "".
  std::string heading(const std::string& own_name = "NAME") const {
    if (name.empty()) return "";
    if (shape == Shape::list) return "[[" + name + "]]";
    return "[" + name + (shape == Shape::named ? "." + own_name : "") + "]";
  }
};

/// All sections in the order in which they are written.
struct Schema {
  Section<sph::Case> top, run, particles;
  Section<sph::Box> domain;
  Section<sph::Body> body;
  Section<sph::Wall> wall;
  Section<sph::Material> material;
  Section<sph::Scheme> scheme;
  Section<sph::HeatPulse> heat;
  Section<sph::Probe> probe;

  /// Calls `visit` with each section.
  template <class Visit>
  void for_each(Visit visit) const {
    visit(top), visit(run), visit(particles), visit(domain), visit(body), visit(wall), visit(material), visit(scheme),
        visit(heat), visit(probe);
  }
};

const Schema& schema();

}  // namespace shoal::io
