// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>
#include <shoal/warning.hpp>

namespace shoal::sph {

/// Relative change of density, ρ/ρ₀ − 1, up to which a liquid counts as weakly compressible.
constexpr double largest_density_change = 0.03;

/// Returns the speed that the flow of a case is expected to reach, m/s: U of choose_sound_speeds().
double expected_speed(const Case& simulation);

/// Chooses the sound speed of each liquid (tait, linear) that has none:
///
///     c = 10 U √(ρ_max/ρ₀),   U = max(√(g H), largest speed of bodies and walls at the start)
///
/// H is the height from the highest fluid down to the lowest fluid, the lowest inside of a wall or the top of a solid
/// wall. ρ_max is the largest reference density of the liquids of the case. Density then changes by about 1 %.
/// @throws Error  the case has neither gravity nor speeds, or it integrates energy: names the key that is missing; a motion
///                or a wavemaker is invalid
void choose_sound_speeds(Case& simulation);

/// Returns the warnings about a valid case before its first step:
///
///     sound_speed   (U/c)² ρ_max/ρ₀ is more than largest_density_change
///     time_step     the Courant number, or the time step relative to 0.125 h²/ν or to 0.25 √(ρ h³/(2πσ)), is beyond the
///                   stability limit
///     tension       a body starts at less than the largest σ/h, so that particles gather along interfaces
///     wall_layers   a wall has fewer layers of particles than the kernel reaches
///     wall_gap      fluid between opposite sides of a wall interacts with both
///     wave_height   waves of a wavemaker are higher than 0.142 L tanh kd or 0.78 d, where waves break
///     wave_order    a wavemaker of second order has H L²/d³ above 8π²/3
///     slab_axis     several ranks: the case is more than twice as long along another axis as along the last one, which
///                   ranks cut
std::vector<Warning> warnings(const Case& simulation, int ranks = 1);

/// Returns the warnings about the state of a run:
///
///     density_change   the root mean square of ρ/ρ₀ − 1 is more than largest_density_change
std::vector<Warning> warnings(const Case& simulation, const Balance& balance);

}  // namespace shoal::sph
