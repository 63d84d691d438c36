// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sph/physics/equations_of_state/equations_of_state.hpp"
#include "sph/physics/physics.hpp"
#include "sph/physics/steps/moving_wall_item.hpp"

namespace shoal::sph {

/// Walls with the pressure of the fluid around them, extrapolated before each stage (Adami, Hu and Adams 2012):
///
///     p_w = (Σ p W + (g − a)·Σ ρ (x_w − x_f) W) / Σ W,     a the wall's acceleration
///
/// and with the density of that pressure; the density of a gas is the mean around the wall. A wall does not pull: a
/// negative pressure counts as 0, and so does a wall particle without fluid. Laminar viscosity without slip takes the
/// velocity 2 v_w − Σ v W / Σ W of the wall.
struct AdamiWalls {
  static constexpr Walls kind = Walls::adami;
  static constexpr bool has_own_force = false;
  static constexpr bool evolves_density = false;
  static constexpr bool sums_over_fluid = true;
  static constexpr bool has_pressure = true;

  /// Sums of a fixed wall particle over its fluid neighbors. W stands without its scale, which cancels.
  template <class Real>
  struct FixedWallSums {
    Real weight = 0;    ///< Σ W
    Real pressure = 0;  ///< Σ p W
    Real head = 0;      ///< Σ ρ g·(x_w − x_f) W

    template <class Sum>
    SHOAL_HD void reduce(const Sum& sum) {
      weight = sum(weight);
      pressure = sum(pressure);
      head = sum(head);
    }
  };

  /// The same for a wall that may move, and without slip.
  template <class Real, int dimensions>
  struct MovingWallSums {
    Real weight = 0;                 ///< Σ W
    Real pressure = 0;               ///< Σ p W
    Real density = 0;                ///< Σ ρ W
    Real moment[dimensions] = {};    ///< Σ ρ (x_w − x_f) W
    Real velocity[dimensions] = {};  ///< Σ v W

    template <class Sum>
    SHOAL_HD void reduce(const Sum& sum) {
      weight = sum(weight);
      pressure = sum(pressure);
      density = sum(density);
      for (int axis = 0; axis < dimensions; ++axis) {
        moment[axis] = sum(moment[axis]);
        velocity[axis] = sum(velocity[axis]);
      }
    }
  };

  template <class Physics, class Real, int dimensions>
  using Sums = std::conditional_t<Physics::may_move_walls, MovingWallSums<Real, dimensions>, FixedWallSums<Real>>;

  /// Adds one fluid neighbor to the sums of a wall particle.
  template <class Physics, class Real, int dimensions>
  SHOAL_HD static void add_fluid(const Parameters<Real, dimensions>& parameters,
                                 const ParticleOf<Physics, Real, dimensions>& wall,
                                 const ParticleOf<Physics, Real, dimensions>& fluid,
                                 Sums<Physics, Real, dimensions>& sums) {
    const Separation<Real, dimensions> pair = Physics::separation(parameters, wall.position, fluid.position);
    const Real weight = Physics::kernel_shape(
        parameters, quick_sqrt(pair.squared) * Physics::inverse_smoothing_length(parameters, wall));
    const Real density = density_of<Physics>(parameters, fluid);
    Real head = 0;
    for (int axis = 0; axis < dimensions; ++axis) head += parameters.gravity[axis] * pair.x[axis];
    sums.weight += weight;
    sums.pressure += weight * (fluid.pressure_over_density2() * density * density);
    if constexpr (!Physics::may_move_walls) {
      sums.head += weight * density * head;
      return;
    } else {
      sums.density += weight * density;
      for (int axis = 0; axis < dimensions; ++axis) {
        sums.moment[axis] += weight * density * pair.x[axis];
        sums.velocity[axis] += weight * fluid.velocity.v[axis];
      }
    }
  }

  /// The wall particle with its pressure, its density, and its velocity for laminar viscosity.
  /// @param stage     stage that follows
  /// @param movement  of the wall; −1: it is fixed
  template <class Physics, class Real, int dimensions>
  SHOAL_HD static ParticleOf<Physics, Real, dimensions> with_pressure(const Parameters<Real, dimensions>& parameters,
                                                                      int stage, std::int64_t id, int movement,
                                                                      ParticleOf<Physics, Real, dimensions> wall,
                                                                      const Sums<Physics, Real, dimensions>& sums) {
    const EosParameters<Real>& eos = Physics::equation_of_state(parameters, wall);
    const bool is_wet = sums.weight > 0;
    if constexpr (Physics::may_move_walls) {
      const ModelTables<Real, dimensions>& tables = *parameters.tables;
      double x[dimensions] = {};
      if (movement >= 0) initial_position(tables, id, x);
      Real weighted_pressure = sums.pressure;
      for (int axis = 0; axis < dimensions; ++axis) {
        Real gravity = parameters.gravity[axis];
        if (movement >= 0) gravity -= static_cast<Real>(tables.plan->pose[stage][movement].acceleration.along(axis, x));
        weighted_pressure += gravity * sums.moment[axis];
        if constexpr (Physics::has_properties) {
          const Real velocity = wall.velocity.v[axis];
          wall.viscous_velocity.v[axis] = is_wet ? 2 * velocity - sums.velocity[axis] / sums.weight : velocity;
        }
      }
      const Real p = is_wet ? positive_part(weighted_pressure / sums.weight) : Real(0);
      wall.position.density = has_density_at_pressure(eos) ? density_deviation_at(eos, p)
                              : is_wet                     ? sums.density / sums.weight - eos.density
                                                           : Real(0);
      wall.set_pressure_over_density2(pressure_over_density2(eos, wall.position.density, p));
    } else {
      const Real p = is_wet ? positive_part((sums.pressure + sums.head) / sums.weight) : Real(0);
      wall.position.density = density_deviation_at(eos, p);
      wall.set_pressure_over_density2(pressure_over_density2(eos, wall.position.density, p));
    }
    return wall;
  }
};

}  // namespace shoal::sph
