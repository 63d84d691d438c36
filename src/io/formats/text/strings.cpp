// SPDX-License-Identifier: Apache-2.0
#include "io/formats/text/strings.hpp"

#include "core/text.hpp"
#include "io/formats/text/spelling.hpp"

namespace shoal::io {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t";
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

namespace {

/// Number of bytes of the UTF-8 character at the beginning of `text`; 0 if it is not UTF-8.
std::size_t utf8_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  return length;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string shown;
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text[0]);
    const std::size_t length = utf8_length(text);
    const bool is_c1_control = length == 2 && byte == 0xc2 && static_cast<unsigned char>(text[1]) < 0xa0;
    const bool is_control = (byte < 0x20 && byte != '\n') || byte == 0x7f || is_c1_control;
    if (length == 0 || is_control)
      shown += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
    else
      shown += text.substr(0, length);
    text.remove_prefix(length == 0 || is_control ? 1 : length);
  }
  return shown;
}

std::string missing_text(const std::string& file, std::string_view kind, const std::string& name,
                         const std::vector<std::string>& present) {
  const std::string start = printable(text(file, ": there is no ", kind, " `", name, "`"));
  if (present.empty()) return text(start, ". It has none.");
  const auto similar = nearest(name, present);
  const std::string question = similar ? text("; did you mean `", printable(*similar), "`?") : ".";
  return text(start, question, " It has ", printable(join(present)), ".");
}

}  // namespace shoal::io
