// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include "core/motion_item.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

constexpr double pi = std::numbers::pi, radians = pi / 180;

double length(const std::array<double, 3>& vector) { return std::hypot(vector[0], vector[1], vector[2]); }

}  // namespace

namespace motion {

MotionParameters make_parameters(const Motion& motion, const std::array<double, 3>& origin) {
  const bool is_periodic = motion.kind == MotionKind::oscillation || motion.kind == MotionKind::pitch;
  MotionParameters p{};
  p.turns = motion.kind == MotionKind::rotation || motion.kind == MotionKind::pitch;
  if (is_periodic) {
    p.angular_frequency = 2 * pi * motion.frequency;
    p.phase = motion.phase * radians;
  }
  if (motion.kind == MotionKind::rotation) p.angular_velocity = motion.angular_velocity;
  if (motion.kind == MotionKind::pitch) {
    p.mean_angle = motion.mean_angle;
    p.angle_amplitude = motion.angle_amplitude;
  }
  const double axis_length = length(motion.axis);
  require(!p.turns || (axis_length > 0 && std::isfinite(axis_length)), "motion: the axis is (", motion.axis[0], ", ",
          motion.axis[1], ", ", motion.axis[2], "), expected finite numbers that are not all 0.");
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (motion.kind == MotionKind::translation) p.velocity[axis] = motion.velocity[axis];
    if (motion.kind == MotionKind::oscillation) p.amplitude[axis] = motion.amplitude[axis];
    if (!p.turns) continue;
    p.about[axis] = motion.about[axis] - origin[axis];
    p.axis[axis] = motion.axis[axis] / axis_length;
  }
  return p;
}

}  // namespace motion

RigidTransform Motion::at(double time) const {
  const auto pose = motion::pose_at<3>(motion::make_parameters(*this), time);
  RigidTransform transform;
  for (std::size_t row = 0; row < 3; ++row) {
    transform.translation[row] = pose.position.shift[row];
    for (std::size_t column = 0; column < 3; ++column)
      transform.rotation[3 * row + column] = pose.position.matrix[row][column];
  }
  return transform;
}

double Motion::max_speed(double distance) const {
  switch (kind) {
    case MotionKind::none:
      break;
    case MotionKind::translation:
      return length(velocity);
    case MotionKind::oscillation:
      return 2 * pi * frequency * length(amplitude);
    case MotionKind::rotation:
      return std::abs(angular_velocity) * pi / 180 * distance;
    case MotionKind::pitch:
      return 2 * pi * frequency * std::abs(angle_amplitude) * pi / 180 * distance;
  }
  return 0;
}

}  // namespace shoal
