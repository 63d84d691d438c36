// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/report.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/range.hpp"
#include "ranks/exact_sums.hpp"
#include "sph/physics/cells/cell_item.hpp"
#include "sph/physics/equations_of_state/equations_of_state.hpp"
#include "sph/setup/filling/lattice.hpp"

namespace shoal::sph {

namespace {

/// Mass of a particle of the first material, kg.
double unit_mass(const Case& simulation) {
  return simulation.materials.front().density * std::pow(simulation.spacing, simulation.dimensions);
}

/// Quantities that the balance sums over fluid particles, in units of unit_mass().
namespace quantity {
enum {
  number,
  mass,
  momentum,
  kinetic = momentum + 3,
  potential,
  internal,
  elastic,
  density_error,
  squared_error,
  count
};
}  // namespace quantity

/// Mass of particle i in units of unit_mass().
template <class Real, int dimensions>
double mass_in_units(const HostState<Real, dimensions>& state, std::size_t i, const Case& simulation) {
  return state.properties.empty() ? 1 : state.properties[i].mass / unit_mass(simulation);
}

/// Sets the terms of fluid particle i.
template <class Real, int dimensions>
void balance_terms(const HostState<Real, dimensions>& state, std::size_t i, const Case& simulation,
                   const Lattice& lattice, std::array<double, quantity::count>& terms) {
  const Particle<Real, dimensions> particle = state.particle(i);
  const double weight = mass_in_units(state, i, simulation);
  terms[quantity::number] = 1;
  terms[quantity::mass] = weight;
  for (int axis = 0; axis < dimensions; ++axis) {
    const double v = particle.velocity.v[axis];
    terms[quantity::momentum + axis] = weight * v;
    terms[quantity::kinetic] += weight * v * v / 2;
    terms[quantity::potential] -=
        weight * simulation.scheme.gravity[axis] * meters(lattice, axis, particle.position.x[axis]);
  }
  const Material& material = simulation.materials[static_cast<std::size_t>(Tag::material(state.tag[i]))];
  terms[quantity::internal] = weight * state.energy[i];
  if (!simulation.scheme.energy)
    terms[quantity::elastic] = weight * elastic_energy(material, material.density + particle.position.density);
  const double error = std::abs(static_cast<double>(particle.position.density)) / material.density;
  terms[quantity::density_error] = error;
  terms[quantity::squared_error] = error * error;
}

/// Indices into the state of the particles within the domain, in the order of their ids.
template <class Real, int dimensions>
std::vector<std::size_t> order_by_id(const HostState<Real, dimensions>& state,
                                     const Parameters<Real, dimensions>& parameters) {
  std::vector<std::size_t> order = state.order_of_ids();
  std::erase_if(order, [&](std::size_t i) { return is_outside(parameters, state.position[i]); });
  return order;
}

}  // namespace

template <class Real, int dimensions>
Fields fields_of(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters, int threads,
                 const Case& simulation, const Lattice& lattice, const PartIds& part_ids,
                 const std::vector<std::array<float, 3>>& vorticity) {
  const std::vector<std::size_t> order = order_by_id(state, parameters);
  const std::size_t n = order.size();
  Fields fields;
  fields.clock = state.clock;
  fields.id.resize(n);
  fields.material.resize(n);
  fields.wall.resize(n);
  fields.wall_number.resize(n);
  fields.body.resize(n);
  fields.position.resize(3 * n);
  fields.velocity.resize(3 * n);
  for (auto* vector : {&fields.density, &fields.pressure, &fields.energy}) vector->resize(n);
  fields.viscosity.resize(state.viscosity.empty() ? 0 : n);
  fields.vorticity.resize(vorticity.empty() ? 0 : 3 * n);
#pragma omp parallel for num_threads(threads_for(static_cast <std::int64_t>(n), threads))
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = order[k];
    const Particle<Real, dimensions> particle = state.particle(i);
    fields.id[k] = state.id[i];
    fields.material[k] = static_cast<std::uint8_t>(Tag::material(state.tag[i]));
    fields.wall[k] = is_wall(particle.position);
    fields.wall_number[k] = part_ids.wall(state.id[i]);
    fields.body[k] = part_ids.body(state.id[i]);
    for (int axis = 0; axis < dimensions; ++axis) {
      fields.position[3 * k + axis] = meters(lattice, axis, particle.position.x[axis]);
      fields.velocity[3 * k + axis] = static_cast<float>(particle.velocity.v[axis]);
    }
    const auto material = static_cast<std::size_t>(Tag::material(state.tag[i]));
    const double density = simulation.materials[material].density + particle.position.density;
    fields.density[k] = static_cast<float>(density);
    fields.pressure[k] = static_cast<float>(particle.pressure_over_density2() * density * density);
    fields.energy[k] = static_cast<float>(state.energy[i]);
    if (!fields.viscosity.empty()) fields.viscosity[k] = static_cast<float>(state.viscosity[i]);
    if (!fields.vorticity.empty()) std::copy_n(vorticity[i].begin(), 3, fields.vorticity.begin() + 3 * k);
  }
  return fields;
}

