// SPDX-License-Identifier: Apache-2.0
#include "sph/fill.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sph/eos_item.hpp"
#include "sph/state.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// Collects the particles of a case.
class Filler {
 public:
  Filler(const Case& simulation, const Lattice& lattice)
      : simulation_(simulation), lattice_(lattice), domain_(domain_of(simulation)) {}

  void add(const Vector& at, const Vector& velocity, std::uint8_t tag, double deviation, double stress, double energy) {
    for (int axis = 0; axis < simulation_.dimensions; ++axis) {
      require(at[axis] >= domain_.from[axis] && at[axis] <= domain_.to[axis], "sph: particle ", snapshot.id.size(),
              " starts outside the domain: ", axis_names[axis], " = ", at[axis], " m, allowed [", domain_.from[axis],
              ", ", domain_.to[axis], "] m. Enlarge [domain] or move the body.");
      const std::int64_t even = 2 * std::llround((at[axis] - lattice_.origin[axis]) / lattice_.unit / 2);
      snapshot.coordinate[axis].push_back(even | (axis == 0 && Tag::is_wall(tag)));
      snapshot.velocity[axis].push_back(velocity[axis]);
    }
    snapshot.id.push_back(static_cast<std::int64_t>(snapshot.id.size()));
    snapshot.tag.push_back(tag);
    snapshot.density_deviation.push_back(deviation);
    snapshot.stress.push_back(stress);
    snapshot.energy.push_back(energy);
  }

  Snapshot snapshot;

 private:
  const Case& simulation_;
  const Lattice& lattice_;
  Box domain_;
};

double heat_at(const Case& simulation, const Vector& point) {
  double energy = 0;
  for (const HeatPulse& pulse : simulation.heat) {
    double squared = 0;
    for (int axis = 0; axis < simulation.dimensions; ++axis)
      squared += (point[axis] - pulse.at[axis]) * (point[axis] - pulse.at[axis]);
    energy += pulse.energy * std::exp(-squared / (pulse.radius * pulse.radius));
  }
  return energy;
}

/// How deep a point is, in J/kg: −g·x.
double height(const Case& simulation, const Vector& point) {
  double work = 0;
  for (int axis = 0; axis < simulation.dimensions; ++axis) work -= simulation.scheme.gravity[axis] * point[axis];
  return work;
}

/// The height of the free surface: that of the highest corner of the highest particle's cell.
double surface_height(const Case& simulation, const std::vector<Vector>& points) {
  double highest = height(simulation, points.front());
  for (const Vector& point : points) highest = std::max(highest, height(simulation, point));
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    highest += std::abs(simulation.scheme.gravity[axis]) * simulation.spacing / 2;
  return highest;
}

Vector velocity_of(const Body& body, std::size_t particle, const Vector& point) {
  Vector velocity =
      body.particles && !body.particles->velocity.empty() ? body.particles->velocity[particle] : body.velocity;
  for (int axis = 0; axis < 3; ++axis) velocity[axis] += body.strain_rate[axis] * point[axis];
  return velocity;
}

void add_body(const Case& simulation, const Body& body, const Part& part, Filler& filler) {
  const Material& material = simulation.materials.front();
  const EosParameters<double> eos = make_eos<double>(material);
  const double surface = surface_height(simulation, part.points);
  for (std::size_t i = 0; i < part.points.size(); ++i) {
    const Vector& point = part.points[i];
    const double energy = simulation.scheme.energy ? heat_at(simulation, point) : 0;
    const double deviation = body.pressure == InitialPressure::hydrostatic
                                 ? deviation_at(eos, material.density * (surface - height(simulation, point)))
                                 : 0;
    filler.add(point, velocity_of(body, i, point), 0, deviation,
               stress_of(eos, deviation, pressure(eos, deviation, energy)), energy);
  }
}

}  // namespace

Snapshot fill(const Case& simulation, const Lattice& lattice, const Queue& queue) {
  const CaseParts parts = parts_of(simulation, queue);
  Filler filler(simulation, lattice);
  for (std::size_t i = 0; i < parts.bodies.size(); ++i)
    add_body(simulation, simulation.bodies[i], parts.bodies[i], filler);
  for (const Part& wall : parts.walls)
    for (const Vector& point : wall.points) filler.add(point, {}, Tag::wall_bit, 0, 0, 0);
  Snapshot& snapshot = filler.snapshot;
  require(!snapshot.id.empty(),
          "sph: the case has no particles. Give [[body]] a box of at least one particles.spacing.");
  snapshot.clock.particles = static_cast<std::int64_t>(snapshot.id.size());
  return std::move(snapshot);
}

}  // namespace shoal::sph
