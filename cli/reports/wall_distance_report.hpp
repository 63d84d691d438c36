// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/json.hpp>
#include <shoal/io/statistics.hpp>
#include <shoal/wall_distance.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/output.hpp"

namespace shoal::cli {

/// Wall and its number of faces.
struct WallFaces {
  std::string name;
  std::int64_t faces = 0;
};

/// Settings and results of `shoal wall_distance`.
struct WallDistanceReport {
  std::string mesh;  ///< file of the mesh
  int dimensions = 0;
  std::int64_t cells = 0, nodes = 0;
  std::vector<WallFaces> walls;        ///< walls in the order of their numbers
  std::string points;                  ///< "cells", "nodes", or "points" of a file
  std::string points_file;             ///< file of the points; empty: they are those of the mesh
  std::string target, method, device;  ///< target: "face" or "face_center"
  bool is_signed = false;
  FarField far_field;
  io::DistanceCounts distance;
  io::FarFieldCounts far_field_counts;           ///< set only with a far field
  std::optional<WallFacesTested> tested;         ///< faces tested for all points together; none: not counted
  std::int64_t plan_bytes = 0, query_bytes = 0;  ///< B, memory of the plan before the search, and growth by the search
  double reading = 0;                            ///< s
  double copying = 0;                            ///< s, to the device and back
  double building = 0;                           ///< s, of the plan
  double finding = 0;                            ///< s
  double writing = 0;                            ///< s
  std::string out;                               ///< output file; empty: none
  std::vector<std::string> fields;               ///< files of a field of OpenFOAM, one for each part of the case

  bool writes() const { return !out.empty() || !fields.empty(); }
  bool has_far_field() const { return far_field.tolerance > 0; }
  std::int64_t faces() const;
  /// Rate of the search, 1/s; 0 if the search was too short for the clock.
  double queries_per_second() const;
  double per_query(std::int64_t total) const;
  double bytes_per_face() const;
  double bytes_per_query() const;
};

std::string report_text(const WallDistanceReport& report);
io::JsonObject report_json(const WallDistanceReport& report);

/// Bar chart of the distances: points on the walls, then decades.
std::string histogram_text(const io::DistanceCounts& counts, const Terminal& terminal);

}  // namespace shoal::cli
