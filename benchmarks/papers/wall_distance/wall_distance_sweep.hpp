// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <iosfwd>

#include "papers/wall_distance/wall_distance_tables.hpp"

// "Auxiliary grid resolution optimization" of the paper's slides: times by the resolution of the auxiliary grid.
namespace shoal::benchmarks {

/// Times of methods by the resolution of the auxiliary grid.
struct WallSweep {
  std::vector<WallMethod> methods;  ///< methods with an auxiliary grid, without their resolution
  WallTimings timings;              ///< [methods][resolutions]
};

/// Measures the serial T1 and T2, and the rows of table 3 among `methods`, with every resolution of the slides, and with
/// the 79 cells along each axis of the paper's tables.
WallSweep measure_sweep(const Queue& queue, const WallCase& wall_case, const std::vector<WallMethod>& methods,
                        const MeasureOptions& options);

/// Prints a line for each method, the paper's beside ours.
void print_sweep(const WallSweep& sweep, std::ostream& out);

/// Writes FOLDER/auxiliary_grid.csv and .svg.
void write_sweep(const WallSweep& sweep, const std::filesystem::path& folder);

}  // namespace shoal::benchmarks
