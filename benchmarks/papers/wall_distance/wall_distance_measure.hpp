// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <string>
#include <vector>

#include "papers/wall_distance/wall_distance_paper.hpp"
#include "support/harness.hpp"
#include "wall_distance/cases/wall_cases.hpp"

namespace shoal::benchmarks {

using wall_distance::WallCase;

/// Measurements of one method; without iterations if it failed.
struct WallMethodTimings {
  Timing build;  ///< construction of the plan from a mesh in host memory
  Timing find;   ///< distance and face of every point; points and results are on the device
};

/// Measurements of one mesh with its points.
struct WallTimings {
  std::int64_t points = 0, faces = 0;
  Timing serial;                           ///< `serial` on one CPU thread, extrapolated to all points
  std::int64_t serial_points = 0;          ///< number of points that `serial` was measured with
  std::vector<WallMethodTimings> methods;  ///< one for each method of the call, in its order
  std::vector<std::string> failures;

  std::int64_t pairs() const { return points * faces; }
};

/// A method to measure.
struct WallMethod {
  std::string name;
  Processor processor = Processor::device;
  std::int64_t auxiliary_cells = 0;  ///< WallDistanceOptions::auxiliary_cells

  bool operator==(const WallMethod&) const = default;
};

/// Measures methods with points and results on the device. `serial` has as many points, evenly spread, as it can process
/// in `most_seconds`. Methods on one CPU thread run once. A method whose distances or faces differ from those in any bit is a failure.
/// @param wall_case  in 2-D
WallTimings measure_walls(const Queue& queue, const WallCase& wall_case, const std::vector<WallMethod>& methods,
                          const MeasureOptions& options);

}  // namespace shoal::benchmarks
