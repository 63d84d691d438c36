// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>

#include <span>
#include <string>
#include <vector>

#include "deposit_problem.hpp"
#include "deposit_report.hpp"
#include "paper_figure.hpp"

namespace shoal::cli {

/// One number of particles, three values each, in double. Timings without iterations are of what could not run.
struct DepositTimings {
  std::int64_t particles = 0;
  std::int64_t nodes = 0;
  CellCounts cells;
  Timing serial;                ///< on one CPU thread, once
  Timing sort;                  ///< bin() and three reorder() on the device
  std::vector<Timing> methods;  ///< to_nodes() by each row on the device, its particles sorted
  std::vector<std::string> failures;

  /// The fewest bytes: places and values of particles in, nodes out.
  double least_bytes() const {
    constexpr double in = 6, out = 3;
    return sizeof(double) * (in * static_cast<double>(particles) + out * static_cast<double>(nodes));
  }
};

/// The rows for a device that are measured: all but `serial`, which all are held against.
std::vector<std::string> measured_methods(DeviceKind device);

/// Measures every row with particles and nodes on the device. A row whose nodes are not those of `serial` is a failure.
DepositTimings measure_deposit(const Queue& queue, const DepositProblem& problem, const MeasureOptions& options);

}  // namespace shoal::cli
