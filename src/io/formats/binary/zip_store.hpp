// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace shoal::io {

/// Writer of a zip file with uncompressed members. It uses the 64-bit fields of zip64 where a size or an offset needs
/// them. All members are dated 1 January 1980, so that the same members give the same bytes.
///
/// Source: PKWARE, APPNOTE.TXT 6.3.
class ZipStore {
 public:
  /// @param zip64_from  smallest size or offset that is written with 64 bits; lower than the default only in tests
  explicit ZipStore(std::ostream& out, std::uint64_t zip64_from = 0xFFFFFFFF) : out_(out), zip64_from_(zip64_from) {}

  /// Adds a member that consists of the bytes of `head` and then those of `body`.
  void add(const std::string& name, std::span<const std::byte> head, std::span<const std::byte> body);

  /// Writes the list of members, which ends the file.
  void finish();

 private:
  struct Member {
    std::string name;
    std::uint32_t checksum = 0;
    std::uint64_t size = 0, begin = 0;
  };
  bool is_wide(std::uint64_t number) const { return number >= zip64_from_; }
  void write(std::span<const std::byte> bytes);
  void write(const std::string& bytes);
  std::string list_entry(const Member& member) const;
  std::string end_of_list(std::uint64_t begin, std::uint64_t size) const;

  std::ostream& out_;
  std::uint64_t zip64_from_;
  std::uint64_t written_ = 0;
  std::vector<Member> members_;
};

}  // namespace shoal::io
