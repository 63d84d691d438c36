// SPDX-License-Identifier: Apache-2.0
#include <shoal/motion.hpp>

#include <cmath>
#include <numbers>

namespace shoal {

namespace {

constexpr double pi = std::numbers::pi, radians = pi / 180;

double length(const std::array<double, 3>& vector) { return std::hypot(vector[0], vector[1], vector[2]); }

}  // namespace

RigidTransform Motion::at(double time) const {
  const auto sine = [&] { return std::sin(2 * pi * frequency * time + phase * radians); };
  switch (kind) {
    case MotionKind::none:
      break;
    case MotionKind::translation:
      return RigidTransform::shift({velocity[0] * time, velocity[1] * time, velocity[2] * time});
    case MotionKind::oscillation:
      return RigidTransform::shift({amplitude[0] * sine(), amplitude[1] * sine(), amplitude[2] * sine()});
    case MotionKind::rotation:
      return RigidTransform::about(about, axis, angular_velocity * time * radians);
    case MotionKind::pitch:
      return RigidTransform::about(about, axis, (mean_angle + angle_amplitude * sine()) * radians);
  }
  return {};
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
