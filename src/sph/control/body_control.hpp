// SPDX-License-Identifier: Apache-2.0
// What a program asks of a rigid body: given velocities, or a load beside the others.
#pragma once
#include <shoal/sph.hpp>

#include <cstddef>
#include <string_view>

#include "sph/physics/bodies/rigid_body_item.hpp"

namespace shoal::sph {

/// Index of the rigid body that a wall is.
/// @throws Error  there is none
std::size_t rigid_body_named(const Case& simulation, std::string_view wall);

/// Gives a body velocities.
/// @param angular_velocity  degrees/s
/// @throws Error            a component is not finite, or beyond the dimensions
void drive(const Case& simulation, const Vector& velocity, const Vector& angular_velocity, BodyControl& control);

/// Adds a load to those of a body.
/// @throws Error  a component is not finite, or beyond the dimensions
void push(const Case& simulation, const Vector& force, const Vector& moment, BodyControl& control);

/// State with the velocities that a program gives.
RigidBodyState driven_state(const BodyParameters& body, const RigidBodyState& state);

/// State of a body that is no longer driven: without velocities along and about locked axes.
RigidBodyState released_state(const BodyParameters& body, const RigidBodyState& state);

}  // namespace shoal::sph
