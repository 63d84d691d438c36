// SPDX-License-Identifier: Apache-2.0
#include "sph/report.hpp"

#include <cmath>

#include "sph/state.hpp"

namespace shoal::sph {

namespace {

double coordinate_in_metres(const Snapshot& snapshot, const Lattice& lattice, int axis, std::size_t i) {
  return lattice.origin[axis] + lattice.unit * static_cast<double>(snapshot.coordinate[axis][i]);
}

/// ∫ p dρ/ρ² from ρ₀ to ρ, J/kg, for tait; 0 for an exponent of 1, whose integral is another one, and for polynomials.
double elastic_energy(const Material& material, double density) {
  if (material.equation_of_state != EquationOfState::tait || material.exponent == 1) return 0;
  const double c = material.sound_speed;
  const double gamma = material.exponent;
  const double ratio = density / material.density;
  return c * c / gamma * ((std::pow(ratio, gamma - 1) - 1) / (gamma - 1) + 1 / ratio - 1);
}

/// Particles that left the domain come last in a snapshot.
std::size_t count_inside(const Snapshot& snapshot) { return static_cast<std::size_t>(snapshot.clock.particles); }

/// Where the particles within the domain stand in the snapshot, by id. Ids are below the snapshot's count.
std::vector<std::size_t> order_by_id(const Snapshot& snapshot) {
  const std::size_t nowhere = snapshot.id.size();
  std::vector<std::size_t> order(snapshot.id.size(), nowhere);
  for (std::size_t i = 0; i < count_inside(snapshot); ++i) order[static_cast<std::size_t>(snapshot.id[i])] = i;
  std::erase(order, nowhere);
  return order;
}

}  // namespace

Fields fields_of(const Snapshot& snapshot, const Case& simulation, const Lattice& lattice) {
  const std::vector<std::size_t> order = order_by_id(snapshot);
  const std::size_t n = order.size();
  Fields fields;
  fields.clock = snapshot.clock;
  fields.id.resize(n);
  fields.material.resize(n);
  fields.wall.resize(n);
  fields.position.resize(3 * n);
  fields.velocity.resize(3 * n);
  for (auto* vector : {&fields.density, &fields.pressure, &fields.energy}) vector->resize(n);
  const double reference = simulation.materials.front().density;
#pragma omp parallel for
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t i = order[k];
    fields.id[k] = snapshot.id[i];
    fields.material[k] = static_cast<std::uint8_t>(Tag::material(snapshot.tag[i]));
    fields.wall[k] = Tag::is_wall(snapshot.tag[i]);
    for (int axis = 0; axis < simulation.dimensions; ++axis) {
      fields.position[3 * k + axis] = coordinate_in_metres(snapshot, lattice, axis, i);
      fields.velocity[3 * k + axis] = static_cast<float>(snapshot.velocity[axis][i]);
    }
    const double density = reference + snapshot.density_deviation[i];
    fields.density[k] = static_cast<float>(density);
    fields.pressure[k] = static_cast<float>(snapshot.stress[i] * density * density);
    fields.energy[k] = static_cast<float>(snapshot.energy[i]);
  }
  return fields;
}

Ledger ledger_of(const Snapshot& snapshot, const Case& simulation, const Lattice& lattice) {
  const Material& material = simulation.materials.front();
  const Vector& g = simulation.scheme.gravity;
  const double mass = material.density * std::pow(simulation.spacing, simulation.dimensions);
  Ledger ledger;
  ledger.clock = snapshot.clock;
  for (std::size_t i = 0; i < count_inside(snapshot); ++i) {
    if (Tag::is_wall(snapshot.tag[i])) continue;
    ledger.mass += mass;
    for (int axis = 0; axis < simulation.dimensions; ++axis) {
      const double v = snapshot.velocity[axis][i];
      ledger.momentum[axis] += mass * v;
      ledger.kinetic += mass * v * v / 2;
      ledger.potential -= mass * g[axis] * coordinate_in_metres(snapshot, lattice, axis, i);
    }
    ledger.internal += mass * snapshot.energy[i];
    ledger.elastic += mass * elastic_energy(material, material.density + snapshot.density_deviation[i]);
  }
  return ledger;
}

}  // namespace shoal::sph
