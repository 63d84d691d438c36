// SPDX-License-Identifier: Apache-2.0
#include "mutators.hpp"

#include <zlib.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "io/formats/vtk/base64.hpp"

namespace shoal::fuzz {

namespace {

/// Part of a text.
struct Part {
  std::size_t begin, size;
};

std::size_t below(std::size_t count, std::mt19937& random) { return count ? random() % count : 0; }

template <class List>
const auto& one_of(const List& list, std::mt19937& random) {
  return list[below(std::size(list), random)];
}

constexpr const char* words[] = {"0",
                                 "1",
                                 "2",
                                 "3",
                                 "-1",
                                 "7",
                                 "65536",
                                 "2147483648",
                                 "4294967295",
                                 "1099511627776",
                                 "9223372036854775807",
                                 "18446744073709551615",
                                 "",
                                 "nan",
                                 "inf",
                                 "1e308",
                                 "Int8",
                                 "UInt8",
                                 "Int32",
                                 "UInt64",
                                 "Float32",
                                 "Float64",
                                 "ascii",
                                 "binary",
                                 "appended",
                                 "raw",
                                 "base64",
                                 "vtkZLibDataCompressor",
                                 "PolyData",
                                 "UnstructuredGrid",
                                 "Points",
                                 "connectivity"};

constexpr std::uint64_t edges[] = {0, 1, 2, 3, 8, 24, 48, 255, 4096, 1U << 20, 1U << 31, 0xffffffff, 1ULL << 62, ~0ULL};

/// Parts of the text between `open` and `close`.
std::vector<Part> parts_between(std::string_view text, std::string_view open, std::string_view close) {
  std::vector<Part> parts;
  for (std::size_t begin = text.find(open); begin != std::string_view::npos; begin = text.find(open, begin)) {
    begin += open.size();
    const std::size_t end = text.find(close, begin);
    if (end == std::string_view::npos) break;
    parts.push_back({begin, end - begin});
  }
  return parts;
}

std::string base64_of(std::string_view bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string encoded;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) encoded += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
  }
  return encoded;
}

/// Replaces one of the first words of a header by a number at the edge of its type.
void change_header(std::string& bytes, std::mt19937& random) {
  const std::size_t width = random() % 2 ? sizeof(std::uint32_t) : sizeof(std::uint64_t);
  const std::size_t position = width * below(4, random);
  if (position + width > bytes.size()) return;
  const std::uint64_t number = one_of(edges, random);
  std::memcpy(bytes.data() + position, &number, width);
}

/// Array of one compressed block that unpacks to `size` zeros, with its header.
std::string packed_zeros(std::size_t size) {
  const std::string zeros(size, '\0');
  uLongf packed_size = compressBound(static_cast<uLong>(size));
  std::string packed(packed_size, '\0');
  compress(reinterpret_cast<Bytef*>(packed.data()), &packed_size, reinterpret_cast<const Bytef*>(zeros.data()),
           static_cast<uLong>(size));
  packed.resize(packed_size);
  const std::uint32_t header[] = {1, static_cast<std::uint32_t>(size), 0, static_cast<std::uint32_t>(packed_size)};
  return std::string(reinterpret_cast<const char*>(header), sizeof header) + packed;
}

void replace(std::string& text, const Part& part, const std::string& replacement) {
  text.replace(part.begin, part.size, replacement);
}

/// Changes the binary data of one array, which are base64.
void change_binary(std::string& xml, std::mt19937& random) {
  const std::vector<Part> parts = parts_between(xml, "\">", "</DataArray>");
  if (parts.empty()) return;
  const Part part = one_of(parts, random);
  std::string bytes = io::Base64Reader(std::string_view(xml).substr(part.begin, part.size)).read(part.size);
  if (random() % 4 == 0)
    bytes = packed_zeros(one_of(edges, random) % (1U << 16));
  else
    change_header(bytes, random);
  replace(xml, part, base64_of(bytes));
}

/// Changes the appended data, which are raw.
void change_appended(std::string& xml, std::mt19937& random) {
  const std::size_t mark = xml.find('_', xml.find("<AppendedData"));
  if (mark == std::string::npos) return;
  std::string bytes = xml.substr(mark + 1);
  std::string rest = bytes.substr(below(bytes.size() + 1, random));
  bytes.resize(bytes.size() - rest.size());
  if (random() % 4 == 0)
    rest = packed_zeros(one_of(edges, random) % (1U << 16)) + rest;
  else
    change_header(rest, random);
  xml.replace(mark + 1, std::string::npos, bytes + rest);
}

}  // namespace

std::string mutated_xml(std::string xml, std::mt19937& random) {
  const std::vector<Part> values = parts_between(xml, "=\"", "\""), tags = parts_between(xml, "<", ">");
  switch (random() % 7) {
    case 0:
    case 1:
      if (!values.empty()) replace(xml, one_of(values, random), one_of(words, random));
      break;
    case 2: {
      const std::vector<Part> numbers = parts_between(xml, " ", " ");
      if (!numbers.empty()) replace(xml, one_of(numbers, random), one_of(words, random));
      break;
    }
    case 3:
      change_binary(xml, random);
      break;
    case 4:
      change_appended(xml, random);
      break;
    case 5:
      if (!tags.empty()) {
        const Part from = one_of(tags, random);
        xml.insert(one_of(tags, random).begin - 1, "<" + xml.substr(from.begin, from.size) + ">");
      }
      break;
    default:
      if (!values.empty()) {
        const Part from = one_of(values, random);
        replace(xml, one_of(values, random), xml.substr(from.begin, from.size));
      }
  }
  return xml;
}

std::string mutated_bytes(std::string bytes, std::mt19937& random) {
  if (bytes.empty()) return std::string(1 + below(64, random), static_cast<char>(random()));
  const std::size_t position = below(bytes.size(), random), size = below(bytes.size() - position, random);
  switch (random() % 6) {
    case 0:
      bytes[position] = static_cast<char>(bytes[position] ^ (1 << random() % 8));
      break;
    case 1: {
      const std::uint64_t number = one_of(edges, random);
      const std::size_t width = std::size_t{1} << random() % 4;
      if (position + width <= bytes.size()) std::memcpy(bytes.data() + position, &number, width);
      break;
    }
    case 2:
      bytes.insert(position, one_of(words, random));
      break;
    case 3:
      bytes.erase(position, size);
      break;
    case 4:
      bytes.insert(below(bytes.size(), random), bytes.substr(position, size));
      break;
    default:
      bytes.resize(position);
  }
  return bytes;
}

}  // namespace shoal::fuzz
