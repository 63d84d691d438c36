// SPDX-License-Identifier: Apache-2.0
// Contact of rigid bodies with walls and with each other, sph/contact.hpp: the force of a pair of particles, and sums of
// pairs as whole numbers.
#pragma once
#include "ranks/exact_sum_item.hpp"
#include "sph/physics/bodies/rigid_body_item.hpp"
#include "sph/physics/pairs/separation_item.hpp"
#include "sph/physics/steps/moving_wall_item.hpp"

namespace shoal::sph {

struct ContactParameters {
  double stiffness = 0;  ///< N/m; 0: there is no contact
  double friction = 0;
  double damping_ratio = 0;  ///< ζ = c/(2 √(stiffness m))
  double spacing = 0;        ///< m, of particles: their distance where two surfaces touch
};

/// Distance of particles up to which a pair counts in a contact, spacings: above a face there is a neighbor in every place.
constexpr double contact_reach = 1.5;

/// Depth to which two particles overlap, m, and the direction in which the first one is pushed.
struct Overlap {
  double depth;
  Vector3 normal;
};

/// Overlap of two particles: along the axis across a face of either on which they are farther apart, or of two spheres.
/// @param apart  m, from the second to the first particle, not 0
/// @param faces  axes across the faces of both; 0 without a face
SHOAL_HD Overlap overlap_of(double spacing, const Vector3& apart, const Vector3 (&faces)[2]) {
  double separation = -1;
  Vector3 normal{};
  for (const Vector3& face : faces) {
    const double along = dot(apart, face), sign = along < 0 ? -1 : 1;
    if (dot(face, face) == 0 || sign * along <= separation) continue;
    separation = sign * along;
    for (int axis = 0; axis < 3; ++axis) normal[axis] = sign * face[axis];
  }
  if (separation < 0) {
    separation = std::sqrt(dot(apart, apart));
    for (int axis = 0; axis < 3; ++axis) normal[axis] = apart[axis] / separation;
  }
  return {spacing - separation, normal};
}

/// Force on the first of two partners that overlap, N.
/// @param mass      kg, m₁ m₂/(m₁ + m₂)
/// @param velocity  m/s, of the first relative to the second
SHOAL_HD Vector3 contact_force(const ContactParameters& contact, double mass, const Overlap& overlap,
                               const Vector3& velocity) {
  const double damping = std::sqrt(contact.stiffness * mass);
  const double rate = dot(velocity, overlap.normal);
  const double push = max(0.0, contact.stiffness * overlap.depth - 2 * contact.damping_ratio * damping * rate);
  Vector3 force{}, slip{};
  for (int axis = 0; axis < 3; ++axis) slip[axis] = velocity[axis] - rate * overlap.normal[axis];
  const double speed = std::sqrt(dot(slip, slip));
  const double drag = speed > 0 ? min(contact.friction * push, damping * speed) / speed : 0;
  for (int axis = 0; axis < 3; ++axis) force[axis] = push * overlap.normal[axis] - drag * slip[axis];
  return force;
}

/// Terms of a pair in the sums of two partners, each times the weight: the weight, the force on the first partner, its
/// moment on the first and on the second.
constexpr int contact_terms = 10;
struct ContactTerms {
  double value[contact_terms];
};

/// Size of a term, in which sums are exact to 2^-66.
SHOAL_HD double size_of_term(const ContactParameters& contact, int term) {
  const double force = contact.stiffness * contact.spacing * contact.spacing;
  return term == 0 ? contact.spacing : term < 4 ? force : force * contact.spacing;
}

/// Sums over the pairs of two partners, the same in any order.
struct ContactSums {
  ExactSum term[contact_terms];

  SHOAL_HD void add(const ContactParameters& contact, const ContactTerms& terms) {
    for (int k = 0; k < contact_terms; ++k)
      term[k].add(terms.value[k], SumUnit(magnitude_bits(size_of_term(contact, k))));
  }
  SHOAL_HD void add(const ContactSums& part) {
    for (int k = 0; k < contact_terms; ++k) term[k].add(part.term[k]);
  }
  SHOAL_HD double value(const ContactParameters& contact, int k) const {
    return term[k].value(SumUnit(magnitude_bits(size_of_term(contact, k))));
  }
};

/// Number of the sums of two partners. Walls that are no bodies are partner `count` of each body.
SHOAL_HD int contact_number(int count, int first, int second) { return first * (count + 1) + second; }
SHOAL_HD int contact_count(int count) { return count * (count + 1); }

/// The particles of a stage, and the bodies at its start.
/// @tparam StateOf  state_of(k) returns the state of body k
template <class Real, int dimensions, class StateOf>
struct ContactScene {
  const ContactParameters& contact;
  const Parameters<Real, dimensions>& parameters;
  const StateView<Real, dimensions>& now;
  int stage;
  const BodyParameters* bodies;
  int count;  ///< number of bodies
  const StateOf& state_of;

  /// Partner of a body to which particle j belongs; −1: none, or a body that counts the pair itself.
  SHOAL_HD int partner(int body, std::int64_t j) const {
    if (!is_wall(now.position[j])) return -1;
    const int owner = body_of(bodies, count, now.properties[j].movement());
    return owner < 0 ? count : owner > body ? owner : -1;
  }

