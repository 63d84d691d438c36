// SPDX-License-Identifier: Apache-2.0
// Probes in stored fields: the particles of the fields as a state, and the sums of a run over it.
#include <shoal/sph/measure.hpp>

#include <cmath>

#include "core/text.hpp"
#include "sph/diagnostics/body_probes.hpp"
#include "sph/diagnostics/probes.hpp"
#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/setup/filling/fill.hpp"
#include "sph/setup/lattice.hpp"
#include "sph/setup/parameters.hpp"

namespace shoal::sph {

namespace {

void require_stored_quantities(const std::vector<Probe>& probes) {
  for (const Probe& probe : probes)
    require(
        has_sums(probe.kind), "sph: probe \"", probe.name, "\" is a ", to_name(probe.kind), ", which needs ",
        is_of_body(probe.kind) ? "the state of the body" : "the forces of pairs",
        " at that time; fields hold positions, velocities, densities and pressures only. Give this probe to the case "
        "and run it.");
}

void require_index(std::int64_t index, std::size_t count, const char* array, std::int64_t id) {
  require(index >= 0 && static_cast<std::size_t>(index) < count, "sph: the fields have ", array, " = ", index,
          " for particle ", id, ", but the case has ", count, ", numbered from 0. Give the case of these fields.");
}

/// Requires complete fields of the case: arrays of equal length, with numbers that the case has.
void require_fields_of(const Case& simulation, const Fields& fields) {
  const std::size_t n = fields.id.size();
  const auto require_rows = [n](const auto& values, const char* array, std::size_t columns) {
    require(values.size() == columns * n, "sph: the fields have ", n, " particles, but ", values.size(), " values of ",
            array, ", expected ", columns * n, ".");
  };
  require_rows(fields.material, "material", 1);
  require_rows(fields.wall, "wall", 1);
  require_rows(fields.wall_number, "wall_number", 1);
  require_rows(fields.body, "body", 1);
  require_rows(fields.position, "position", 3);
  require_rows(fields.velocity, "velocity", 3);
  require_rows(fields.density, "density", 1);
  require_rows(fields.pressure, "pressure", 1);
  require(fields.total == static_cast<std::int64_t>(n), "sph: these are ", n, " of ", fields.total,
          " particles, expected the fields of all ranks. Join the parts of the ranks.");
  for (std::size_t i = 0; i < n; ++i) {
    require_index(fields.material[i], simulation.materials.size(), "material", fields.id[i]);
    if (fields.wall[i])
      require_index(fields.wall_number[i], simulation.walls.size(), "wall_number", fields.id[i]);
    else if (fields.body[i] != -1 || simulation.open_boundaries.empty())
      require_index(fields.body[i], simulation.bodies.size(), "body", fields.id[i]);
  }
}

/// Coordinate of a position, m, in units of the lattice. Along x walls have odd coordinates and fluid has even ones.
std::int64_t coordinate_at(double position, int axis, const Lattice& lattice, bool is_wall) {
  const double units = (position - lattice.origin[axis]) / lattice.unit;
  std::int64_t coordinate = axis > 0 ? std::llround(units) : 2 * std::llround((units - is_wall) / 2) + is_wall;
  const std::int64_t period = lattice.period[axis], begin = std::int64_t{1} << lattice.bits;
  // A position that was stored as a float may be rounded to the other end of a period.
  if (period && coordinate >= begin + period) coordinate -= period;
  if (period && coordinate < begin) coordinate += period;
  return coordinate;
}

/// Mass of a particle of each body, then of each wall, then of each material where fluid entered since the start, kg.
std::vector<double> masses_of_parts(const Case& simulation) {
  std::vector<double> masses;
  for (const Body& body : simulation.bodies) masses.push_back(group_of(simulation, body, 0).mass);
  for (const Wall& wall : simulation.walls) masses.push_back(group_of(simulation, wall, 0, 0).mass);
  for (const Material& material : simulation.materials) masses.push_back(entering_mass(simulation, material));
  return masses;
}

/// Index into masses_of_parts() of row i of fields.
std::size_t part_of(const Case& simulation, const Fields& fields, std::size_t i) {
  const std::size_t bodies = simulation.bodies.size();
  if (fields.wall[i]) return bodies + static_cast<std::size_t>(fields.wall_number[i]);
  if (fields.body[i] >= 0) return static_cast<std::size_t>(fields.body[i]);
  return bodies + simulation.walls.size() + fields.material[i];
}

/// Particles of fields, with properties if the parameters have tables. What the probes do not read stays 0.
template <class Real, int dimensions>
HostState<Real, dimensions> state_of(const Fields& fields, const Parameters<Real, dimensions>& parameters,
                                     const Case& simulation, const Lattice& lattice) {
  const std::vector<double> masses = masses_of_parts(simulation);
  HostState<Real, dimensions> state(fields.id.size());
  state.clock = fields.clock;
  state.id = fields.id;
  if (parameters.tables) state.properties.resize(state.count());
  for (std::size_t i = 0; i < state.count(); ++i) {
    Particle<Real, dimensions> particle{};
    for (int axis = 0; axis < dimensions; ++axis) {
      const std::size_t k = 3 * i + static_cast<std::size_t>(axis);
      particle.position.x[axis] =
          static_cast<Coordinate<Real>>(coordinate_at(fields.position[k], axis, lattice, fields.wall[i] != 0));
      particle.velocity.v[axis] = fields.velocity[k];
    }
    const double density = fields.density[i];
    particle.position.density = static_cast<Real>(density - simulation.materials[fields.material[i]].density);
    particle.set_pressure_over_density2(static_cast<Real>(fields.pressure[i] / (density * density)));
    state.view().store(static_cast<std::int64_t>(i), particle);
    if (state.properties.empty()) continue;
    const double mass = masses[part_of(simulation, fields, i)];
    state.properties[i] = {static_cast<Real>(mass), parameters.smoothing_length, 0, fields.material[i]};
  }
  return state;
}

template <class Real, int dimensions>
std::vector<double> measure_in(const Queue& queue, const Case& simulation, const Fields& fields,
                               const std::vector<Probe>& probes) {
  const Lattice lattice = make_lattice(simulation, 8 * sizeof(Coordinate<Real>));
  Parameters<Real, dimensions> parameters = make_parameters<Real, dimensions>(simulation, lattice);
  ModelTables<Real, dimensions> tables{};
  std::vector<PathKnot> knots;
  if (needs_general_physics(simulation)) {
    tables = make_tables<Real, dimensions>(simulation, lattice, knots);
    parameters.tables = &tables;
  }
  const HostState<Real, dimensions> state = state_of<Real, dimensions>(fields, parameters, simulation, lattice);
  const auto sums = [&](const std::vector<ProbePoint<Real, dimensions>>& points) {
    return sum_probes(state, parameters, Communicator::alone(), queue.threads(), points);
  };
  const auto on_wall = [](const Probe&) { return Vector{}; };  // require_stored_quantities() refuses such probes
  return probe_values<Real, dimensions>(probes, simulation, lattice, sums, on_wall);
}

}  // namespace

std::vector<double> measure(const Queue& queue, const Case& simulation, const Fields& fields,
                            const std::vector<Probe>& probes) {
  require(queue.on_cpu(), "sph: fields are measured on the CPU, but the queue is of ", queue.name(),
          ". Use Queue::cpu().");
  require_valid(simulation);
  require_stored_quantities(probes);
  require_fields_of(simulation, fields);
  const auto measured = [&]<class Real>(Real) {
    if (simulation.dimensions == 1) return measure_in<Real, 1>(queue, simulation, fields, probes);
    if (simulation.dimensions == 2) return measure_in<Real, 2>(queue, simulation, fields, probes);
    return measure_in<Real, 3>(queue, simulation, fields, probes);
  };
  return simulation.precision == Precision::float_ ? measured(0.0f) : measured(0.0);
}

}  // namespace shoal::sph
