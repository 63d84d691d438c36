// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <iosfwd>

#include "papers/tables.hpp"
#include "papers/wall_distance/wall_distance_measure.hpp"
#include "papers/wall_distance/wall_distance_paper.hpp"

// Measurements on the paper's grids in the layout of its tables.
namespace shoal::benchmarks {

/// Line of a table: one method of the paper, of shoal, or of both.
struct WallLine {
  int table;                                    ///< table of the paper; 0: not in the paper
  std::string name;                             ///< name in the paper; empty: not in the paper
  std::string method;                           ///< method of shoal; empty: none was measured on this device
  std::array<double, paper_grids> build, time;  ///< ms, measured
  std::array<double, paper_grids> paper;        ///< ms, time in the paper
};

/// Measurements of every grid.
struct WallBench {
  std::vector<WallMethod> methods;
  std::vector<WallTimings> grids;  ///< one for each grid of the paper

  std::vector<WallLine> lines() const;  ///< lines of the paper's tables, then the other methods of shoal

  /// Measured time of a method, ms; `serial` on one CPU thread is one.
  double time(const WallMethod& method, std::size_t grid) const;
  /// Time that speed-ups of a table refer to, ms: the fastest measured serial code of reference_table().
  double reference(int table, std::size_t grid) const;
};

/// Name of a method, with its processor if that is not the device of the bench.
std::string name_with_processor(const WallMethod& method);

/// Methods of the paper's tables that run on a CPU, without `serial`.
std::vector<WallMethod> cpu_methods();

/// Prints tables 1 to 3 and the methods that are not in the paper; a line has the measured and the paper's numbers.
void print_tables(const WallBench& bench, std::ostream& out);

/// Writes FOLDER/tables.csv, a line for each method and grid, and the time by the number of pairs as table1 and table3,
/// .csv and .svg.
void write_tables(const WallBench& bench, const std::filesystem::path& folder);

}  // namespace shoal::benchmarks
