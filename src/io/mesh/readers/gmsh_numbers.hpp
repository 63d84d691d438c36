// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "io/formats/text/file_cursor.hpp"

namespace shoal::io {

/// The numbers of a gmsh file, as text or as bytes of either order: int, size_t and double of C.
class GmshNumbers {
 public:
  explicit GmshNumbers(FileCursor& file) : file_(file) {}

  /// What the header says. In a binary file an int 1 follows, from which the order of bytes is told.
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

  /// Where the integer, size or real that was read last begins.
  std::size_t position() const { return position_; }

  /// With the byte or with the line, as the file is.
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
