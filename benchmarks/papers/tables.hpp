// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// Tables of a paper measured again: times and ratios by the size of the problem, the paper's beside ours.
namespace shoal::benchmarks {

/// Curve of the paper or of a measurement.
struct TableCurve {
  std::string name;            ///< label; no commas, which separate the columns of a CSV file
  std::vector<double> values;  ///< one for each size; NaN where there is none
  bool is_from_paper = false;
};

struct PaperTable {
  std::string title;  ///< quantity with unit
  std::vector<TableCurve> curves;
};

/// Sizes of the problems.
struct TableSizes {
  std::string unit;                 ///< objects that are counted, such as "particles"
  std::vector<std::int64_t> ours;   ///< sizes of measured curves
  std::vector<std::int64_t> paper;  ///< sizes of the paper's curves
};

/// Number for a printed table; "-" for NaN.
std::string or_dash(double value);

/// Number for a CSV file; nothing for NaN.
std::string or_nothing(double value);

/// Writes FOLDER/NAME.csv and FOLDER/NAME.svg.
/// @param title  title of the plot
void write_curves(const std::filesystem::path& folder, const std::string& name, const std::string& title,
                  const TableSizes& sizes, const PaperTable& table);

}  // namespace shoal::benchmarks
