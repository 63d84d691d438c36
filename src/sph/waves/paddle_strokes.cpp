// SPDX-License-Identifier: Apache-2.0
#include "sph/waves/paddle_strokes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "sph/require_number.hpp"
#include "sph/waves/second_order/bound_strokes.hpp"

namespace shoal::sph {

namespace {

constexpr int knots_per_period = 100;
constexpr double most_knots = 1e7;

/// Amplitude of Madsen's second harmonic, m.
double second_harmonic(const Wavemaker& wavemaker, const WaveComponent& wave) {
  const double q = wave.wave_number * wavemaker.depth, sinh = std::sinh(q), height = 2 * wave.amplitude;
  return height * height / (32 * wavemaker.depth) *
         (3 / (std::tanh(q) * sinh * sinh) - 2 / paddle_transfer(wavemaker.paddle, q));
}

/// Re(X e^{iωt}), which is |X| sin(ωt + arg X + π/2).
StrokeComponent component(const std::complex<double>& stroke, double angular_frequency) {
  return {std::abs(stroke), angular_frequency, -std::arg(stroke) - std::numbers::pi / 2};
}

/// Motions for the waves bound to each two waves. Those of differences begin at 0: a slow one may be far from it at t = 0, and
/// the ramp would move the paddle there.
std::vector<StrokeComponent> bound_strokes(const std::vector<WaveComponent>& waves, double depth, double gravity) {
  const BoundStrokes bound(waves, depth, gravity);
  const std::size_t n = waves.size();
  std::vector<StrokeComponent> strokes(n *
                                       n);  // of wave i: differences from waves j < i, then sums with those of j <= i
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < n; ++i) {
    const double omega = waves[i].angular_frequency;
    StrokeComponent* next = strokes.data() + i * i;
    for (std::size_t j = 0; j < i; ++j, ++next) {
      *next = component(bound.difference(i, j), omega - waves[j].angular_frequency);
      next->start = std::sin(-next->phase);
    }
    for (std::size_t j = 0; j <= i; ++j, ++next) *next = component(bound.sum(i, j), omega + waves[j].angular_frequency);
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
    for (const StrokeComponent& stroke : bound_strokes(waves, wavemaker.depth, gravity)) strokes.push_back(stroke);
  }
  return strokes;
}

}  // namespace

PaddleStrokes::PaddleStrokes(const Wavemaker& wavemaker, double gravity)
    : strokes_(stroke_components(wavemaker, gravity)), ramp_(wavemaker.ramp.value_or(wavemaker.period)) {
  double highest = 0;  // of the waves: fifty knots are enough for the small motions of their sums
  for (const WaveComponent& wave : wave_components(wavemaker, gravity))
    highest = std::max(highest, wave.angular_frequency);
  knot_spacing_ = 2 * std::numbers::pi / (highest * knots_per_period);
}

PaddleState PaddleStrokes::at(double time) const {
  PaddleState paddle{0, 0};
  for (const StrokeComponent& part : strokes_) {
    const double angle = part.angular_frequency * time - part.phase;
    paddle.displacement += part.stroke * (std::sin(angle) - part.start);
    paddle.velocity += part.stroke * part.angular_frequency * std::cos(angle);
  }
  const motion::Ramp now = ramp(time);
  return {now.value * paddle.displacement, now.rate * paddle.displacement + now.value * paddle.velocity};
}

std::size_t PaddleStrokes::knot_count(double until) const {
  const double intervals = std::ceil(until / knot_spacing_) + 1;
  require(intervals < most_knots, "sph: a wavemaker has ", knots_per_period, " knots a period of its shortest wave, ",
          intervals, " up to ", until, " s, expected at most ", most_knots,
          ". Shorten the run or lower wavemaker.frequencies.");
  return static_cast<std::size_t>(intervals) + 1;
}

}  // namespace shoal::sph
