// SPDX-License-Identifier: Apache-2.0
// Ramp of a motion, and displacement and angle of a path at a time, with their first and second derivative in time.
#pragma once
#include <shoal/item/host_device.hpp>
#include <shoal/motion_path.hpp>

#include <cstdint>

namespace shoal::motion {

/// A function of time, its first and second derivative, and its integral from 0.
struct Ramp {
  double value, rate, acceleration, integral;
};

/// s³ (10 − 15 s + 6 s²) with s = time/length, and 1 from s = 1 on.
/// @param time    s, not negative where there is a ramp
/// @param length  s; 0: the ramp is 1 at all times
SHOAL_HD Ramp ramp_at(double time, double length) {
  if (length == 0 || time >= length) return {1, 0, 0, time - length / 2};
  const double s = time / length, rest = 1 - s;
  return {s * s * s * (10 - s * (15 - 6 * s)), 30 * s * s * rest * rest / length,
          60 * s * rest * (rest - s) / (length * length), length * (s * s * s * s) * (2.5 - s * (3 - s))};
}

/// Range of a path's knots in a table.
struct PathRange {
  std::int32_t first;
  std::int32_t count;      ///< 0: no path
  double inverse_spacing;  ///< 1/s, of knots that are evenly spaced; 0: they are not
};

/// Values of a path and their derivatives, in the units of PathKnot.
struct PathState {
  double value[4], rate[4], acceleration[4];
};

/// Number of the last knot at or before a time that is within the path.
SHOAL_HD std::int32_t knot_before(const PathKnot* knots, const PathRange& range, double time) {
  std::int32_t low = 0, high = range.count - 1;  // the knot is in [low, high)
  if (range.inverse_spacing > 0) {
    const auto guess = static_cast<std::int32_t>((time - knots[0].time) * range.inverse_spacing);
    low = guess < 1 ? 0 : guess - 1 < high ? guess - 1 : high - 1;
    high = low + 3 < high ? low + 3 : high;  // rounding may be off by one knot
  }
  while (high - low > 1) {
    const std::int32_t middle = low + (high - low) / 2;
    (knots[middle].time <= time ? low : high) = middle;
  }
  return low;
}

/// The cubic with the values and slopes of two knots (Hermite): q₀ + h (s m₀ + s² (3 Δ − 2 m₀ − m₁) + s³ (m₀ + m₁ − 2 Δ))
/// with s = (t − t₀)/h and Δ = (q₁ − q₀)/h.
/// @param table  all knots
SHOAL_HD PathState path_at(const PathKnot* table, const PathRange& range, double time) {
  PathState state{};
  if (range.count == 0) return state;
  const PathKnot* const knots = table + range.first;
  const PathKnot& last = knots[range.count - 1];
  if (range.count == 1 || time < knots[0].time || time > last.time) {
    const PathKnot& end = time < knots[0].time ? knots[0] : last;
    for (int k = 0; k < 4; ++k) state.value[k] = end.value[k];
    return state;
  }
  const std::int32_t index = knot_before(knots, range, time);
  const PathKnot& low = knots[index];
  const PathKnot& high = knots[index + 1];
  const double h = high.time - low.time, s = (time - low.time) / h;
  for (int k = 0; k < 4; ++k) {
    const double mean = (high.value[k] - low.value[k]) / h;
    const double square = 3 * mean - 2 * low.slope[k] - high.slope[k], cube = low.slope[k] + high.slope[k] - 2 * mean;
    state.value[k] = low.value[k] + h * s * (low.slope[k] + s * (square + s * cube));
    state.rate[k] = low.slope[k] + s * (2 * square + 3 * s * cube);
    state.acceleration[k] = (2 * square + 6 * s * cube) / h;
  }
  return state;
}

}  // namespace shoal::motion
