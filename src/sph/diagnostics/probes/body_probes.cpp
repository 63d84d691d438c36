// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/probes/body_probes.hpp"

#include <cmath>
#include <numbers>

#include "core/text.hpp"
#include "sph/setup/bodies/springs.hpp"

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

/// Index of the rigid body whose wall a probe names.
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

Vector spring_force(const SpringParameters& spring, const std::vector<BodyParameters>& bodies,
                    const std::vector<RigidBodyState>& states) {
  SpringEnd ends[2];
  const auto state_of = [&](int k) { return to_body_state(states[static_cast<std::size_t>(k)]); };
  spring_ends(spring, bodies.data(), state_of, ends);
  const Vector3 force = pull(spring, ends[0], ends[1]);
  return {force[0], force[1], force[2]};
}

}  // namespace

void check_body_probe(const Case& simulation, const Probe& probe) {
  if (has_spring(probe.kind))
    spring_number(simulation, probe);
  else
    body_number(simulation, probe);
}

Vector body_value(const Case& simulation, const Probe& probe, const std::vector<BodyParameters>& bodies,
                  const std::vector<SpringParameters>& springs, const std::vector<RigidBodyState>& states) {
  if (has_spring(probe.kind)) return spring_force(springs[spring_number(simulation, probe)], bodies, states);
  const RigidBodyState& body = states[body_number(simulation, probe)];
  return probe.kind == ProbeKind::body_center ? body.center : rotation_vector(body.rotation);
}

}  // namespace shoal::sph
