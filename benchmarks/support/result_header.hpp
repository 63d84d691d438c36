// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

// Origin of the numbers in a result file. docs/benchmarks.md has the format, tools/result_files.py reads it.
namespace shoal::benchmarks {

/// Facts above the rows of every result file.
struct ResultHeader {
  std::string machine;   ///< GPUs that the build can use, processor and number of its hardware threads
  std::string driver;    ///< version of the GPU's driver; "none" without a GPU
  std::string compiler;  ///< compiler and type of the build
  std::string commit;    ///< commit of the sources, with "-dirty" after changes; "unknown" without a repository
  std::string date;      ///< start of this program, UTC, as 2026-01-31T23:59:00Z
  std::string command;   ///< command line of this program, without its folder

  /// Names and values, in the order of the file.
  std::vector<std::pair<std::string, std::string>> fields() const;
  /// Lines "name: value", for io::Csv.
  std::vector<std::string> lines() const;
};

/// Facts of this program, which are gathered once.
const ResultHeader& result_header();

/// Refuses a result file for sources that differ from their commit.
/// @param commit         as in ResultHeader
/// @param is_dirty_kept  true: write the file, whose header then says "-dirty"
/// @throws Error  the commit ends with "-dirty"
void require_clean(const std::string& commit, bool is_dirty_kept);

}  // namespace shoal::benchmarks
