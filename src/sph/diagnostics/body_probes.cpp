// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/body_probes.hpp"

#include <cmath>
#include <numbers>

#include "core/text.hpp"

namespace shoal::sph {

namespace {

/// Rotation vector of a unit quaternion, degrees: the turn of at most 180 degrees.
Vector rotation_vector(const std::array<double, 4>& q) {
  const double sine = std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  if (sine == 0) return {};
  const double sign = q[0] < 0 ? -1 : 1;  // q and −q are the same rotation
  const double angle = 2 * std::atan2(sine, sign * q[0]) * 180 / std::numbers::pi;
  return {sign * q[1] / sine * angle, sign * q[2] / sine * angle, sign * q[3] / sine * angle};
}

}  // namespace

std::size_t body_number(const Case& simulation, const Probe& probe) {
  std::vector<std::string> names;
  for (const RigidBody& body : simulation.rigid_bodies) {
    if (body.wall == probe.wall) return names.size();
    names.push_back(body.wall);
  }
  throw Error(text("sph: probe \"", probe.name, "\" is a ", to_name(probe.kind), " of the wall \"", probe.wall,
                   "\", which is no rigid body; the case has ", names.empty() ? "none" : join(names),
                   ". Give the wall a [[rigid_body]], or remove the probe."));
}

Vector body_value(ProbeKind kind, const RigidBodyState& body) {
  return kind == ProbeKind::body_center ? body.center : rotation_vector(body.rotation);
}

}  // namespace shoal::sph
