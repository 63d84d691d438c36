// SPDX-License-Identifier: Apache-2.0
// Reader of the numbers of a <DataArray>: text, base64 or raw bytes. The latter two may be compressed by zlib in
// blocks.
#include "io/formats/vtk/vtk_array.hpp"

#include <shoal/io/text.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "core/text.hpp"
#include "io/formats/compression.hpp"
#include "io/formats/text/strings.hpp"
#include "io/formats/vtk/base64.hpp"
#include "io/formats/vtk/zlib_block.hpp"

namespace shoal::io {

namespace {

static_assert(std::endian::native == std::endian::little, "bytes are taken as memory has them");

std::string label(const VtkArray& array, const VtkEncoding& encoding) {
  return printable(text(encoding.file, ": array `", array.name, "` (byte ", array.begin, ")"));
}

/// Bytes of an array, stored raw or as base64.
class Bytes {
 public:
  Bytes(std::string_view content, bool as_text, std::string label)
      : raw_(content), base64_(content), as_text_(as_text), label_(std::move(label)) {}

  std::string read(std::uint64_t count) {
    require(count <= raw_.size(), label_, " is cut short: ", count, " bytes are to come, and the file has ",
            raw_.size(), " more.");
    std::string bytes = as_text_ ? base64_.read(count) : std::string(raw_.substr(0, count));
    if (!as_text_) raw_.remove_prefix(count);
    require(bytes.size() == count, label_, " is cut short or not base64: ", count, " bytes are to come, ", bytes.size(),
            " could be decoded.");
    return bytes;
  }

  /// Unsigned integer of 4 or 8 bytes.
  std::uint64_t read_size(std::size_t bytes) {
    const std::string read_bytes = read(bytes);
    if (bytes == sizeof(std::uint32_t)) return number_of<std::uint32_t>(read_bytes);
    return number_of<std::uint64_t>(read_bytes);
  }

 private:
  template <class Number>
  static Number number_of(const std::string& bytes) {
    Number number = 0;
    std::memcpy(&number, bytes.data(), sizeof(Number));
    return number;
  }

