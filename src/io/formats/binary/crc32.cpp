// SPDX-License-Identifier: Apache-2.0
// Processes eight bytes per step with eight tables: table k holds the effect of a byte that k more bytes follow
// ("slicing by 8", Kounavis and Berry 2005).
#include "io/formats/binary/crc32.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace shoal::io {

namespace {

static_assert(std::endian::native == std::endian::little, "the first byte of a word is its lowest");

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables tables = [] {
  constexpr std::uint32_t polynomial = 0xEDB88320;
  Tables table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ (sum & 1 ? polynomial : 0);
    table[0][byte] = sum;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      table[k][byte] = table[k - 1][byte] >> 8 ^ table[0][table[k - 1][byte] & 255];
  return table;
}();

}  // namespace

std::uint32_t crc32(std::span<const std::byte> bytes, std::uint32_t before) {
  std::uint32_t sum = ~before;
  const std::byte* next = bytes.data();
  const std::byte* const end = next + bytes.size();
  for (; end - next >= 8; next += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, next, 8);
    word ^= sum;
    sum = 0;
    for (std::size_t k = 0; k < 8; ++k) sum ^= tables[7 - k][word >> (8 * k) & 255];
  }
  for (; next < end; ++next) sum = sum >> 8 ^ tables[0][(sum ^ static_cast<std::uint32_t>(*next)) & 255];
  return ~sum;
}

}  // namespace shoal::io
