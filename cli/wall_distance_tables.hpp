// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <iosfwd>

#include "paper_table.hpp"
#include "wall_distance_measure.hpp"
#include "wall_distance_paper.hpp"

// Measurements on the paper's grids as its tables show them.
namespace shoal::cli {

/// One way to find distances, the paper's and ours.
struct WallLine {
  int table;                                    ///< of the paper; 0: none has it
  std::string name;                             ///< the paper's; empty: it has none
  std::string method;                           ///< ours; empty: none on this device was measured
  std::array<double, paper_grids> build, time;  ///< ms, ours
  std::array<double, paper_grids> paper;        ///< ms
};

struct WallBench {
  std::vector<std::string> methods;
  std::vector<WallTimings> grids;  ///< as many as the paper has

  std::vector<WallLine> lines() const;  ///< those of the paper's tables, then the rest of ours
  double serial(std::size_t grid) const { return ms(grids[grid].serial); }
};

/// Tables 1 to 3 and our own methods, each line with ours and the paper's numbers.
void print_tables(const WallBench& bench, std::ostream& out);

/// FOLDER/tables.csv, a line for each way and grid; and time over pairs as table1 and table3, .csv and .svg.
void write_tables(const WallBench& bench, const std::filesystem::path& folder);

}  // namespace shoal::cli
