// SPDX-License-Identifier: Apache-2.0
// Forces of springs on rigid bodies, sph/spring.hpp.
#pragma once
#include "sph/physics/bodies/rigid_body_item.hpp"

namespace shoal::sph {

struct SpringParameters {
  int body = 0;
  int second_body = -1;  ///< index of the body at the other end; −1: that end is fixed
  Vector3 attachment{};  ///< m from the origin of the lattice, end on the body before it moved
  Vector3 anchor{};      ///< the other end: the same of the other body, or a fixed place, m
  double length = 0;     ///< m
  double stiffness = 0;  ///< N/m
  double damping = 0;    ///< N s/m
  bool slack = false;
};

/// An end of a spring.
struct SpringEnd {
  Vector3 arm;       ///< m, from the center of mass of its body
  Vector3 position;  ///< m
  Vector3 velocity;  ///< m/s
};

/// End of a spring on a body.
/// @param initial  m from the origin of the lattice, before the body moved
SHOAL_HD SpringEnd spring_end(const BodyParameters& body, const BodyState& state, const Vector3& initial) {
  SpringEnd end{arm(body, state, initial), {}, {}};
  const Vector3 turning = cross(angular_velocity(body, state), end.arm);
  for (int axis = 0; axis < 3; ++axis) {
    end.position[axis] = state.center[axis] + end.arm[axis];
    end.velocity[axis] = state.velocity[axis] + turning[axis];
  }
  return end;
}

/// Force that pulls the two ends toward each other, N; negative: it pushes.
/// @param distance  m, between the ends
/// @param rate      m/s, by which it grows
SHOAL_HD double tension(const SpringParameters& spring, double distance, double rate) {
  const double force = spring.stiffness * (distance - spring.length) + spring.damping * rate;
  return spring.slack && (distance < spring.length || force < 0) ? 0 : force;
}

/// Force of a spring on the first of two ends, N. Ends at one place have no direction, and the force is 0.
SHOAL_HD Vector3 pull(const SpringParameters& spring, const SpringEnd& first, const SpringEnd& second) {
  Vector3 apart{}, growth{};
  for (int axis = 0; axis < 3; ++axis) {
    apart[axis] = second.position[axis] - first.position[axis];
    growth[axis] = second.velocity[axis] - first.velocity[axis];
  }
  const double distance = std::sqrt(dot(apart, apart));
  if (distance == 0) return {};
  const double scale = tension(spring, distance, dot(growth, apart) / distance) / distance;
  return {{scale * apart[0], scale * apart[1], scale * apart[2]}};
}

/// Ends of a spring: on its body, then the other one.
/// @param state_of  state_of(k) returns the state of body k
template <class StateOf>
SHOAL_HD void spring_ends(const SpringParameters& spring, const BodyParameters* bodies, const StateOf& state_of,
                          SpringEnd (&ends)[2]) {
  ends[0] = spring_end(bodies[spring.body], state_of(spring.body), spring.attachment);
  ends[1] = spring.second_body < 0
                ? SpringEnd{{}, spring.anchor, {}}
                : spring_end(bodies[spring.second_body], state_of(spring.second_body), spring.anchor);
}

/// Adds the forces of all springs on body `k`, in their order.
template <class StateOf>
SHOAL_HD void add_spring_loads(const SpringParameters* springs, int count, const BodyParameters* bodies,
                               const StateOf& state_of, int k, BodyLoad& load) {
  for (int s = 0; s < count; ++s) {
    const SpringParameters& spring = springs[s];
    if (spring.body != k && spring.second_body != k) continue;
    SpringEnd ends[2];
    spring_ends(spring, bodies, state_of, ends);
    const Vector3 force = pull(spring, ends[0], ends[1]);
    for (int end = 0; end < 2; ++end) {
      if ((end == 0 ? spring.body : spring.second_body) != k) continue;
      const double sign = end == 0 ? 1 : -1;
      const Vector3 moment = cross(ends[end].arm, force);
      for (int axis = 0; axis < 3; ++axis) {
        load.force[axis] += sign * force[axis];
        load.moment[axis] += sign * moment[axis];
      }
    }
  }
}

}  // namespace shoal::sph
