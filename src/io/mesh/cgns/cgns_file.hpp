// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cgnslib.h>

#include <filesystem>

#include "io/mesh/cgns/cgns_lists.hpp"
#include "io/mesh/cgns/cgns_zone.hpp"

namespace shoal::io {

constexpr std::size_t cgns_name_bytes = 33;

/// Zone in a file: the numbers by which the library finds it.
struct CgnsZoneKey {
  int base = 1, zone = 1;
  std::string path;  ///< "base/zone"
};

/// CGNS file that is open for reading.
class CgnsFile {
 public:
  explicit CgnsFile(const std::filesystem::path& path);
  ~CgnsFile() { cg_close(file_); }
  CgnsFile(const CgnsFile&) = delete;
  CgnsFile& operator=(const CgnsFile&) = delete;

  int number() const { return file_; }
  const std::string& name() const { return name_; }

  /// @throws Error  with the message of the library, if `status` is none of success
  void check(int status, const std::string& what) const {
    require(status == CG_OK, name_, ": ", what, " failed: ", cg_get_error(), ".");
  }
  /// Returns a count of the file as a size. Each item takes 4 bytes or more, or a thirtieth of that if it is compressed.
  /// @throws Error  more than the file can hold
  std::size_t possible(std::int64_t count, const std::string& zone, const char* items) const;
  std::int64_t most_items() const { return most_items_; }

  /// Sections of an unstructured zone.
  std::vector<CgnsSection> sections(const CgnsZoneKey& key, const CgnsZone& zone) const;
  /// Boundary conditions of a zone.
  /// @param indices  number of indices of the zone: 1, or of a structured zone 2 or 3
  std::vector<CgnsCondition> conditions(const CgnsZoneKey& key, const CgnsZone& zone, std::size_t indices) const;

 private:
  CgnsSection section(const CgnsZoneKey& key, const CgnsZone& zone, int number) const;
  CgnsCondition condition(const CgnsZoneKey& key, const CgnsZone& zone, std::size_t indices, int number) const;
  CGNS_ENUMT(BCType_t) type_of_family(const CgnsZoneKey& key, int condition) const;

  std::string name_;
  std::int64_t most_items_;  ///< largest count that a file of this size can have
  std::map<std::string, CgnsLists> lists_;
  int file_ = 0;
};

}  // namespace shoal::io
