// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>
#include <shoal/io/json.hpp>

#include <string>
#include <vector>

namespace shoal::cli {

/// How many particles cells have.
struct CellCounts {
  std::int64_t cells = 0, particles = 0;  ///< particles that are in one
  std::int64_t most = 0, empty = 0;       ///< particles of the fullest cell; cells without any

  double mean() const { return static_cast<double>(particles) / static_cast<double>(cells); }
};

/// @param cell_start  [cells + 2] of a plan, in host memory
CellCounts count_particles(View<const std::int64_t> cell_start);

/// The totals of one value before and after.
struct ValueTotals {
  std::string name;
  double particles = 0;  ///< Σ value
  double sizes = 0;      ///< Σ |value|
  double lost = 0;       ///< of particles that were skipped
  double nodes = 0;      ///< Σ node

  /// What the sums differ by, over the sum of sizes; 0 if all values are 0.
  double difference() const { return sizes > 0 ? (nodes + lost - particles) / sizes : 0; }
};

/// What `shoal deposit` did and found.
struct DepositReport {
  std::string points;             ///< file
  std::vector<std::string> axes;  ///< what the file calls its coordinates
  std::int64_t particles = 0;
  Grid grid;
  DepositOutside outside = DepositOutside::error;
  std::int64_t skipped = 0;
  std::string method, device, precision;
  CellCounts cells;
  std::vector<ValueTotals> values;
  double reading = 0;     ///< s
  double copying = 0;     ///< s, to the device and back
  double binning = 0;     ///< s
  double depositing = 0;  ///< s, to nodes, and to cells if they are written
  double writing = 0;     ///< s
  std::string out;        ///< file; empty: none
};

std::string report_text(const DepositReport& report);
io::JsonObject report_json(const DepositReport& report);

}  // namespace shoal::cli
