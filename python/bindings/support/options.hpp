// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>
#include <shoal/enumerator_names.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/text.hpp"

/// Keywords for the members of an options struct. One table holds their names, types and defaults, and reads them.
namespace shoal::python {

namespace nb = nanobind;

/// Text of a value, as str(value) has it.
std::string text_of(nb::object value);

/// Type of an option: `name` is its type hint, `literal` a value in a signature, and `read` converts a Python value.
template <class T>
struct OptionType;

/// Throws an error with the name of the option, its value and the expected value.
[[noreturn]] void bad_option(const std::string& option, nb::handle value, const std::string& expected);

template <>
struct OptionType<bool> {
  static std::string name() { return "bool"; }
  static std::string literal(bool value) { return value ? "True" : "False"; }
  static bool read(const std::string& option, nb::handle value);
};

template <>
struct OptionType<std::string> {
  static std::string name() { return "str"; }
  static std::string literal(const std::string& value) { return "'" + value + "'"; }
  static std::string read(const std::string& option, nb::handle value);
};

std::int64_t read_whole_number(const std::string& option, nb::handle value);
double read_number(const std::string& option, nb::handle value);
/// The items of a sequence that is not text.
std::vector<nb::object> read_sequence(const std::string& option, nb::handle value, const std::string& expected);

template <std::integral T>
struct OptionType<T> {
  static std::string name() { return "int"; }
  static std::string literal(T value) { return text(value); }
  static T read(const std::string& option, nb::handle value) {
    const std::int64_t number = read_whole_number(option, value);
    require(static_cast<std::int64_t>(static_cast<T>(number)) == number, option, " = ", number, " is too large.");
    return static_cast<T>(number);
  }
};

template <>
struct OptionType<double> {
  static std::string name() { return "float"; }
  static std::string literal(double value) {
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
    for (const std::string_view enumerator : enumerator_names<Enum>)
      list += (list.empty() ? "'" : ", '") + std::string(enumerator) + "'";
    return "typing.Literal[" + list + "]";
  }
  static std::string literal(Enum value) { return "'" + std::string(to_name(value)) + "'"; }
  static Enum read(const std::string& option, nb::handle value) {
    const std::string enumerator = OptionType<std::string>::read(option, value);
    try {
      return from_name<Enum>(enumerator);
    } catch (const Error& error) {
      throw Error(option + ": " + error.what());
    }
  }
};

/// Value that an operation chooses where it is None.
template <class T>
struct OptionType<std::optional<T>> {
  static std::string name() { return OptionType<T>::name() + " | None"; }
  static std::string literal(const std::optional<T>& value) { return value ? OptionType<T>::literal(*value) : "None"; }
  static std::optional<T> read(const std::string& option, nb::handle value) {
    if (value.is_none()) return std::nullopt;
    return OptionType<T>::read(option, value);
  }
};

/// Fixed number of values.
template <class T, std::size_t n>
struct OptionType<std::array<T, n>> {
  static std::string name() { return "collections.abc.Sequence[" + OptionType<T>::name() + "]"; }
  static std::string literal(const std::array<T, n>& values) {
    std::string list;
    for (const T& value : values) list += (list.empty() ? "" : ", ") + OptionType<T>::literal(value);
    return "(" + list + ")";
  }
  /// Reads n values. If n is 3, the values of absent axes may be left out.
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
  static std::string literal(const std::vector<T>&) { return "()"; }
  static std::vector<T> read(const std::string& option, nb::handle value) {
    const std::vector<nb::object> items = read_sequence(option, value, "a sequence");
    std::vector<T> values;
    for (std::size_t i = 0; i < items.size(); ++i)
      values.push_back(OptionType<T>::read(text(option, "[", i, "]"), items[i]));
    return values;
  }
};

/// Python object of any type; its reader is the operation.
template <>
struct OptionType<nb::object> {
  static std::string name() { return "typing.Any"; }
  static std::string literal(const nb::object&) { return "None"; }
  static nb::object read(const std::string&, nb::handle value) { return nb::borrow(value); }
};

/// Keywords of an options struct.
template <class Struct>
class Options {
 public:
  /// Adds a keyword for a member; its default is that of a default-constructed struct.
  template <class T>
  Options& add(const char* name, T Struct::*member) {
    const Struct defaults{};
    keywords_.push_back({name, OptionType<T>::name() + " = " + OptionType<T>::literal(defaults.*member),
                         [member](Struct& options, const std::string& option, nb::handle value) {
                           options.*member = OptionType<T>::read(option, value);
                         }});
    return *this;
  }

