// SPDX-License-Identifier: Apache-2.0
// Largest speed of an inlet over time, and how far it has carried the fluid.
#pragma once
#include <shoal/sph/open_boundary.hpp>

#include <vector>

#include "core/real.hpp"

namespace shoal::sph {

/// Speed of an inlet at a time.
struct InflowKnot {
  double time;   ///< s
  double speed;  ///< m/s
};

/// Speed of an inlet: linear between knots, constant before the first and after the last one. The same bits on host and
/// device, so that as many particles enter.
struct InflowSpeed {
  const InflowKnot* knots;  ///< times ascend; two equal ones at a jump
  int count;

  /// Speed at a time, m/s.
  SHOAL_HD double speed(double time) const {
    if (time <= knots[0].time) return knots[0].speed;
    for (int k = 1; k < count; ++k) {
      if (time >= knots[k].time) continue;
      const InflowKnot &before = knots[k - 1], &after = knots[k];
      return fma((time - before.time) / (after.time - before.time), after.speed - before.speed, before.speed);
    }
    return knots[count - 1].speed;
  }

  /// Integral of the speed from 0 to a time, m.
  SHOAL_HD double distance(double time) const { return from_first(time) - from_first(0); }

 private:
  /// Integral of the speed from the first knot on, m.
  SHOAL_HD double from_first(double time) const {
    if (time <= knots[0].time) return rounded_product(time - knots[0].time, knots[0].speed);
    double sum = 0;
    for (int k = 1; k < count && knots[k - 1].time < time; ++k) {
      const double end = min(time, knots[k].time);
      sum = fma(end - knots[k - 1].time, (knots[k - 1].speed + speed(end)) / 2, sum);
    }
    return fma(max(0.0, time - knots[count - 1].time), knots[count - 1].speed, sum);
  }
};

/// Knots of the speed of an inlet. @param boundary  an inlet that is valid
inline std::vector<InflowKnot> inflow_knots(const OpenBoundary& boundary) {
  if (boundary.speeds.empty())
    return {{0, boundary.ramp > 0 ? 0 : *boundary.velocity}, {boundary.ramp, *boundary.velocity}};
  std::vector<InflowKnot> knots;
  for (std::size_t k = 0; k < boundary.speeds.size(); ++k) knots.push_back({boundary.times[k], boundary.speeds[k]});
  return knots;
}

}  // namespace shoal::sph
