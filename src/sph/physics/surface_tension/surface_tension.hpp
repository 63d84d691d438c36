// SPDX-License-Identifier: Apache-2.0
// Surface tension of a case: its coefficients, its limit of the time step and its checks.
#pragma once
#include <shoal/sph/case.hpp>

#include <vector>

#include "sph/physics/surface_tension/interface.hpp"

namespace shoal::sph {

/// Interfaces of all pairs of materials, [materials][materials]; empty without surface tension.
template <class Real>
std::vector<Interface<Real>> make_interfaces(const Case& simulation);

/// Largest stable time step of surface tension, s: 0.25 √(ρ h³/(2πσ)) with the smaller density of each pair, that of its
/// shortest capillary waves (Brackbill, Kothe and Zemach 1992); infinity without surface tension.
double capillary_step(const Case& simulation);

/// Pressure at which fluids that fill their space carry the stress of their interface, σ/h with the largest σ, Pa. Under
/// less pressure particles gather along interfaces. 0 without surface tension.
double capillary_pressure(const Case& simulation);

/// @throws Error  a surface tension is invalid, or does not go with the case: names the first by its case-file key
void check_surface_tension(const Case& simulation);

}  // namespace shoal::sph
