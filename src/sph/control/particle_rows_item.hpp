// SPDX-License-Identifier: Apache-2.0
// Rows of particles between two steps, copies of them, and values that a program sets.
#pragma once
#include <shoal/sph/particles.hpp>

#include "sph/physics/label_item.hpp"
#include "sph/physics/particle_item.hpp"

namespace shoal::sph {

/// The particles in the order of the memory of a method. CPU methods have ids and tags, those of CUDA labels of both.
template <class Real, int dimensions>
struct ParticleRows {
  StateView<Real, dimensions> state;
  const std::int64_t* id = nullptr;
  const std::uint8_t* tag = nullptr;
  const std::int64_t* label = nullptr;  ///< gone_label: a free place
  const std::uint32_t* cell = nullptr;  ///< null: rows with a particle are in the domain
  std::int64_t count = 0;
  std::uint32_t outside = 0;  ///< cell of particles outside the domain

  /// −1: no particle in the domain.
  SHOAL_HD std::int64_t id_of(std::int64_t i) const {
    if ((cell && cell[i] == outside) || (label && label[i] == gone_label)) return -1;
    return label ? id_of_label(label[i]) : id[i];
  }
  SHOAL_HD std::uint8_t tag_of(std::int64_t i) const { return label ? tag_of_label(label[i]) : tag[i]; }
};

/// The state from a row on, without what no program reads.
template <class Real, int dimensions>
StateView<Real, dimensions> from_row(const StateView<Real, dimensions>& state, std::int64_t first) {
  const auto from = [first](auto* array) { return array ? array + first : nullptr; };
  return {.position = state.position + first,
          .velocity = state.velocity + first,
          .energy = from(state.energy),
          .properties = from(state.properties),
          .previous = from(state.previous)};
}

/// Places of copies of the rows; those that are null are not made.
struct ParticleCopies {
  std::int64_t* id = nullptr;
  std::uint8_t* material = nullptr;
  std::uint8_t* wall = nullptr;
  double* position = nullptr;  ///< [n][D] m
  double* density = nullptr;   ///< kg/m³
  double* pressure = nullptr;  ///< Pa
};

/// Copies row i.
template <class Physics, class Real, int dimensions>
SHOAL_HD void copy_row(const Parameters<Real, dimensions>& parameters, const Lattice& lattice,
                       const ParticleRows<Real, dimensions>& rows, const ParticleCopies& copies, std::int64_t i) {
  if (copies.id) copies.id[i] = rows.id_of(i);
  if (copies.material) copies.material[i] = rows.tag_of(i) & (Tag::wall_bit - 1);
  if (copies.wall) copies.wall[i] = (rows.tag_of(i) & Tag::wall_bit) != 0;
  if (copies.position)
    for (int axis = 0; axis < dimensions; ++axis)
      copies.position[i * dimensions + axis] =
          lattice.origin[axis] + rounded_product(lattice.unit, static_cast<double>(rows.state.position[i].x[axis]));
  if (!copies.density && !copies.pressure) return;
  const auto particle = load<Physics>(rows.state, i);
  const double density = static_cast<double>(Physics::equation_of_state(parameters, particle).density) +
                         static_cast<double>(particle.position.density);
  if (copies.density) copies.density[i] = density;
  if (copies.pressure) copies.pressure[i] = static_cast<double>(particle.pressure_over_density2()) * density * density;
}

/// Columns of ParticleValues in kernels.
struct ValueColumns {
  const void* data[3] = {};
  std::int64_t stride[3] = {};
  bool is_double = false;

