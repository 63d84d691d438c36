// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/filling/fill.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/communication/rank_group.hpp"
#include "core/pseudo_random.hpp"
#include "core/text.hpp"
#include "sph/physics/state.hpp"
#include "sph/ranks/particle_exchange.hpp"
#include "sph/setup/wall_movement.hpp"

namespace shoal::sph {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};

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

Vector velocity_of(const Body& body, std::size_t particle, const Vector& point) {
  Vector velocity =
      body.particles && !body.particles->velocity.empty() ? body.particles->velocity[particle] : body.velocity;
  for (int axis = 0; axis < 3; ++axis) velocity[axis] += body.strain_rate[axis] * point[axis];
  if (body.vortices.speed == 0) return velocity;
  const double k = 2 * std::numbers::pi / body.vortices.length;
  velocity[0] -= body.vortices.speed * std::cos(k * point[0]) * std::sin(k * point[1]);
  velocity[1] += body.vortices.speed * std::sin(k * point[0]) * std::cos(k * point[1]);
  return velocity;
}

/// Pseudo-random number in [−1, 1) of a particle and an axis.
double scatter(std::uint64_t particle, int axis) {
  return 2 * pseudo_random(3 * particle + static_cast<std::uint64_t>(axis)) - 1;
}

}  // namespace

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

ParticleGroup group_of(const Case& simulation, const Wall& wall, std::int64_t first, int movements) {
  const int material = material_index(simulation, wall.material);
  return {first,
          simulation.materials[static_cast<std::size_t>(material)].density *
              std::pow(simulation.spacing, simulation.dimensions),
          material, moves(simulation, wall) ? movements : -1};
}

Filling::Filling(const Case& simulation, const Lattice& lattice, const Queue& queue, const Communicator& ranks)
    : simulation_(simulation),
      lattice_(lattice),
      domain_(domain_of(simulation)),
      parts_(parts_of(simulation, queue, ranks)) {
  ranks.agree([&] {
    for (const Body& body : simulation.bodies) add_group(group_of(simulation, body, count_));
    int movements = 0;
    for (const Wall& wall : simulation.walls) {
      add_group(group_of(simulation, wall, count_, movements));
      movements += groups_.back().movement >= 0;
    }
    require(count_ > 0 || simulation.crop,
            "sph: the case has no particles. Give [[body]] a box of at least one particles.spacing.");
    for (std::size_t body = 0; body < parts_.bodies.size(); ++body)
      eos_.push_back(make_eos<double>(simulation.materials[static_cast<std::size_t>(groups_[body].material)]));
  });
  find_surfaces(ranks);
}

void Filling::add_group(ParticleGroup group) {
  const std::size_t number = groups_.size();
  groups_.push_back(group);
  for (std::int64_t plane = 0; plane < part(number).planes(); ++plane) {
    const std::int64_t points = part(number).count(plane);
    if (points > 0) planes_.push_back({number, plane, count_});
    count_ += points;
  }
  if (is_wall(number)) wall_count_ += count_ - group.first;
}

bool Filling::is_work_of(const Communicator& ranks, std::int64_t plane) const {
  return IdBlocks{count_, ranks.size()}.owner(first(plane)) == ranks.rank();
}

/// Finds the free surfaces of bodies: the highest corner of the cell of a body's highest particle. Collective.
void Filling::find_surfaces(const Communicator& ranks) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  std::vector<double> of_plane(planes_.size(), -endless);
  for_each_plane(*this, [&](std::int64_t plane) {
    const auto [group, number, first] = planes_[static_cast<std::size_t>(plane)];
    if (is_wall(group) || !is_work_of(ranks, plane)) return;
    if (simulation_.bodies[group].pressure != InitialPressure::hydrostatic) return;
    double& value = of_plane[static_cast<std::size_t>(plane)];
    part(group).for_each(number, [&](const Vector& point) { value = std::max(value, height(simulation_, point)); });
  });
  std::vector<double> highest(parts_.bodies.size(), -endless);
  for (std::size_t plane = 0; plane < planes_.size(); ++plane)
    if (const std::size_t group = planes_[plane].group; !is_wall(group))
      highest[group] = std::max(highest[group], of_plane[plane]);
  for (std::size_t body = 0; simulation_.crop && body < parts_.bodies.size(); ++body)
    parts_.bodies[body].for_each_of_region(
        [&](const Vector& point) { highest[body] = std::max(highest[body], height(simulation_, point)); });
  std::vector<double> parts(highest.size() * static_cast<std::size_t>(ranks.size()));
  ranks.group().all_gather(highest.data(), highest.size() * sizeof(double), parts.data());
  surface_.assign(highest.size(), -endless);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    double& surface = surface_[i % surface_.size()];
    surface = std::max(surface, parts[i]);
  }
  for (double& surface : surface_)
    for (int axis = 0; axis < simulation_.dimensions; ++axis)
      surface += std::abs(simulation_.scheme.gravity[axis]) * simulation_.spacing / 2;
}

