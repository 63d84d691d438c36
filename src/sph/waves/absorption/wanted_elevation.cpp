// SPDX-License-Identifier: Apache-2.0
#include "sph/waves/absorption/wanted_elevation.hpp"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "sph/waves/evanescent_modes.hpp"
#include "sph/waves/paddle_strokes.hpp"
#include "sph/waves/second_order/bound_waves.hpp"

namespace shoal::sph {

namespace {

/// A wave of the sum, or one that is bound to two of them: elevation = amplitude · cos(k x − ω t + φ) + standing · sin(ω t − φ).
struct WantedWave {
  WaveComponent wave;
  double standing;  ///< m, amplitude of the modes beside the piston at the gauge
};

/// Sum or difference of two waves, with the amplitude of the wave that is bound to them.
WantedWave bound_wave(const WaveComponent& first, const WaveComponent& second, int sign, double depth, double gravity) {
  const double amplitude = bound_elevation(first, second, sign, depth, gravity) * first.amplitude * second.amplitude;
  return {{amplitude, first.angular_frequency + sign * second.angular_frequency,
           first.wave_number + sign * second.wave_number, first.phase + sign * second.phase},
          0};
}

std::vector<WantedWave> wanted_waves(const Wavemaker& wavemaker, double gravity, double distance) {
  const std::vector<WaveComponent> waves = wave_components(wavemaker, gravity);
  std::vector<WantedWave> wanted;
  for (const WaveComponent& wave : waves) {
    const double period = 2 * std::numbers::pi / wave.angular_frequency;
    const double stroke = wave.amplitude / paddle_transfer(Paddle::piston, wave.wave_number * wavemaker.depth);
    wanted.push_back({wave, stroke * beside_piston(period, wavemaker.depth, gravity, distance)});
  }
  if (wavemaker.order == 1) return wanted;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      for (const int sign : {-1, 1}) wanted.push_back(bound_wave(waves[i], waves[j], sign, wavemaker.depth, gravity));
    wanted.push_back(bound_wave(waves[i], waves[i], 1, wavemaker.depth, gravity));
    wanted.back().wave.amplitude /= 2;
  }
  return wanted;
}

}  // namespace

Motion wanted_elevation(const Wavemaker& wavemaker, const Vector& gravity, double distance, double until) {
  const double g = std::hypot(gravity[0], gravity[1], gravity[2]);
  const PaddleStrokes strokes(wavemaker, g);
  const std::vector<WantedWave> waves = wanted_waves(wavemaker, g, distance);
  std::vector<PathKnot> knots = strokes.path(until, [&](double time, const PaddleState& paddle) {
    double elevation = 0, elevation_rate = 0, slope = 0, slope_rate = 0;
    for (const auto& [wave, standing] : waves) {
      const double k = wave.wave_number, omega = wave.angular_frequency, a = wave.amplitude;
      const double angle = k * (distance + paddle.displacement) - omega * time + wave.phase;
      const double rate = k * paddle.velocity - omega, beside = omega * time - wave.phase;
      const double cosine = std::cos(angle), sine = std::sin(angle);
      elevation += a * cosine + standing * std::sin(beside);
      elevation_rate += -a * sine * rate + standing * omega * std::cos(beside);
      slope -= a * k * sine;
      slope_rate -= a * k * cosine * rate;
    }
    const motion::Ramp ramp = strokes.ramp(time);
    PathKnot knot{.time = time, .value = {}, .slope = {}};
    knot.value[0] = ramp.value * elevation;
    knot.slope[0] = ramp.rate * elevation + ramp.value * elevation_rate;
    knot.value[1] = ramp.value * slope;
    knot.slope[1] = ramp.rate * slope + ramp.value * slope_rate;
    return knot;
  });
  return {.kind = MotionKind::file, .path = std::make_shared<const MotionPath>(std::move(knots))};
}

}  // namespace shoal::sph
