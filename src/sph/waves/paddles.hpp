// SPDX-License-Identifier: Apache-2.0
// Paddles: height of the waves over the stroke by linear theory, and the motion of the wall that is the paddle.
#pragma once
#include <shoal/sph/waves.hpp>

#include <cmath>
#include <numbers>

#include "sph/physics/alternatives.hpp"

namespace shoal::sph {

/// Displacement of a paddle at the still water level and its rate, m and m/s.
struct PaddleState {
  double displacement, velocity;
};

/// The whole wall shifts along the direction of the waves.
struct Piston {
  static constexpr Paddle kind = Paddle::piston;
  static constexpr bool has_second_order = true;

  /// 2 (cosh 2q − 1)/(sinh 2q + 2q), by powers of exp(−2q) so that no q is too large.
  static double transfer(double q) {
    const double rest = -std::expm1(-2 * q);
    return 2 * rest * rest / (-std::expm1(-4 * q) + 4 * q * std::exp(-2 * q));
  }

  /// @param direction  unit vector
  static PathKnot knot(double time, const PaddleState& paddle, double, const Vector& direction) {
    PathKnot knot{.time = time, .value = {}, .slope = {}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      knot.value[axis] = direction[axis] * paddle.displacement;
      knot.slope[axis] = direction[axis] * paddle.velocity;
    }
    return knot;
  }
};

/// The wall turns about a hinge at the bed: at the still water level it is at depth · tan(angle).
struct Flap {
  static constexpr Paddle kind = Paddle::flap;
  static constexpr bool has_second_order = false;

  /// 4 (sinh q/q)(q sinh q − cosh q + 1)/(sinh 2q + 2q), by powers of exp(−q).
  static double transfer(double q) {
    const double rest = -std::expm1(-2 * q), half_rest = -std::expm1(-q);
    return 2 * rest * (q * rest - half_rest * half_rest) / (q * (-std::expm1(-4 * q) + 4 * q * std::exp(-2 * q)));
  }

  static PathKnot knot(double time, const PaddleState& paddle, double depth, const Vector&) {
    const double tangent = paddle.displacement / depth, rate = paddle.velocity / depth;
    constexpr double degrees = 180 / std::numbers::pi;
    return {.time = time,
            .value = {0, 0, 0, degrees * std::atan(tangent)},
            .slope = {0, 0, 0, degrees * rate / (1 + tangent * tangent)}};
  }
};

/// All paddles; one that is not here cannot be in a case.
using Paddles = Alternatives<Paddle, Piston, Flap>;

}  // namespace shoal::sph
