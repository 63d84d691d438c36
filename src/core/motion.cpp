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
  require(motion.kind != MotionKind::file || motion.path,
          "motion: kind is file, but there is no path. Set Motion::path.");
  p.turns = motion.kind == MotionKind::rotation || motion.kind == MotionKind::pitch ||
            (motion.kind == MotionKind::file && motion.path->turns());
  p.start = motion.start.value_or(0);
  p.has_start = motion.start.has_value() || motion.ramp > 0;
  p.ramp = motion.ramp;
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

PathRange append_path(const Motion& motion, std::vector<PathKnot>& table) {
  if (motion.kind != MotionKind::file) return {};
  const std::vector<PathKnot>& knots = motion.path->knots();
  const double spacing = (knots.back().time - knots.front().time) / static_cast<double>(knots.size() - 1);
  const auto is_even = [&](std::size_t i) {
    return std::abs(knots[i].time - knots.front().time - static_cast<double>(i) * spacing) < spacing / 2;
  };
  bool all_even = knots.size() > 1;
  for (std::size_t i = 0; i < knots.size(); ++i) all_even = all_even && is_even(i);
  const PathRange range{static_cast<std::int32_t>(table.size()), static_cast<std::int32_t>(knots.size()),
                        all_even ? 1 / spacing : 0};
  table.insert(table.end(), knots.begin(), knots.end());
  return range;
}

}  // namespace motion

RigidTransform Motion::at(double time) const {
  std::vector<PathKnot> knots;
  motion::MotionParameters parameters = motion::make_parameters(*this);
  parameters.path = motion::append_path(*this, knots);
  const auto pose = motion::pose_at<3>(parameters, time, knots.data());
  RigidTransform transform;
  for (std::size_t row = 0; row < 3; ++row) {
    transform.translation[row] = pose.position.shift[row];
    for (std::size_t column = 0; column < 3; ++column)
      transform.rotation[3 * row + column] = pose.position.matrix[row][column];
  }
  return transform;
}

double Motion::max_speed(double distance) const {
  constexpr double largest_ramp_rate = 1.875;  // of s³ (10 − 15 s + 6 s²), at s = 1/2
  const double growth = ramp > 0 ? largest_ramp_rate / ramp : 0;
  const double reach = pi / 180 * distance;
  switch (kind) {
    case MotionKind::none:
      break;
    case MotionKind::translation:
      return length(velocity);
    case MotionKind::oscillation:
      return (2 * pi * frequency + growth) * length(amplitude);
    case MotionKind::rotation:
      return std::abs(angular_velocity) * reach;
    case MotionKind::pitch:
      return (2 * pi * frequency + growth) * std::abs(angle_amplitude) * reach;
    case MotionKind::file:
      require(path != nullptr, "motion: kind is file, but there is no path. Set Motion::path.");
      const auto rate = [&](std::size_t k) { return path->max_rate(k) + growth * path->max_value(k); };
      return std::hypot(rate(0), rate(1), rate(2)) + rate(3) * reach;
  }
  return 0;
}

}  // namespace shoal
