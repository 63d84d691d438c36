// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace shoal::io {

/// Arrays of a section whose elements have different lengths: NGON_n, NFACE_n or MIXED.
struct CgnsLists {
  std::vector<std::int64_t> start;    ///< [elements + 1] CSR offsets into `entries`
  std::vector<std::int64_t> entries;  ///< nodes, or faces with their signs; in MIXED the type precedes the nodes
  std::vector<std::int64_t> parents;  ///< [2][elements] elements on both sides, 0: none; empty if the file has none
};

/// Reads the lists of all zones of a CGNS file, before the library opens it: the library believes their counts.
///
/// Files of version 3.4 and newer have offsets, `ElementStartOffset`. Older ones have the length in front of each element;
/// the result is the same.
/// @param most_items  largest length that an array of a file of this size can have
/// @return            by "base/zone/section"
/// @throws Error      the file is no CGNS; lists without offsets, of another length than those, or cut short
std::map<std::string, CgnsLists> read_cgns_lists(const std::filesystem::path& file, std::int64_t most_items);

}  // namespace shoal::io
