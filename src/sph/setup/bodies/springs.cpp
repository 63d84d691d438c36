// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/bodies/springs.hpp"

#include <algorithm>
#include <cmath>

#include "sph/require_number.hpp"

namespace shoal::sph {

namespace {

std::vector<std::string> names_of_bodies(const Case& simulation) {
  std::vector<std::string> names;
  for (const RigidBody& body : simulation.rigid_bodies) names.push_back(body.wall);
  return names;
}

/// Index of the rigid body that a key of a spring names.
int body_named(const Case& simulation, const std::string& wall, const char* key) {
  const std::vector<std::string> names = names_of_bodies(simulation);
  const auto entry = std::find(names.begin(), names.end(), wall);
  require(entry != names.end(), "sph: spring.", key, " = \"", wall,
          "\", expected the wall of a rigid body: ", names.empty() ? std::string("the case has none") : join(names),
          ".");
  return static_cast<int>(entry - names.begin());
}

double distance(const Vector& a, const Vector& b) { return std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]); }

void check_point(const Case& simulation, const Vector& point, const char* key) {
  for (const double component : point)
    require(std::isfinite(component), "sph: spring.", key, " has the component ", component,
            " m, expected finite numbers.");
  require(simulation.dimensions == 3 || point[2] == 0, "sph: spring.", key, " has z = ", point[2],
          " m, expected 0 in 2-D.");
}

}  // namespace

std::vector<SpringParameters> make_springs(const Case& simulation, const Lattice& lattice) {
  std::vector<SpringParameters> springs;
  for (const Spring& given : simulation.springs) {
    SpringParameters spring{.body = body_named(simulation, given.body, "body"),
                            .attachment = to_vector3(given.at),
                            .anchor = to_vector3(given.anchor),
                            .length = given.length.value_or(distance(given.at, given.anchor)),
                            .stiffness = given.stiffness,
                            .damping = given.damping,
                            .slack = given.slack};
    if (!given.second_body.empty()) spring.second_body = body_named(simulation, given.second_body, "second_body");
    for (int axis = 0; axis < 3; ++axis) {
      spring.attachment[axis] -= lattice.origin[axis];
      if (spring.second_body >= 0) spring.anchor[axis] -= lattice.origin[axis];
    }
    springs.push_back(spring);
  }
  return springs;
}

std::size_t spring_number(const Case& simulation, const Probe& probe) {
  std::vector<std::string> names;
  for (const Spring& spring : simulation.springs) {
    if (!spring.name.empty() && spring.name == probe.spring) return names.size();
    names.push_back(spring.name);
  }
  throw Error(text("sph: probe \"", probe.name, "\" is on the spring \"", probe.spring,
                   "\", which is not there; the case has ", names.empty() ? "no springs" : join(names), "."));
}

void check_springs(const Case& simulation) {
  for (const Spring& spring : simulation.springs) {
    const int body = body_named(simulation, spring.body, "body");
    if (!spring.second_body.empty())
      require(body_named(simulation, spring.second_body, "second_body") != body, "sph: spring.second_body = \"",
              spring.second_body, "\" is also spring.body, expected another rigid body, or none for a fixed point.");
    check_point(simulation, spring.at, "at");
    check_point(simulation, spring.anchor, "anchor");
    if (spring.length) require_not_negative(*spring.length, "spring.length", " m");
    require_not_negative(spring.stiffness, "spring.stiffness", simulation.dimensions == 2 ? " N/m2" : " N/m");
    require_not_negative(spring.damping, "spring.damping", simulation.dimensions == 2 ? " N s/m2" : " N s/m");
    require(spring.stiffness > 0 || spring.damping > 0,
            "sph: a spring has neither stiffness nor damping, and does nothing. Set one of them.");
  }
}

}  // namespace shoal::sph
