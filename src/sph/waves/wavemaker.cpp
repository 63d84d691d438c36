// SPDX-License-Identifier: Apache-2.0
#include "sph/waves/wavemaker.hpp"

#include <algorithm>

#include "core/motion_path_item.hpp"
#include "core/vector.hpp"
#include "sph/waves/second_order/bound_long_waves.hpp"
#include "sph/waves/paddles.hpp"
#include "sph/waves/wave_sums.hpp"

namespace shoal::sph {

namespace {

constexpr int knots_per_period = 100;
constexpr double most_knots = 1e7;

double length(const Vector& vector) { return std::hypot(vector[0], vector[1], vector[2]); }

/// Sine of the paddle's motion: e = stroke (sin(ω t − φ) − start), half of the way from one end to the other.
struct StrokeComponent {
  double stroke, angular_frequency, phase;
  double start = 0;
};

/// Amplitude of Madsen's second harmonic, m.
double second_harmonic(const Wavemaker& wavemaker, const WaveComponent& wave) {
  const double q = wave.wave_number * wavemaker.depth, sinh = std::sinh(q), height = 2 * wave.amplitude;
  return height * height / (32 * wavemaker.depth) *
         (3 / (std::tanh(q) * sinh * sinh) - 2 / paddle_transfer(wavemaker.paddle, q));
}

/// Motions for the bound long waves of each two waves. They begin at 0: a slow one may be far from it at t = 0, and the ramp
/// would move the paddle there.
std::vector<StrokeComponent> long_strokes(const std::vector<WaveComponent>& waves, double depth, double gravity) {
  const BoundLongWaves bound(waves, depth, gravity);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < waves.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) pairs.emplace_back(i, j);
  std::vector<StrokeComponent> strokes(pairs.size());
#pragma omp parallel for
  for (std::size_t pair = 0; pair < pairs.size(); ++pair) {
    const auto [i, j] = pairs[pair];
    const std::complex<double> stroke = bound.stroke(i, j);
    const double phase = -std::arg(stroke) - std::numbers::pi / 2;  // Re(X e^{iωt}) is |X| sin(ωt + arg X + π/2)
    strokes[pair] = {std::abs(stroke), waves[i].angular_frequency - waves[j].angular_frequency, phase,
                     std::sin(-phase)};
  }
  return strokes;
}

std::vector<StrokeComponent> stroke_components(const Wavemaker& wavemaker, double gravity) {
  std::vector<StrokeComponent> strokes;
  const std::vector<WaveComponent> waves = wave_components(wavemaker, gravity);
  for (const WaveComponent& wave : waves) {
    const double transfer = paddle_transfer(wavemaker.paddle, wave.wave_number * wavemaker.depth);
    strokes.push_back({wave.amplitude / transfer, wave.angular_frequency, wave.phase});
  }
  if (wavemaker.order == 1) return strokes;
  if (wavemaker.waves == Waves::regular) {
    const WaveComponent& wave = waves.front();
    strokes.push_back({second_harmonic(wavemaker, wave), 2 * wave.angular_frequency, 2 * wave.phase});
  } else {
    for (const StrokeComponent& stroke : long_strokes(waves, wavemaker.depth, gravity)) strokes.push_back(stroke);
  }
  return strokes;
}

/// Displacement at the still water level with the ramp.
PaddleState paddle_at(const std::vector<StrokeComponent>& strokes, double time, double ramp_length) {
  PaddleState paddle{0, 0};
  for (const StrokeComponent& part : strokes) {
    const double angle = part.angular_frequency * time - part.phase;
    paddle.displacement += part.stroke * (std::sin(angle) - part.start);
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
