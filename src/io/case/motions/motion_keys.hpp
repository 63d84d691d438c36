// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/motion.hpp>

#include <initializer_list>
#include <vector>

#include "io/case/keys/case_schema.hpp"

namespace shoal::io {

/// Returns the keys of the motion of a wall or body, which are the same in all kinds of case.
/// @param motion    function that returns the Motion of a T, also of a const T
/// @param kind_key  name of the key of its kind, which T must have if the key is required
template <class T, class Member>
std::vector<Key<T>> motion_keys(Member motion, const char* kind_key = "motion", bool is_required = false) {
  const auto with = [motion, kind_key](const char* names, std::initializer_list<MotionKind> kinds) {
    return Condition<T>{kind_key, names, [motion, list = std::vector<MotionKind>(kinds)](const T& body) {
                          return std::find(list.begin(), list.end(), motion(body).kind) != list.end();
                        }};
  };
  const Condition<T> translation = with("translation", {MotionKind::translation});
  const Condition<T> oscillation = with("oscillation", {MotionKind::oscillation});
  const Condition<T> rotation = with("rotation", {MotionKind::rotation});
  const Condition<T> pitch = with("pitch", {MotionKind::pitch});
  const Condition<T> periodic = with("oscillation\" or \"pitch", {MotionKind::oscillation, MotionKind::pitch});
  const Condition<T> turning =
      with("rotation\", \"pitch\" or \"file", {MotionKind::rotation, MotionKind::pitch, MotionKind::file});
  const Condition<T> from_file = with("file", {MotionKind::file});
  const Condition<T> any = with(
      "translation\", \"oscillation\", \"rotation\", \"pitch\" or \"file",
      {MotionKind::translation, MotionKind::oscillation, MotionKind::rotation, MotionKind::pitch, MotionKind::file});
  const auto member = [motion](auto pointer) {
    return [ motion, pointer ](auto& body) -> auto& { return motion(body).*pointer; };
  };
  return {
      key<T>(kind_key, member(&Motion::kind),
             {.meaning = "translation: constant velocity; oscillation: sinusoidal displacement; rotation: constant "
                         "angular velocity; pitch: sinusoidal rotation; file: over time, from a CSV file",
              .required = is_required}),
      key<T>("velocity", member(&Motion::velocity),
             {.meaning = "constant velocity", .unit = "m/s", .required = true, .only_with = translation}),
      key<T>("amplitude", member(&Motion::amplitude),
             {.meaning = "displacement = amplitude sin(2 pi frequency t + phase)",
              .unit = "m",
              .required = true,
              .only_with = oscillation,
              .hint = "The amplitude of an angle is `angle_amplitude`."}),
      key<T>("frequency", member(&Motion::frequency),
             {.meaning = "frequency of oscillation or pitch",
              .unit = "Hz",
              .required = true,
              .range = not_negative,
              .only_with = periodic}),
      key<T>("phase", member(&Motion::phase),
             {.meaning = "phase of oscillation or pitch at t = 0", .unit = "degrees", .only_with = periodic}),
      key<T>("angular_velocity", member(&Motion::angular_velocity),
             {.meaning = "constant angular velocity", .unit = "degrees/s", .required = true, .only_with = rotation}),
      key<T>("mean_angle", member(&Motion::mean_angle),
             {.meaning = "mean of the angle", .unit = "degrees", .only_with = pitch}),
      key<T>("angle_amplitude", member(&Motion::angle_amplitude),
             {.meaning = "angle = mean_angle + angle_amplitude sin(2 pi frequency t + phase)",
              .unit = "degrees",
              .required = true,
              .only_with = pitch}),
      key<T>("about", member(&Motion::about),
             {.meaning = "a point of the axis of rotation", .unit = "m", .only_with = turning}),
      key<T>("axis", member(&Motion::axis),
             {.meaning = "direction of the axis of rotation; z in 2-D", .only_with = turning, .three_numbers = true}),
      key<T>("file", member(&Motion::file),
             {.meaning = "CSV file beside the case file, with the column time (s) and those of `columns`",
              .required = true,
              .only_with = from_file}),
      key<T>("columns", member(&Motion::columns),
             {.meaning = "columns of the file: x, y, z are a displacement in m, angle a rotation in degrees",
              .required = true,
              .only_with = from_file}),
      key<T>("interpolation", member(&Motion::interpolation),
             {.meaning = "between the rows: cubic_spline has a continuous acceleration, monotone no overshoot",
              .only_with = from_file}),
      key<T>("start", member(&Motion::start),
             {.meaning = "time at which the motion begins; by default it is under way",
              .unit = "s",
              .range = not_negative,
              .only_with = any}),
      key<T>("ramp", member(&Motion::ramp),
             {.meaning = "time in which velocity, amplitude or displacement grow to their full size",
              .unit = "s",
              .range = not_negative,
              .only_with = any})};
}

}  // namespace shoal::io
