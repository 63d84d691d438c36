// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/formats/text/file_cursor.hpp"

namespace shoal::io {

/// Reader of the numbers of a gmsh file, text or binary of either byte order: C's int, size_t and double.
class GmshNumbers {
 public:
  explicit GmshNumbers(FileCursor& file) : file_(file) {}

  /// Sets the format that the header declares. The header of a binary file ends with the int 1, which shows the byte
  /// order.
  void begin(bool is_binary) {
    is_binary_ = is_binary;
    if (!is_binary) return;
    const auto one = file_.raw<std::int32_t>("the number 1");
    constexpr std::int32_t swapped_one = 1 << 24;
    if (one != 1 && one != swapped_one)
      file_.refuse_byte(file_.position() - sizeof(one), "the number 1 of a binary file is ", one, ".");
    is_swapped_ = one == swapped_one;
  }

  bool is_binary() const { return is_binary_; }

  std::int32_t integer(std::string_view what) { return number<std::int32_t>(what); }
  std::uint64_t size(std::string_view what) { return number<std::uint64_t>(what); }
  double real(std::string_view what) { return number<double>(what); }
  double coordinate() { return is_binary_ ? file_.raw_coordinate<double>(is_swapped_) : file_.coordinate(); }

  /// Position in bytes of the integer, size or real that was read last.
  std::size_t position() const { return position_; }

  /// Throws an Error with the byte in a binary file, or with the line in a text file.
  template <class... Parts>
  [[noreturn]] void refuse(std::size_t position, const Parts&... parts) const {
    if (is_binary_) file_.refuse_byte(position, parts...);
    file_.refuse(position, parts...);
  }

 private:
  template <class T>
  T number(std::string_view what) {
    position_ = file_.position();
    if (is_binary_) return file_.raw<T>(what, is_swapped_);
    const T value = file_.number<T>(what);
    position_ = file_.position_of_word();
    return value;
  }

  FileCursor& file_;
  std::size_t position_ = 0;
  bool is_binary_ = false, is_swapped_ = false;
};

}  // namespace shoal::io
