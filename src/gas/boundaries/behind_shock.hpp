// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/item/host_device.hpp>

#include "core/real.hpp"

namespace shoal::gas {

/// Reservoir behind a normal shock: an inflow whose density holds the shock at its place while a steady state is sought.
///
/// Between two given reservoirs nothing fixes the place of a shock. On a line of finite length their fluxes differ by what
/// fast molecules carry to the ends, and the shock drifts at a constant speed. The excess mass, which the line holds
/// beyond that of the gas ahead, measures its place: more density behind drives the shock upstream, where the excess grows.
struct BehindShock {
  double density_share = 1;  ///< Density of the molecules that enter / given density.

  /// Sets the density for a state of the line.
  /// @param excess  excess mass of the line / excess mass to keep
  void hold(double excess) {
    // Molecules that enter reach the shock as sound, after the time τ = distance / (c − u). The error of the mass then
    // decays fastest for gain × c / (c − u) = 1/e to 1, with c / (c − u) from 1.8 for strong to 4 for weak shocks.
    constexpr double gain = 0.75, largest_change = 0.5;
    density_share = 1 + min(max(gain * (1 - excess), -largest_change), largest_change);
  }

  SHOAL_HD void balance(double, double) {}
  SHOAL_HD double entering(double maxwellian, double) const { return density_share * maxwellian; }
};

}  // namespace shoal::gas
