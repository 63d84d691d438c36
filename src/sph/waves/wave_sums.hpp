// SPDX-License-Identifier: Apache-2.0
// The sums of waves that a wavemaker can make.
#pragma once
#include <shoal/sph/waves.hpp>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "core/pseudo_random.hpp"
#include "sph/require_number.hpp"
#include "sph/waves/spectra.hpp"

namespace shoal::sph {

/// Component with the wave number of its period.
inline WaveComponent component(const Wavemaker& wavemaker, double gravity, double amplitude, double period) {
  return {amplitude, 2 * std::numbers::pi / period, wave_number(period, wavemaker.depth, gravity), 0};
}

/// Component k of a spectrum, whose amplitude is √(2 S Δf) up to a factor. The range is cut into equal shares.
/// @param place  of the frequency within its share, 0 to 1
inline WaveComponent spectral_component(const Wavemaker& wavemaker, double gravity, int k, double place) {
  const double share = (wavemaker.frequencies[1] - wavemaker.frequencies[0]) / wavemaker.components;
  const double x = wavemaker.frequencies[0] + share * (k + place);
  const double energy = Spectra::visit(wavemaker.spectrum, [&]<class Kind> { return Kind::energy(wavemaker, x); });
  return component(wavemaker, gravity, std::sqrt(2 * energy * share), wavemaker.period / x);
}

inline void check_spectrum(const Wavemaker& wavemaker) {
  const double low = wavemaker.frequencies[0], high = wavemaker.frequencies[1];
  require(std::isfinite(high) && low > 0 && low < high, "sph: wavemaker.frequencies = [", low, ", ", high,
          "], expected two positive numbers, the second one larger.");
  constexpr int most = 10'000;
  require(wavemaker.components >= 1 && wavemaker.components <= most,
          "sph: wavemaker.components = ", wavemaker.components, ", expected 1 to ", most, ".");
  if (Spectra::visit(wavemaker.spectrum, [&]<class Kind> { return Kind::has_peak_enhancement; }))
    require_positive(wavemaker.peak_enhancement, "wavemaker.peak_enhancement", "");
}

/// One wave.
struct RegularWaves {
  static constexpr Waves kind = Waves::regular;

  static void check(const Wavemaker& wavemaker) {
    if (wavemaker.absorption_gauge)
      require_not_negative(wavemaker.height, "wavemaker.height", " m");
    else
      require_positive(wavemaker.height, "wavemaker.height", " m");
    require(std::isfinite(wavemaker.phase), "sph: wavemaker.phase = ", wavemaker.phase,
            " degrees, expected a finite number.");
  }
  static std::vector<WaveComponent> components(const Wavemaker& wavemaker, double gravity) {
    WaveComponent wave = component(wavemaker, gravity, wavemaker.height / 2, wavemaker.period);
    wave.phase = wavemaker.phase * std::numbers::pi / 180;
    return {wave};
  }
};

/// Waves whose crests meet, with amplitudes in proportion to the energies of the spectrum (NewWave): a = A S Δf/Σ S Δf.
struct FocusedWaves {
  static constexpr Waves kind = Waves::focused;

  static void check(const Wavemaker& wavemaker) {
    require_positive(wavemaker.crest, "wavemaker.crest", " m");
    require_not_negative(wavemaker.focus_time, "wavemaker.focus_time", " s");
    require_not_negative(wavemaker.focus_length, "wavemaker.focus_length", " m");
    check_spectrum(wavemaker);
  }
  static std::vector<WaveComponent> components(const Wavemaker& wavemaker, double gravity) {
    std::vector<WaveComponent> waves;
    double sum = 0;
    for (int k = 0; k < wavemaker.components; ++k) {
      WaveComponent wave = spectral_component(wavemaker, gravity, k, 0.5);
      wave.amplitude *= wave.amplitude;
      wave.phase = wave.angular_frequency * wavemaker.focus_time - wave.wave_number * wavemaker.focus_length;
      sum += wave.amplitude;
      waves.push_back(wave);
    }
    for (WaveComponent& wave : waves) wave.amplitude *= wavemaker.crest / sum;
    return waves;
  }
};

/// A sea of random phases, scaled so that 4 √(Σ a²/2) is the significant height. The frequencies are spaced unevenly, at
/// random places within equal shares, so that the sea does not repeat itself.
struct IrregularWaves {
  static constexpr Waves kind = Waves::irregular;

  static void check(const Wavemaker& wavemaker) {
    require_positive(wavemaker.height, "wavemaker.height", " m");
    require(wavemaker.seed >= 0, "sph: wavemaker.seed = ", wavemaker.seed, ", expected 0 or more.");
    check_spectrum(wavemaker);
  }
  static std::vector<WaveComponent> components(const Wavemaker& wavemaker, double gravity) {
    const std::uint64_t stream = static_cast<std::uint64_t>(wavemaker.seed) << 32;
    std::vector<WaveComponent> waves;
    double variance = 0;
    for (int k = 0; k < wavemaker.components; ++k) {
      const std::uint64_t counter = stream + 2 * static_cast<std::uint64_t>(k);
      WaveComponent wave = spectral_component(wavemaker, gravity, k, pseudo_random(counter));
      wave.phase = 2 * std::numbers::pi * pseudo_random(counter + 1);
      variance += wave.amplitude * wave.amplitude / 2;
      waves.push_back(wave);
    }
    const double factor = wavemaker.height / (4 * std::sqrt(variance));
    for (WaveComponent& wave : waves) wave.amplitude *= factor;
    return waves;
  }
};

/// All sums of waves; one that is not here cannot be in a case.
using WaveSums = Alternatives<Waves, RegularWaves, FocusedWaves, IrregularWaves>;

}  // namespace shoal::sph
