// SPDX-License-Identifier: Apache-2.0
#include "sph/waves/wavemaker.hpp"

#include "core/vector.hpp"
#include "sph/waves/paddle_strokes.hpp"
#include "sph/waves/paddles.hpp"
#include "sph/waves/wave_sums.hpp"

namespace shoal::sph {

namespace {

double length(const Vector& vector) { return std::hypot(vector[0], vector[1], vector[2]); }

}  // namespace

double wave_number(double period, double depth, double gravity) {
  for (const double number : {period, depth, gravity})
    require(std::isfinite(number) && number > 0, "sph: a wave of period ", period, " s in a depth of ", depth,
            " m under ", gravity, " m/s2 has no wave number, expected positive numbers.");
  const double omega = 2 * std::numbers::pi / period, deep = omega * omega * depth / gravity;
  double q = deep / std::sqrt(std::tanh(deep));  // within some percent of the solution of q tanh q = deep
  for (int step = 0; step < 50; ++step) {
    const double tanh = std::tanh(q), change = (q * tanh - deep) / (tanh + q * (1 - tanh * tanh));
    q -= change;
    if (std::abs(change) <= 1e-15 * q) break;
  }
  return q / depth;
}

double paddle_transfer(Paddle paddle, double q) {
  require(std::isfinite(q) && q > 0, "sph: paddle_transfer of kd = ", q, ", expected a positive number.");
  return Paddles::visit(paddle, [&]<class Kind> { return Kind::transfer(q); });
}

std::vector<WaveComponent> wave_components(const Wavemaker& wavemaker, double gravity) {
  return WaveSums::visit(wavemaker.waves, [&]<class Kind> { return Kind::components(wavemaker, gravity); });
}

Motion wavemaker_motion(const Wavemaker& wavemaker, const Vector& gravity, double until) {
  const PaddleStrokes strokes(wavemaker, length(gravity));
  Vector direction = wavemaker.direction;
  for (double& component : direction) component /= length(wavemaker.direction);
  std::vector<PathKnot> knots = strokes.path(until, [&](double time, const PaddleState& paddle) {
    return Paddles::visit(wavemaker.paddle,
                          [&]<class Kind> { return Kind::knot(time, paddle, wavemaker.depth, direction); });
  });
  const Vector up{-gravity[0], -gravity[1], -gravity[2]};
  return {.kind = MotionKind::file,
          .about = wavemaker.hinge,
          .axis = cross(up, direction),  // a flap that leans toward `direction` turns about it counter-clockwise
          .path = std::make_shared<const MotionPath>(std::move(knots))};
}

void require_valid(const Wavemaker& wavemaker, const Case& simulation) {
  const Vector& gravity = simulation.scheme.gravity;
  const Vector& direction = wavemaker.direction;
  require(simulation.dimensions > 1, "sph: [[wavemaker]] needs a 2-D or 3-D case.");
  require(length(gravity) > 0, "sph: [[wavemaker]] needs scheme.gravity: the waves depend on it.");
  require(simulation.duration > 0, "sph: [[wavemaker]] needs run.duration, up to which its motion is planned.");
  require_positive(wavemaker.depth, "wavemaker.depth", " m");
  require_positive(wavemaker.period, "wavemaker.period", " s");
  WaveSums::visit(wavemaker.waves, [&]<class Kind> { Kind::check(wavemaker); });
  const bool may_be_second = Paddles::visit(wavemaker.paddle, [&]<class Kind> { return Kind::has_second_order; });
  require(wavemaker.order == 1 || (wavemaker.order == 2 && may_be_second), "sph: wavemaker.order = ", wavemaker.order,
          ", expected 1, or 2 with a piston.");
  constexpr int most_of_second_order = 300;
  require(wavemaker.order == 1 || wavemaker.waves == Waves::regular || wavemaker.components <= most_of_second_order,
          "sph: wavemaker.components = ", wavemaker.components, ", expected at most ", most_of_second_order,
          " of second order, which has a motion for each two of them.");
  if (wavemaker.ramp) require_not_negative(*wavemaker.ramp, "wavemaker.ramp", " s");
  const double size = length(direction);
  const double along = gravity[0] * direction[0] + gravity[1] * direction[1] + gravity[2] * direction[2];
  constexpr double rounding = 1e-9;
  require(size > 0 && std::isfinite(size) && std::abs(along) <= rounding * size * length(gravity) &&
              (simulation.dimensions == 3 || direction[2] == 0),
          "sph: wavemaker.direction = (", direction[0], ", ", direction[1], ", ", direction[2],
          "), expected a horizontal direction, across scheme.gravity.");
  for (const double component : wavemaker.hinge)
    require(std::isfinite(component), "sph: wavemaker.hinge has the component ", component,
            " m, expected finite numbers.");
}

}  // namespace shoal::sph
