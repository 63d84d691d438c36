// SPDX-License-Identifier: Apache-2.0
// Displacement of a wall in stored fields, from the places of its particles.
#pragma once
#include <shoal/device.hpp>
#include <shoal/rigid_transform.hpp>
#include <shoal/sph.hpp>

namespace shoal::sph {

/// Rotation and translation that fit pairs of points best by least squares (Horn 1987): Σ |R a + t − b|² is least. In 2-D
/// the rotation is about z, in 1-D there is none.
/// @param before  [n] a
/// @param after   [n] b
RigidTransform fitted_displacement(const std::vector<Vector>& before, const std::vector<Vector>& after, int dimensions);

/// Displacement of a wall from where it was drawn, by its particles in the domain.
/// @param period  m, of each axis; 0: not periodic
/// @throws Error  the fields have fewer than two particles of the wall
RigidTransform stored_displacement(const Queue& queue, const Case& simulation, const Fields& fields, std::size_t wall,
                                   const Vector& period);

}  // namespace shoal::sph
