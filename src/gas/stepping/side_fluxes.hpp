// SPDX-License-Identifier: Apache-2.0
// Fluxes through the sides of a line or plane, from those of the faces of each rank.
#pragma once
#include <shoal/gas.hpp>

#include <vector>

#include "gas/setup/gas_setup.hpp"

namespace shoal::gas {

using FluxesOfSides = std::vector<std::vector<GasFlux>>;  ///< [sides][faces]

/// Flux of a face from the sums of FluxSums.
GasFlux flux_from_sums(const NodeVelocities& nodes, const double* sums);

/// sum += factor × flux
void add_flux(GasFlux& sum, const GasFlux& flux, double factor);

/// Gathers the fluxes of all ranks through the faces of each side. Collective.
/// @param own_fluxes  [records × boundary faces] of this rank
/// @return  [records], of a mixture with the sides of the first species before those of the second
std::vector<FluxesOfSides> gather_records(const GasSetup& setup, const std::vector<GasFlux>& own_fluxes);

/// Flux through all faces of each side.
std::vector<GasFlux> sums_of_sides(const GasSetup& setup, const FluxesOfSides& fluxes);

}  // namespace shoal::gas
