// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/rigid_transform.hpp>

#include <array>
#include <string_view>

namespace shoal {

enum class MotionKind { none, translation, oscillation, rotation, pitch };

/// Motion of a rigid wall or body from where it was drawn.
///
///     translation   shift = velocity · t
///     oscillation   shift = amplitude · sin(2π frequency t + phase)
///     rotation      angle = angular_velocity · t
///     pitch         angle = mean_angle + angle_amplitude · sin(2π frequency t + phase)
///
/// Angles are about the line through `about` along `axis`, counter-clockwise seen from the tip of the axis.
struct Motion {
  MotionKind kind = MotionKind::none;
  std::array<double, 3> velocity{};     ///< m/s
  std::array<double, 3> amplitude{};    ///< m
  double frequency = 0;                 ///< Hz
  double phase = 0;                     ///< degrees
  double angular_velocity = 0;          ///< degrees/s
  double mean_angle = 0;                ///< degrees
  double angle_amplitude = 0;           ///< degrees
  std::array<double, 3> about{};        ///< m, a point of the axis
  std::array<double, 3> axis{0, 0, 1};  ///< direction of the axis, of any length; z in 2-D

  /// Position of the body at a time.
  /// @param time  s
  RigidTransform at(double time) const;

  /// Upper bound of the speed of all points within a distance of `about`, m/s.
  /// @param distance  m
  double max_speed(double distance) const;
};

template <>
inline constexpr auto enumerator_names<MotionKind> =
    std::array<std::string_view, 5>{"none", "translation", "oscillation", "rotation", "pitch"};

}  // namespace shoal