template <class Real, int dimensions>
double fluid_mass(const HostState<Real, dimensions>& state, const Case& simulation, const Communicator& ranks,
                  int threads) {
  const auto terms = [&](std::int64_t, std::int64_t index, std::array<double, 1>& values) {
    const auto i = static_cast<std::size_t>(index);
    if (!is_wall(state.position[i])) values[0] = mass_in_units(state, i, simulation);
  };
  const auto n = static_cast<std::int64_t>(state.count());
  return unit_mass(simulation) * exact_sums<1>(ranks, threads, 1, n, terms).front().sum[0];
}

template <class Real, int dimensions>
Balance balance_of(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters,
                   const Communicator& ranks, int threads, const Case& simulation, const Lattice& lattice) {
  const auto terms = [&](std::int64_t, std::int64_t index, std::array<double, quantity::count>& values) {
    const auto i = static_cast<std::size_t>(index);
    if (!is_wall(state.position[i]) && !is_outside(parameters, state.position[i]))
      balance_terms(state, i, simulation, lattice, values);
  };
  const auto n = static_cast<std::int64_t>(state.count());
  const GroupSums<quantity::count> totals = exact_sums<quantity::count>(ranks, threads, 1, n, terms).front();

  const double mass = unit_mass(simulation);
  Balance balance;
  balance.clock = state.clock;
  balance.mass = mass * totals.sum[quantity::mass];
  for (std::size_t axis = 0; axis < 3; ++axis) balance.momentum[axis] = mass * totals.sum[quantity::momentum + axis];
  balance.kinetic = mass * totals.sum[quantity::kinetic];
  balance.potential = mass * totals.sum[quantity::potential];
  balance.internal = mass * totals.sum[quantity::internal];
  balance.elastic = mass * totals.sum[quantity::elastic];
  const double number = totals.sum[quantity::number];
  if (number > 0) balance.density_error = std::sqrt(totals.sum[quantity::squared_error] / number);
  balance.largest_density_error = totals.largest[quantity::density_error];
  return balance;
}

#define SHOAL_SPH_REPORTS(Real, D)                                                                                   \
  template double fluid_mass(const HostState<Real, D>&, const Case&, const Communicator&, int);                      \
  template Fields fields_of(const HostState<Real, D>&, const Parameters<Real, D>&, int, const Case&, const Lattice&, \
                            const PartIds&, const std::vector<std::array<float, 3>>&);                               \
  template Balance balance_of(const HostState<Real, D>&, const Parameters<Real, D>&, const Communicator&, int,       \
                              const Case&, const Lattice&);
SHOAL_SPH_REPORTS(float, 1)
SHOAL_SPH_REPORTS(float, 2)
SHOAL_SPH_REPORTS(float, 3)
SHOAL_SPH_REPORTS(double, 1)
SHOAL_SPH_REPORTS(double, 2)
SHOAL_SPH_REPORTS(double, 3)
#undef SHOAL_SPH_REPORTS

}  // namespace shoal::sph
