// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/formats/text/csv.hpp"
#include "support/result_header.hpp"

namespace shoal::benchmarks {

/// CSV result file: the origin of its numbers in comments, then the table.
class ResultCsv : public io::Csv {
 public:
  /// @param columns  names with units, such as "time [s]"
  /// @throws Error  the file cannot be written
  ResultCsv(std::filesystem::path path, const std::vector<std::string>& columns)
      : Csv(std::move(path), columns, {}, result_header().lines()) {}
};

/// A result file, or nothing without a path.
/// @throws Error  as require_clean(); the file cannot be written
inline std::optional<ResultCsv> open_result(const std::filesystem::path& path, const std::vector<std::string>& columns,
                                            bool is_dirty_kept) {
  if (path.empty()) return std::nullopt;
  require_clean(result_header().commit, is_dirty_kept);
  return std::optional<ResultCsv>(std::in_place, path, columns);
}

}  // namespace shoal::benchmarks
