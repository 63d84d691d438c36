// SPDX-License-Identifier: Apache-2.0
#include "sph/waves/wavemaker.hpp"

#include <algorithm>

#include "core/motion_path_item.hpp"
#include "core/vector.hpp"
#include "sph/waves/paddles.hpp"
#include "sph/waves/wave_sums.hpp"

namespace shoal::sph {

namespace {

constexpr int knots_per_period = 100;
constexpr double most_knots = 1e7;

double length(const Vector& vector) { return std::hypot(vector[0], vector[1], vector[2]); }

/// Sine of the paddle's motion: e = stroke sin(ω t − φ), half of the way from one end to the other.
struct StrokeComponent {
  double stroke, angular_frequency, phase;
};

/// Amplitude of Madsen's second harmonic, m.
double second_harmonic(const Wavemaker& wavemaker, const WaveComponent& wave) {
  const double q = wave.wave_number * wavemaker.depth, sinh = std::sinh(q), height = 2 * wave.amplitude;
  return height * height / (32 * wavemaker.depth) *
         (3 / (std::tanh(q) * sinh * sinh) - 2 / paddle_transfer(wavemaker.paddle, q));
}

std::vector<StrokeComponent> stroke_components(const Wavemaker& wavemaker, double gravity) {
  std::vector<StrokeComponent> strokes;
  for (const WaveComponent& wave : wave_components(wavemaker, gravity)) {
    const double transfer = paddle_transfer(wavemaker.paddle, wave.wave_number * wavemaker.depth);
    strokes.push_back({wave.amplitude / transfer, wave.angular_frequency, wave.phase});
    if (wavemaker.order == 2)
      strokes.push_back({second_harmonic(wavemaker, wave), 2 * wave.angular_frequency, 2 * wave.phase});
  }
  return strokes;
}

/// Displacement at the still water level with the ramp.
PaddleState paddle_at(const std::vector<StrokeComponent>& strokes, double time, double ramp_length) {
  PaddleState paddle{0, 0};
  for (const StrokeComponent& part : strokes) {
    const double angle = part.angular_frequency * time - part.phase;
    paddle.displacement += part.stroke * std::sin(angle);
    paddle.velocity += part.stroke * part.angular_frequency * std::cos(angle);
  }
  const motion::Ramp ramp = motion::ramp_at(time, ramp_length);
  return {ramp.value * paddle.displacement, ramp.rate * paddle.displacement + ramp.value * paddle.velocity};
}

/// Time between knots, s.
double knot_spacing(const std::vector<StrokeComponent>& strokes) {
  double highest = 0;
  for (const StrokeComponent& part : strokes) highest = std::max(highest, part.angular_frequency);
  return 2 * std::numbers::pi / (highest * knots_per_period);
}

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
  const std::vector<StrokeComponent> strokes = stroke_components(wavemaker, length(gravity));
  const double spacing = knot_spacing(strokes), ramp = wavemaker.ramp.value_or(wavemaker.period);
  const double intervals = std::ceil(until / spacing) + 1;
  require(intervals < most_knots, "sph: a wavemaker has ", knots_per_period, " knots a period of its shortest wave, ",
          intervals, " up to ", until, " s, expected at most ", most_knots,
          ". Shorten the run or lower wavemaker.frequencies.");
  Vector direction = wavemaker.direction;
  for (double& component : direction) component /= length(wavemaker.direction);
  std::vector<PathKnot> knots(static_cast<std::size_t>(intervals) + 1);
#pragma omp parallel for
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const double time = spacing * static_cast<double>(i);
    const PaddleState paddle = paddle_at(strokes, time, ramp);
    knots[i] = Paddles::visit(wavemaker.paddle,
                              [&]<class Kind> { return Kind::knot(time, paddle, wavemaker.depth, direction); });
  }
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
  const bool may_be_second = wavemaker.waves == Waves::regular &&
                             Paddles::visit(wavemaker.paddle, [&]<class Kind> { return Kind::has_second_order; });
  require(wavemaker.order == 1 || (wavemaker.order == 2 && may_be_second), "sph: wavemaker.order = ", wavemaker.order,
          ", expected 1, or 2 with regular waves and a piston.");
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
