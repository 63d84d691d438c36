// SPDX-License-Identifier: Apache-2.0
// A particle in the box of an open boundary: the pressure and velocity that it has during a step, and where it goes. The
// particle is fluid and has the number i in a state.
#pragma once
#include "sph/open_boundaries/fluid_fit_item.hpp"
#include "sph/open_boundaries/open_boundary_item.hpp"
#include "sph/physics/particle_item.hpp"
#include "sph/physics/steps/step_plan_item.hpp"

namespace shoal::sph {

/// Pressure, then velocity of a particle in a box.
template <int dimensions>
using HeldValues = typename FluidFit<dimensions>::Values;

/// ρ of a particle.
template <class Real, int dimensions>
SHOAL_HD double density_at(const Parameters<Real, dimensions>& parameters, const StateView<Real, dimensions>& state,
                           std::int64_t i) {
  return static_cast<double>(reference_density(parameters, state.properties, i)) +
         static_cast<double>(state.position[i].density);
}

/// Pressure of a particle, Pa.
template <class Real, int dimensions>
SHOAL_HD double pressure_at(const Parameters<Real, dimensions>& parameters, const StateView<Real, dimensions>& state,
                            std::int64_t i) {
  const double rho = density_at(parameters, state, i);
  return static_cast<double>(state.load(i).pressure_over_density2()) * rho * rho;
}

/// Sums over fluid around a point in a box, and the way from there to a particle.
template <class Real, int dimensions>
struct BoxFit {
  const Parameters<Real, dimensions>& parameters;
  const OpenBoundaryView<Real, dimensions>& view;
  const OpenBoundaryParameters<Real, dimensions>& boundary;
  PositionDensity<Real, dimensions> point;
  FluidFit<dimensions> fit{};

  using Vector = typename FluidFit<dimensions>::Vector;
  using Shift = typename OpenBoundaryView<Real, dimensions>::Shift;

  /// Way from the point to a place: in smoothing lengths, and the hydrostatic pressure along it.
  SHOAL_HD double way_to(const PositionDensity<Real, dimensions>& place, Vector& apart) const {
    const double inverse = static_cast<double>(parameters.unit) / static_cast<double>(parameters.smoothing_length);
    Shift shift;
    for (int axis = 0; axis < dimensions; ++axis) {
      shift[axis] = nearest_apart(parameters, place, point, axis);
      apart[axis] = inverse * static_cast<double>(shift[axis]);
    }
    return view.hydrostatic(boundary, shift);
  }

  /// Particle j as the sums take it.
  SHOAL_HD auto terms_of(const StateView<Real, dimensions>& state, std::int64_t j) const {
    Vector apart;
    HeldValues<dimensions> values;
    values[0] = pressure_at(parameters, state, j) - way_to(state.position[j], apart);
    for (int axis = 0; axis < dimensions; ++axis) values[axis + 1] = static_cast<double>(state.velocity[j].v[axis]);
    double squared = 0;
    for (int axis = 0; axis < dimensions; ++axis) squared += apart[axis] * apart[axis];
    const double q = std::sqrt(squared);
    const double volume = static_cast<double>(parameters.value_scale) *
                          static_cast<double>(mass_of(parameters, state.properties, j)) /
                          density_at(parameters, state, j);
    return with_kernel(parameters.kernel, [&]<Kernel kernel> {
      return typename FluidFit<dimensions>::Terms(apart, volume * kernel_shape<kernel>(q),
                                                  volume * kernel_gradient<kernel>(q), values);
    });
  }

  /// Values at a place, from the sums.
  SHOAL_HD HeldValues<dimensions> values_at(const PositionDensity<Real, dimensions>& place) const {
    Vector apart;
    const double head = way_to(place, apart);
    HeldValues<dimensions> values = fit.values_at(apart, boundary.extrapolation);
    const double deviation = density_deviation_at(boundary.eos, values[0] + head);
    if (!(std::abs(deviation) < largest_finite))
      values = fit.values_at(apart, Extrapolation::constant);  // tension beyond that of any density
    values[0] += head;
    return values;
  }

