// SPDX-License-Identifier: Apache-2.0
// What a method offers to a program that reads and sets its particles between two steps.
#pragma once
#include "sph/control/change/new_particles.hpp"
#include "sph/control/particle_rows_item.hpp"
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// The particles of this rank. All pointers are of the device of the method.
template <class Real, int dimensions>
class ParticleControl {
 public:
  virtual ~ParticleControl() = default;

  virtual ParticleRows<Real, dimensions> particles() = 0;
  virtual void copy(const Lattice& lattice, const ParticleCopies& copies) = 0;
  /// Finds the rows of particles.
  /// @param end_of_ids  a number above all ids
  /// @param row         [ids.count] −1: no particle in the domain
  /// @return            the first refusal
  virtual std::uint64_t find_rows(View<const std::int64_t> ids, std::int64_t end_of_ids, std::int64_t* row) = 0;
  /// Checks the values of a request, whose rows are each there once.
  /// @return  the first refusal
  virtual std::uint64_t check(const SetRequest& request) = 0;
  /// Sets the values of a request that check() has passed on all ranks. Collective: ranks agree on the next step.
  /// @param end_of_ids  a number above all ids
  virtual void set(const SetRequest& request, std::int64_t end_of_ids) = 0;
  virtual void clear_acceleration() = 0;

  /// @name Particles that a program adds and removes
  /// @{
  /// Number of the first new particle that is too near to one of this rank, or no_number.
  /// @param domain  parameters of the whole domain
  virtual std::int32_t find_near(const Parameters<Real, dimensions>& domain,
                                 const SortedPositions<Real, dimensions>& added) = 0;
  /// Adds those of the new particles that this rank has. Collective.
  /// @param most_dt  s, bound of the next step
  virtual void add(const HostState<Real, dimensions>& added, double most_dt) = 0;
  /// Marks the particles of a request.
  /// @return  the first refusal
  virtual std::uint64_t mark(const Lattice& lattice, const RemoveRequest& request) = 0;
  /// Number of the marked particles of this rank.
  virtual std::int64_t marked() = 0;
  /// Removes the marked particles. Collective.
  virtual void remove_marked() = 0;
  /// @}
};

/// Control of the step when values have been set: the next one is no longer than they allow.
/// @return  its length, s
template <class Real>
SHOAL_HD double shortened_step(const StepControl& given, double next_dt, const ValueLimits<Real>& limits) {
  if (!given.by_cfl) return next_dt;
  StepControl control = given;
  control.max_dt = control.force_dt = next_dt;  // which keeps to these limits
  return allowed_step(control, limits.speed_squared, limits.acceleration_squared);
}

}  // namespace shoal::sph
