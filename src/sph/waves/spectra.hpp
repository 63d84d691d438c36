// SPDX-License-Identifier: Apache-2.0
// Spectra of irregular seas, up to a factor.
#pragma once
#include <shoal/sph/waves.hpp>

#include <cmath>

#include "sph/physics/alternatives.hpp"

namespace shoal::sph {

/// Pierson and Moskowitz 1964: a fully developed sea.
struct PiersonMoskowitz {
  static constexpr Spectrum kind = Spectrum::pierson_moskowitz;
  static constexpr bool has_peak_enhancement = false;

  /// @param x  frequency over that of the peak
  static double energy(const Wavemaker&, double x) { return std::pow(x, -5) * std::exp(-1.25 * std::pow(x, -4)); }
};

/// Hasselmann et al. 1973: a sea that still grows, with a sharper peak.
struct Jonswap {
  static constexpr Spectrum kind = Spectrum::jonswap;
  static constexpr bool has_peak_enhancement = true;

  static double energy(const Wavemaker& wavemaker, double x) {
    const double distance = (x - 1) / (x <= 1 ? 0.07 : 0.09);
    return PiersonMoskowitz::energy(wavemaker, x) *
           std::pow(wavemaker.peak_enhancement, std::exp(-distance * distance / 2));
  }
};

/// All spectra; one that is not here cannot be in a case.
using Spectra = Alternatives<Spectrum, Jonswap, PiersonMoskowitz>;

}  // namespace shoal::sph