 private:
  static constexpr double largest_finite = 1e300;
};

/// Sets pressure and velocity to those of the fluid beyond the plane. Without fluid there they stay.
/// @param sum_around  sum_around(near) sums up the fluid outside the boxes around the point of a BoxFit
SHOAL_CALLS_ARGUMENT
template <class Real, int dimensions, class SumAround>
SHOAL_HD void extrapolate(const Parameters<Real, dimensions>& parameters,
                          const OpenBoundaryView<Real, dimensions>& view,
                          const OpenBoundaryParameters<Real, dimensions>& boundary,
                          const PositionDensity<Real, dimensions>& position, const SumAround& sum_around,
                          HeldValues<dimensions>& values) {
  BoxFit<Real, dimensions> near{parameters, view, boundary, boundary.mirrored(position)};
  sum_around(near);
  if (near.fit.has_fluid()) values = near.values_at(position);
}

/// Sets the velocity of an inlet. At an outlet none may return, unless it lets fluid return.
template <class Real, int dimensions>
SHOAL_HD void set_velocity(const OpenBoundaryView<Real, dimensions>& view,
                           const OpenBoundaryParameters<Real, dimensions>& boundary,
                           const PositionDensity<Real, dimensions>& position, double time,
                           HeldValues<dimensions>& values) {
  for (int axis = 0; axis < dimensions; ++axis) {
    double& v = values[axis + 1];
    if (!boundary.is_inlet) {
      if (axis == boundary.axis && !boundary.lets_return && v * boundary.direction() > 0) v = 0;
    } else if (axis == boundary.axis) {
      v = boundary.direction() * boundary.profile_at(position) * view.inflow(boundary).speed(time);
    } else {
      v = 0;
    }
  }
}

/// Writes pressure and velocity of a particle, with the density of that pressure.
template <class Physics, class Real, int dimensions>
SHOAL_HD void store_values_of(const Parameters<Real, dimensions>& parameters, const StateView<Real, dimensions>& state,
                              std::int64_t i, const HeldValues<dimensions>& values) {
  ParticleOf<Physics, Real, dimensions> particle = load<Physics>(state, i);
  const EosParameters<Real>& eos = Physics::equation_of_state(parameters, particle);
  particle.position.density = density_deviation_at(eos, static_cast<Real>(values[0]));
  for (int axis = 0; axis < dimensions; ++axis) particle.velocity.v[axis] = static_cast<Real>(values[axis + 1]);
  set_state<Physics>(parameters, state.energy_of(i), particle);
  state.store(i, particle);
  if constexpr (Physics::has_properties) state.properties[i] = particle.properties;
}

/// The same in the model of the run. All kernels have the same equation of state.
template <class Real, int dimensions>
SHOAL_HD void store_values(const Parameters<Real, dimensions>& parameters, const StateView<Real, dimensions>& state,
                           std::int64_t i, const HeldValues<dimensions>& values) {
  if constexpr (dimensions > 1)
    if (!parameters.tables) return store_values_of<PlainPhysics<Kernel::wendland_c2>>(parameters, state, i, values);
  store_values_of<GeneralPhysics>(parameters, state, i, values);
}

/// Gives a particle in a box the velocity and pressure that hold during a step from `time` on.
/// @param sum_around  as for extrapolate()
SHOAL_CALLS_ARGUMENT
template <class Real, int dimensions, class SumAround>
SHOAL_HD void prescribe(const Parameters<Real, dimensions>& parameters, const OpenBoundaryView<Real, dimensions>& view,
                        const OpenBoundaryParameters<Real, dimensions>& boundary,
                        const StateView<Real, dimensions>& base, std::int64_t i, double time,
                        const SumAround& sum_around) {
  const PositionDensity<Real, dimensions> position = base.position[i];
  HeldValues<dimensions> values;
  values[0] = pressure_at(parameters, base, i);
  for (int axis = 0; axis < dimensions; ++axis) values[axis + 1] = static_cast<double>(base.velocity[i].v[axis]);
  if (boundary.needs_fluid()) extrapolate(parameters, view, boundary, position, sum_around, values);
  set_velocity(view, boundary, position, time, values);
  if (boundary.has_pressure) values[0] = view.given_pressure(boundary, position);
  store_values(parameters, base, i, values);
}

/// Moves a particle in a box from a time to another: an inlet's as given, another one with its velocity, but not through the
/// sides along the flow.
template <class Real, int dimensions>
SHOAL_HD void move_held(const Parameters<Real, dimensions>& parameters, const OpenBoundaryView<Real, dimensions>& view,
                        const OpenBoundaryParameters<Real, dimensions>& boundary, double time, double then,
                        Particle<Real, dimensions>& particle) {
  const InflowSpeed inflow = view.inflow(boundary);
  const double factor = boundary.is_inlet ? boundary.direction() * boundary.profile_at(particle.position) : 0;
  for (int axis = 0; axis < dimensions; ++axis) {
    double way = (then - time) * static_cast<double>(particle.velocity.v[axis]);
    if (boundary.is_inlet) {
      if (axis != boundary.axis) continue;
      way = factor * (inflow.distance(then) - inflow.distance(time));
      particle.velocity.v[axis] = static_cast<Real>(factor * inflow.speed(then));
    }
    const Coordinate<Real> before = particle.position.x[axis];
    const auto units =
        static_cast<Coordinate<Real>>(2 * std::llround(way * static_cast<double>(parameters.inverse_unit) / 2));
    particle.position.x[axis] = boundary.kept_between_sides(axis, before, before + units);
  }
}

/// Moves a particle in a box through a stage, in place of what the method wrote for it.
/// @param time, dt  of the step
template <class Real, int dimensions>
SHOAL_HD void hold(const Parameters<Real, dimensions>& parameters, const OpenBoundaryView<Real, dimensions>& view,
                   const OpenBoundaryParameters<Real, dimensions>& boundary, int stage, double time, double dt,
                   const StateView<Real, dimensions>& base, const StateView<Real, dimensions>& next, std::int64_t i) {
  Particle<Real, dimensions> particle = base.load(i);
  move_held(parameters, view, boundary, time, time + dt * stage_time(parameters.integrator, stage), particle);
  if (stage + 1 == stages_of(parameters.integrator)) wrap(parameters, particle.position);
  next.store(i, particle);
  if (next.properties) next.properties[i] = base.properties[i];
  if (next.energy) next.energy[i] = base.energy[i];
  if (next.previous) next.previous[i] = previous_of(base.load(i), base.energy_of(i));
}

/// Writes a particle that enters to place i of a state. Its apparent viscosity follows at the next step.
/// @param fluid  has the mass and the material of the particle
template <class Fluid, class Real, int dimensions>
SHOAL_HD void put(const Parameters<Real, dimensions>& parameters, const Fluid& fluid,
                  const PositionDensity<Real, dimensions>& position, const HeldValues<dimensions>& values,
                  const StateView<Real, dimensions>& state, std::int64_t i) {
  state.store(i, {position, {}});
  if (state.energy) state.energy[i] = 0;
  if (state.viscosity) state.viscosity[i] = 0;
  if (state.properties)
    state.properties[i] = {static_cast<Real>(fluid.mass), parameters.smoothing_length, 0, fluid.material};
  store_values(parameters, state, i, values);
  if (state.previous) state.previous[i] = previous_of(state.load(i), Real(0));
}

/// Writes a particle that enters through an inlet. Its extrapolated pressure follows at the next step.
template <class Real, int dimensions>
SHOAL_HD void enter(const Parameters<Real, dimensions>& parameters, const OpenBoundaryView<Real, dimensions>& view,
                    const EnteringParticle<Real, dimensions>& entering, double time,
                    const StateView<Real, dimensions>& state, std::int64_t i) {
  const OpenBoundaryParameters<Real, dimensions>& boundary = view.boundaries[entering.boundary];
  HeldValues<dimensions> values{};
  set_velocity(view, boundary, entering.position, time, values);
  if (boundary.has_pressure) values[0] = view.given_pressure(boundary, entering.position);
  put(parameters, boundary, entering.position, values, state, i);
}

/// A particle that enters behind one that has returned through an outlet.
template <class Real, int dimensions>
struct ReturningParticle {
  PositionDensity<Real, dimensions> position;
  HeldValues<dimensions> values;
  std::int64_t column;
};

/// Finds the particle that enters because particle i, in the box of an outlet at the start of the step, is beyond its plane
/// at the end. It has the pressure and velocity of that one, as far behind as the box is deep.
/// @return  false if there is none
template <class Real, int dimensions>
SHOAL_HD bool find_returning(const Parameters<Real, dimensions>& parameters,
                             const OpenBoundaryView<Real, dimensions>& view,
                             const OpenBoundaryParameters<Real, dimensions>& boundary,
                             const StateView<Real, dimensions>& state, std::int64_t i,
                             ReturningParticle<Real, dimensions>& returning) {
  const PositionDensity<Real, dimensions> position = state.position[i];
  returning.position = boundary.set_back(position);
  if (!boundary.lets_return || boundary.holds_with_margin(position) || !boundary.holds_with_margin(returning.position))
    return false;
  returning.values[0] =
      boundary.has_pressure ? view.given_pressure(boundary, returning.position) : pressure_at(parameters, state, i);
  for (int axis = 0; axis < dimensions; ++axis)
    returning.values[axis + 1] = static_cast<double>(state.velocity[i].v[axis]);
  returning.column = boundary.column_at(returning.position);
  return true;
}

}  // namespace shoal::sph