  /// Adds the keywords of a member that is a struct itself.
  template <class Part>
  Options& add_members(Part Struct::*member, const Options<Part>& part) {
    for (const auto& keyword : part.keywords())
      keywords_.push_back({keyword.name, keyword.type_and_default,
                           [member, &keyword](Struct& options, const std::string& option, nb::handle value) {
                             keyword.set(options.*member, option, value);
                           }});
    return *this;
  }

  /// Adds the keywords of another table of the same struct.
  Options& append(const Options& table) {
    keywords_.insert(keywords_.end(), table.keywords_.begin(), table.keywords_.end());
    return *this;
  }

  /// "method: str = 'auto', half: bool = False"
  std::string signature() const {
    std::string list;
    for (const Keyword& keyword : keywords_)
      list += (list.empty() ? "" : ", ") + keyword.name + ": " + keyword.type_and_default;
    return list;
  }

  /// Sets the member of the keyword `name`. Returns false if there is no such keyword.
  bool set(Struct& options, const char* operation, std::string_view name, nb::handle value) const {
    for (const Keyword& keyword : keywords_)
      if (keyword.name == name) {
        keyword.set(options, text(operation, ": ", name), value);
        return true;
      }
    return false;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const Keyword& keyword : keywords_) list.push_back(keyword.name);
    return list;
  }

  struct Keyword {
    std::string name, type_and_default;
    std::function<void(Struct&, const std::string& option, nb::handle value)> set;
  };
  const std::vector<Keyword>& keywords() const { return keywords_; }

 private:
  std::vector<Keyword> keywords_;
};

[[noreturn]] void unknown_keyword(const char* operation, std::string_view keyword,
                                  const std::vector<std::string>& known);

/// Reads keywords into two structs with a table each.
/// @throws TypeError  a keyword is in neither table; the message lists all keywords
template <class First, class Second>
void read_options(const char* operation, const nb::kwargs& keywords, const Options<First>& first, First& first_options,
                  const Options<Second>& second, Second& second_options) {
  for (const auto& [key, value] : keywords) {
    const std::string keyword = nb::cast<nb::str>(key).c_str();
    if (first.set(first_options, operation, keyword, value) || second.set(second_options, operation, keyword, value))
      continue;
    std::vector<std::string> known = first.names();
    for (const std::string& name : second.names()) known.push_back(name);
    unknown_keyword(operation, keyword, known);
  }
}

/// Reads keywords into a struct.
/// @throws TypeError  a keyword is not in the table; the message lists all keywords
template <class Struct>
Struct read_options(const char* operation, const nb::kwargs& keywords, const Options<Struct>& table) {
  Struct options{};
  for (const auto& [key, value] : keywords)
    if (const std::string keyword = nb::cast<nb::str>(key).c_str(); !table.set(options, operation, keyword, value))
      unknown_keyword(operation, keyword, table.names());
  return options;
}

/// Concatenates the parts of a signature or docstring. The text exists as long as the module.
template <class... Parts>
const char* signature(const Parts&... parts) {
  static std::vector<std::unique_ptr<std::string>> texts;
  texts.push_back(std::make_unique<std::string>(text(parts...)));
  return texts.back()->c_str();
}

}  // namespace shoal::python
