// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/bodies/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_set>

#include "sph/require_number.hpp"

namespace shoal::sph {

namespace {

constexpr double least_restitution = 0.05;
constexpr double steps_of_contact = 20;

/// Support, in spacings, in which pairs of a contact are found while they move through the stages of a step.
constexpr double least_support = contact_reach + 0.25;

/// Smallest m₁ m₂/(m₁ + m₂) of two partners, kg.
double least_mass(const Case& simulation) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < simulation.rigid_bodies.size(); ++k) {
    const double mass = simulation.rigid_bodies[k].mass;
    least = std::min(least, mass);
    for (std::size_t partner = 0; partner < k; ++partner)
      least = std::min(least, 1 / (1 / mass + 1 / simulation.rigid_bodies[partner].mass));
  }
  return least;
}

/// Place on a lattice with the spacing of the case.
struct Place {
  std::array<std::int64_t, 3> index;

  bool operator==(const Place&) const = default;
  Place beside(int axis, int step) const {
    Place place = *this;
    place.index[static_cast<std::size_t>(axis)] += step;
    return place;
  }
};

struct PlaceHash {
  std::size_t operator()(const Place& place) const {
    std::uint64_t hash = 0;
    for (const std::int64_t index : place.index)
      hash = (hash ^ static_cast<std::uint64_t>(index)) * 0x9e3779b97f4a7c15U + (hash >> 29);
    return static_cast<std::size_t>(hash);
  }
};

using Places = std::unordered_set<Place, PlaceHash>;

/// Calls visit(place) for a place and those around it across an axis.
/// @return  true if visit does so for all of them
template <class Visit>
bool holds_around(const Place& place, int axis, int dimensions, const Visit& visit) {
  const int first = (axis + 1) % dimensions, second = (axis + 2) % dimensions;
  for (int a = -1; a <= 1; ++a)
    for (int b = dimensions == 3 ? -1 : 0; b <= (dimensions == 3 ? 1 : 0); ++b)
      if (!visit(dimensions == 3 ? place.beside(first, a).beside(second, b) : place.beside(first, a))) return false;
  return true;
}

/// Axis across the face of a particle; −1: it has none.
int face_axis(const Places& places, const Place& place, int dimensions) {
  const auto is_taken = [&](const Place& neighbor) { return places.contains(neighbor); };
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto is_free = [&](int side) {
      return holds_around(place, axis, dimensions,
                          [&](const Place& neighbor) { return !is_taken(neighbor.beside(axis, side)); });
    };
    if (holds_around(place, axis, dimensions, is_taken) && (is_free(1) || is_free(-1))) return axis;
  }
  return -1;
}

}  // namespace

double restitution_of(double damping_ratio) {
  const double z = damping_ratio;
  if (z < 1) {
    const double w = std::sqrt(1 - z * z);
    return std::exp(-z / w * (std::numbers::pi - std::atan2(2 * z * w, 1 - 2 * z * z)));
  }
  const double w = std::sqrt(z * z - 1);
  return w == 0 ? std::exp(-2.0) : std::exp(-2 * z / w * std::log(z + w));
}

double damping_ratio_of(double restitution) {
  double low = 0, high = 1 / least_restitution;
  if (restitution >= 1) return 0;
  for (double middle = high / 2; low < middle && middle < high; middle = low + (high - low) / 2)
    (restitution_of(middle) > restitution ? low : high) = middle;
  return low;
}

ContactParameters make_contact(const Case& simulation) {
  if (!simulation.contact) return {};
  return {.stiffness = simulation.contact->stiffness,
          .friction = simulation.contact->friction,
          .damping_ratio = damping_ratio_of(simulation.contact->restitution),
          .spacing = simulation.spacing};
}

double contact_step(const Case& simulation) {
  if (!simulation.contact) return std::numeric_limits<double>::infinity();
  return std::numbers::pi * std::sqrt(least_mass(simulation) / simulation.contact->stiffness) / steps_of_contact;
}

void check_contact(const Case& simulation) {
  if (!simulation.contact) return;
  const Contact& contact = *simulation.contact;
  require(!simulation.rigid_bodies.empty(),
          "sph: the case has a contact, but no rigid body. Add a [[rigid_body]], or remove [contact].");
  require_positive(contact.stiffness, "contact.stiffness", simulation.dimensions == 2 ? " N/m2" : " N/m");
  require(contact.restitution >= least_restitution && contact.restitution <= 1,
          "sph: contact.restitution = ", contact.restitution, ", expected ", least_restitution, " to 1.");
  require_not_negative(contact.friction, "contact.friction", "");
  const double reach = kernel_radius(simulation.scheme.kernel) * simulation.smoothing;
  require(reach >= least_support, "sph: the support of the kernel is ", reach,
          " spacings, and a contact needs at least ", least_support, ". Raise particles.smoothing.");
  const double most = contact_step(simulation);
  require(simulation.scheme.time_step == TimeStep::cfl || simulation.scheme.dt <= most,
          "sph: scheme.dt = ", simulation.scheme.dt, " s, expected at most ", most, " s, 1/", steps_of_contact,
          " of the shortest contact. Reduce scheme.dt or contact.stiffness.");
}

WallFaces::WallFaces(const Case& simulation, const Filling& filling, const Lattice& lattice)
    : first_(filling.count() - filling.wall_count()), axis_(static_cast<std::size_t>(filling.wall_count())) {
  const PartIds parts = filling.part_ids();
  std::vector<Place> place(axis_.size());
  const double per_unit = lattice.unit / simulation.spacing;
  std::array<std::int64_t, 3> origin{};
  for (std::int64_t plane = 0; plane < filling.planes(); ++plane)
    if (filling.first(plane) >= first_)
      filling.for_each(plane, [&](const StartParticle& particle) {
        if (particle.id == parts.of_wall(static_cast<std::size_t>(parts.wall(particle.id))).first)
          origin = particle.coordinate;
        for (std::size_t axis = 0; axis < 3; ++axis)
          place[static_cast<std::size_t>(particle.id - first_)].index[axis] =
              std::llround(static_cast<double>(particle.coordinate[axis] - origin[axis]) * per_unit);
      });
  for (std::size_t wall = 0; wall < simulation.walls.size(); ++wall) {
    const IdRange ids = parts.of_wall(wall);
    const auto begin = place.begin() + (ids.first - first_), end = place.begin() + (ids.end - first_);
    const Places places(begin, end);
    std::transform(begin, end, axis_.begin() + (ids.first - first_), [&](const Place& particle) {
      return static_cast<std::int8_t>(face_axis(places, particle, simulation.dimensions));
    });
  }
}

}  // namespace shoal::sph
