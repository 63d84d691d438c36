// SPDX-License-Identifier: Apache-2.0
// Clock of a run in device memory: steps follow each other without the host.
#pragma once
#include "core/cuda/warp.cuh"
#include "sph/physics/label_item.hpp"
#include "sph/physics/particle_item.hpp"
#include "sph/physics/rheologies/apparent_viscosity_physics.hpp"
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// Doubles that are not negative sort like their bits, so that a maximum is an integer atomic whose result does not
/// depend on the order of threads; NaN sorts above everything.
__device__ __forceinline__ void raise(unsigned long long& largest, double value) {
  const auto bits = static_cast<unsigned long long>(__double_as_longlong(value)) & ~(1ull << 63);
  if (bits > *static_cast<volatile unsigned long long*>(&largest)) atomicMax(&largest, bits);
}

struct DeviceClock {
  double time;
  double dt;       ///< s, of the step under way
  double next_dt;  ///< s, by the step control
  double last_dt;  ///< s, of the previous step
  double goal_time;
  long long step;
  long long goal_step;
  int running;      ///< 0: kernels do nothing
  int walls;        ///< wall particles that this step lists from the front
  int outer_walls;  ///< wall particles that it lists from the back
  int inside;       ///< particles within the domain
  unsigned long long fault_word;
  unsigned long long displacement_squared;  ///< bits of doubles: the largest of the step
  unsigned long long speed_squared;
  unsigned long long acceleration_squared;
  unsigned long long friction_rate;  ///< η/(ρ₀ h²), 1/s, over all stages; 0 where viscosities are not apparent

  /// Takes the largest values of a stage. All threads of the warp must call it.
  template <class Physics, class Real, int dimensions>
  __device__ void record(const Parameters<Real, dimensions>& parameters,
                         const StageResult<Physics, Real, dimensions>& result, std::int64_t label, int stage,
                         bool last) {
    const bool is_stable = result.displacement_squared < parameters.support_squared;  // false for NaN
    if (!is_stable || !result.in_range) {
      atomicMin(&fault_word, static_cast<unsigned long long>(fault::word(stage, !is_stable, id_of_label(label))));
      raise(displacement_squared, result.displacement_squared);
    }
    if (last) record_speeds(parameters.control, result.speed_squared, result.acceleration_squared);
  }

  /// Takes the limits of the next step by speeds and accelerations. All threads of the warp must call it.
  template <class Real>
  __device__ void record_speeds(const StepControl& control, Real speed, Real push) {
    if (!control.by_cfl) return;
    speed = warp_largest(speed);
    push = warp_largest(push);
    if (threadIdx.x % 32 != 0) return;
    raise(speed_squared, speed);
    raise(acceleration_squared, push);
  }

  /// Takes the largest friction rate of a stage. All threads of the warp must call it.
  __device__ void record_friction(double rate) {
    rate = warp_largest(rate);
    if (threadIdx.x % 32 == 0) raise(friction_rate, rate);
  }

  /// Chooses the step to come, or stops at the goal.
  __device__ void prepare_step(bool by_cfl) {
    running = time < goal_time && step < goal_step;
    dt = by_cfl ? min(next_dt, goal_time - time) : next_dt;
    fault_word = fault::none;
    displacement_squared = speed_squared = acceleration_squared = friction_rate = 0;
    walls = outer_walls = 0;
  }

  /// Time after the step under way.
  __device__ double end_of_this_step(const StepControl& control) const { return end_of_step(control, time, step, dt); }

  /// Ends a step: a fault stops the run with the state before the step untouched in base.
  __device__ void end_step(StepControl control) {
    time = end_of_this_step(control);
    ++step;
    last_dt = dt;
    if (fault_word != fault::none) {
      running = 0;
      return;
    }
    if (friction_rate != 0)
      control.max_dt = stable_viscous_number / __longlong_as_double(static_cast<long long>(friction_rate));
    if (control.by_cfl)
      next_dt = allowed_step(control, __longlong_as_double(static_cast<long long>(speed_squared)),
                             __longlong_as_double(static_cast<long long>(acceleration_squared)));
    prepare_step(control.by_cfl);
  }
};

}  // namespace shoal::sph
