// SPDX-License-Identifier: Apache-2.0
// Probes that follow a rigid body.
#pragma once
#include <shoal/sph/case.hpp>

namespace shoal::sph {

/// Returns true for a kind of probe whose values are those of a rigid body.
inline bool is_of_body(ProbeKind kind) { return kind == ProbeKind::body_center || kind == ProbeKind::body_rotation; }

/// Index of the rigid body whose wall a probe names.
/// @throws Error  the wall is no rigid body; the message lists those there are
std::size_t body_number(const Case& simulation, const Probe& probe);

/// Value of a probe: the center of mass, m, or the rotation since the start, degrees.
Vector body_value(ProbeKind kind, const RigidBodyState& body);

}  // namespace shoal::sph
