// SPDX-License-Identifier: Apache-2.0
// The kernels of a stage of the CUDA methods: wall pressures, sums, update.
#pragma once
#include "sph/stepping/cuda/searches.cuh"

namespace shoal::sph {

/// Adds the sums of all threads of a team, member by member.
template <int width, class AnySums>
__device__ AnySums sum_team(AnySums sums) {
  sums.reduce([](auto value) { return Team<width>::sum(value); });
  return sums;
}

/// Lists of all particles whose neighbors are needed in this step.
template <class Search, class Physics, class Real, int dimensions>
__global__ void find_neighbors(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays) {
  join_chain(arrays.is_small);
  const std::int64_t index = thread_index();
  if (index >= arrays.n || !arrays.clock->running) return;
  const auto i = static_cast<std::int32_t>(arrays.first + index);
  const bool active = is_active(parameters, arrays.base.position[i]);
  const bool needed = active || sums_over_fluid(parameters.walls);
  if (needed && arrays.base_cell[i] != parameters.cell_count)
    Search::template find<Physics>(parameters, arrays, i, !active);
}

/// Sets the pressure of listed wall particles in `now` before a stage, in position: only fluid is read.
template <class Search, class Treatment, class Physics, int width, class Real, int dimensions>
__global__ void set_wall_pressures(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                   StateView<Real, dimensions> now, int stage) {
  join_chain(arrays.is_small);
  if (!arrays.clock->running) return;
  const std::int64_t k = thread_index() / width;
  const bool present = k < arrays.listed_walls();
  const std::int32_t i = present ? arrays.listed_wall(k) : 0;
  if constexpr (!Search::has_list)
    if (stage == 0) Search::template find<Physics, width>(parameters, arrays, i, present, true);
  typename Treatment::template Sums<Physics, Real, dimensions> sums;
  const auto wall = load<Physics>(now, i);
  if (present)
    Search::template for_each<Physics, width>(parameters, arrays, i, [&](std::int32_t j) {
      const auto fluid = load<Physics>(now, j);
      if (!is_wall(fluid.position)) Treatment::template add_fluid<Physics>(parameters, wall, fluid, sums);
    });
  sums = sum_team<width>(sums);
  if (!present || Team<width>::lane() != 0) return;
  set_wall_pressure<Treatment, Physics>(parameters, stage, id_of_label(arrays.base_label[i]), now, i, wall, sums);
}

/// Arguments of a stage kernel besides the particles.
template <class Real, int dimensions>
struct StageArguments {
  StateView<Real, dimensions> now;
  StateView<Real, dimensions> next;
  int stage;
  bool last;
  bool counts;  ///< the particles are counted in their cells for the next step
};

/// Sums the rates of particle i over this thread's share of the neighbors.
template <class Search, class Physics, int width, class Real, int dimensions>
__device__ RatesOf<Physics, Real, dimensions> sum_share(const Parameters<Real, dimensions>& parameters,
                                                        const StepArrays<Real, dimensions>& arrays,
                                                        const StateView<Real, dimensions>& now, std::int32_t i,
                                                        const ParticleOf<Physics, Real, dimensions>& particle) {
  RatesOf<Physics, Real, dimensions> rates;
  if constexpr (!Physics::is_general)
    if (!has_own_force(parameters.walls)) {
      Search::template for_each<Physics, width>(
          parameters, arrays, i, [&](std::int32_t j) { add_pair<Physics>(parameters, particle, now.load(j), rates); });
      return rates;
    }
  Search::template for_each<Physics, width>(parameters, arrays, i, [&](std::int32_t j) {
    add_neighbor<Physics>(parameters, particle, load<Physics>(now, j), rates);
  });
  return rates;
}

/// Passes particle i through the stage and records the values that control the time step. All threads of a warp must
/// call it.
template <class Cells, class Physics, class Real, int dimensions>
__device__ void update(const Parameters<Real, dimensions>& parameters, const StepArrays<Real, dimensions>& arrays,
                       const StageArguments<Real, dimensions>& arguments, std::int32_t i, bool writes, bool inside,
                       bool active, const ParticleOf<Physics, Real, dimensions>& particle,
                       const RatesOf<Physics, Real, dimensions>& rates) {
  DeviceClock& clock = *arrays.clock;
  StageResult<Physics, Real, dimensions> result{};
  result.in_range = true;
  if (writes) {
    const StageStep<Real> step(parameters.integrator, arguments.stage, static_cast<Real>(clock.dt), clock.step);
    const StageStates<Real, dimensions> states{arrays.base, arguments.now, arguments.next};
    result = pass_stage<Physics>(parameters, step, states, i, id_of_label(arrays.base_label[i]), inside, active,
                                 particle, rates);
    if (arguments.stage == 0) arrays.label[i] = arrays.base_label[i];
    if (arguments.counts) count_in_cell<Cells>(parameters, arrays, i, result.particle.position);
  }
  clock.record(parameters, result, writes ? arrays.base_label[i] : 0, arguments.stage, arguments.last);
}

/// Blocks of a stage that a multiprocessor should hold: more hide latency, fewer have more registers each.
/// docs/performance/sph.md has the measurements.
template <class Physics, int width, class Real, int dimensions>
constexpr int stage_blocks() {
  constexpr bool teams = width > 1;  // where there are few particles, so that the device is not full
  constexpr bool is_flat = dimensions < 3;
  if (sizeof(Real) == 4) return Physics::is_general ? (teams ? 5 : 7) : teams ? 7 : is_flat ? 9 : 8;
  if (Physics::is_general) return is_flat ? 5 : teams ? 3 : 4;
  return teams ? 5 : is_flat ? 8 : 6;
}

/// One stage of every particle: neighbors (in stage 0, where they are not in a list), sums, update.
template <class Search, class Physics, int width, class Real, int dimensions>
__global__ void __launch_bounds__(search_threads, stage_blocks<Physics, width, Real, dimensions>())
    advance_stage(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                  StageArguments<Real, dimensions> arguments) {
  join_chain(arrays.is_small || arguments.last);
  const std::int64_t index = thread_index() / width;
  const bool exists = index < arrays.n;
  const auto i = static_cast<std::int32_t>(arrays.first + (exists ? index : 0));
  const bool running = arrays.clock->running;
  ParticleOf<Physics, Real, dimensions> particle{};
  bool inside = false;
  if (exists) {  // a block of its own, which the compiler leaves before the test of the clock
    particle = load<Physics>(arguments.now, i);
    inside = arrays.base_cell[i] != parameters.cell_count;
  }
  if (!running) return;
  const bool active = exists && inside && is_active(parameters, particle.position);

  if constexpr (!Search::has_list && !Physics::has_apparent_viscosity)  // else set_viscosities() has found them
    if (arguments.stage == 0) Search::template find<Physics, width>(parameters, arrays, i, active, false);
  RatesOf<Physics, Real, dimensions> rates;
  if (active) rates = sum_share<Search, Physics, width>(parameters, arrays, arguments.now, i, particle);
  rates = sum_team<width>(rates);
  update<typename Search::Cells, Physics>(parameters, arrays, arguments, i, exists && Team<width>::lane() == 0, inside,
                                          active, particle, rates);
}

/// Equations that a kernel without update sums.
enum class Sums { mass_and_momentum, energy };

/// Sums of a stage for every particle, without the update. The sums of energy come second and add to the others.
template <class Search, Sums sums, class Physics, class Real, int dimensions>
__global__ void sum_rates(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                          StageArguments<Real, dimensions> arguments) {
  join_chain(arrays.is_small);
  const std::int64_t index = thread_index();
  if (index >= arrays.n || !arrays.clock->running) return;
  const auto i = static_cast<std::int32_t>(arrays.first + index);
  const auto particle = load<Physics>(arguments.now, i);
  if (arrays.base_cell[i] == parameters.cell_count || !is_active(parameters, particle.position)) return;
  using Rates = RatesOf<Physics, Real, dimensions>;
  Rates rates = sum_share<Search, Physics, 1>(parameters, arrays, arguments.now, i, particle);
  Rates& stored = reinterpret_cast<Rates*>(arrays.rates)[i];
  if constexpr (sums == Sums::energy) {
    stored.heating = rates.heating;
  } else {
    rates.heating = 0;
    stored = rates;
  }
}

/// The update of every particle from sums in memory.
template <class Search, class Physics, class Real, int dimensions>
__global__ void update_particles(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                 StageArguments<Real, dimensions> arguments) {
  join_chain(arrays.is_small || arguments.last);
  if (!arrays.clock->running) return;
  const std::int64_t index = thread_index();
  const bool exists = index < arrays.n;
  const auto i = static_cast<std::int32_t>(arrays.first + (exists ? index : 0));
  const auto particle = load<Physics>(arguments.now, i);
  const bool inside = arrays.base_cell[i] != parameters.cell_count;
  const bool active = exists && inside && is_active(parameters, particle.position);
  RatesOf<Physics, Real, dimensions> rates;
  if (active) rates = reinterpret_cast<const RatesOf<Physics, Real, dimensions>*>(arrays.rates)[i];
  update<typename Search::Cells, Physics>(parameters, arrays, arguments, i, exists, inside, active, particle, rates);
}

/// Lets the fluid in damping zones lose velocity after the last stage.
template <class Real, int dimensions>
__global__ void damp_velocities(DampingParameters<Real, dimensions> damping, StepArrays<Real, dimensions> arrays) {
  join_chain(false);
  const std::int64_t index = thread_index();
  if (index < arrays.n && arrays.clock->running) damp(damping, arrays.clock->dt, arrays.state, arrays.first + index);
}

}  // namespace shoal::sph
