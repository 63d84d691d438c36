// SPDX-License-Identifier: Apache-2.0
#include "io/formats/binary/npy.hpp"

#include <charconv>
#include <cstring>
#include <fstream>

#include "core/text.hpp"
#include "io/formats/text/strings.hpp"
#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace {

constexpr std::string_view magic = "\x93NUMPY";

/// Reads the length of the rest of the header, which takes two bytes in version 1 and four bytes in later versions.
std::uint32_t read_header_length(std::istream& in, const std::string& file) {
  char start[8] = {};
  in.read(start, sizeof start);
  require(std::string_view(start, magic.size()) == magic, file,
          ": this is no NPY file: it does not begin with \\x93NUMPY. Write it with numpy.save.");
  const int version = static_cast<unsigned char>(start[magic.size()]);
  require(version >= 1 && version <= 3, file, ": NPY version ", version, ", expected 1, 2 or 3.");
  std::uint32_t length = 0;
  in.read(reinterpret_cast<char*>(&length), version == 1 ? 2 : 4);
  return length;
}

/// Text after `'key':` in the dictionary of a header.
std::string_view value_of(std::string_view header, std::string_view key, const std::string& file) {
  const std::size_t position = header.find(text('\'', key, '\''));
  const std::size_t colon = position == std::string_view::npos ? position : header.find(':', position);
  require(colon != std::string_view::npos, file, ": its NPY header does not say `", key, "`: ", printable(header));
  const std::size_t value = header.find_first_not_of(' ', colon + 1);
  return value == std::string_view::npos ? std::string_view{} : header.substr(value);
}

std::string read_type(std::string_view header, const std::string& file) {
  const std::string_view value = value_of(header, "descr", file);
  require(!value.starts_with('['), file,
          ": its rows are records with named fields, expected plain numbers (<f4 or <f8).",
          " Save numpy.stack([a['x'], a['y'], a['z']], axis=1).");
  const std::size_t end = value.find('\'', 1);
  require(value.starts_with('\'') && end != std::string_view::npos, file,
          ": its NPY header has no type: ", printable(header));
  return std::string(value.substr(1, end - 1));
}

std::vector<std::uint64_t> read_shape(std::string_view header, const std::string& file) {
  std::string_view value = value_of(header, "shape", file);
  value = value.substr(0, value.find(')'));
  std::vector<std::uint64_t> shape;
  while (true) {
    const std::size_t digit = value.find_first_of("0123456789");
    if (digit == std::string_view::npos) return shape;
    value.remove_prefix(digit);
    const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), shape.emplace_back());
    require(failed == std::errc{}, file, ": its NPY header has a shape beyond 64 bits: ", printable(header));
    value.remove_prefix(static_cast<std::size_t>(end - value.data()));
  }
}

template <class T>
void write_numbers(const std::filesystem::path& file, const std::vector<std::uint64_t>& shape,
                   const std::vector<T>& values) {
  write_whole(file, [&](const std::filesystem::path& partial) {
    std::ofstream out(partial, std::ios::binary | std::ios::trunc);
    out << npy_header(sizeof(T) == 4 ? "<f4" : "<f8", shape);
    out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(T)));
    out.flush();
    require(out.good(), file.string(), ": cannot write the array.");
  });
}

}  // namespace

NpyHeader read_npy_header(std::istream& in, const std::string& file) {
  const std::uint32_t length = read_header_length(in, file);
  const std::streamoff begin = in.tellg();
  constexpr std::uint32_t longest = 1 << 20;
  require(length <= longest, file, ": its NPY header has ", length, " bytes, expected at most ", longest, ".");
  std::string header(length, '\0');
  in.read(header.data(), length);
  require(in.good(), file, ": cut short: the NPY header ends before byte ", begin + length, ".");
  header.resize(header.find_last_not_of(" \n") + 1);
  NpyHeader fields;
  fields.type = read_type(header, file);
  fields.fortran_order = value_of(header, "fortran_order", file).starts_with("True");
  fields.shape = read_shape(header, file);
  return fields;
}

std::string npy_header(std::string_view type, const std::vector<std::uint64_t>& shape, std::size_t least_bytes) {
  std::string header = text("{'descr': '", type, "', 'fortran_order': False, 'shape': ", shape_text(shape), ", }");
  constexpr std::size_t before = 10, alignment = 64;
  header.append(alignment - 1 - (before + header.size()) % alignment, ' ');
  while (before + header.size() + 1 < least_bytes) header.append(alignment, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  std::string bytes(magic);
  bytes += {'\x01', '\x00', static_cast<char>(length & 255), static_cast<char>(length >> 8)};
  return bytes + header;
}

void write_npy(const std::filesystem::path& file, const std::vector<std::uint64_t>& shape,
               const std::vector<float>& values) {
  write_numbers(file, shape, values);
}

void write_npy(const std::filesystem::path& file, const std::vector<std::uint64_t>& shape,
               const std::vector<double>& values) {
  write_numbers(file, shape, values);
}

std::string shape_text(const std::vector<std::uint64_t>& shape) {
  std::string out = "(";
  for (const std::uint64_t size : shape) out += text(out.size() > 1 ? " " : "", size, ",");
  if (shape.size() > 1) out.pop_back();
  return out + ")";
}

}  // namespace shoal::io
