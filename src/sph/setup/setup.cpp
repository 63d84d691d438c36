// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/setup.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"
#include "ranks/exact_sum_item.hpp"
#include "sph/control/change/new_particles.hpp"
#include "sph/physics/physics.hpp"
#include "sph/physics/rheologies/rheologies.hpp"
#include "sph/physics/steps/stage_item.hpp"
#include "sph/physics/surface_tension/surface_tension.hpp"
#include "sph/ranks/layers_together.hpp"
#include "sph/setup/bodies/rigid_bodies.hpp"
#include "sph/setup/bodies/springs.hpp"
#include "sph/setup/damping.hpp"
#include "sph/setup/filling/fill.hpp"
#include "sph/setup/filling/start_state.hpp"
#include "sph/setup/parameters.hpp"
#include "sph/waves/absorption/absorption.hpp"

namespace shoal::sph {

namespace {

template <class Real, int dimensions>
HostState<Real, dimensions> unpack(const Snapshot& snapshot) {
  for (int axis = 0; axis < dimensions; ++axis)
    require(snapshot.coordinate[axis].size() == snapshot.id.size(), "sph: the snapshot has ", snapshot.id.size(),
            " particles and ", snapshot.coordinate[axis].size(), " coordinates along axis ", axis,
            ". It is not of a case of ", dimensions, " dimensions.");
  HostState<Real, dimensions> state(snapshot.id.size());
  state.clock = snapshot.clock;
  state.rigid_bodies = snapshot.rigid_bodies;
  state.absorption = snapshot.absorption;
  state.id = snapshot.id;
  state.tag = snapshot.tag;
  for (std::size_t i = 0; i < state.count(); ++i) {
    Particle<Real, dimensions> particle{};
    for (int axis = 0; axis < dimensions; ++axis) {
      particle.position.x[axis] = static_cast<Coordinate<Real>>(snapshot.coordinate[axis][i]);
      particle.velocity.v[axis] = static_cast<Real>(snapshot.velocity[axis][i]);
    }
    particle.position.density = static_cast<Real>(snapshot.density_deviation[i]);
    particle.set_pressure_over_density2(static_cast<Real>(snapshot.pressure_over_density2[i]));
    state.view().store(static_cast<std::int64_t>(i), particle);
    state.energy[i] = static_cast<Real>(snapshot.energy[i]);
  }
  return state;
}

/// Group of a particle that was there at the start, that entered through a boundary or into a level, or that a program added.
template <class Real, int dimensions>
ParticleGroup group_of(const Case& simulation, const Filling& filling,
                       const OpenBoundaries<Real, dimensions>& boundaries, std::int64_t id, std::uint8_t tag) {
  if (const auto* boundary = boundaries.entered_through(id)) return {id, boundary->mass, boundary->material, -1};
  const int material = Tag::material(tag);
  if (id >= filling.count()) return {id, new_particle_mass<Real>(simulation, material), material, -1};
  const std::vector<ParticleGroup>& groups = filling.groups();
  const auto after = [](std::int64_t wanted, const ParticleGroup& group) { return wanted < group.first; };
  return *(std::upper_bound(groups.begin(), groups.end(), id, after) - 1);
}

constexpr std::int64_t no_particle = std::numeric_limits<std::int64_t>::max();

/// Adds the properties of particles: mass and material of their body or wall, smoothing length and sound speed.
/// @param resumed  null: those that belong to the state
/// @return  smallest id of a particle outside the range of its equation of state, or no_particle
template <class Real, int dimensions>
std::int64_t add_properties(const Case& simulation, const Filling& filling, const Snapshot* resumed,
                            Setup<Real, dimensions>& setup) {
  HostState<Real, dimensions>& state = setup.state;
  Parameters<Real, dimensions> parameters = setup.parameters;
  parameters.tables = &setup.tables;
  state.properties.resize(state.count());
  std::int64_t outside = no_particle;
  for (std::size_t i = 0; i < state.count(); ++i) {
    const ParticleGroup group = group_of(simulation, filling, setup.open_boundaries, state.id[i], state.tag[i]);
    GeneralParticle<Real, dimensions> particle{state.particle(i), {}, {}};
    particle.properties = {
        static_cast<Real>(group.mass), parameters.smoothing_length, 0,
        group.material + 0x100 * (group.movement + 1) + 0x10000 * (setup.faces.axis(state.id[i]) + 1)};
    if (resumed) {
      particle.properties.smoothing_length = static_cast<Real>(resumed->smoothing_length[i]);
      particle.properties.sound_speed = static_cast<Real>(resumed->sound_speed[i]);
    } else if (!set_state<GeneralPhysics>(parameters, state.energy[i], particle)) {
      outside = std::min(outside, state.id[i]);
    }
    state.properties[i] = particle.properties;
  }
  return outside;
}

/// @throws Error  a rank has found such a particle: names the smallest
void require_in_range(const Communicator& ranks, std::int64_t outside) {
  std::array<std::uint64_t, 1> word{static_cast<std::uint64_t>(no_particle - outside)};
  ranks.group().all_max(word);
  ranks.agree([&] {
    require(word[0] == 0, "sph: particle ", no_particle - static_cast<std::int64_t>(word[0]),
            " starts outside the range of its equation of state. Change body.density or body.energy.");
  });
}

/// Adds the coordinates of moving walls as drawn, and of what lies between them in the order of ids.
template <class Real, int dimensions>
void add_initial(const Filling& filling, Setup<Real, dimensions>& setup) {
  std::int64_t first = no_particle, end = 0;
  for (std::size_t group = 0; group < filling.groups().size(); ++group) {
    if (filling.groups()[group].movement < 0) continue;
    first = std::min(first, filling.groups()[group].first);
    end = filling.end_of_group(group);
  }
  setup.tables.first_initial = first;
  for (std::int64_t plane = 0; plane < filling.planes(); ++plane)
    if (filling.first(plane) >= first && filling.first(plane) < end)
      filling.for_each(plane, [&](const StartParticle& particle) {
        for (int axis = 0; axis < dimensions; ++axis)
          setup.initial.push_back(static_cast<Coordinate<Real>>(particle.coordinate[static_cast<std::size_t>(axis)]));
      });
}

template <class Real, int dimensions>
void add_previous(const Snapshot* resumed, HostState<Real, dimensions>& state) {
  state.previous.resize(state.count());
  for (std::size_t i = 0; i < state.count(); ++i) {
    Previous<Real, dimensions>& previous = state.previous[i];
    for (int axis = 0; axis < dimensions; ++axis)
      previous.velocity[axis] =
          resumed ? static_cast<Real>(resumed->previous_velocity[axis][i]) : state.velocity[i].v[axis];
    previous.density = resumed ? static_cast<Real>(resumed->previous_density_deviation[i]) : state.position[i].density;
    previous.energy = resumed ? static_cast<Real>(resumed->previous_energy[i]) : state.energy[i];
  }
}

/// Adds the viscosities of the last stage, or those of fluid at rest.
template <class Real, int dimensions>
void add_viscosities(const Snapshot* resumed, Setup<Real, dimensions>& setup) {
  HostState<Real, dimensions>& state = setup.state;
  state.viscosity.resize(state.count());
  for (std::size_t i = 0; i < state.count(); ++i)
    if (resumed)
      state.viscosity[i] = static_cast<Real>(resumed->viscosity[i]);
    else if (!Tag::is_wall(state.tag[i]))
      state.viscosity[i] =
          apparent_viscosity(setup.flow_curves[static_cast<std::size_t>(Tag::material(state.tag[i]))], Real(0));
}

/// The first step by CFL: nothing is known of accelerations yet but gravity. Collective.
template <class Real, int dimensions>
double first_step(const Setup<Real, dimensions>& setup) {
  const Parameters<Real, dimensions>& parameters = setup.parameters;
  const HostState<Real, dimensions>& state = setup.state;
  const bool is_per_particle = parameters.control.smoothing_length == 0;
  double speed_squared = 0, gravity_squared = 0, narrowest = parameters.smoothing_length;
  for (std::size_t i = 0; i < state.count(); ++i) {
    double squared = 0;
    for (const Real v : state.velocity[i].v) squared += static_cast<double>(v) * static_cast<double>(v);
    if (is_per_particle) {
      const double h = state.properties[i].smoothing_length;
      narrowest = std::min(narrowest, h);
      const double rate = (state.properties[i].sound_speed + std::sqrt(squared)) / h;
      squared = rate * rate;
    }
    speed_squared = std::max(speed_squared, squared);
  }
  std::array<std::uint64_t, 2> words{magnitude_bits(speed_squared), ~magnitude_bits(narrowest)};
  setup.ranks.group().all_max(words);
  speed_squared = std::bit_cast<double>(words[0]);
  narrowest = std::bit_cast<double>(~words[1]);
  for (const Real g : parameters.gravity) gravity_squared += static_cast<double>(g) * static_cast<double>(g);
  if (is_per_particle) gravity_squared /= narrowest * narrowest;
  return allowed_step(parameters.control, speed_squared, gravity_squared);
}

void require_same_kind(const Snapshot& snapshot, const Case& simulation) {
  const std::size_t n = snapshot.id.size();
  const bool needs_previous = simulation.scheme.integrator == Integrator::verlet;
  require(!needs_general_physics(simulation) || snapshot.smoothing_length.size() == n,
          "sph: the snapshot has no smoothing lengths, which this case needs. Resume the case that it was taken from.");
  require(!needs_previous || snapshot.previous_energy.size() == n,
          "sph: the snapshot has no earlier state, which verlet needs. Resume the case that it was taken from.");
  require(!has_apparent_viscosity(simulation) || snapshot.viscosity.size() == n,
          "sph: the snapshot has no viscosities, which this case needs. Resume the case that it was taken from.");
  require(snapshot.rigid_bodies.size() == simulation.rigid_bodies.size(), "sph: the snapshot has ",
          snapshot.rigid_bodies.size(), " rigid bodies, the case ", simulation.rigid_bodies.size(),
          ". Resume the case that it was taken from.");
  const auto absorbing =
      std::count_if(simulation.wavemakers.begin(), simulation.wavemakers.end(),
                    [](const Wavemaker& wavemaker) { return wavemaker.absorption_gauge.has_value(); });
  require(std::cmp_equal(snapshot.absorption.size(), absorbing), "sph: the snapshot has ", snapshot.absorption.size(),
          " wavemakers with absorption, the case ", absorbing, ". Resume the case that it was taken from.");
}

/// Writes particle i to a row of the snapshot.
template <class Real, int dimensions>
void pack_particle(const HostState<Real, dimensions>& state, std::size_t i, Snapshot& snapshot, std::size_t row) {
  const Particle<Real, dimensions> particle = state.particle(i);
  snapshot.id[row] = state.id[i];
  snapshot.tag[row] = state.tag[i];
  for (int axis = 0; axis < dimensions; ++axis) {
    snapshot.coordinate[axis][row] = particle.position.x[axis];
    snapshot.velocity[axis][row] = particle.velocity.v[axis];
  }
  snapshot.density_deviation[row] = particle.position.density;
  snapshot.pressure_over_density2[row] = particle.pressure_over_density2();
  snapshot.energy[row] = state.energy[i];
  if (!state.properties.empty()) {
    snapshot.smoothing_length[row] = state.properties[i].smoothing_length;
    snapshot.sound_speed[row] = state.properties[i].sound_speed;
  }
  if (!state.viscosity.empty()) snapshot.viscosity[row] = state.viscosity[i];
  if (!state.previous.empty()) {
    for (int axis = 0; axis < dimensions; ++axis)
      snapshot.previous_velocity[axis][row] = state.previous[i].velocity[axis];
    snapshot.previous_density_deviation[row] = state.previous[i].density;
    snapshot.previous_energy[row] = state.previous[i].energy;
  }
}

/// Takes the particles of a snapshot. Collective.
template <class Real, int dimensions>
void resume(const Case& simulation, const Snapshot& snapshot, const Filling* filling, Setup<Real, dimensions>& setup) {
  setup.ranks.agree([&] {
    require_same_kind(snapshot, simulation);
    setup.state = unpack<Real, dimensions>(snapshot);
    if (setup.is_general) add_properties(simulation, *filling, &snapshot, setup);
    if (setup.parameters.integrator == Integrator::verlet) add_previous(&snapshot, setup.state);
    if (!setup.flow_curves.empty()) add_viscosities(&snapshot, setup);
    setup.particles = setup.present = static_cast<std::int64_t>(setup.state.count());
    setup.wall_particles = std::count_if(setup.state.tag.begin(), setup.state.tag.end(), &Tag::is_wall);
  });
}

/// Makes the particles of this rank at the start of the run. Collective.
template <class Real, int dimensions>
void start(const Case& simulation, const Filling& filling, Setup<Real, dimensions>& setup) {
  make_start_state(simulation, filling, setup);
  for (const BodyParameters& body : setup.rigid_bodies)
    setup.state.rigid_bodies.push_back(to_rigid_body_state(body.start));
  setup.state.absorption.resize(setup.absorption.size());
  setup.particles = setup.present = setup.state.clock.particles = filling.count();
  setup.wall_particles = filling.wall_count();
  std::int64_t outside = no_particle;
  setup.ranks.agree([&] {
    if (setup.is_general) outside = add_properties(simulation, filling, nullptr, setup);
    if (setup.parameters.integrator == Integrator::verlet) add_previous(nullptr, setup.state);
    if (!setup.flow_curves.empty()) add_viscosities(nullptr, setup);
  });
  require_in_range(setup.ranks, outside);
  const StepControl& control = setup.parameters.control;
  setup.state.clock.next_dt = control.by_cfl ? first_step(setup) : control.dt;
}

}  // namespace

template <class Real, int dimensions>
Setup<Real, dimensions> make_setup(const Case& simulation, const Lattice& lattice, const Queue& queue,
                                   const Snapshot* snapshot, const Communicator& ranks, const Slabs& slabs) {
  Setup<Real, dimensions> setup;
  setup.parameters = make_parameters<Real, dimensions>(simulation, lattice);
  setup.tables = {};
  setup.is_general = needs_general_physics(simulation);
  setup.spacing = simulation.spacing;
  setup.damping = make_damping<Real, dimensions>(simulation, lattice);
  setup.ranks = ranks;
  setup.slabs = slabs;
  std::optional<Filling> filling;
  const bool has_open_boundaries = !simulation.open_boundaries.empty();
  const bool has_entering = has_open_boundaries || simulation.crop;  // whose ids follow those of the start
  if (!snapshot || setup.is_general || has_entering) filling.emplace(simulation, lattice, queue, ranks);
  if (filling) setup.part_ids = filling->part_ids();
  if (has_open_boundaries) {
    setup.open_boundaries = {simulation, lattice, *filling};
    setup.together = layers_together(setup.parameters, setup.open_boundaries);
  }
  if (setup.is_general)
    ranks.agree([&] {
      setup.tables = make_tables<Real, dimensions>(simulation, lattice, setup.knots);
      setup.absorption = make_absorption(simulation, lattice.origin, setup.knots);
      if (setup.tables.movements > 0) add_initial(*filling, setup);
      setup.rigid_bodies = make_rigid_bodies(simulation, *filling, lattice);
      setup.springs = make_springs(simulation, lattice);
      setup.contact = make_contact(simulation);
      if (simulation.contact) setup.faces = WallFaces(simulation, *filling, lattice);
      setup.flow_curves = make_flow_curves<Real>(simulation);
      setup.interfaces = make_interfaces<Real>(simulation);
    });
  if (snapshot)
    resume(simulation, *snapshot, filling ? &*filling : nullptr, setup);
  else
    start(simulation, *filling, setup);
  return setup;
}

template <class Real, int dimensions>
Snapshot pack(const HostState<Real, dimensions>& state) {
  Snapshot snapshot;
  const std::size_t n = state.count();
  snapshot.clock = state.clock;
  snapshot.rigid_bodies = state.rigid_bodies;
  snapshot.absorption = state.absorption;
  snapshot.id.resize(n);
  snapshot.tag.resize(n);
  for (auto* vector : {&snapshot.density_deviation, &snapshot.pressure_over_density2, &snapshot.energy})
    vector->resize(n);
  snapshot.smoothing_length.resize(state.properties.size());
  snapshot.sound_speed.resize(state.properties.size());
  snapshot.viscosity.resize(state.viscosity.size());
  snapshot.previous_density_deviation.resize(state.previous.size());
  snapshot.previous_energy.resize(state.previous.size());
  for (int axis = 0; axis < dimensions; ++axis) {
    snapshot.coordinate[axis].resize(n);
    snapshot.velocity[axis].resize(n);
    snapshot.previous_velocity[axis].resize(state.previous.size());
  }
  const std::vector<std::size_t> order = state.order_of_ids();
  for (std::size_t row = 0; row < n; ++row) pack_particle(state, order[row], snapshot, row);
  return snapshot;
}

#define SHOAL_SPH_SETUP(Real, dimensions)                                                                 \
  template Setup<Real, dimensions> make_setup(const Case&, const Lattice&, const Queue&, const Snapshot*, \
                                              const Communicator&, const Slabs&);                         \
  template Snapshot pack(const HostState<Real, dimensions>&);
SHOAL_SPH_SETUP(float, 1)
SHOAL_SPH_SETUP(float, 2)
SHOAL_SPH_SETUP(float, 3)
SHOAL_SPH_SETUP(double, 1)
SHOAL_SPH_SETUP(double, 2)
SHOAL_SPH_SETUP(double, 3)
#undef SHOAL_SPH_SETUP

}  // namespace shoal::sph
