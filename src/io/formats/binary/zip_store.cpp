// SPDX-License-Identifier: Apache-2.0
#include "io/formats/binary/zip_store.hpp"

#include <zlib.h>

namespace shoal::io {

namespace {

constexpr std::uint32_t local_header = 0x04034b50, list_header = 0x02014b50, end_header = 0x06054b50;
constexpr std::uint32_t wide_end_header = 0x06064b50, wide_end_locator = 0x07064b50;
constexpr std::uint16_t version_plain = 20, version_zip64 = 45, stored = 0, zip64_field = 1;
constexpr std::uint16_t midnight = 0, first_of_january_1980 = 1 << 5 | 1;
constexpr std::uint32_t see_zip64 = 0xFFFFFFFF;
constexpr std::uint16_t see_zip64_count = 0xFFFF;

/// Sequence of integers as bytes, lowest byte first.
class Fields {
 public:
  template <class T>
  Fields& add(T number) {
    for (std::size_t i = 0; i < sizeof(T); ++i)
      bytes_ += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 255);
    return *this;
  }
  Fields& add(const std::string& bytes) {
    bytes_ += bytes;
    return *this;
  }
  const std::string& bytes() const { return bytes_; }
  std::uint16_t size() const { return static_cast<std::uint16_t>(bytes_.size()); }

 private:
  std::string bytes_;
};

std::uint32_t narrow(std::uint64_t number, bool is_wide) {
  return is_wide ? see_zip64 : static_cast<std::uint32_t>(number);
}

/// Extra field of zip64 that holds `numbers`; empty if there are none.
Fields zip64_extra(const Fields& numbers) {
  Fields extra;
  if (numbers.size() > 0) extra.add(zip64_field).add(numbers.size()).add(numbers.bytes());
  return extra;
}

/// CRC-32 of the preceding bytes, whose checksum is `before`, and of `bytes`.
std::uint32_t add_to_checksum(std::uint32_t before, std::span<const std::byte> bytes) {
  if (bytes.empty()) return before;  // zlib starts anew for a null pointer
  return static_cast<std::uint32_t>(::crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

void ZipStore::write(std::span<const std::byte> bytes) {
  out_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  written_ += bytes.size();
}
void ZipStore::write(const std::string& bytes) { write(std::as_bytes(std::span(bytes))); }

void ZipStore::add(const std::string& name, std::span<const std::byte> head, std::span<const std::byte> body) {
  const Member member{name, add_to_checksum(add_to_checksum(0, head), body), head.size() + body.size(), written_};
  const bool wide = is_wide(member.size);
  Fields numbers;
  if (wide) numbers.add(member.size).add(member.size);
  const Fields extra = zip64_extra(numbers);
  const std::uint32_t size = narrow(member.size, wide);
  Fields header;
  header.add(local_header).add(wide ? version_zip64 : version_plain).add(std::uint16_t{0}).add(stored);
  header.add(midnight).add(first_of_january_1980).add(member.checksum).add(size).add(size);
  header.add(static_cast<std::uint16_t>(name.size())).add(extra.size()).add(name).add(extra.bytes());
  write(header.bytes());
  write(head);
  write(body);
  members_.push_back(member);
}

std::string ZipStore::list_entry(const Member& member) const {
  const bool wide_size = is_wide(member.size), wide_begin = is_wide(member.begin);
  Fields numbers;
  if (wide_size) numbers.add(member.size).add(member.size);
  if (wide_begin) numbers.add(member.begin);
  const Fields extra = zip64_extra(numbers);
  const std::uint16_t version = wide_size || wide_begin ? version_zip64 : version_plain;
  const std::uint32_t size = narrow(member.size, wide_size);
  Fields entry;
  entry.add(list_header).add(version).add(version).add(std::uint16_t{0}).add(stored);
  entry.add(midnight).add(first_of_january_1980).add(member.checksum).add(size).add(size);
  entry.add(static_cast<std::uint16_t>(member.name.size())).add(extra.size());
  entry.add(std::uint16_t{0}).add(std::uint16_t{0}).add(std::uint16_t{0}).add(std::uint32_t{0});
  entry.add(narrow(member.begin, wide_begin)).add(member.name).add(extra.bytes());
  return entry.bytes();
}

std::string ZipStore::end_of_list(std::uint64_t begin, std::uint64_t size) const {
  const std::uint64_t count = members_.size();
  const bool wide = is_wide(begin) || is_wide(size) || count >= see_zip64_count;
  Fields end;
  if (wide) {
    constexpr std::uint64_t rest_of_record = 44;
    end.add(wide_end_header).add(rest_of_record).add(version_zip64).add(version_zip64);
    end.add(std::uint32_t{0}).add(std::uint32_t{0}).add(count).add(count).add(size).add(begin);
    end.add(wide_end_locator).add(std::uint32_t{0}).add(begin + size).add(std::uint32_t{1});
  }
  const std::uint16_t short_count = wide ? see_zip64_count : static_cast<std::uint16_t>(count);
  end.add(end_header).add(std::uint16_t{0}).add(std::uint16_t{0}).add(short_count).add(short_count);
  end.add(narrow(size, wide)).add(narrow(begin, wide)).add(std::uint16_t{0});
  return end.bytes();
}

void ZipStore::finish() {
  const std::uint64_t begin = written_;
  for (const Member& member : members_) write(list_entry(member));
  write(end_of_list(begin, written_ - begin));
}

}  // namespace shoal::io
