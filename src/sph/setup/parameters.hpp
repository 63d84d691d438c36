// SPDX-License-Identifier: Apache-2.0
// Parameters of a case for the physics.
#pragma once
#include "sph/setup/filling/lattice.hpp"

namespace shoal::sph {

/// Returns true for a case that plain physics does not cover.
bool needs_general_physics(const Case& simulation);

/// Returns true if loops over pairs need the general model, too. They are plain in a case that is general because its walls
/// move.
bool needs_general_pairs(const Case& simulation);

/// Smallest smoothing length of a case at its start, m.
double finest_smoothing_length(const Case& simulation);

/// Largest stable time step of laminar viscosity, s: 0.125 h²/ν (Morris, Fox and Zhu 1997); infinity without viscosity.
double viscous_step(const Case& simulation);

template <class Real, int dimensions>
Parameters<Real, dimensions> make_parameters(const Case& simulation, const Lattice& lattice);

/// Tables of general physics, without the plan, the initial coordinates and the table of knots.
/// @param knots  set to the knots of all paths
template <class Real, int dimensions>
ModelTables<Real, dimensions> make_tables(const Case& simulation, const Lattice& lattice, std::vector<PathKnot>& knots);

}  // namespace shoal::sph
