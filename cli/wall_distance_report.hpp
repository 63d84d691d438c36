// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>
#include <shoal/io/json.hpp>
#include <shoal/wall_distance.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "terminal.hpp"

namespace shoal::cli {

/// Points whose distance, without its sign, is at least `from` and less than `to`, in m.
struct DistanceBin {
  double from = 0, to = 0;
  std::int64_t points = 0;
};

/// How far points are from the walls.
struct DistanceCounts {
  std::int64_t points = 0, on_wall = 0;  ///< on_wall: at exactly 0
  std::int64_t inside = 0;               ///< at less than 0
  double least = 0, most = 0;            ///< m
  std::vector<DistanceBin> decades;      ///< of the others: powers of ten, at most 20; what is nearer is in the first
};

/// @param distance  [points] m, in host memory
DistanceCounts count_distances(View<const double> distance);

/// What lower bounds prove of distances with a tolerance.
struct ProvenCounts {
  std::int64_t exact = 0;  ///< points whose distance is the true one
  double excess = 0;       ///< what any distance is at most too large, in shares of the true one
};

/// @param distance,lower  [points] m, in host memory
ProvenCounts count_proven(View<const double> distance, View<const double> lower);

struct WallFaces {
  std::string name;
  std::int64_t faces = 0;
};

/// What `shoal wall-distance` did and found.
struct WallDistanceReport {
  std::string mesh;  ///< file
  int dimensions = 0;
  std::int64_t cells = 0, nodes = 0;
  std::vector<WallFaces> walls;  ///< in the order of their numbers
  std::string points;            ///< what was asked about: "cells", "nodes"
  std::string to, method, device;
  bool is_signed = false;
  FarField far_field;
  DistanceCounts distance;
  ProvenCounts proven;                           ///< with a far field
  std::optional<WallFacesTested> tested;         ///< for all points together; none: not counted
  std::int64_t plan_bytes = 0, query_bytes = 0;  ///< memory of the plan before the search, and what that added
  double reading = 0;                            ///< s
  double copying = 0;                            ///< s, to the device and back
  double building = 0;                           ///< s, of the plan
  double finding = 0;                            ///< s
  double writing = 0;                            ///< s
  std::string out;                               ///< file; empty: none

  bool has_far_field() const { return far_field.tolerance > 0; }
  std::int64_t faces() const;
  /// 0 if it took no time that the clock saw.
  double queries_per_second() const;
  double per_query(std::int64_t total) const;
  double bytes_per_face() const;
  double bytes_per_query() const;
};

std::string report_text(const WallDistanceReport& report);
io::JsonObject report_json(const WallDistanceReport& report);

/// A line for the points on the walls, and one a decade.
std::string histogram_text(const DistanceCounts& counts, const Terminal& terminal);

}  // namespace shoal::cli