void Filling::require_inside(std::int64_t id, const Vector& position) const {
  for (int axis = 0; axis < simulation_.dimensions; ++axis)
    require(lattice_.period[axis] || (position[axis] >= domain_.from[axis] && position[axis] <= domain_.to[axis]),
            "sph: particle ", id, " starts outside the domain: ", axis_names[axis], " = ", position[axis],
            " m, allowed [", domain_.from[axis], ", ", domain_.to[axis], "] m. Enlarge [domain] or move the body.");
}

std::array<std::int64_t, 3> Filling::coordinates(const Vector& position, bool wall) const {
  std::array<std::int64_t, 3> coordinate{};
  for (int axis = 0; axis < simulation_.dimensions; ++axis) {
    std::int64_t even = 2 * std::llround((position[axis] - lattice_.origin[axis]) / lattice_.unit / 2);
    const std::int64_t period = lattice_.period[axis], begin = std::int64_t{1} << lattice_.bits;
    if (even >= begin + period && period) even -= period;
    if (even < begin && period) even += period;
    coordinate[static_cast<std::size_t>(axis)] = even | (axis == 0 && wall);
  }
  return coordinate;
}

StartParticle Filling::body_particle(std::size_t group, std::int64_t id, const Vector& drawn) const {
  const Body& body = simulation_.bodies[group];
  const int index = groups_[group].material;
  const Material& material = simulation_.materials[static_cast<std::size_t>(index)];
  const EosParameters<double>& eos = eos_[group];
  Vector point = drawn;
  for (int axis = 0; axis < simulation_.dimensions; ++axis)
    point[axis] +=
        body.jitter * body.spacing.value_or(simulation_.spacing) * scatter(static_cast<std::uint64_t>(id), axis);
  require_inside(id, point);
  StartParticle particle{.id = id, .tag = static_cast<std::uint8_t>(index), .coordinate = coordinates(point, false)};
  particle.velocity = velocity_of(body, static_cast<std::size_t>(id - groups_[group].first), point);
  particle.energy = simulation_.scheme.energy ? body.energy + heat_at(simulation_, point) : 0;
  particle.density_deviation = body.density.value_or(material.density) - material.density;
  if (body.pressure == InitialPressure::hydrostatic) {
    const double at_surface = pressure(eos, particle.density_deviation, 0.0);
    const double head = material.density * (surface_[group] - height(simulation_, point));
    particle.density_deviation = density_deviation_at(eos, at_surface + head);
  }
  particle.pressure_over_density2 = pressure_over_density2(eos, particle.density_deviation,
                                                           pressure(eos, particle.density_deviation, particle.energy));
  return particle;
}

StartParticle Filling::wall_particle(std::size_t group, std::int64_t id, const Vector& point) const {
  require_inside(id, part(group).start(point));
  require_inside(id, point);
  return {.id = id,
          .tag = static_cast<std::uint8_t>(Tag::wall_bit | groups_[group].material),
          .movement = groups_[group].movement,
          .coordinate = coordinates(point, true)};
}

void for_each_plane(const Filling& filling, const std::function<void(std::int64_t)>& work) {
  const std::int64_t planes = filling.planes();
  std::atomic<std::int64_t> failed{planes};
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    try {
      if (plane < failed) work(plane);
    } catch (...) {
      std::int64_t before = failed;
      while (plane < before && !failed.compare_exchange_weak(before, plane)) continue;
    }
  }
  if (failed < planes) work(failed);  // throws again
}

}  // namespace shoal::sph
