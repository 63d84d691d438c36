// SPDX-License-Identifier: Apache-2.0
#pragma once
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

}  // namespace shoal::benchmarks
