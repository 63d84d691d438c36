// SPDX-License-Identifier: Apache-2.0
#include "io/formats/file_checksum.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include "core/text.hpp"

namespace shoal::io {

namespace {

/// Last bytes of a file with a checksum.
struct Trailer {
  std::array<char, 8> mark{'s', 'h', 'o', 'a', 'l', 'c', 'r', 'c'};
  std::uint64_t size = 0;  ///< bytes of the content before the trailer
  std::uint64_t crc = 0;
};

constexpr std::size_t buffer_size = 1 << 20;

/// CRC-32 of the next `size` bytes of a stream.
std::uint64_t crc_of(std::istream& in, std::uint64_t size, const std::string& name) {
  std::vector<char> buffer(buffer_size);
  uLong crc = ::crc32(0, nullptr, 0);
  for (std::uint64_t done = 0; done < size;) {
    const std::uint64_t count = std::min<std::uint64_t>(buffer.size(), size - done);
    in.read(buffer.data(), static_cast<std::streamsize>(count));
    require(in.good(), name, ": cannot be read.");
    crc = ::crc32(crc, reinterpret_cast<const Bytef*>(buffer.data()), static_cast<uInt>(count));
    done += count;
  }
  return crc;
}

}  // namespace

void write_with_checksum(const std::filesystem::path& file, std::span<const char> content) {
  Trailer trailer;
  trailer.size = content.size();
  trailer.crc = ::crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.write(reinterpret_cast<const char*>(&trailer), sizeof trailer).flush();
  require(out.good(), file.string(), ": writing failed: ", std::strerror(errno), ".");
}

void append_checksum(const std::filesystem::path& file) {
  append_checksum(file, crc_of(file, 0, std::filesystem::file_size(file)));
}

std::uint64_t crc_of(const std::filesystem::path& file, std::uint64_t first, std::uint64_t count) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(first));
  return crc_of(in, count, file.string());
}

std::uint64_t joined_crc(std::uint64_t first, std::uint64_t second, std::uint64_t size) {
  return ::crc32_combine(static_cast<uLong>(first), static_cast<uLong>(second), static_cast<z_off_t>(size));
}

void append_checksum(const std::filesystem::path& file, std::uint64_t crc) {
  Trailer trailer;
  trailer.size = std::filesystem::file_size(file);
  trailer.crc = crc;
  std::ofstream out(file, std::ios::binary | std::ios::app);
  out.write(reinterpret_cast<const char*>(&trailer), sizeof trailer).flush();
  require(out.good(), file.string(), ": writing failed: ", std::strerror(errno), ".");
}

void require_checksum(const std::filesystem::path& file) {
  const std::string name = file.string();
  const std::uint64_t whole = std::filesystem::file_size(file);
  const std::uint64_t size = whole - std::min<std::uint64_t>(whole, sizeof(Trailer));
  std::ifstream in(file, std::ios::binary);
  Trailer trailer;
  trailer.mark = {};
  in.seekg(static_cast<std::streamoff>(size)).read(reinterpret_cast<char*>(&trailer), sizeof trailer);
  require(in.good() && trailer.mark == Trailer{}.mark && trailer.size == size, name,
          ": it does not end with its checksum: it is cut short, or an earlier version of shoal wrote it.");
  in.seekg(0);
  require(crc_of(in, size, name) == trailer.crc, name,
          ": this file is damaged: its checksum does not fit. Take an earlier one, or run the case again.");
}

}  // namespace shoal::io
