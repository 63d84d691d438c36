// SPDX-License-Identifier: Apache-2.0
#include "io/formats/text/file_cursor.hpp"

#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace {

constexpr std::string_view blank_in_line = " \t\r\v\f";
constexpr std::string_view blank_anywhere = " \t\r\v\f\n";

}  // namespace

FileCursor::FileCursor(const std::filesystem::path& file, char comment)
    : name_(file.string()), content_(read_whole(file)), comment_(comment) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (content_.starts_with(byte_order_mark)) position_ = byte_order_mark.size();
}

void FileCursor::skip_blanks(std::string_view blank) {
  position_ = std::min(content_.size(), content_.find_first_not_of(blank, position_));
  while (comment_ && position_ < content_.size() && content_[position_] == comment_) {
    position_ = std::min(content_.size(), content_.find('\n', position_));
    position_ = std::min(content_.size(), content_.find_first_not_of(blank, position_));
  }
}

bool FileCursor::at_end() {
  skip_blanks(blank_anywhere);
  return position_ == content_.size();
}

/// Reads the word that begins at the position, which must not be at a blank.
std::string_view FileCursor::take_word() {
  last_word_ = position_;
  const auto is_end = [&](char c) {
    return (comment_ && c == comment_) || blank_anywhere.find(c) != std::string_view::npos;
  };
  while (position_ < content_.size() && !is_end(content_[position_])) ++position_;
  return std::string_view(content_).substr(last_word_, position_ - last_word_);
}

std::string_view FileCursor::word(std::string_view what) {
  if (at_end()) refuse(position_, "cut short: the file ends, expected ", what, ".");
  return take_word();
}

std::optional<std::string_view> FileCursor::word_in_line() {
  skip_blanks(blank_in_line);
  if (position_ == content_.size() || content_[position_] == '\n') return {};
  return take_word();
}

std::string_view FileCursor::line() {
  const std::size_t end = std::min(content_.size(), content_.find('\n', position_));
  std::string_view line = std::string_view(content_).substr(position_, end - position_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  position_ = std::min(content_.size(), end + 1);
  return line;
}

std::string_view FileCursor::bytes(std::uint64_t count, std::string_view what) {
  if (count > content_.size() - position_)
    refuse_byte(position_, "cut short: ", count, " bytes are to come, ", what, ", and the file has ",
                content_.size() - position_, " more.");
  position_ += count;
  return std::string_view(content_).substr(position_ - count, count);
}

std::int64_t FileCursor::possible(std::int64_t value, std::string_view what) const {
  if (value < 0) refuse(last_word_, value, " is negative, expected ", what, ".");
  if (value > static_cast<std::int64_t>(content_.size()))
    refuse(last_word_, "cut short: ", value, " as ", what, ", and the file has only ", content_.size(), " bytes.");
  return value;
}

std::int64_t FileCursor::count(std::string_view what) { return possible(number<std::int64_t>(what), what); }

std::int64_t FileCursor::count_in_line(std::string_view what) {
  return possible(number_in_line<std::int64_t>(what), what);
}

std::string FileCursor::place(std::size_t position) const {
  const std::string_view before = std::string_view(content_).substr(0, position);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t last_end = before.rfind('\n');
  const std::size_t column = last_end == std::string_view::npos ? position + 1 : position - last_end;
  return text(name_, ":", line, ":", column);
}

}  // namespace shoal::io
