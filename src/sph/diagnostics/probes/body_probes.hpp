// SPDX-License-Identifier: Apache-2.0
// Probes that follow a rigid body.
#pragma once
#include <shoal/sph/case.hpp>

#include <vector>

#include "sph/physics/bodies/spring_item.hpp"

namespace shoal::sph {

/// Returns true for a kind of probe whose values follow from the states of rigid bodies.
inline bool is_of_body(ProbeKind kind) {
  return kind == ProbeKind::body_center || kind == ProbeKind::body_rotation || kind == ProbeKind::spring_force;
}

/// @throws Error  the wall that the probe names is no rigid body, or there is no such spring; the message lists those there
///                are
void check_body_probe(const Case& simulation, const Probe& probe);

/// Value of a probe: the center of mass, m, the rotation since the start, degrees, or the force of a spring on its body,
/// N.
/// @param states  of the rigid bodies of the case
Vector body_value(const Case& simulation, const Probe& probe, const std::vector<BodyParameters>& bodies,
                  const std::vector<SpringParameters>& springs, const std::vector<RigidBodyState>& states);

}  // namespace shoal::sph
