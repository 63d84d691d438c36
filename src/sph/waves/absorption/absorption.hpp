// SPDX-License-Identifier: Apache-2.0
// Active absorption of the wavemakers of a case: its coefficients by linear theory, and the elevation that it wants.
#pragma once
#include <shoal/sph/case.hpp>

#include <complex>
#include <vector>

#include "sph/waves/absorption/absorption_item.hpp"

namespace shoal::sph {

/// G, τ and r of AbsorptionState.
struct AbsorptionControl {
  double gain, delay, return_rate;
};

/// @param distance  m from the paddle to the gauge
AbsorptionControl absorption_control(const Wavemaker& wavemaker, double gravity, double distance);

/// Amplitude of the wave that comes back from a paddle with absorption, over that of the wave which runs against it, by linear
/// theory: (1 − γ z)/(1 + γ z*), z = m exp(ikD) + iE, γ = G/(ω + iω² τ − ir).
/// @param period  s, of the wave
std::complex<double> reflection_of(const AbsorptionControl& control, double period, double depth, double gravity,
                                   double distance);

/// Parameters of the wavemakers with absorption, in the order of the case.
/// @param origin  m, origin of the lattice
/// @param knots   the knots of the wanted elevations are appended
std::vector<AbsorptionParameters> make_absorption(const Case& simulation, const double* origin,
                                                  std::vector<PathKnot>& knots);

/// @throws Error  a wavemaker cannot absorb: names the key
void check_absorption(const Case& simulation);

}  // namespace shoal::sph
