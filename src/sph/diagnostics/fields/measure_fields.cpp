// SPDX-License-Identifier: Apache-2.0
// Probes and vorticity in stored fields: the particles of the fields as a state, and the sums of a run over it.
#include <shoal/sph/measure.hpp>

#include <cmath>
#include <map>

#include "core/text.hpp"
#include "sph/diagnostics/fields/field_checks.hpp"
#include "sph/diagnostics/fields/part_masses.hpp"
#include "sph/diagnostics/fields/vorticity.hpp"
#include "sph/diagnostics/following/placed_probe.hpp"
#include "sph/diagnostics/following/stored_displacement.hpp"
#include "sph/diagnostics/probes/body_probes.hpp"
#include "sph/diagnostics/probes/probes.hpp"
#include "sph/setup/filling/lattice.hpp"
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

/// Particles of fields, with properties if the parameters have tables. What the probes do not read stays 0.
template <class Real, int dimensions>
HostState<Real, dimensions> state_of(const Fields& fields, const Parameters<Real, dimensions>& parameters,
                                     const Case& simulation, const Lattice& lattice) {
  const PartMasses masses(simulation);
  HostState<Real, dimensions> state(fields.id.size());
  state.clock = fields.clock;
  state.id = fields.id;
  if (parameters.tables) state.properties.resize(state.count());
  for (std::size_t i = 0; i < state.count(); ++i) {
    state.tag[i] = fields.material[i];
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
    state.properties[i] = {static_cast<Real>(masses.mass(fields, i)), parameters.smoothing_length, 0,
                           fields.material[i]};
  }
  return state;
}

/// The probes, with those that follow a wall where it has carried them by the time of the fields.
std::vector<Probe> placed_in(const Queue& queue, const Case& simulation, const Fields& fields,
                             const std::vector<Probe>& probes, const Lattice& lattice) {
  Vector period{};
  for (std::size_t axis = 0; axis < 3; ++axis) period[axis] = lattice.unit * static_cast<double>(lattice.period[axis]);
  std::map<std::size_t, RigidTransform> displacements;  // by wall
  std::vector<Probe> now = probes;
  for (Probe& probe : now) {
    if (probe.follows.empty()) continue;
    const std::size_t wall = followed_wall(simulation, probe);
    if (!displacements.contains(wall))
      displacements[wall] = stored_displacement(queue, simulation, fields, wall, period);
    probe = placed(simulation, probe, displacements[wall]);
  }
  return now;
}

/// Calls measure(state, parameters, lattice) for the particles of fields.
template <class Real, int dimensions, class Measure>
auto with_state_of(const Case& simulation, const Fields& fields, const Measure& measure) {
  const Lattice lattice = make_lattice(simulation, 8 * sizeof(Coordinate<Real>));
  Parameters<Real, dimensions> parameters = make_parameters<Real, dimensions>(simulation, lattice);
  ModelTables<Real, dimensions> tables{};
  std::vector<PathKnot> knots;
  if (needs_general_physics(simulation)) {
    tables = make_tables<Real, dimensions>(simulation, lattice, knots);
    parameters.tables = &tables;
  }
  return measure(state_of<Real, dimensions>(fields, parameters, simulation, lattice), parameters, lattice);
}

/// The same in the precision and the dimensions of the case.
template <class Measure>
auto with_state_of(const Case& simulation, const Fields& fields, const Measure& measure) {
  const auto measured = [&]<class Real>(Real) {
    if (simulation.dimensions == 1) return with_state_of<Real, 1>(simulation, fields, measure);
    if (simulation.dimensions == 2) return with_state_of<Real, 2>(simulation, fields, measure);
    return with_state_of<Real, 3>(simulation, fields, measure);
  };
  return simulation.precision == Precision::float_ ? measured(0.0f) : measured(0.0);
}

}  // namespace

std::vector<double> measure(const Queue& queue, const Case& simulation, const Fields& fields,
                            const std::vector<Probe>& probes) {
  require_stored_quantities(probes);
  require_fields_of(queue, simulation, fields, "fields are measured");
  return with_state_of(
      simulation, fields,
      [&]<class Real, int dimensions>(const HostState<Real, dimensions>& state,
                                      const Parameters<Real, dimensions>& parameters, const Lattice& lattice) {
        const auto sums = [&](const std::vector<ProbePoint<Real, dimensions>>& points) {
          return sum_probes(state, parameters, Communicator::alone(), queue.threads(), points);
        };
        const auto on_wall = [](const Probe&) { return Vector{}; };  // require_stored_quantities() refuses such probes
        return probe_values<Real, dimensions>(placed_in(queue, simulation, fields, probes, lattice), simulation,
                                              lattice, sums, on_wall);
      });
}

std::vector<float> vorticity(const Queue& queue, const Case& simulation, const Fields& fields) {
  require_fields_of(queue, simulation, fields, "vorticity is measured");
  require_dimensions_of_vorticity(simulation);
  return with_state_of(simulation, fields, [&](const auto& state, const auto& parameters, const Lattice&) {
    const std::vector<std::array<float, 3>> values = vorticity_of(state, parameters, queue.threads(), simulation);
    std::vector<float> rows;
    rows.reserve(3 * values.size());
    for (const std::array<float, 3>& value : values) rows.insert(rows.end(), value.begin(), value.end());
    return rows;
  });
}

}  // namespace shoal::sph
