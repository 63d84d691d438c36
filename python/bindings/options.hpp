// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>
#include <shoal/enumerator_names.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/text.hpp"

/// The members of an options struct as keywords: one table says their names, types and defaults, and reads them.
namespace shoal::python {

namespace nb = nanobind;

/// str(value).
std::string text_of(nb::object value);

/// How one type of option is read, and shown in signatures.
template <class T>
struct OptionType;

/// Throws with the name of the option.
[[noreturn]] void bad_option(const std::string& option, nb::handle value, const std::string& expected);

template <>
struct OptionType<bool> {
  static std::string name() { return "bool"; }
  static std::string show(bool value) { return value ? "True" : "False"; }
  static bool read(const std::string& option, nb::handle value);
};

template <>
struct OptionType<std::string> {
  static std::string name() { return "str"; }
  static std::string show(const std::string& value) { return "'" + value + "'"; }
  static std::string read(const std::string& option, nb::handle value);
};

std::int64_t read_whole_number(const std::string& option, nb::handle value);
double read_number(const std::string& option, nb::handle value);
/// The items of a sequence that is not text.
std::vector<nb::object> read_sequence(const std::string& option, nb::handle value, const std::string& expected);

template <std::integral T>
struct OptionType<T> {
  static std::string name() { return "int"; }
  static std::string show(T value) { return text(value); }
  static T read(const std::string& option, nb::handle value) {
    const std::int64_t number = read_whole_number(option, value);
    require(static_cast<std::int64_t>(static_cast<T>(number)) == number, option, " = ", number, " is too large.");
    return static_cast<T>(number);
  }
};

template <>
struct OptionType<double> {
  static std::string name() { return "float"; }
  static std::string show(double value) {
    const std::string digits = text(value);
    return digits.find_first_of(".en") == std::string::npos ? digits + ".0" : digits;
  }
  static double read(const std::string& option, nb::handle value) { return read_number(option, value); }
};

template <class Enum>
requires std::is_enum_v<Enum>
struct OptionType<Enum> {
  static std::string name() {
    std::string list;
    for (const std::string_view word : enumerator_names<Enum>)
      list += (list.empty() ? "'" : ", '") + std::string(word) + "'";
    return "typing.Literal[" + list + "]";
  }
  static std::string show(Enum value) { return "'" + std::string(to_name(value)) + "'"; }
  static Enum read(const std::string& option, nb::handle value) {
    const std::string word = OptionType<std::string>::read(option, value);
    try {
      return from_name<Enum>(word);
    } catch (const Error& error) {
      throw Error(option + ": " + error.what());
    }
  }
};

/// A fixed number of values.
template <class T, std::size_t n>
struct OptionType<std::array<T, n>> {
  static std::string name() { return "collections.abc.Sequence[" + OptionType<T>::name() + "]"; }
  static std::string show(const std::array<T, n>& values) {
    std::string list;
    for (const T& value : values) list += (list.empty() ? "" : ", ") + OptionType<T>::show(value);
    return "(" + list + ")";
  }
  /// Of three, the last ones may be left out: those of axes that are not there.
  static std::array<T, n> read(const std::string& option, nb::handle value) {
    const std::string expected = n == 3 ? "up to 3 values" : text(n, " values");
    const std::vector<nb::object> items = read_sequence(option, value, expected);
    if (items.size() > n || (n != 3 && items.size() != n)) bad_option(option, value, expected);
    std::array<T, n> values{};
    for (std::size_t i = 0; i < items.size(); ++i) values[i] = OptionType<T>::read(text(option, "[", i, "]"), items[i]);
    return values;
  }
};

template <class T>
struct OptionType<std::vector<T>> {
  static std::string name() { return "collections.abc.Sequence[" + OptionType<T>::name() + "]"; }
  static std::string show(const std::vector<T>&) { return "()"; }
  static std::vector<T> read(const std::string& option, nb::handle value) {
    const std::vector<nb::object> items = read_sequence(option, value, "a sequence");
    std::vector<T> values;
    for (std::size_t i = 0; i < items.size(); ++i)
      values.push_back(OptionType<T>::read(text(option, "[", i, "]"), items[i]));
    return values;
  }
};

/// Anything, looked at later.
template <>
struct OptionType<nb::object> {
  static std::string name() { return "typing.Any"; }
  static std::string show(const nb::object&) { return "None"; }
  static nb::object read(const std::string&, nb::handle value) { return nb::borrow(value); }
};

template <class Struct>
class Options {
 public:
  /// Adds a keyword for a member; its default is that of a default-constructed struct.
  template <class T>
  Options& add(const char* name, T Struct::*member) {
    const Struct defaults{};
    rows_.push_back({name, OptionType<T>::name() + " = " + OptionType<T>::show(defaults.*member),
                     [member](Struct& to, const std::string& option, nb::handle value) {
                       to.*member = OptionType<T>::read(option, value);
                     }});
    return *this;
  }

