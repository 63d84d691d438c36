// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>
#include <shoal/wall_cases.hpp>

#include <string>
#include <vector>

#include "paper_figure.hpp"

namespace shoal::cli {

/// Of one row; without iterations where it could not run.
struct WallMethodTimings {
  Timing build;  ///< of the plan, from a mesh in host memory
  Timing find;   ///< distance and face of all points, which are on the device as the answers are
};

/// One mesh and its points.
struct WallTimings {
  std::int64_t points = 0, faces = 0;
  Timing serial;                           ///< on one CPU thread; worked out for all points
  std::int64_t serial_points = 0;          ///< that it was measured with
  WallMethodTimings advancing;             ///< the serial advancing boundary, on one CPU thread
  std::vector<WallMethodTimings> methods;  ///< in the order of the rows asked for
  std::vector<std::string> failures;

  std::int64_t pairs() const { return points * faces; }
};

/// Measures rows with points and answers on the device. `serial` sees as many points, evenly spread, as it can in
/// `most_seconds`; a row that does not give them the same distances and faces, bit for bit, is a failure.
/// @param about  in 2-D
WallTimings measure_walls(const Queue& queue, const WallCase& about, const std::vector<std::string>& methods,
                          const MeasureOptions& options);

}  // namespace shoal::cli
