// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace shoal {

/// Slopes at the rows of a path, of which each interval has one cubic.
///
///     cubic_spline   continuous acceleration, which is 0 at both ends (natural spline)
///     monotone       no value outside those of the two rows around it (Fritsch and Carlson 1980); its acceleration jumps
enum class PathInterpolation { cubic_spline, monotone };

/// Displacement and angle at one time, with their rates.
struct PathKnot {
  double time;      ///< s
  double value[4];  ///< displacement along x, y, z, m; angle, degrees
  double slope[4];  ///< their derivatives in time
};

/// Displacement and angle of a body over time: between two knots the cubic with their values and slopes. Before the first
/// knot and after the last one the body rests.
///
///     shoal::MotionPath path({0, 1, 2}, {{0, 0, 0}, {0.1, 0, 0}, {0, 0, 0}});
class MotionPath {
 public:
  /// @param time          [n] s, two or more, each later than the one before
  /// @param displacement  [n] m, or empty: none
  /// @param angle         [n] degrees, or empty: none
  /// @throws Error  numbers that are not finite, times that do not grow, arrays of different lengths
  MotionPath(const std::vector<double>& time, const std::vector<std::array<double, 3>>& displacement,
             const std::vector<double>& angle = {}, PathInterpolation interpolation = PathInterpolation::cubic_spline);

  /// @param knots  one or more, each later than the one before
  /// @throws Error  numbers that are not finite, times that do not grow
  explicit MotionPath(std::vector<PathKnot> knots);

  const std::vector<PathKnot>& knots() const { return knots_; }

  /// Largest |derivative| of a value, by its number in PathKnot, in m/s or degrees/s.
  double max_rate(std::size_t number) const;

  /// Upper bound of |value|, by its number in PathKnot, in m or degrees.
  double max_value(std::size_t number) const;

  /// Returns true if the angle is not 0 at all times.
  bool turns() const;

 private:
  std::vector<PathKnot> knots_;
};

template <>
inline constexpr auto enumerator_names<PathInterpolation> = std::array<std::string_view, 2>{"cubic_spline", "monotone"};

}  // namespace shoal