  /// Adds the keywords of a member that is a struct itself.
  template <class Part>
  Options& add_all(Part Struct::*member, const Options<Part>& part) {
    for (const auto& row : part.rows())
      rows_.push_back(
          {row.name, row.type_and_default, [member, &row](Struct& to, const std::string& option, nb::handle value) {
             row.set(to.*member, option, value);
           }});
    return *this;
  }

  /// Adds the keywords of another table of the same struct.
  Options& add_rows(const Options& other) {
    rows_.insert(rows_.end(), other.rows_.begin(), other.rows_.end());
    return *this;
  }

  /// "method: str = 'auto', half: bool = False"
  std::string signature() const {
    std::string list;
    for (const Row& row : rows_) list += (list.empty() ? "" : ", ") + row.name + ": " + row.type_and_default;
    return list;
  }

  /// Whether there is such a keyword, which is then set.
  bool set(Struct& to, const char* operation, std::string_view keyword, nb::handle value) const {
    for (const Row& row : rows_)
      if (row.name == keyword) {
        row.set(to, text(operation, ": ", row.name), value);
        return true;
      }
    return false;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const Row& row : rows_) list.push_back(row.name);
    return list;
  }

  struct Row {
    std::string name, type_and_default;
    std::function<void(Struct&, const std::string& option, nb::handle value)> set;
  };
  const std::vector<Row>& rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
};

[[noreturn]] void unknown_keyword(const char* operation, std::string_view keyword,
                                  const std::vector<std::string>& known);

/// Reads keywords into two structs, each of which has a table.
/// @throws TypeError  a keyword that neither has; the message lists those there are
template <class First, class Second>
void read_options(const char* operation, const nb::kwargs& keywords, const Options<First>& first, First& to_first,
                  const Options<Second>& second, Second& to_second) {
  for (const auto& [key, value] : keywords) {
    const std::string keyword = nb::cast<nb::str>(key).c_str();
    if (first.set(to_first, operation, keyword, value) || second.set(to_second, operation, keyword, value)) continue;
    std::vector<std::string> known = first.names();
    for (const std::string& name : second.names()) known.push_back(name);
    unknown_keyword(operation, keyword, known);
  }
}

/// The same for one struct.
template <class Struct>
Struct read_options(const char* operation, const nb::kwargs& keywords, const Options<Struct>& options) {
  Struct to{};
  for (const auto& [key, value] : keywords)
    if (const std::string keyword = nb::cast<nb::str>(key).c_str(); !options.set(to, operation, keyword, value))
      unknown_keyword(operation, keyword, options.names());
  return to;
}

/// The parts of a signature as text that lives as long as the module.
template <class... Parts>
const char* signature(const Parts&... parts) {
  static std::vector<std::unique_ptr<std::string>> kept;
  kept.push_back(std::make_unique<std::string>(text(parts...)));
  return kept.back()->c_str();
}

}  // namespace shoal::python