  SHOAL_HD double at(int column, std::int64_t k) const {
    const std::int64_t place = k * stride[column];
    return is_double ? static_cast<const double*>(data[column])[place]
                     : static_cast<double>(static_cast<const float*>(data[column])[place]);
  }
};

/// Values that a program sets.
struct SetRequest {
  Quantity quantity = Quantity::velocity;
  ValueColumns values;
  std::int64_t count = 0;
  const std::int64_t* row = nullptr;  ///< [count]; null: value k is that of row k. −1: a particle of another rank
  const std::int64_t* id = nullptr;   ///< [count] ids, where rows may be of other ranks; else null
};

/// Number of columns of a quantity.
SHOAL_HD constexpr int columns_of(Quantity quantity, int dimensions) {
  return quantity == Quantity::velocity || quantity == Quantity::acceleration ? dimensions : 1;
}

/// Reasons why a value cannot be set. The minimum of several words is that of the first value.
namespace refusal {
enum Kind { no_particle, wall, twice, not_finite, not_positive, out_of_range };
constexpr std::uint64_t none = ~std::uint64_t{0};
SHOAL_HD std::uint64_t word(std::int64_t k, Kind kind) { return static_cast<std::uint64_t>(k) * 8 + kind; }
constexpr Kind kind(std::uint64_t word) { return static_cast<Kind>(word % 8); }
constexpr std::int64_t index(std::uint64_t word) { return static_cast<std::int64_t>(word / 8); }
}  // namespace refusal

/// Gives a particle a density or an energy, and what follows from it.
/// @return  true if the equation of state is valid there
template <class Physics, class Real, int dimensions>
SHOAL_HD bool set_value(const Parameters<Real, dimensions>& parameters, Quantity quantity, double value, Real& energy,
                        ParticleOf<Physics, Real, dimensions>& particle) {
  if (quantity == Quantity::density)
    particle.position.density =
        static_cast<Real>(value - static_cast<double>(Physics::equation_of_state(parameters, particle).density));
  else
    energy = static_cast<Real>(value);
  return set_state<Physics>(parameters, energy, particle);
}

/// Checks value k of a request.
/// @return  refusal::none, or why it cannot be set
template <class Physics, class Real, int dimensions>
SHOAL_HD std::uint64_t check_value(const Parameters<Real, dimensions>& parameters,
                                   const ParticleRows<Real, dimensions>& rows, const SetRequest& request,
                                   std::int64_t k) {
  const std::int64_t i = request.row ? request.row[k] : k;
  const bool is_named = request.row != nullptr;
  if (i < 0 && request.id) return refusal::none;
  if (i < 0 || rows.id_of(i) < 0) return is_named ? refusal::word(k, refusal::no_particle) : refusal::none;
  if (is_wall(rows.state.position[i])) return is_named ? refusal::word(k, refusal::wall) : refusal::none;
  for (int column = 0; column < columns_of(request.quantity, dimensions); ++column) {
    const auto value = static_cast<Real>(request.values.at(column, k));
    if (!(value - value == 0)) return refusal::word(k, refusal::not_finite);
  }
  if (request.quantity != Quantity::density && request.quantity != Quantity::energy) return refusal::none;
  const double value = request.values.at(0, k);
  if (request.quantity == Quantity::density && !(value > 0)) return refusal::word(k, refusal::not_positive);
  auto particle = load<Physics>(rows.state, i);
  Real energy = rows.state.energy_of(i);
  const bool is_valid = set_value<Physics>(parameters, request.quantity, value, energy, particle);
  return is_valid ? refusal::none : refusal::word(k, refusal::out_of_range);
}

/// Limits of the next step by values that were set, as those of StageResult.
template <class Real>
struct ValueLimits {
  Real speed_squared = 0;
  Real acceleration_squared = 0;
};

/// Limits by the speed and the given acceleration of a particle.
template <class Physics, class Real, int dimensions>
SHOAL_HD ValueLimits<Real> limits_of(const ParticleOf<Physics, Real, dimensions>& particle, const Real* acceleration) {
  ValueLimits<Real> limits;
  for (int axis = 0; axis < dimensions; ++axis) {
    limits.speed_squared += particle.velocity.v[axis] * particle.velocity.v[axis];
    if (acceleration) limits.acceleration_squared += acceleration[axis] * acceleration[axis];
  }
  if constexpr (Physics::has_properties) {
    const Real inverse = 1 / particle.properties.smoothing_length;
    const Real rate = (particle.properties.sound_speed + fast_sqrt(limits.speed_squared)) * inverse;
    limits.speed_squared = rate * rate;
    limits.acceleration_squared *= inverse * inverse;
  }
  return limits;
}

/// Sets value k of a request, where it belongs to fluid in the domain. What verlet keeps of the previous step changes as
/// much as the present value. All ranks keep all accelerations, so that a particle that changes its rank has its own.
/// @param acceleration  [ids][D]
template <class Physics, class Real, int dimensions>
SHOAL_HD ValueLimits<Real> set_row(const Parameters<Real, dimensions>& parameters,
                                   const ParticleRows<Real, dimensions>& rows, const SetRequest& request,
                                   std::int64_t k, Real* acceleration) {
  const std::int64_t i = request.row ? request.row[k] : k;
  const StateView<Real, dimensions>& state = rows.state;
  const bool accelerates = request.quantity == Quantity::acceleration;
  const bool is_here = i >= 0 && rows.id_of(i) >= 0 && !is_wall(state.position[i]);
  if (!is_here && !(accelerates && request.id)) return {};
  if (accelerates) {
    Real* const values = acceleration + (request.id ? request.id[k] : rows.id_of(i)) * dimensions;
    for (int axis = 0; axis < dimensions; ++axis) values[axis] = static_cast<Real>(request.values.at(axis, k));
    if (!is_here) return {};
    return limits_of<Physics, Real, dimensions>(load<Physics>(state, i), values);
  }
  auto particle = load<Physics>(state, i);
  const auto before = particle;
  const Real energy_before = state.energy_of(i);
  Real energy = energy_before;
  if (request.quantity == Quantity::velocity)
    for (int axis = 0; axis < dimensions; ++axis)
      particle.velocity.v[axis] = static_cast<Real>(request.values.at(axis, k));
  else
    set_value<Physics>(parameters, request.quantity, request.values.at(0, k), energy, particle);
  state.store(i, particle);
  if (state.energy) state.energy[i] = energy;
  if constexpr (Physics::has_properties) state.properties[i] = particle.properties;
  if (state.previous) {
    Previous<Real, dimensions>& previous = state.previous[i];
    for (int axis = 0; axis < dimensions; ++axis)
      previous.velocity[axis] += particle.velocity.v[axis] - before.velocity.v[axis];
    previous.density += particle.position.density - before.position.density;
    previous.energy += energy - energy_before;
  }
  return limits_of<Physics, Real, dimensions>(particle, nullptr);
}

/// Adds the acceleration by a program to particle i after a stage: one more term of dv/dt, which is the same in all stages.
/// @return  limits of the next step
template <class Physics, class Real, int dimensions>
SHOAL_HD ValueLimits<Real> add_acceleration(const Parameters<Real, dimensions>& parameters, const StageStep<Real>& step,
                                            const Real* acceleration, const StateView<Real, dimensions>& next,
                                            std::int64_t i) {
  // The integrators that complete a displacement to second order in the last stage take the acceleration for it.
  const bool completes = step.integrator != Integrator::tvd_rk3 && step.is_last();
  PositionDensity<Real, dimensions>& position = next.position[i];
  for (int axis = 0; axis < dimensions; ++axis) {
    next.velocity[i].v[axis] += step.weight * step.dt * acceleration[axis];
    if (completes)
      position.x[axis] +=
          2 * round_to_integer(step.dt * step.dt / 2 * acceleration[axis] * parameters.inverse_unit / 2);
  }
  if (completes) wrap(parameters, position);
  return limits_of<Physics, Real, dimensions>(load<Physics>(next, i), acceleration);
}

}  // namespace shoal::sph
