// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph/waves.hpp>

namespace shoal::sph {

/// Elevation that the waves of a piston alone have at a gauge that moves with it, as a path: the elevation, m, is the first value
/// of a knot, and its derivative along the waves, 1, the second. It has the orders of the wavemaker's motion: of first order, the
/// modes that stay beside the piston too; of second order, waves bound to each two of the others.
/// @param gravity   m/s², not 0
/// @param distance  m from the piston to the gauge
/// @param until     s
/// Cost: as that of wavemaker_motion().
Motion wanted_elevation(const Wavemaker& wavemaker, const Vector& gravity, double distance, double until);

}  // namespace shoal::sph
