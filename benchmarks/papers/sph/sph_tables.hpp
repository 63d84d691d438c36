// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "papers/result_csv.hpp"
#include "papers/sph/sph_measure.hpp"

// Tables 1 to 3 of Massidda on this machine, printed and as files.
namespace shoal::benchmarks {

/// Settings of every table.
struct SphTables {
  Queue queue;
  std::vector<std::string> methods;
  std::vector<int> cases;       ///< numbers of the paper's cases, 1 to 3; table 2 takes the last one
  std::filesystem::path out;    ///< folder for files; empty: none
  std::int64_t most_steps = 0;  ///< largest number of steps of tables 1 and 3; 0: as many as the paper
  double core_seconds = 0;      ///< s after which a measurement on one CPU core stops; 0: never
  double most_seconds = 0;      ///< s after which a profile stops; 0: never

  /// File of a table, if there are files.
  std::optional<ResultCsv> file(const std::string& name, const std::vector<std::string>& columns) const {
    return out.empty() ? std::nullopt : std::optional<ResultCsv>(std::in_place, out / (name + ".csv"), columns);
  }
};

/// Tables 1 and 3: times of the paper's cases on one CPU core and with every method, in both schemes.
void measure_times(const SphTables& tables);

/// Table 2: kernels of a step.
void measure_profiles(const SphTables& tables);

}  // namespace shoal::benchmarks
