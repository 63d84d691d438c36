// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/text.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/text.hpp"
#include "io/formats/text/strings.hpp"

namespace shoal::io {

/// Read position in a text or binary file that is held in memory. The class reads words, lines and raw numbers. Error
/// messages compute line and column from the position.
class FileCursor {
 public:
  /// @param comment  character that starts a comment up to the end of the line; 0 if the file has no comments
  /// @throws Error  if the file cannot be read
  explicit FileCursor(const std::filesystem::path& file, char comment = 0);
  /// @param name     name of the file for messages
  /// @param content  content of the file, such as that of a compressed one
  FileCursor(std::string name, std::string content) : name_(std::move(name)), content_(std::move(content)) {}

  const std::string& name() const { return name_; }
  const std::string& content() const { return content_; }
  std::size_t position() const { return position_; }
  void seek(std::size_t position) { position_ = position; }

  /// Returns true if only blanks and comments are left.
  bool at_end();
  /// Next word, on this line or a later one.
  /// @param what  expected item, for the message if the file ends here
  std::string_view word(std::string_view what);
  /// Next word of this line; nothing at the end of the line.
  std::optional<std::string_view> word_in_line();
  /// Rest of this line, unchanged, without the line end.
  std::string_view line();
  /// Next `count` bytes.
  std::string_view bytes(std::uint64_t count, std::string_view what);

  /// Next word as a number.
  template <class T>
  T number(std::string_view what) {
    return as_number<T>(word(what), what);
  }
  /// Next word of this line as a number.
  template <class T>
  T number_in_line(std::string_view what) {
    const auto next_word = word_in_line();
    if (!next_word) refuse(position_, "the line ends, expected ", what, ".");
    return as_number<T>(*next_word, what);
  }
  /// Number of items in the file, or of one of them: an integer >= 0 that does not exceed the size of the file in bytes.
  std::int64_t count(std::string_view what);
  std::int64_t count_in_line(std::string_view what);
  /// Next word as a finite number.
  double coordinate() { return finite(number<double>("a coordinate")); }
  double coordinate_in_line() { return finite(number_in_line<double>("a coordinate")); }

  /// Next bytes as a number; `swapped` if the file has the other byte order.
  template <class T>
  T raw(std::string_view what, bool swapped = false) {
    const std::string_view from = bytes(sizeof(T), what);
    char order[sizeof(T)] = {};
    std::memcpy(order, from.data(), sizeof(T));
    if (swapped) std::reverse(order, order + sizeof(T));
    T value;
    std::memcpy(&value, order, sizeof(T));
    return value;
  }
  /// Next bytes as a finite number.
  template <class T>
  double raw_coordinate(bool swapped = false) {
    const auto value = static_cast<double>(raw<T>("a coordinate", swapped));
    if (!std::isfinite(value))
      refuse_byte(position_ - sizeof(T), "a coordinate is ", value, ", expected a finite one.");
    return value;
  }

  /// Throws "file:line:column: ...".
  template <class... Parts>
  [[noreturn]] void refuse(std::size_t position, const Parts&... parts) const {
    throw Error(printable(text(place(position), ": ", parts...)));
  }
  /// Throws "file: byte n: ...", for binary files.
  template <class... Parts>
  [[noreturn]] void refuse_byte(std::size_t position, const Parts&... parts) const {
    throw Error(printable(text(name_, ": byte ", position, ": ", parts...)));
  }
  /// Position in bytes of the word that was read last.
  std::size_t position_of_word() const { return last_word_; }
  /// Position in bytes of `word`, a part of content().
  std::size_t position_of(std::string_view word) const {
    return static_cast<std::size_t>(word.data() - content_.data());
  }

 private:
  template <class T>
  T as_number(std::string_view word, std::string_view what) const {
    T value{};
    if (!read_number(word, value))
      refuse(position_of(word), "\"", word.substr(0, 40), "\" is not a number, expected ", what, ".");
    return value;
  }
  double finite(double value) const {
    if (!std::isfinite(value)) refuse(last_word_, "a coordinate is ", value, ", expected a finite one.");
    return value;
  }
  std::int64_t possible(std::int64_t value, std::string_view what) const;
  std::string place(std::size_t position) const;
  void skip_blanks(std::string_view blank);
  std::string_view take_word();

  std::string name_;
  std::string content_;
  char comment_ = 0;
  std::size_t position_ = 0;
  std::size_t last_word_ = 0;  ///< position of the word that was read last
};

}  // namespace shoal::io
