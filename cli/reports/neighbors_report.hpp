// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/json.hpp>
#include <shoal/io/statistics.hpp>
#include <shoal/neighbors.hpp>

#include <string>
#include <vector>

#include "support/output.hpp"

namespace shoal::cli {

/// Settings and results of `shoal neighbors`.
struct NeighborsReport {
  std::string points;             ///< file of the points
  std::vector<std::string> axes;  ///< names of the coordinates in the file
  std::string sources;            ///< file of the sources; empty: the points themselves
  std::int64_t source_count = 0;
  Box box;
  double radius = 0;  ///< m
  NeighborsOptions options;
  std::string method, device, precision;
  io::NeighborCounts counts;
  double reading = 0;    ///< s
  double copying = 0;    ///< s, to the device and back
  double searching = 0;  ///< s
  double writing = 0;    ///< s
  std::string out;       ///< output file; empty: none
};

std::string report_text(const NeighborsReport& report);
io::JsonObject report_json(const NeighborsReport& report);

/// Bar chart of the number of neighbors.
std::string histogram_text(const io::NeighborCounts& counts, const Terminal& terminal);

}  // namespace shoal::cli
