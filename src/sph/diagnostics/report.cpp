// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/report.hpp"

#include <algorithm>
#include <cmath>

#include "sph/physics/equations_of_state.hpp"

namespace shoal::sph {

namespace {

/// Number of particles that one thread sums. Parts are added in order, so the number of threads does not matter.
constexpr std::int64_t part_size = 4096;

double meters(const Lattice& lattice, int axis, std::int64_t coordinate) {
  return lattice.origin[axis] + lattice.unit * static_cast<double>(coordinate);
}

/// Mass of a particle of the first material, kg.
double unit_mass(const Case& simulation) {
  return simulation.materials.front().density * std::pow(simulation.spacing, simulation.dimensions);
}

/// Sums over fluid particles, in units of unit_mass().
struct Totals {
  std::int64_t count = 0;  ///< an integer, so that the mass does not depend on the order of summation
  double weight = 0;       ///< sum of masses, in units of unit_mass()
  Vector momentum{};
  double kinetic = 0;
  double potential = 0;
  double internal = 0;
  double elastic = 0;
  double density_squared = 0;  ///< Σ (ρ/ρ₀ − 1)²
  double density_most = 0;     ///< max |ρ/ρ₀ − 1|

  void add(const Totals& part) {
    count += part.count;
    weight += part.weight;
    for (int axis = 0; axis < 3; ++axis) momentum[axis] += part.momentum[axis];
    kinetic += part.kinetic;
    potential += part.potential;
    internal += part.internal;
    elastic += part.elastic;
    density_squared += part.density_squared;
    density_most = std::max(density_most, part.density_most);
  }
};

template <class Real, int dimensions>
void add_particle(const HostState<Real, dimensions>& state, std::size_t i, const Case& simulation,
                  const Lattice& lattice, Totals& totals) {
  const Particle<Real, dimensions> particle = state.particle(i);
  if (is_wall(particle.position)) return;
  const double weight = state.properties.empty() ? 1 : state.properties[i].mass / unit_mass(simulation);
  ++totals.count;
  totals.weight += weight;
  for (int axis = 0; axis < dimensions; ++axis) {
    const double v = particle.velocity.v[axis];
    totals.momentum[axis] += weight * v;
    totals.kinetic += weight * v * v / 2;
    totals.potential -= weight * simulation.scheme.gravity[axis] * meters(lattice, axis, particle.position.x[axis]);
  }
  const Material& material = simulation.materials[static_cast<std::size_t>(Tag::material(state.tag[i]))];
  totals.internal += weight * state.energy[i];
  if (!simulation.scheme.energy)
    totals.elastic += weight * elastic_energy(material, material.density + particle.position.density);
  const double error = std::abs(static_cast<double>(particle.position.density)) / material.density;
  totals.density_squared += error * error;
  totals.density_most = std::max(totals.density_most, error);
}

/// Indices into the state of the particles within the domain, in the order of their ids. Ids are below the state's count;
/// particles that left the domain come last in the state.
template <class Real, int dimensions>
std::vector<std::size_t> order_by_id(const HostState<Real, dimensions>& state) {
  const std::size_t absent = state.count();
  std::vector<std::size_t> order(state.count(), absent);
  for (std::size_t i = 0; i < static_cast<std::size_t>(state.clock.particles); ++i)
    order[static_cast<std::size_t>(state.id[i])] = i;
  std::erase(order, absent);
  return order;
}

}  // namespace

template <class Real, int dimensions>
Fields fields_of(const HostState<Real, dimensions>& state, const Case& simulation, const Lattice& lattice) {
  const std::vector<std::size_t> order = order_by_id(state);
  const std::size_t n = order.size();
  Fields fields;
  fields.clock = state.clock;
  fields.id.resize(n);
  fields.material.resize(n);
  fields.wall.resize(n);
  fields.position.resize(3 * n);
  fields.velocity.resize(3 * n);
  for (auto* vector : {&fields.density, &fields.pressure, &fields.energy}) vector->resize(n);
#pragma omp parallel for
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = order[k];
    const Particle<Real, dimensions> particle = state.particle(i);
    fields.id[k] = state.id[i];
    fields.material[k] = static_cast<std::uint8_t>(Tag::material(state.tag[i]));
    fields.wall[k] = is_wall(particle.position);
    for (int axis = 0; axis < dimensions; ++axis) {
      fields.position[3 * k + axis] = meters(lattice, axis, particle.position.x[axis]);
      fields.velocity[3 * k + axis] = static_cast<float>(particle.velocity.v[axis]);
    }
    const auto material = static_cast<std::size_t>(Tag::material(state.tag[i]));
    const double density = simulation.materials[material].density + particle.position.density;
    fields.density[k] = static_cast<float>(density);
    fields.pressure[k] = static_cast<float>(particle.pressure_over_density2() * density * density);
    fields.energy[k] = static_cast<float>(state.energy[i]);
  }
  return fields;
}

template <class Real, int dimensions>
Balance balance_of(const HostState<Real, dimensions>& state, const Case& simulation, const Lattice& lattice) {
  const std::int64_t n = state.clock.particles;
  std::vector<Totals> parts(static_cast<std::size_t>((n + part_size - 1) / part_size));
#pragma omp parallel for
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto begin = static_cast<std::int64_t>(part) * part_size;
    for (std::int64_t i = begin; i < std::min(begin + part_size, n); ++i)
      add_particle(state, static_cast<std::size_t>(i), simulation, lattice, parts[part]);
  }
  Totals totals;
  for (const Totals& part : parts) totals.add(part);

  const double mass = unit_mass(simulation);
  Balance balance;
  balance.clock = state.clock;
  balance.mass = mass * (state.properties.empty() ? static_cast<double>(totals.count) : totals.weight);
  for (int axis = 0; axis < 3; ++axis) balance.momentum[axis] = mass * totals.momentum[axis];
  balance.kinetic = mass * totals.kinetic;
  balance.potential = mass * totals.potential;
  balance.internal = mass * totals.internal;
  balance.elastic = mass * totals.elastic;
  if (totals.count > 0) balance.density_error = std::sqrt(totals.density_squared / static_cast<double>(totals.count));
  balance.largest_density_error = totals.density_most;
  return balance;
}

template Fields fields_of(const HostState<float, 1>&, const Case&, const Lattice&);
template Fields fields_of(const HostState<double, 1>&, const Case&, const Lattice&);
template Balance balance_of(const HostState<float, 1>&, const Case&, const Lattice&);
template Balance balance_of(const HostState<double, 1>&, const Case&, const Lattice&);
template Fields fields_of(const HostState<float, 2>&, const Case&, const Lattice&);
template Fields fields_of(const HostState<float, 3>&, const Case&, const Lattice&);
template Fields fields_of(const HostState<double, 2>&, const Case&, const Lattice&);
template Fields fields_of(const HostState<double, 3>&, const Case&, const Lattice&);
template Balance balance_of(const HostState<float, 2>&, const Case&, const Lattice&);
template Balance balance_of(const HostState<float, 3>&, const Case&, const Lattice&);
template Balance balance_of(const HostState<double, 2>&, const Case&, const Lattice&);
template Balance balance_of(const HostState<double, 3>&, const Case&, const Lattice&);

}  // namespace shoal::sph
