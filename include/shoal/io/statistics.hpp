// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include <cstdint>
#include <vector>

// Statistics of results in host memory: neighbors of points, particles of cells, distances from walls.
namespace shoal::io {

/// Number of points with `from` to `to` neighbors, both included.
struct CountBin {
  std::int64_t from = 0, to = 0, points = 0;
};

/// Statistics of the number of neighbors of a point.
struct NeighborCounts {
  std::int64_t points = 0;           ///< number of points
  std::int64_t total = 0;            ///< number of neighbors of all points together
  std::int64_t least = 0, most = 0;  ///< smallest and largest number of neighbors of a point
  std::int64_t without = 0;          ///< number of points without neighbors
  double mean = 0;                   ///< total / points
  double deviation = 0;              ///< population standard deviation of the number of neighbors
  std::vector<CountBin> histogram;   ///< bins of equal width, 1, 2 or 5 times a power of ten; at most 20
};

/// Counts the neighbors of every point.
/// @param offsets  [points + 1] offsets of a neighbor list, in host memory
NeighborCounts count_neighbors(View<const std::int64_t> offsets);

/// Statistics of the number of particles in a cell.
struct CellCounts {
  std::int64_t cells = 0;      ///< number of cells
  std::int64_t particles = 0;  ///< number of particles in cells
  std::int64_t most = 0;       ///< number of particles in the fullest cell
  std::int64_t empty = 0;      ///< number of cells without particles

  double mean() const { return static_cast<double>(particles) / static_cast<double>(cells); }
};

/// Counts the particles of every cell.
/// @param cell_start  [cells + 2] CSR offsets of a plan such as Deposit, in host memory
CellCounts count_particles(View<const std::int64_t> cell_start);

/// Number of points whose absolute distance d satisfies `from` <= d < `to`, both in m.
struct DistanceBin {
  double from = 0, to = 0;
  std::int64_t points = 0;
};

/// Statistics of distances from walls.
struct DistanceCounts {
  std::int64_t points = 0;     ///< number of points
  std::int64_t on_wall = 0;    ///< number of points at distance 0
  std::int64_t inside = 0;     ///< number of points at a negative distance
  double least = 0, most = 0;  ///< m, smallest and largest signed distance
  /// Histogram of nonzero distances by powers of ten. It has at most 20 bins; the first one begins at 0.
  std::vector<DistanceBin> decades;
};

/// Computes the statistics of wall distances.
/// @param distance  [points] m, in host memory
DistanceCounts count_distances(View<const double> distance);

/// Statistics of distances that are exact only near walls (FarField).
struct FarFieldCounts {
  std::int64_t exact = 0;  ///< number of points whose distance is exact
  double excess = 0;       ///< largest possible relative error of a distance
};

/// Computes the statistics of distances with lower bounds.
/// @param distance,lower  [points] m, distances and their lower bounds, in host memory
FarFieldCounts count_far_field(View<const double> distance, View<const double> lower);

}  // namespace shoal::io
