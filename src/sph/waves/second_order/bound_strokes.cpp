// SPDX-License-Identifier: Apache-2.0
#include "sph/waves/second_order/bound_strokes.hpp"

#include <cmath>
#include <numbers>

#include "sph/waves/evanescent_modes.hpp"
#include "sph/waves/paddles.hpp"

namespace shoal::sph {

namespace {

using Number = std::complex<double>;

constexpr Number i{0, 1};

}  // namespace

BoundStrokes::BoundStrokes(const std::vector<WaveComponent>& waves, double depth, double gravity)
    : depth_(depth), gravity_(gravity) {
  for (const WaveComponent& wave : waves) waves_.push_back(with_modes(wave));
}

BoundStrokes::Wave BoundStrokes::with_modes(const WaveComponent& wave) const {
  const double omega = wave.angular_frequency;
  const double stroke = wave.amplitude / paddle_transfer(Paddle::piston, wave.wave_number * depth_);
  Wave modes_of{omega, stroke * std::polar(1.0, -wave.phase) * -i, {}, {}};
  for (std::size_t j = 0; j < modes; ++j) {
    const Number kappa =
        j == 0 ? Number(wave.wave_number) : -i * evanescent_wave_number(omega, static_cast<int>(j), depth_, gravity_);
    // 2 sinh 2κd/(sinh 2κd + 2κd), divided by sinh 2κd: it is large in deep water
    const Number share = 2.0 / (1.0 + 2.0 * kappa * depth_ / std::sinh(2.0 * kappa * depth_));
    modes_of.wave_number[j] = kappa;
    modes_of.potential[j] = -omega * modes_of.stroke * share / kappa;
  }
  return modes_of;
}

BoundStrokes::Wave BoundStrokes::conjugate(const Wave& wave) {
  Wave negative{-wave.angular_frequency, std::conj(wave.stroke), {}, {}};
  for (std::size_t j = 0; j < modes; ++j) {
    negative.wave_number[j] = -std::conj(wave.wave_number[j]);
    negative.potential[j] = std::conj(wave.potential[j]);
  }
  return negative;
}

/// Σ κ² a (ω_1² − ω²)/(g (κ² − k²)) over the modes of a wave: the paddle is beside the place where its condition is taken.
Number BoundStrokes::beside_the_paddle(const Wave& wave, double k, double omega) const {
  const double squares = (wave.angular_frequency * wave.angular_frequency - omega * omega) / gravity_;
  Number sum = 0;
  for (std::size_t j = 0; j < modes; ++j) {
    const Number squared = wave.wave_number[j] * wave.wave_number[j];
    sum += squared * wave.potential[j] * squares / (squared - k * k);
  }
  return sum;
}

Number BoundStrokes::sum(std::size_t first, std::size_t second) const {
  const Number whole = stroke(waves_[first], waves_[second]);
  return first == second ? whole / 2.0 : whole;
}

Number BoundStrokes::difference(std::size_t first, std::size_t second) const {
  return stroke(waves_[first], conjugate(waves_[second]));
}

Number BoundStrokes::stroke(const Wave& one, const Wave& two) const {
  const double w1 = one.angular_frequency, w2 = two.angular_frequency, omega = w1 + w2, g = gravity_;
  const double k = wave_number(2 * std::numbers::pi / std::abs(omega), depth_, g);
  const auto fourth = [g](double w) { return w * w * w * w / (g * g); };
  const double product = w1 * w1 * w2 * w2 / (g * g);
  Number inner = 0, outer = 0;  // sums over the first half of the modes, and over the others
  for (std::size_t j = 0; j < modes; ++j)
    for (std::size_t l = 0; l < modes; ++l) {
      const Number k1 = one.wave_number[j], k2 = two.wave_number[l], sum = k1 + k2;
      const Number forcing =
          -one.potential[j] * two.potential[l] * i *
          (omega * (product - k1 * k2) - 0.5 * w1 * (k2 * k2 - fourth(w2)) - 0.5 * w2 * (k1 * k1 - fourth(w1)));
      (j < modes / 2 && l < modes / 2 ? inner : outer) += -i * sum * forcing / (g * (sum * sum - k * k));
    }
  // Modes beyond the last one add as much as those beyond the half of them: the rest falls with their number.
  const Number surface = inner + 2.0 * outer;
  const Number place =
      -0.5 * (one.stroke * beside_the_paddle(two, k, omega) + two.stroke * beside_the_paddle(one, k, omega));
  return g * k * k / (i * omega * omega * omega) * (surface + place);
}

}  // namespace shoal::sph
