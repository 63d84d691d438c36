// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/json.hpp>
#include <shoal/neighbors.hpp>

#include <string>
#include <vector>

#include "neighbor_counts.hpp"
#include "terminal.hpp"

namespace shoal::cli {

/// What `shoal neighbors` did and found.
struct NeighborsReport {
  std::string points;             ///< file
  std::vector<std::string> axes;  ///< what the file calls its coordinates
  std::string sources;            ///< file; empty: the points themselves
  std::int64_t source_count = 0;
  Box box;
  double radius = 0;  ///< m
  NeighborsOptions options;
  std::string method, device, precision;
  NeighborCounts counts;
  double reading = 0;    ///< s
  double copying = 0;    ///< s, to the device and back
  double searching = 0;  ///< s
  double writing = 0;    ///< s
  std::string out;       ///< file; empty: none
};

std::string report_text(const NeighborsReport& report);
io::JsonObject report_json(const NeighborsReport& report);

}  // namespace shoal::cli
