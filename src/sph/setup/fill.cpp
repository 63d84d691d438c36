// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/fill.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/text.hpp"
#include "sph/physics/equations_of_state.hpp"
#include "sph/physics/state.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

/// Collects the particles of a case.
class Filler {
 public:
  Filler(const Case& simulation, const Lattice& lattice)
      : simulation_(simulation), lattice_(lattice), domain_(domain_of(simulation)) {}

  void add(const Vector& position, const Vector& velocity, std::uint8_t tag, double deviation,
           double pressure_over_density2, double energy) {
    require_inside(position);
    for (int axis = 0; axis < simulation_.dimensions; ++axis) {
      std::int64_t even = 2 * std::llround((position[axis] - lattice_.origin[axis]) / lattice_.unit / 2);
      const std::int64_t period = lattice_.period[axis], begin = std::int64_t{1} << lattice_.bits;
      if (even >= begin + period && period) even -= period;
      if (even < begin && period) even += period;
      snapshot.coordinate[axis].push_back(even | (axis == 0 && Tag::is_wall(tag)));
      snapshot.velocity[axis].push_back(velocity[axis]);
    }
    snapshot.id.push_back(static_cast<std::int64_t>(snapshot.id.size()));
    snapshot.tag.push_back(tag);
    snapshot.density_deviation.push_back(deviation);
    snapshot.pressure_over_density2.push_back(pressure_over_density2);
    snapshot.energy.push_back(energy);
  }

  /// @throws Error  a position outside the domain
  void require_inside(const Vector& position) const {
    for (int axis = 0; axis < simulation_.dimensions; ++axis)
      require(lattice_.period[axis] || (position[axis] >= domain_.from[axis] && position[axis] <= domain_.to[axis]),
              "sph: particle ", snapshot.id.size(), " starts outside the domain: ", axis_names[axis], " = ",
              position[axis], " m, allowed [", domain_.from[axis], ", ", domain_.to[axis],
              "] m. Enlarge [domain] or move the body.");
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
    if (pulse.start > 0 || pulse.length > 0) continue;  // added during the run
    double squared = 0;
    for (int axis = 0; axis < simulation.dimensions; ++axis)
      squared += (point[axis] - pulse.at[axis]) * (point[axis] - pulse.at[axis]);
    energy += pulse.energy * std::exp(-squared / (pulse.radius * pulse.radius));
  }
  return energy;
}

/// Potential energy at a point, J/kg: −g·x.
double height(const Case& simulation, const Vector& point) {
  double work = 0;
  for (int axis = 0; axis < simulation.dimensions; ++axis) work -= simulation.scheme.gravity[axis] * point[axis];
  return work;
}

/// Potential energy at the free surface, J/kg: that of the highest corner of the highest particle's cell.
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
  const double k = 2 * std::numbers::pi / body.vortices.length;
  velocity[0] -= body.vortices.speed * std::cos(k * point[0]) * std::sin(k * point[1]);
  velocity[1] += body.vortices.speed * std::sin(k * point[0]) * std::cos(k * point[1]);
  return velocity;
}

int material_index(const Case& simulation, const std::string& name) {
  const auto has_name = [&](const Material& candidate) { return candidate.name == name; };
  const auto material = std::find_if(simulation.materials.begin(), simulation.materials.end(), has_name);
  return material == simulation.materials.end() ? 0 : static_cast<int>(material - simulation.materials.begin());
}

ParticleGroup group_of(const Case& simulation, const Body& body, std::int64_t first) {
  const int material = material_index(simulation, body.material);
  const double density = body.density.value_or(simulation.materials[static_cast<std::size_t>(material)].density);
  return {first, density * std::pow(body.spacing.value_or(simulation.spacing), simulation.dimensions), material, -1};
}

/// @param movements  number of moving walls before this one
ParticleGroup group_of(const Case& simulation, const Wall& wall, std::int64_t first, int movements) {
  const int material = material_index(simulation, wall.material);
  return {first,
          simulation.materials[static_cast<std::size_t>(material)].density *
              std::pow(simulation.spacing, simulation.dimensions),
          material, wall.motion.kind == MotionKind::none ? -1 : movements};
}

/// Pseudo-random number in [−1, 1) of a particle and an axis, the same in every run (SplitMix64).
double scatter(std::uint64_t particle, int axis) {
  std::uint64_t word = (3 * particle + static_cast<std::uint64_t>(axis) + 1) * 0x9e3779b97f4a7c15ull;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ull;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebull;
  return std::ldexp(static_cast<double>((word ^ (word >> 31)) >> 11), -52) - 1;
}

void add_body(const Case& simulation, const Body& body, const Part& part, int index, Filler& filler) {
  const Material& material = simulation.materials[static_cast<std::size_t>(index)];
  const EosParameters<double> eos = make_eos<double>(material);
  const double surface = surface_height(simulation, part.points);
  for (std::size_t i = 0; i < part.points.size(); ++i) {
    Vector point = part.points[i];
    for (int axis = 0; axis < simulation.dimensions; ++axis)
      point[axis] += body.jitter * body.spacing.value_or(simulation.spacing) * scatter(filler.snapshot.id.size(), axis);
    const double energy = simulation.scheme.energy ? body.energy + heat_at(simulation, point) : 0;
    const double deviation = body.pressure == InitialPressure::hydrostatic
                                 ? density_deviation_at(eos, material.density * (surface - height(simulation, point)))
                                 : body.density.value_or(material.density) - material.density;
    filler.add(point, velocity_of(body, i, point), static_cast<std::uint8_t>(index), deviation,
               pressure_over_density2(eos, deviation, pressure(eos, deviation, energy)), energy);
  }
}

}  // namespace

Snapshot fill(const Case& simulation, const Lattice& lattice, const Queue& queue) {
  return fill_groups(simulation, lattice, queue).snapshot;
}

Filling fill_groups(const Case& simulation, const Lattice& lattice, const Queue& queue) {
  const CaseParts parts = parts_of(simulation, queue);
  Filler filler(simulation, lattice);
  std::vector<ParticleGroup> groups;
  const auto count = [&] { return static_cast<std::int64_t>(filler.snapshot.id.size()); };
  for (std::size_t i = 0; i < parts.bodies.size(); ++i) {
    groups.push_back(group_of(simulation, simulation.bodies[i], count()));
    add_body(simulation, simulation.bodies[i], parts.bodies[i], groups.back().material, filler);
  }
  int movements = 0;
  for (std::size_t i = 0; i < parts.walls.size(); ++i) {
    groups.push_back(group_of(simulation, simulation.walls[i], count(), movements));
    movements += groups.back().movement >= 0;
    const auto tag = static_cast<std::uint8_t>(Tag::wall_bit | groups.back().material);
    for (const Vector& point : parts.walls[i].points) {
      filler.require_inside(parts.walls[i].start(point));
      filler.add(point, {}, tag, 0, 0, 0);
    }
  }
  Snapshot& snapshot = filler.snapshot;
  require(!snapshot.id.empty(),
          "sph: the case has no particles. Give [[body]] a box of at least one particles.spacing.");
  snapshot.clock.particles = static_cast<std::int64_t>(snapshot.id.size());
  return {std::move(snapshot), std::move(groups)};
}

}  // namespace shoal::sph