  /// Turn of a partner since it was drawn. @param j  a particle of it
  SHOAL_HD Matrix3 turn(int partner, std::int64_t j) const {
    if (partner < count) return rotation_matrix(state_of(partner).rotation);
    Matrix3 matrix{{{{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}}};
    const int movement = now.properties[j].movement();
    if (movement < 0) return matrix;
    const auto& pose = parameters.tables->plan->pose[stage][movement].position;
    for (int row = 0; row < dimensions; ++row)
      for (int column = 0; column < dimensions; ++column) matrix[row][column] = pose.matrix[row][column];
    return matrix;
  }

  /// Axis across the face of a particle; 0 without a face.
  SHOAL_HD Vector3 face(int partner, std::int64_t j) const {
    const int axis = now.properties[j].face();
    if (axis < 0) return {};
    const Matrix3 matrix = turn(partner, j);
    return {{matrix[0][axis], matrix[1][axis], matrix[2][axis]}};
  }

  /// Velocity of a body at an arm from its center, m/s.
  SHOAL_HD Vector3 velocity(int body, const Vector3& arm) const {
    const BodyState& state = state_of(body);
    Vector3 velocity = cross(angular_velocity(bodies[body], state), arm);
    for (int axis = 0; axis < 3; ++axis) velocity[axis] += state.velocity[axis];
    return velocity;
  }

  /// Arm of the second body to the point that has an arm of the first one, m: the shortest where the domain is periodic.
  SHOAL_HD Vector3 arm_of_second(int first, int second, Vector3 arm) const {
    for (int axis = 0; axis < 3; ++axis) arm[axis] += state_of(first).center[axis] - state_of(second).center[axis];
    for (int axis = 0; axis < dimensions; ++axis) {
      const double period = parameters.tables->unit * static_cast<double>(parameters.period[axis]);
      if (period > 0) arm[axis] -= period * std::rint(arm[axis] / period);
    }
    return arm;
  }
};

/// Finds the terms of particle i of a body and particle j of a partner, a body or a wall.
/// @param id  of particle i
/// @return  false: they do not overlap, and there are none
template <class Real, int dimensions, class StateOf>
SHOAL_HD bool find_contact(const ContactScene<Real, dimensions, StateOf>& scene, int body, std::int64_t i,
                           std::int64_t id, int partner, std::int64_t j, ContactTerms& terms) {
  const ContactParameters& contact = scene.contact;
  const ModelTables<Real, dimensions>& tables = *scene.parameters.tables;
  Vector3 apart{};
  for (int axis = 0; axis < dimensions; ++axis)
    apart[axis] = tables.unit * static_cast<double>(nearest_apart(scene.parameters, scene.now.position[i],
                                                                  scene.now.position[j], axis));
  const double reach = contact_reach * contact.spacing, squared = dot(apart, apart);
  if (squared >= reach * reach || squared == 0) return false;
  const Vector3 faces[2] = {scene.face(body, i), scene.face(partner, j)};
  const Overlap overlap = overlap_of(contact.spacing, apart, faces);
  if (overlap.depth <= 0) return false;

  const BodyParameters& first = scene.bodies[body];
  Vector3 initial{};
  initial_position(tables, id, initial.component);
  Vector3 arms[2] = {arm(first, scene.state_of(body), initial), {}};
  for (int axis = 0; axis < 3; ++axis) arms[0][axis] -= apart[axis] / 2;
  Vector3 velocity = scene.velocity(body, arms[0]), velocity_of_second{};
  double mass = first.mass;
  if (partner < scene.count) {
    const double partner_mass = scene.bodies[partner].mass;
    mass *= partner_mass / (mass + partner_mass);
    arms[1] = scene.arm_of_second(body, partner, arms[0]);
    velocity_of_second = scene.velocity(partner, arms[1]);
  } else {
    for (int axis = 0; axis < dimensions; ++axis) velocity_of_second[axis] = scene.now.velocity[j].v[axis];
  }
  for (int axis = 0; axis < 3; ++axis) velocity[axis] -= velocity_of_second[axis];
  const Vector3 force = contact_force(contact, mass, overlap, velocity);
  const Vector3 moments[2] = {cross(arms[0], force), cross(force, arms[1])};
  const double falloff = 1 - squared / (reach * reach), weight = falloff * falloff * overlap.depth;
  terms.value[0] = weight;
  bool is_in_range = true;
  for (int axis = 0; axis < 3; ++axis) {
    terms.value[1 + axis] = weight * force[axis];
    terms.value[4 + axis] = weight * moments[0][axis];
    terms.value[7 + axis] = weight * moments[1][axis];
  }
  // A larger term is of partners that pass the support in a step, which is an error of the stage.
  for (int k = 0; k < contact_terms; ++k)
    is_in_range = is_in_range && std::abs(terms.value[k]) < std::ldexp(size_of_term(contact, k), 36);
  return is_in_range;
}

/// Adds the forces of all contacts of body `k`: the means over their pairs.
/// @param sums  [count][count + 1] of each two partners
SHOAL_HD void add_contact_loads(const ContactParameters& contact, const ContactSums* sums, int count, int k,
                                BodyLoad& load) {
  for (int partner = 0; partner <= count; ++partner) {
    if (partner == k) continue;
    const bool is_first = k < partner;
    const ContactSums& sum = sums[is_first ? contact_number(count, k, partner) : contact_number(count, partner, k)];
    const double weight = sum.value(contact, 0);
    if (weight == 0) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const double force = sum.value(contact, 1 + axis) / weight;
      load.force[axis] += is_first ? force : -force;
      load.moment[axis] += sum.value(contact, (is_first ? 4 : 7) + axis) / weight;
    }
  }
}

}  // namespace shoal::sph
