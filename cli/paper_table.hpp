// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "paper_figure.hpp"

// Tables of a paper measured again: times and ratios over the size of the problem, the paper's beside ours.
namespace shoal::cli {

/// A curve of the paper or of ours.
struct TableCurve {
  std::string name;            ///< without commas, which separate columns
  std::vector<double> values;  ///< one a size; NaN where there is none
  bool of_paper = false;
};

struct PaperTable {
  std::string title;  ///< with unit
  std::vector<TableCurve> curves;
};

/// What the values of curves belong to.
struct TableSizes {
  std::string of;                          ///< "particles"
  std::vector<std::int64_t> ours, papers;  ///< those of our curves and of the paper's
};

/// Of one iteration; NaN if none ran.
double ms(const Timing& timing);

/// A number for a table, "-" where there is none.
std::string or_dash(double value);

/// A number for a file, nothing where there is none.
std::string or_nothing(double value);

/// FOLDER/NAME.csv and FOLDER/NAME.svg.
/// @param title  of the plot
void write_curves(const std::filesystem::path& folder, const std::string& name, const std::string& title,
                  const TableSizes& sizes, const PaperTable& table);

}  // namespace shoal::cli
