// SPDX-License-Identifier: Apache-2.0
#include "io/formats/vtk/base64.hpp"

#include <array>
#include <cstdint>

namespace shoal::io {

namespace {

constexpr std::int8_t none = -1, blank = -2, padding = -3;

constexpr auto digits = [] {
  std::array<std::int8_t, 256> value{};
  value.fill(none);
  constexpr std::string_view order = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < order.size(); ++i)
    value[static_cast<unsigned char>(order[i])] = static_cast<std::int8_t>(i);
  for (const char c : {' ', '\t', '\r', '\n'}) value[static_cast<unsigned char>(c)] = blank;
  value['='] = padding;
  return value;
}();

}  // namespace

/// Decodes four characters and appends up to three bytes to `ready_`. Returns false if there are no four characters.
bool Base64Reader::decode_group() {
  std::uint32_t bits = 0;
  int characters = 0, bytes = 3;
  while (characters < 4) {
    if (text_.empty()) return false;
    const std::int8_t digit = digits[static_cast<unsigned char>(text_.front())];
    if (digit == none) return false;
    text_.remove_prefix(1);
    if (digit == blank) continue;
    if (digit == padding) --bytes;
    bits = bits << 6 | static_cast<std::uint32_t>(digit == padding ? 0 : digit);
    ++characters;
  }
  for (int i = 0; i < bytes; ++i) ready_ += static_cast<char>(bits >> (16 - 8 * i) & 255);
  return true;
}

std::string Base64Reader::read(std::size_t count) {
  while (ready_.size() - given_ < count && decode_group()) {
  }
  std::string bytes = ready_.substr(given_, count);
  given_ += bytes.size();
  if (given_ == ready_.size()) ready_.clear(), given_ = 0;
  return bytes;
}

}  // namespace shoal::io
