// SPDX-License-Identifier: Apache-2.0
// The kernels that begin a run and end a step: they set the clock and plan the step that follows.
#pragma once
#include "core/cuda/launch.cuh"
#include "sph/physics/steps/step_plan_item.hpp"
#include "sph/stepping/cuda/step_arrays.cuh"

namespace shoal::sph {

/// Plans the step that the clock has prepared; nothing in plain physics.
template <class Real, int dimensions>
__device__ void plan_next(const Parameters<Real, dimensions>& parameters, const DeviceClock& clock,
                          StepPlan<dimensions>* plan) {
  if (parameters.tables && clock.running)
    plan_step(*parameters.tables, parameters.integrator, clock.time, clock.dt, *plan);
}

template <class Real, int dimensions>
__global__ void begin_run(Parameters<Real, dimensions> parameters, DeviceClock* clock, Goal goal,
                          StepPlan<dimensions>* plan) {
  clock->goal_time = goal.time;
  clock->goal_step = goal.step;
  clock->prepare_step(parameters.control.by_cfl);
  plan_next(parameters, *clock, plan);
}

/// Counts the particles in the domain from the counts of the cells.
template <class Real, int dimensions>
__global__ void count_inside(StepArrays<Real, dimensions> arrays, std::uint32_t cells) {
  arrays.clock->inside = arrays.n - arrays.cell_count[cells];
}

/// Blocks of end_step() that a multiprocessor should hold: the poses of moving walls, which one thread plans, would take
/// registers from the scan.
constexpr int end_step_blocks(int dimensions) { return dimensions < 3 ? 4 : 2; }

/// Scans the cells for the next step and ends this one. The block of the last tile sets the clock: it has waited for
/// sums of all other blocks, so each of them has read the clock before. It reads the number of particles outside the
/// domain before it waits, so that both latencies overlap.
template <class Real, int dimensions>
__global__ void __launch_bounds__(scan_threads, end_step_blocks(dimensions))
    end_step(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays, StepPlan<dimensions>* plan) {
  join_chain(false);
  DeviceClock& clock = *arrays.clock;
  if (!clock.running) return;
  const bool is_last = blockIdx.x + 1 == gridDim.x;
  const bool is_stable = clock.fault_word == fault::none;
  const std::int32_t outside = is_last ? arrays.cell_count[parameters.cell_count] : 0;
  if (is_stable) scan_counts(arrays.cell_count, arrays.cell_start, arrays.tile_word);
  if (!is_last) return;
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (is_stable) clock.inside = arrays.n - outside;
  clock.end_step(parameters.control);
  plan_next(parameters, clock, plan);
}

}  // namespace shoal::sph
