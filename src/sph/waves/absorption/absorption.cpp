// SPDX-License-Identifier: Apache-2.0
#include "sph/waves/absorption/absorption.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/text.hpp"
#include "sph/setup/filling/part_bounds.hpp"
#include "sph/setup/wall_movement.hpp"
#include "sph/waves/absorption/wanted_elevation.hpp"
#include "sph/waves/evanescent_modes.hpp"
#include "sph/waves/second_order/bound_waves.hpp"

namespace shoal::sph {

namespace {

double length(const Vector& vector) { return std::hypot(vector[0], vector[1], vector[2]); }

/// Axis along which the waves run.
std::size_t axis_of(const Wavemaker& wavemaker) { return wavemaker.direction[0] != 0 ? 0 : 1; }

/// Distance of the gauge from the wall that is the paddle, m.
double gauge_distance(const Case& simulation, const Wavemaker& wavemaker) {
  const std::size_t axis = axis_of(wavemaker);
  const Wall& wall = simulation.walls[wall_named(simulation, wavemaker.wall, "wavemaker")];
  const Box box = bounds_of(wall, simulation);
  const double gauge = (*wavemaker.absorption_gauge)[axis];
  return wavemaker.direction[axis] > 0 ? gauge - box.to[axis] : box.from[axis] - gauge;
}

}  // namespace

AbsorptionControl absorption_control(const Wavemaker& wavemaker, double gravity, double distance) {
  constexpr double returns_a_period = 0.1;
  const double omega = 2 * std::numbers::pi / wavemaker.period;
  const double k = wave_number(wavemaker.period, wavemaker.depth, gravity);
  const double transfer = paddle_transfer(Paddle::piston, k * wavemaker.depth);
  const double standing = beside_piston(wavemaker.period, wavemaker.depth, gravity, distance);
  const double in_phase = transfer * std::cos(k * distance), rate = returns_a_period / wavemaker.period;
  return {omega / in_phase, (std::tan(k * distance) + standing / in_phase) / omega + rate / (omega * omega), rate};
}

std::complex<double> reflection_of(const AbsorptionControl& control, double period, double depth, double gravity,
                                   double distance) {
  const double omega = 2 * std::numbers::pi / period, k = wave_number(period, depth, gravity);
  const double transfer = paddle_transfer(Paddle::piston, k * depth);
  const std::complex<double> z =
      std::polar(transfer, k * distance) + std::complex<double>(0, beside_piston(period, depth, gravity, distance));
  const std::complex<double> gamma =
      control.gain / std::complex<double>(omega, omega * omega * control.delay - control.return_rate);
  return (1.0 - gamma * z) / (1.0 + gamma * std::conj(z));
}

std::vector<AbsorptionParameters> make_absorption(const Case& simulation, const double* origin,
                                                  std::vector<PathKnot>& knots) {
  std::vector<AbsorptionParameters> paddles;
  const double gravity = length(simulation.scheme.gravity);
  for (const Wavemaker& wavemaker : simulation.wavemakers) {
    if (!wavemaker.absorption_gauge) continue;
    const std::size_t wall = wall_named(simulation, wavemaker.wall, "wavemaker");
    const auto moves_before =
        std::count_if(simulation.walls.begin(), simulation.walls.begin() + static_cast<std::ptrdiff_t>(wall),
                      [&](const Wall& before) { return moves(simulation, before); });
    const double distance = gauge_distance(simulation, wavemaker);
    const AbsorptionControl control = absorption_control(wavemaker, gravity, distance);
    AbsorptionParameters paddle{.movement = static_cast<int>(moves_before),
                                .direction = {},
                                .gauge = {},
                                .gain = control.gain,
                                .delay = control.delay,
                                .return_rate = control.return_rate,
                                .wanted = {},
                                .spacing = simulation.spacing};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      paddle.direction[axis] = wavemaker.direction[axis] / length(wavemaker.direction);
      if (axis < static_cast<std::size_t>(simulation.dimensions))
        paddle.gauge[axis] = (*wavemaker.absorption_gauge)[axis] - origin[axis];
    }
    paddle.wanted = motion::append_path(
        wanted_elevation(wavemaker, simulation.scheme.gravity, distance, simulation.duration), knots);
    paddles.push_back(paddle);
  }
  return paddles;
}

void check_absorption(const Case& simulation) {
  for (const Wavemaker& wavemaker : simulation.wavemakers) {
    if (!wavemaker.absorption_gauge) continue;
    require(wavemaker.paddle == Paddle::piston, "sph: wavemaker.absorption_gauge is given with paddle = \"",
            to_name(wavemaker.paddle), "\", expected a piston: the theory is for one.");
    const auto same_wall = [&](const Wavemaker& candidate) { return candidate.wall == wavemaker.wall; };
    require(std::count_if(simulation.wavemakers.begin(), simulation.wavemakers.end(), same_wall) == 1, "sph: wall \"",
            wavemaker.wall,
            "\" has several wavemakers, one with absorption, expected only that one: it would absorb the waves of the "
            "others.");
    const Vector& gravity = simulation.scheme.gravity;
    const auto vertical = static_cast<std::size_t>(simulation.dimensions - 1);
    require(std::abs(gravity[vertical]) == length(gravity), "sph: wavemaker.absorption_gauge is given with gravity = (",
            gravity[0], ", ", gravity[1], ", ", gravity[2],
            ") m/s2, expected it along the last axis: levels are heights along it.");
    const Vector& direction = wavemaker.direction;
    require(std::abs(direction[axis_of(wavemaker)]) == length(direction), "sph: wavemaker.direction = (", direction[0],
            ", ", direction[1], ", ", direction[2], ") with absorption, expected a direction along an axis.");
    for (const double component : *wavemaker.absorption_gauge)
      require(std::isfinite(component), "sph: wavemaker.absorption_gauge has the component ", component,
              " m, expected finite numbers.");
    const double distance = gauge_distance(simulation, wavemaker), least = 2 * simulation.spacing;
    const double most = 1 / wave_number(wavemaker.period, wavemaker.depth, length(gravity));
    require(distance >= least && distance <= most, "sph: wavemaker.absorption_gauge is ", distance,
            " m in front of the paddle, expected ", least,
            " m, so that the particles which it counts are all there, to ", most, " m, the wavelength over 2 pi.");
  }
}

}  // namespace shoal::sph
