// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace shoal::io {

/// Entries of one row of a CSR list.
/// @param start  [rows + 1] offsets into `entries`
inline std::span<const std::int64_t> csr_row(const std::vector<std::int64_t>& entries,
                                             const std::vector<std::int64_t>& start, std::size_t row) {
  const auto begin = static_cast<std::size_t>(start[row]), end = static_cast<std::size_t>(start[row + 1]);
  return std::span(entries).subspan(begin, end - begin);
}

}  // namespace shoal::io
