// SPDX-License-Identifier: Apache-2.0
// Speeds that the flow of a case will reach, estimated before its first step.
#pragma once
#include <shoal/sph/warnings.hpp>

namespace shoal::sph {

/// Returns g H, m²/s²: the drop of potential energy from the highest fluid to the lowest place that it can reach.
double gravity_head(const Case& simulation);

/// Returns the largest speed of bodies at the start and of walls at any time, m/s.
double largest_given_speed(const Case& simulation);

/// Returns true if the sound speed of a material is a parameter of the method instead of a property of the liquid.
bool has_numerical_sound_speed(const Case& simulation, const Material& material);

/// Returns the sound speed at which the expected speed changes the density of a material by 1 %, m/s.
double suitable_sound_speed(const Case& simulation, const Material& material);

}  // namespace shoal::sph
