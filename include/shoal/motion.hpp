// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/motion_path.hpp>
#include <shoal/rigid_transform.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

enum class MotionKind { none, translation, oscillation, rotation, pitch, file };

/// Motion of a rigid wall or body from where it was drawn. With the ramp r and the time τ = t − start:
///
///     translation   shift = velocity · ∫ r dτ
///     oscillation   shift = r · amplitude · sin(2π frequency τ + phase)
///     rotation      angle = angular_velocity · ∫ r dτ
///     pitch         angle = mean_angle + r · angle_amplitude · sin(2π frequency τ + phase)
///     file          shift = r · the path's displacement(τ), angle = r · the path's angle(τ)
///
/// r = s³ (10 − 15 s + 6 s²) with s = τ/ramp, and 1 from τ = ramp on: velocities and accelerations have no jump at either
/// end. Before `start`, or with a ramp before t = 0, the body rests where it is at τ = 0. Without both r = 1 and τ = t at all
/// times.
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
  std::optional<double> start{};        ///< s, time at which the motion begins; none: it has always been under way
  double ramp = 0;                      ///< s, time that it takes to reach its full size; 0: none
  std::string file{};                   ///< CSV file from which `path` is read; empty: none
  std::vector<std::string> columns{};   ///< columns of the file: x, y, z in m, angle in degrees
  PathInterpolation interpolation = PathInterpolation::cubic_spline;  ///< interpolation between the rows of the file
  std::shared_ptr<const MotionPath> path{};                           ///< motion of kind `file`

  /// Position of the body at a time.
  /// @param time  s
  RigidTransform at(double time) const;

  /// Upper bound of the speed of all points within a distance of `about`, m/s: of the motion itself, to which a ramp adds
  /// the growth of its displacement.
  /// @param distance  m
  double max_speed(double distance) const;
};

template <>
inline constexpr auto enumerator_names<MotionKind> =
    std::array<std::string_view, 6>{"none", "translation", "oscillation", "rotation", "pitch", "file"};

}  // namespace shoal
