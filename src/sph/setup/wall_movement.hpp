// SPDX-License-Identifier: Apache-2.0
// Movement of a wall: the sum of its motions.
#pragma once
#include <shoal/sph/case.hpp>

namespace shoal::sph {

/// Returns the index of the wall of that name.
/// @param section  section of the case file that names the wall
/// @throws Error  the case has no wall of that name
std::size_t wall_named(const Case& simulation, const std::string& name, const char* section);

/// Returns true for a wall with a motion of its own, of [[motion]] or of a wavemaker, and for a rigid body.
bool moves(const Case& simulation, const Wall& wall);

/// Motions of a wall in the order in which they act, those of wavemakers planned up to a time.
/// @param until  s
std::vector<Motion> motions_of(const Case& simulation, const Wall& wall, double until);

/// Displacement of a wall at t = 0, by the phases and mean angles of its motions.
RigidTransform start_position(const Case& simulation, const Wall& wall);

/// @throws Error  a motion is invalid, or its wall is not in the case: names the first by its case-file key
void check_motions(const Case& simulation);

}  // namespace shoal::sph
