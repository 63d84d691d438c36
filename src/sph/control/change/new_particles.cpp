// SPDX-License-Identifier: Apache-2.0
#include "sph/control/change/new_particles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/text.hpp"
#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/physics/rheologies/rheologies.hpp"
#include "sph/setup/filling/fill.hpp"
#include "sph/setup/parts/case_parts.hpp"

namespace shoal::sph {

namespace {

constexpr const char* nothing_added = " Nothing was added.";

/// Coordinate of a position of fluid, in units of the lattice: an even number.
/// @throws Error  the position is outside the domain
std::int64_t coordinate_of(const Box& domain, const Lattice& lattice, const NewValues& values, std::size_t k, int axis,
                           int dimensions) {
  const auto place = static_cast<std::size_t>(axis);
  const double x = values.position[place][k];
  if (!std::isfinite(x))
    throw Error(text("sph: ", text_of_position(values, k, dimensions), ", expected finite numbers.", nothing_added));
  if (x < domain.from[place] || x > domain.to[place])
    throw Error(text("sph: ", text_of_position(values, k, dimensions), " is outside the domain, which reaches from ",
                     domain.from[place], " m to ", domain.to[place], " m along ", to_name(static_cast<Axis>(axis)), ".",
                     nothing_added));
  return 2 * std::llround((x - lattice.origin[axis]) / lattice.unit / 2);
}

template <class Real, int dimensions>
Particle<Real, dimensions> at_its_place(const Box& domain, const Lattice& lattice,
                                        const Parameters<Real, dimensions>& parameters, const NewValues& values,
                                        std::size_t k) {
  Particle<Real, dimensions> particle{};
  for (int axis = 0; axis < dimensions; ++axis) {
    particle.position.x[axis] =
        static_cast<Coordinate<Real>>(coordinate_of(domain, lattice, values, k, axis, dimensions));
    particle.velocity.v[axis] = static_cast<Real>(values.velocity[static_cast<std::size_t>(axis)][k]);
    require(std::isfinite(particle.velocity.v[axis]), "sph: velocity[", k, "] of a new particle is ",
            values.velocity[static_cast<std::size_t>(axis)][k], " m/s along ", to_name(static_cast<Axis>(axis)),
            ", expected a finite number.", nothing_added);
  }
  wrap(parameters, particle.position);
  if (is_outside(parameters, particle.position))
    throw Error(text("sph: ", text_of_position(values, k, dimensions),
                     " is at the end of the domain, expected a place within it.", nothing_added));
  return particle;
}

/// Gives new particle k its density and energy, and what follows from them.
template <class Physics, class Real, int dimensions>
void set_state_of(const Parameters<Real, dimensions>& parameters, const NewValues& values, std::size_t k, Real& energy,
                  ParticleOf<Physics, Real, dimensions>& particle) {
  energy = values.energy.empty() ? Real(0) : static_cast<Real>(values.energy[k]);
  require(std::isfinite(energy), "sph: energy[", k, "] of a new particle is ", static_cast<double>(energy),
          " J/kg, expected a finite number.", nothing_added);
  if (values.density.empty()) {
    require(set_state<Physics>(parameters, energy, particle), "sph: new particle ", k,
            " is beyond the equation of state at the density of its material and an energy of ",
            static_cast<double>(energy), " J/kg.", nothing_added);
    return;
  }
  const double density = values.density[k];
  require(std::isfinite(density) && density > 0, "sph: density[", k, "] of a new particle is ", density,
          " kg/m3, expected a positive number.", nothing_added);
  require(set_value<Physics>(parameters, Quantity::density, density, energy, particle) &&
              !has_lost_density(parameters, particle.position),
          "sph: density[", k, "] of a new particle is ", density,
          " kg/m3, which is beyond the equation of state, or beyond particles.most_density_deviation.", nothing_added);
}

template <class Real, int dimensions>
void add_new_particle(double mass, const Particle<Real, dimensions>& placed,
                      const Parameters<Real, dimensions>& parameters, const NewValues& values, std::size_t k,
                      HostState<Real, dimensions>& state) {
  with_physics(parameters, [&]<class Physics> {
    ParticleOf<Physics, Real, dimensions> particle{};
    static_cast<Particle<Real, dimensions>&>(particle) = placed;
    if constexpr (Physics::has_properties)
      particle.properties = {static_cast<Real>(mass), parameters.smoothing_length, 0, values.material};
    set_state_of<Physics>(parameters, values, k, state.energy[k], particle);
    state.view().store(static_cast<std::int64_t>(k), particle);
    if constexpr (Physics::has_properties) state.properties[k] = particle.properties;
  });
  if (!state.previous.empty())
    state.previous[k] = previous_of(Particle<Real, dimensions>{state.position[k], state.velocity[k]}, state.energy[k]);
}

}  // namespace

std::string text_of_position(const NewValues& values, std::size_t k, int dimensions) {
  std::string numbers;
  for (int axis = 0; axis < dimensions; ++axis)
    numbers += (axis > 0 ? ", " : "") + text(values.position[static_cast<std::size_t>(axis)][k]);
  return text("position[", k, "] of a new particle = (", numbers, ") m");
}

int material_of_new_particles(const Case& simulation, std::string_view name) {
  std::string names;
  for (std::size_t k = 0; k < simulation.materials.size(); ++k) {
    if (simulation.materials[k].name == name) return static_cast<int>(k);
    names += (k > 0 ? ", \"" : "\"") + simulation.materials[k].name + "\"";
  }
  require(name.empty() && simulation.materials.size() == 1, "sph: new particles of the material \"", name,
          "\", expected one of ", names, ".", nothing_added);
  return 0;
}

template <class Real>
double new_particle_mass(const Case& simulation, int material) {
  return mass_in_run<Real>(simulation,
                           entering_mass(simulation, simulation.materials[static_cast<std::size_t>(material)]));
}

template <class Real, int dimensions>
HostState<Real, dimensions> make_new_particles(const Case& simulation, const Lattice& lattice,
                                               const Parameters<Real, dimensions>& parameters, const NewValues& values,
                                               std::int64_t first_id) {
  const std::size_t n = values.count();
  HostState<Real, dimensions> state(n);
  if (parameters.tables) state.properties.resize(n);
  if (parameters.integrator == Integrator::verlet) state.previous.resize(n);
  std::fill(state.tag.begin(), state.tag.end(), static_cast<std::uint8_t>(values.material));
  std::iota(state.id.begin(), state.id.end(), first_id);
  const Box domain = domain_of(simulation);
  const double mass = new_particle_mass<Real>(simulation, values.material);
  for (std::size_t k = 0; k < n; ++k)
    add_new_particle(mass, at_its_place(domain, lattice, parameters, values, k), parameters, values, k, state);
  const std::vector<FlowCurve<Real>> curves = make_flow_curves<Real>(simulation);
  if (!curves.empty())
    state.viscosity.assign(n, apparent_viscosity(curves[static_cast<std::size_t>(values.material)], Real(0)));
  return state;
}

template <class Real, int dimensions>
double step_of_new_particles(const Parameters<Real, dimensions>& parameters, HostState<Real, dimensions>& added) {
  if (!parameters.control.by_cfl) return std::numeric_limits<double>::infinity();
  double speed_squared = 0;
  with_physics(parameters, [&]<class Physics> {
    for (std::size_t k = 0; k < added.count(); ++k) {
      const auto particle = load<Physics>(added.view(), static_cast<std::int64_t>(k));
      const Real squared = limits_of<Physics, Real, dimensions>(particle, nullptr).speed_squared;
      speed_squared = std::max(speed_squared, static_cast<double>(squared));
    }
  });
  return allowed_step(parameters.control, speed_squared, 0);
}

template <class Real, int dimensions>
SortedPositions<Real, dimensions>::SortedPositions(const Parameters<Real, dimensions>& parameters,
                                                   const std::vector<PositionDensity<Real, dimensions>>& position,
                                                   double least)
    : number_(position.size()),
      least_squared_(static_cast<Real>(std::pow(least / static_cast<double>(parameters.unit), 2))) {
  std::vector<std::uint32_t> cells;
  for (const PositionDensity<Real, dimensions>& one : position) cells.push_back(cell_of(parameters, one));
  std::iota(number_.begin(), number_.end(), 0);
  std::stable_sort(number_.begin(), number_.end(), [&](std::int32_t a, std::int32_t b) {
    return cells[static_cast<std::size_t>(a)] < cells[static_cast<std::size_t>(b)];
  });
  for (const std::int32_t k : number_) {
    position_.push_back(position[static_cast<std::size_t>(k)]);
    cell_.push_back(cells[static_cast<std::size_t>(k)]);
  }
}

template <class Real, int dimensions>
void require_apart(const Parameters<Real, dimensions>& parameters, const SortedPositions<Real, dimensions>& sorted,
                   const NewValues& values, double least) {
  std::pair<std::int32_t, std::int32_t> first{no_number, no_number};  // the later one, and that beside it
  for (std::size_t k = 0; k < sorted.number().size(); ++k) {
    const std::int32_t number = sorted.number()[k];
    const std::int32_t near = first_too_near(parameters, sorted.view(), sorted.position()[k], number);
    if (near != no_number) first = std::min(first, {std::max(number, near), std::min(number, near)});
  }
  if (first.first != no_number)
    throw Error(text("sph: ", text_of_position(values, static_cast<std::size_t>(first.first), dimensions),
                     " is nearer than ", least, " m, half a spacing, to position[", first.second, "].", nothing_added));
}

#define SHOAL_SPH_NEW_PARTICLES(Real, D)                                                                  \
  template HostState<Real, D> make_new_particles(const Case&, const Lattice&, const Parameters<Real, D>&, \
                                                 const NewValues&, std::int64_t);                         \
  template double step_of_new_particles(const Parameters<Real, D>&, HostState<Real, D>&);                 \
  template class SortedPositions<Real, D>;                                                                \
  template void require_apart(const Parameters<Real, D>&, const SortedPositions<Real, D>&, const NewValues&, double);
SHOAL_SPH_NEW_PARTICLES(float, 1)
SHOAL_SPH_NEW_PARTICLES(float, 2)
SHOAL_SPH_NEW_PARTICLES(float, 3)
SHOAL_SPH_NEW_PARTICLES(double, 1)
SHOAL_SPH_NEW_PARTICLES(double, 2)
SHOAL_SPH_NEW_PARTICLES(double, 3)
#undef SHOAL_SPH_NEW_PARTICLES
template double new_particle_mass<float>(const Case&, int);
template double new_particle_mass<double>(const Case&, int);

}  // namespace shoal::sph
