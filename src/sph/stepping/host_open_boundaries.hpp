// SPDX-License-Identifier: Apache-2.0
// Open boundaries of the CPU methods: the particles in their boxes during a step, and those that enter and leave after it.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "sph/open_boundaries/fluid_fit.hpp"
#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/physics/particle_item.hpp"
#include "sph/physics/step_plan_item.hpp"
#include "sph/ranks/particle_exchange.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
class HostOpenBoundaries {
 public:
  using State = StateView<Real, dimensions>;
  using Position = PositionDensity<Real, dimensions>;

  explicit HostOpenBoundaries(OpenBoundaries<Real, dimensions> boundaries, int threads)
      : boundaries_(std::move(boundaries)), threads_(threads) {}

  bool empty() const { return boundaries_.empty(); }

  /// Finds the particles in the boxes.
  /// @param count  number of particles with ghosts
  /// @param begin  first particle of this rank; `end` is behind the last in the domain
  void find(const State& base, std::int64_t count, std::int64_t begin, std::int64_t end) {
    box_.assign(static_cast<std::size_t>(count), OpenBoundaries<Real, dimensions>::none);
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t i = 0; i < count; ++i)
      if (!is_wall(base.position[i])) box_[i] = boundaries_.box_of(base.position[i]);
    held_.clear();
    for (std::int64_t i = begin; i < end; ++i)
      if (is_held(i)) held_.push_back(i);
  }

  /// Gives the particles in the boxes the velocity and pressure that hold during the step.
  /// @param for_each_near  for_each_near(position, visit) calls visit(j) for the particles within the support of a position
  template <class ForEachNear>
  void prescribe(const Parameters<Real, dimensions>& parameters, const State& base, double time,
                 const ForEachNear& for_each_near) const {
#pragma omp parallel for num_threads(threads_)
    for (std::size_t k = 0; k < held_.size(); ++k) {
      const std::int64_t i = held_[k];
      const std::size_t box = box_[i];
      const Position position = base.position[i];
      typename FluidFit<dimensions>::Values values;
      values[0] = base.load(i).pressure_over_density2() * std::pow(density(parameters, base, i), 2);
      for (std::size_t axis = 0; axis < dimensions; ++axis) values[axis + 1] = base.velocity[i].v[axis];
      if (needs_fluid(box)) extrapolate(parameters, base, box, position, for_each_near, values);
      set_velocity(box, position, time, values);
      if (boundaries_[box].given.pressure) values[0] = boundaries_.given_pressure(box, position);
      with_physics(parameters, [&]<class Physics> { store<Physics>(parameters, base, i, values); });
    }
  }

  /// Moves the particles in the boxes through a stage, in place of what the method wrote for them.
  void hold(const Parameters<Real, dimensions>& parameters, int stage, double time, double dt, const State& base,
            const State& next) const {
    const double then = time + dt * stage_time(parameters.integrator, stage);
    const bool is_last = stage + 1 == stages_of(parameters.integrator);
#pragma omp parallel for num_threads(threads_)
    for (std::size_t k = 0; k < held_.size(); ++k) {
      const std::int64_t i = held_[k];
      Particle<Real, dimensions> particle = base.load(i);
      move(parameters, box_[i], time, then, particle);
      if (is_last) wrap(parameters, particle.position);
      next.store(i, particle);
      if (next.properties) next.properties[i] = base.properties[i];
      if (next.energy) next.energy[i] = base.energy[i];
      if (next.previous) next.previous[i] = previous_of(base.load(i), base.energy_of(i));
    }
  }

  /// Lets particles leave and enter after a step from `begin` to `end`.
  /// @param state  particles of this rank without ghosts
  /// @param owns   owns(position) is true for places of this rank
  /// @return  number of particles that entered less that of those that left
  template <class Owns>
  std::int64_t renew(const Parameters<Real, dimensions>& parameters, const ArraysOf<Real, dimensions>& arrays,
                     double begin, double end, const Owns& owns, HostState<Real, dimensions>& state) const {
    const std::size_t before = state.count();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < before; ++i) {
      if (!is_wall(state.position[i]) && boundaries_.is_behind_a_box(state.position[i])) continue;
      if (kept != i) copy_particle(state, i, state, kept);
      ++kept;
    }
    std::vector<EnteringParticle<Real, dimensions>> entering = boundaries_.entering(begin, end);
    std::erase_if(entering, [&](const auto& particle) { return !owns(particle.position); });
    arrays.resize(state, kept + entering.size());
    for (const EnteringParticle<Real, dimensions>& particle : entering) put(parameters, particle, end, state, kept++);
    return static_cast<std::int64_t>(state.count()) - static_cast<std::int64_t>(before);
  }

 private:
  using Values = typename FluidFit<dimensions>::Values;
  using Shift = typename OpenBoundaries<Real, dimensions>::Shift;

  bool is_held(std::int64_t i) const { return box_[i] != OpenBoundaries<Real, dimensions>::none; }
  bool needs_fluid(std::size_t box) const {
    const OpenBoundary& given = boundaries_[box].given;
    return !given.is_inlet() || !given.pressure;
  }

  double density(const Parameters<Real, dimensions>& parameters, const State& state, std::int64_t i) const {
    return static_cast<double>(reference_density(parameters, state.properties, i)) +
           static_cast<double>(state.position[i].density);
  }

  /// Sets pressure and velocity to those of the fluid beyond the plane. Without fluid there they stay.
  template <class ForEachNear>
  void extrapolate(const Parameters<Real, dimensions>& parameters, const State& base, std::size_t box,
                   const Position& position, const ForEachNear& for_each_near, Values& values) const {
    const Position image = boundaries_[box].mirrored(position);
    const double h = parameters.smoothing_length, inverse_unit = static_cast<double>(parameters.unit) / h;
    const double scale = kernel_scale(parameters.kernel, dimensions) / std::pow(h, dimensions);
    const auto shift_to = [&](const Position& x) {
      Shift shift;
      for (int axis = 0; axis < dimensions; ++axis)
        shift[static_cast<std::size_t>(axis)] = nearest_apart(parameters, x, image, axis);
      return shift;
    };
    const auto relative = [&](const Shift& shift) {
      std::array<double, dimensions> apart;
      for (std::size_t axis = 0; axis < dimensions; ++axis)
        apart[axis] = inverse_unit * static_cast<double>(shift[axis]);
      return apart;
    };
    FluidFit<dimensions> fit;
    for_each_near(image, [&](std::int64_t j) {
      if (is_wall(base.position[j]) || is_held(j)) return;
      const Shift shift = shift_to(base.position[j]);
      const std::array<double, dimensions> apart = relative(shift);
      double squared = 0;
      for (const double x : apart) squared += x * x;
      const double q = std::sqrt(squared), rho = density(parameters, base, j);
      const double volume = scale * static_cast<double>(mass_of(parameters, base.properties, j)) / rho;
      Values fluid;
      fluid[0] = base.load(j).pressure_over_density2() * rho * rho - boundaries_.hydrostatic(box, shift);
      for (std::size_t axis = 0; axis < dimensions; ++axis) fluid[axis + 1] = base.velocity[j].v[axis];
      with_kernel(parameters.kernel, [&]<Kernel kernel> {
        fit.add(apart, volume * kernel_shape<kernel>(q), volume * kernel_gradient<kernel>(q), fluid);
      });
    });
    if (!fit.has_fluid()) return;
    const Shift shift = shift_to(position);
    const std::array<double, dimensions> apart = relative(shift);
    const double head = boundaries_.hydrostatic(box, shift);
    values = fit.values_at(apart, boundaries_[box].given.extrapolation);
    const double deviation = density_deviation_at(boundaries_[box].eos, values[0] + head);
    if (!std::isfinite(deviation))
      values = fit.values_at(apart, Extrapolation::constant);  // tension beyond that of any density
    values[0] += head;
  }

  /// Sets the velocity of an inlet; at an outlet, none may return.
  void set_velocity(std::size_t box, const Position& position, double time, Values& values) const {
    const OpenBoundaryParameters<Real, dimensions>& boundary = boundaries_[box];
    double& normal = values[static_cast<std::size_t>(boundary.axis) + 1];
    if (!boundary.given.is_inlet()) {
      if (normal * boundary.direction() > 0) normal = 0;
      return;
    }
    for (std::size_t axis = 0; axis < dimensions; ++axis) values[axis + 1] = 0;
    normal = boundary.direction() * boundary.profile(position) * boundary.inflow.speed(time);
  }

  /// Writes pressure and velocity of a particle, with the density of that pressure.
  template <class Physics>
  void store(const Parameters<Real, dimensions>& parameters, const State& state, std::int64_t i,
             const Values& values) const {
    ParticleOf<Physics, Real, dimensions> particle = load<Physics>(state, i);
    const EosParameters<Real>& eos = Physics::equation_of_state(parameters, particle);
    particle.position.density = density_deviation_at(eos, static_cast<Real>(values[0]));
    for (std::size_t axis = 0; axis < dimensions; ++axis)
      particle.velocity.v[axis] = static_cast<Real>(values[axis + 1]);
    set_state<Physics>(parameters, state.energy_of(i), particle);
    state.store(i, particle);
    if constexpr (Physics::has_properties) state.properties[i] = particle.properties;
  }

  /// Moves a particle in a box from a time to another: an inlet's as given, another one with its velocity.
  void move(const Parameters<Real, dimensions>& parameters, std::size_t box, double time, double then,
            Particle<Real, dimensions>& particle) const {
    const OpenBoundaryParameters<Real, dimensions>& boundary = boundaries_[box];
    const auto shift = [&](int axis, double way) {
      particle.position.x[axis] +=
          static_cast<Coordinate<Real>>(2 * std::llround(way * static_cast<double>(parameters.inverse_unit) / 2));
    };
    if (!boundary.given.is_inlet()) {
      for (int axis = 0; axis < dimensions; ++axis)
        shift(axis, (then - time) * static_cast<double>(particle.velocity.v[axis]));
      return;
    }
    const double factor = boundary.direction() * boundary.profile(particle.position);
    shift(boundary.axis, factor * (boundary.inflow.distance(then) - boundary.inflow.distance(time)));
    particle.velocity.v[boundary.axis] = static_cast<Real>(factor * boundary.inflow.speed(then));
  }

  /// Writes a particle that enters to a row of a state. Its extrapolated pressure and its apparent viscosity follow at the
  /// next step.
  void put(const Parameters<Real, dimensions>& parameters, const EnteringParticle<Real, dimensions>& entering,
           double time, HostState<Real, dimensions>& state, std::size_t row) const {
    const OpenBoundaryParameters<Real, dimensions>& boundary = boundaries_[entering.boundary];
    state.position[row] = entering.position;
    state.velocity[row] = {};
    state.energy[row] = 0;
    state.tag[row] = static_cast<std::uint8_t>(boundary.material);
    state.id[row] = entering.id;
    if (!state.viscosity.empty()) state.viscosity[row] = 0;
    if (!state.properties.empty())
      state.properties[row] = {static_cast<Real>(boundary.mass), parameters.smoothing_length, 0, boundary.material};
    Values values{};
    set_velocity(entering.boundary, entering.position, time, values);
    if (boundary.given.pressure) values[0] = boundaries_.given_pressure(entering.boundary, entering.position);
    const auto i = static_cast<std::int64_t>(row);
    with_physics(parameters, [&]<class Physics> { store<Physics>(parameters, state.view(), i, values); });
    if (!state.previous.empty()) state.previous[row] = previous_of(state.particle(row), Real(0));
  }

  OpenBoundaries<Real, dimensions> boundaries_;
  int threads_;
  std::vector<std::size_t> box_;    ///< [n] box that holds each particle in this step
  std::vector<std::int64_t> held_;  ///< particles of this rank that a box holds
};

}  // namespace shoal::sph