  std::string_view raw_;
  Base64Reader base64_;
  bool as_text_;
  std::string label_;
};

/// Reads an uncompressed array: its number of bytes, then the bytes.
std::string read_plain(Bytes& bytes, std::size_t header_bytes) { return bytes.read(bytes.read_size(header_bytes)); }

/// Reads a compressed array: number of blocks, size of a block, size of the last block (0: same as the others),
/// compressed size of each block; then the blocks.
/// @param expected  size of all blocks together
std::string read_packed(Bytes& bytes, std::size_t header_bytes, const std::string& label, std::uint64_t expected) {
  const std::uint64_t blocks = bytes.read_size(header_bytes);
  const std::uint64_t block_size = bytes.read_size(header_bytes);
  const std::uint64_t last_size = bytes.read_size(header_bytes);
  const bool has_partial = last_size > 0 && blocks > 0;
  const std::uint64_t full_blocks = has_partial ? blocks - 1 : blocks;
  const bool too_many = block_size > 0 && full_blocks > expected / block_size;
  require(!too_many && expected - full_blocks * block_size == (has_partial ? last_size : 0), label, ": ", full_blocks,
          " blocks of ", block_size, " bytes and one of ", has_partial ? last_size : 0, ", expected ", expected,
          " bytes together.");
  std::vector<std::uint64_t> packed_sizes;
  for (std::uint64_t i = 0; i < blocks; ++i) packed_sizes.push_back(bytes.read_size(header_bytes));
  std::string whole;
  for (std::uint64_t i = 0; i < blocks; ++i) {
    const std::uint64_t size = i + 1 == blocks && last_size > 0 ? last_size : block_size;
    const std::string packed = bytes.read(packed_sizes[i]);
    const bool possible = size / most_packed <= packed.size();
    const std::string block = possible ? unpacked(packed, size) : std::string{};
    require(block.size() == size, label, ": block ", i, " of ", blocks, " is damaged: zlib cannot unpack it to ", size,
            " bytes.");
    whole += block;
  }
  return whole;
}

/// Bytes of an array that takes `expected` bytes.
std::string read_bytes(const VtkArray& array, const VtkEncoding& encoding, std::uint64_t expected) {
  const std::string name = label(array, encoding);
  const bool appended = array.format == "appended";
  require(!appended || array.offset <= encoding.appended.size(), name, " begins at offset ", array.offset,
          " of the appended data, which has ", encoding.appended.size(), " bytes. The file is cut short.");
  const std::string_view content = appended ? encoding.appended.substr(array.offset) : array.content;
  Bytes bytes(content, !appended || encoding.appended_as_text, name);
  return encoding.compressed ? read_packed(bytes, encoding.header_bytes, name, expected)
                             : read_plain(bytes, encoding.header_bytes);
}

template <class T>
std::vector<double> from_bytes(const VtkArray& array, const VtkEncoding& encoding, std::uint64_t count) {
  const std::string bytes = read_bytes(array, encoding, count * sizeof(T));
  require(bytes.size() == count * sizeof(T), label(array, encoding), " has ", bytes.size(), " bytes, expected ",
          count * sizeof(T), ": ", count, " of type ", array.type, ".");
  std::vector<double> numbers(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
    numbers[i] = static_cast<double>(value);
  }
  return numbers;
}

template <class T>
std::vector<double> from_text(const VtkArray& array, const VtkEncoding& encoding, std::uint64_t count) {
  constexpr std::string_view blank = " \t\r\n";
  const std::string name = label(array, encoding);
  std::vector<double> numbers;
  std::string_view rest = array.content;
  for (std::size_t first; (first = rest.find_first_not_of(blank)) != std::string_view::npos;) {
    rest.remove_prefix(first);
    const std::string_view word = rest.substr(0, rest.find_first_of(blank));
    T value{};
    if (!read_number(word, value))
      throw Error(text(name, ": \"", printable(word.substr(0, 40)), "\" at number ", numbers.size(), " is not a ",
                       array.type, "."));
    numbers.push_back(static_cast<double>(value));
    rest.remove_prefix(word.size());
  }
  require(numbers.size() == count, name, " has ", numbers.size(), " numbers, expected ", count, ".");
  return numbers;
}

template <class T>
std::vector<double> numbers_of(const VtkArray& array, const VtkEncoding& encoding, std::uint64_t count) {
  if (array.format == "ascii") return from_text<T>(array, encoding, count);
  if (array.format == "binary" || array.format == "appended") return from_bytes<T>(array, encoding, count);
  throw Error(text(label(array, encoding), " has format \"", array.format, "\", expected ascii, binary or appended."));
}

}  // namespace

std::vector<double> read_vtk_array(const VtkArray& array, const VtkEncoding& encoding, std::uint64_t tuples) {
  constexpr std::uint64_t most_tuples = std::uint64_t{1} << 40, most_components = 1 << 16;
  require(tuples <= most_tuples && array.components >= 1 && array.components <= most_components, label(array, encoding),
          ": ", tuples, " points of ", array.components, " components, expected at most 2^40 of 1 to 65536.");
  const std::uint64_t count = tuples * array.components;
  const auto read = [&]<class T>(T) { return numbers_of<T>(array, encoding, count); };
  if (array.type == "Float32") return read(float{});
  if (array.type == "Float64") return read(double{});
  if (array.type == "Int8") return read(std::int8_t{});
  if (array.type == "UInt8") return read(std::uint8_t{});
  if (array.type == "Int16") return read(std::int16_t{});
  if (array.type == "UInt16") return read(std::uint16_t{});
  if (array.type == "Int32") return read(std::int32_t{});
  if (array.type == "UInt32") return read(std::uint32_t{});
  if (array.type == "Int64") return read(std::int64_t{});
  if (array.type == "UInt64") return read(std::uint64_t{});
  throw Error(text(label(array, encoding), " is of type ", array.type, ", expected Float32, Float64 or an integer."));
}

}  // namespace shoal::io
