// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/deposit.hpp>
#include <shoal/io/json.hpp>
#include <shoal/io/statistics.hpp>

#include <string>
#include <vector>

namespace shoal::cli {

/// Totals of one value on particles and on nodes.
struct ValueTotals {
  std::string name;
  double particles = 0;   ///< Σ value of the particles
  double magnitudes = 0;  ///< Σ |value| of the particles
  double lost = 0;        ///< Σ value of the skipped particles
  double nodes = 0;       ///< Σ value of the nodes

  /// Difference of the totals relative to the sum of magnitudes; 0 if all values are 0.
  double difference() const { return magnitudes > 0 ? (nodes + lost - particles) / magnitudes : 0; }
};

/// Settings and results of `shoal deposit`.
struct DepositReport {
  std::string points;             ///< file of the particles
  std::vector<std::string> axes;  ///< names of the coordinates in the file
  std::int64_t particles = 0;
  Grid grid;
  DepositShape shape = DepositShape::cic;
  DepositOutside outside = DepositOutside::error;
  std::int64_t skipped = 0;
  std::string method, device, precision;
  io::CellCounts cells;
  std::vector<ValueTotals> values;
  double reading = 0;     ///< s
  double copying = 0;     ///< s, to the device and back
  double binning = 0;     ///< s
  double depositing = 0;  ///< s, to nodes, and to cells if they are written
  double writing = 0;     ///< s
  std::string out;        ///< output file; empty: none
};

std::string report_text(const DepositReport& report);
io::JsonObject report_json(const DepositReport& report);

}  // namespace shoal::cli
