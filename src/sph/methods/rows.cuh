// SPDX-License-Identifier: Apache-2.0
// The kernels of the method rows: sort by cell, wall pressures, stages. Its card is in rows.cu.
#pragma once
#include "core/launch.cuh"
#include "sph/cell_item.hpp"
#include "sph/methods/device_clock.cuh"
#include "sph/particle_item.hpp"
#include "sph/stepper.hpp"

namespace shoal::sph {

/// One bit for each of the first candidates of a row of cells; candidates beyond are tested again in every stage.
template <int dimensions>
using RowMask = std::conditional_t<dimensions == 3, unsigned long long, unsigned>;

/// All device arrays of a run. n particles, c cells and the bucket of particles outside after them.
template <class Real, int dimensions>
struct RowsArrays {
  std::int32_t n;
  StateView<Real, dimensions> state;  ///< [n] between steps, and after stages 0 and 2
  StateView<Real, dimensions> base;   ///< [n] at the start of the step, sorted
  StateView<Real, dimensions> other;  ///< [n] after stage 1
  std::int64_t* label;                ///< [n] tag << 56 | id, of state
  std::int64_t* base_label;           ///< [n] of base
  std::uint32_t* cell;                ///< [n] of state, before the sort
  std::uint32_t* base_cell;           ///< [n] of base
  std::int32_t* slot;                 ///< [n] place in the bucket of its cell, in the order of arrival
  std::int32_t* bucket;               ///< [n] particles by cell, in the order of arrival
  std::int32_t* cell_count;           ///< [c + 2] zero between steps
  std::int32_t* cell_start;           ///< [c + 2]
  RowMask<dimensions>* mask;          ///< [runs][n] neighbors among the first candidates of a row
  std::int32_t* wall;                 ///< [n] where in base the walls are, in any order
  DeviceClock* clock;
};

/// @name The sort: particles into the order (cell, order of the step before), with two passes over their positions.
/// Slots are handed out by atomics in any order; ranking a bucket's particles by their old place makes the order
/// canonical again.
/// @{
template <class Real, int dimensions>
__global__ void count_cells(Parameters<Real, dimensions> parameters, RowsArrays<Real, dimensions> arrays) {
  const std::int64_t i = thread_index();
  if (i >= arrays.n || !arrays.clock->running) return;
  const std::uint32_t cell = cell_of(parameters, arrays.state.place[i]);
  arrays.cell[i] = cell;
  arrays.slot[i] = atomicAdd(&arrays.cell_count[cell], 1);
}

template <class Real, int dimensions>
__global__ void fill_buckets(RowsArrays<Real, dimensions> arrays) {
  const std::int64_t i = thread_index();
  if (i >= arrays.n || !arrays.clock->running) return;
  arrays.bucket[arrays.cell_start[arrays.cell[i]] + arrays.slot[i]] = static_cast<std::int32_t>(i);
}

/// Thread i moves particle i to its place, and clears count i for the next step.
template <class Real, int dimensions>
__global__ void move_to_order(RowsArrays<Real, dimensions> arrays, std::int32_t cells, bool energy) {
  const std::int64_t i = thread_index();
  if (!arrays.clock->running) return;
  if (i < cells + 2) arrays.cell_count[i] = 0;
  if (i >= arrays.n) return;
  const auto cell = static_cast<std::int32_t>(arrays.cell[i]);
  const std::int32_t begin = arrays.cell_start[cell];
  std::int32_t to = begin;
  if (cell == cells) {
    to += arrays.slot[i];  // outside the domain nobody looks at the order
  } else {
    const std::int32_t end = arrays.cell_start[cell + 1];
    for (std::int32_t k = begin; k < end; ++k) to += arrays.bucket[k] < i;
  }
  const Particle<Real, dimensions> particle = arrays.state.load(i);
  arrays.base.store(to, particle);
  if (energy) arrays.base.energy[to] = arrays.state.energy[i];
  if (arrays.base.trait) arrays.base.trait[to] = arrays.state.trait[i];
  if (arrays.base.earlier) arrays.base.earlier[to] = arrays.state.earlier[i];
  arrays.base_label[to] = arrays.label[i];
  arrays.base_cell[to] = static_cast<std::uint32_t>(cell);
  if (is_wall(particle.place) && cell != cells) arrays.wall[atomicAdd(&arrays.clock->walls, 1)] = to;
}
/// @}

/// `width` neighboring threads of a warp that share one particle: each takes every width-th candidate.
template <int width>
struct Team {
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % width; }

  template <class Value>
  __device__ static Value sum(Value value) {
    for (int apart = width / 2; apart > 0; apart /= 2) value += __shfl_xor_sync(~0u, value, apart, width);
    return value;
  }
  template <class Mask>
  __device__ static Mask unite(Mask mask) {
    for (int apart = width / 2; apart > 0; apart /= 2) mask |= __shfl_xor_sync(~0u, mask, apart, width);
    return mask;
  }
  /// The bits of this thread's candidates.
  template <class Mask>
  __device__ static Mask share() {
    Mask bits = 0;
    for (int bit = 0; bit < static_cast<int>(8 * sizeof(Mask)); bit += width) bits |= Mask{1} << bit;
    return bits << lane();
  }
};

__device__ __forceinline__ int lowest_bit(unsigned mask) { return __ffs(static_cast<int>(mask)) - 1; }
__device__ __forceinline__ int lowest_bit(unsigned long long mask) { return __ffsll(static_cast<long long>(mask)) - 1; }

/// Tests the candidates of particle i against the positions at the start of the step and notes the hits. All threads of
/// a warp come here; those without a particle pass present = false.
template <class Physics, int width, class Real, int dimensions>
__device__ void find_neighbors(const Parameters<Real, dimensions>& parameters,
                               const RowsArrays<Real, dimensions>& arrays, std::int32_t i, bool present) {
  using Mask = RowMask<dimensions>;
  constexpr int bits = 8 * sizeof(Mask);
  const Place<Real, dimensions> place = arrays.base.place[i];
  const std::uint32_t cell = arrays.base_cell[i];
  for (int row = 0; row < run_count<Physics>(parameters); ++row) {
    Mask mask = 0;
    if (present) {
      const CellRun run = run_of<Physics>(parameters, cell, row);
      const std::int32_t begin = arrays.cell_start[run.first];
      const std::int32_t count = min(arrays.cell_start[run.end] - begin, bits);
      for (std::int32_t k = Team<width>::lane(); k < count; k += width)
        if (begin + k != i && within_support<Physics>(parameters, place, arrays.base.place[begin + k]))
          mask |= Mask{1} << k;
    }
    mask = Team<width>::unite(mask);
    if (present && Team<width>::lane() == 0) arrays.mask[static_cast<std::int64_t>(row) * arrays.n + i] = mask;
  }
  __syncwarp();
}

/// A row of cells as particle i sees it: its range of particles, and which of them are neighbors.
template <int dimensions>
struct Row {
  std::int32_t begin;
  std::int32_t end;
  RowMask<dimensions> mask;
};

/// Calls visit(j) for this thread's share of the neighbors of particle i.
template <class Physics, int width, class Real, int dimensions, class Visit>
__device__ void for_each_neighbor(const Parameters<Real, dimensions>& parameters,
                                  const RowsArrays<Real, dimensions>& arrays, std::int32_t i, const Visit& visit) {
  using Mask = RowMask<dimensions>;
  constexpr int bits = 8 * sizeof(Mask);
  constexpr int batch = dimensions == 1 ? 1 : 3;  // rows that are loaded together: their latencies overlap
  const std::uint32_t cell = arrays.base_cell[i];
  for (int first_row = 0; first_row < run_count<Physics>(parameters); first_row += batch) {
    Row<dimensions> rows[batch];
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      const CellRun run = run_of<Physics>(parameters, cell, first_row + k);
      rows[k] = {
          arrays.cell_start[run.first], arrays.cell_start[run.end],
          arrays.mask[static_cast<std::int64_t>(first_row + k) * arrays.n + i] & Team<width>::template share<Mask>()};
    }
#pragma unroll
    for (int k = 0; k < batch; ++k) {
      for (Mask mask = rows[k].mask; mask; mask &= mask - 1) visit(rows[k].begin + lowest_bit(mask));
      for (std::int32_t j = rows[k].begin + bits + Team<width>::lane(); j < rows[k].end; j += width)
        if (j != i && within_support<Physics>(parameters, arrays.base.place[i], arrays.base.place[j])) visit(j);
    }
  }
}

template <int width, class Real, int dimensions>
__device__ WallSums<Real, dimensions> sum_team(WallSums<Real, dimensions> sums) {
  sums.weight = Team<width>::sum(sums.weight);
  sums.pressure = Team<width>::sum(sums.pressure);
  sums.head = Team<width>::sum(sums.head);
  return sums;
}
template <int width, class Real, int dimensions>
__device__ FullWallSums<Real, dimensions> sum_team(FullWallSums<Real, dimensions> sums) {
  sums.weight = Team<width>::sum(sums.weight);
  sums.pressure = Team<width>::sum(sums.pressure);
  sums.density = Team<width>::sum(sums.density);
  for (int axis = 0; axis < dimensions; ++axis) {
    sums.lever[axis] = Team<width>::sum(sums.lever[axis]);
    sums.velocity[axis] = Team<width>::sum(sums.velocity[axis]);
  }
  return sums;
}

/// Gives the particles of Adami's walls in `now` their pressure before a stage, in place: only fluid is read.
template <class Physics, int width, class Real, int dimensions>
__global__ void set_wall_pressures(Parameters<Real, dimensions> parameters, RowsArrays<Real, dimensions> arrays,
                                   StateView<Real, dimensions> now, int stage) {
  if (!arrays.clock->running) return;
  const std::int64_t k = thread_index() / width;
  const bool present = k < arrays.clock->walls;
  const std::int32_t i = present ? arrays.wall[k] : 0;
  if (stage == 0) find_neighbors<Physics, width>(parameters, arrays, i, present);
  WallSumsOf<Physics, Real, dimensions> sums;
  const auto wall = load<Physics>(now, i);
  if (present)
    for_each_neighbor<Physics, width>(parameters, arrays, i, [&](std::int32_t j) {
      const auto fluid = load<Physics>(now, j);
      if (!is_wall(fluid.place)) add_wall_neighbor<Physics>(parameters, wall, fluid, sums);
    });
  sums = sum_team<width>(sums);
  if (!present || Team<width>::lane() != 0) return;
  set_wall_pressure<Physics>(parameters, stage, id_of_label(arrays.base_label[i]), now, i, wall, sums);
}

/// What a stage kernel is told apart from the particles.
template <class Real, int dimensions>
struct StageArguments {
  StateView<Real, dimensions> now;
  StateView<Real, dimensions> next;
  int stage;
  bool last;
};

/// Sums the rates of particle i over this thread's share of the neighbors.
template <class Physics, int width, class Real, int dimensions>
__device__ RatesOf<Physics, Real, dimensions> sum_share(const Parameters<Real, dimensions>& parameters,
                                                        const RowsArrays<Real, dimensions>& arrays,
                                                        const StateView<Real, dimensions>& now, std::int32_t i,
                                                        const ParticleOf<Physics, Real, dimensions>& particle) {
  RatesOf<Physics, Real, dimensions> rates;
  if constexpr (!Physics::full)
    if (parameters.walls != Walls::repulsive) {
      for_each_neighbor<Physics, width>(parameters, arrays, i, [&](std::int32_t j) {
        add_pair<Physics>(parameters, particle, now.load(j), rates);
      });
      return rates;
    }
  for_each_neighbor<Physics, width>(parameters, arrays, i, [&](std::int32_t j) {
    add_neighbor<Physics>(parameters, particle, load<Physics>(now, j), rates);
  });
  return rates;
}

template <int width, class Real, int dimensions>
__device__ Rates<Real, dimensions> sum_team(Rates<Real, dimensions> rates) {
  rates.density = Team<width>::sum(rates.density);
  rates.heating = Team<width>::sum(rates.heating);
  for (int axis = 0; axis < dimensions; ++axis) {
    rates.acceleration[axis] = Team<width>::sum(rates.acceleration[axis]);
    rates.repulsion[axis] = Team<width>::sum(rates.repulsion[axis]);
  }
  return rates;
}
template <int width, class Real, int dimensions>
__device__ FullRates<Real, dimensions> sum_team(FullRates<Real, dimensions> rates) {
  static_cast<Rates<Real, dimensions>&>(rates) = sum_team<width>(static_cast<const Rates<Real, dimensions>&>(rates));
  rates.divergence = Team<width>::sum(rates.divergence);
  for (int axis = 0; axis < dimensions; ++axis)
    rates.concentration[axis] = Team<width>::sum(rates.concentration[axis]);
  return rates;
}

/// One stage of every particle: neighbors (in stage 0), sums, update.
template <class Physics, int width, class Real, int dimensions>
__global__ void advance_stage(Parameters<Real, dimensions> parameters, RowsArrays<Real, dimensions> arrays,
                              StageArguments<Real, dimensions> arguments) {
  DeviceClock& clock = *arrays.clock;
  if (!clock.running) return;
  const std::int64_t index = thread_index() / width;
  const bool exists = index < arrays.n;
  const auto i = static_cast<std::int32_t>(exists ? index : 0);
  const auto particle = load<Physics>(arguments.now, i);
  const bool inside = arrays.base_cell[i] != parameters.cell_count;
  const bool active = exists && inside && is_active(parameters, particle.place);

  if (arguments.stage == 0) find_neighbors<Physics, width>(parameters, arrays, i, active);
  RatesOf<Physics, Real, dimensions> rates;
  if (active) rates = sum_share<Physics, width>(parameters, arrays, arguments.now, i, particle);
  rates = sum_team<width>(rates);
  const bool writes = exists && Team<width>::lane() == 0;
  StageResult<Real, dimensions> result{};
  result.in_range = true;
  if (writes) {
    const StageStep<Real> step{arguments.stage, stage_weight<Real>(arguments.stage), static_cast<Real>(clock.dt)};
    const StageStates<Real, dimensions> states{arrays.base, arguments.now, arguments.next};
    result = pass_stage<Physics>(parameters, step, states, i, id_of_label(arrays.base_label[i]), inside, active, particle,
                                 rates);
    if (arguments.stage == 0) arrays.label[i] = arrays.base_label[i];
  }
  clock.note(parameters, result, writes ? arrays.base_label[i] : 0, arguments.stage, arguments.last);
}

/// Blocks that share a probe; the host adds their sums in order.
constexpr int measure_blocks = 32;
constexpr int measure_threads = 256;

/// Block (b, k) sums the b-th part of the particles for probe k.
template <class Real, int dimensions>
__global__ void measure_probes(Parameters<Real, dimensions> parameters, const Place<Real, dimensions>* place,
                               const Motion<Real, dimensions>* motion, const Trait<Real>* trait, std::int32_t n,
                               const ProbePlace<Real, dimensions>* probes, ProbeSums* sums) {
  __shared__ ProbeSums shared[measure_threads];
  ProbeSums mine = ProbeSums::none();
  for (std::int64_t i = thread_index(); i < n; i += measure_blocks * measure_threads)
    add_particle(parameters, probes[blockIdx.y], {place[i], motion[i]},
                 reference_density(parameters, trait, i) + place[i].density, mass_of(parameters, trait, i), mine);
  shared[threadIdx.x] = mine;
  for (unsigned half = measure_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) shared[threadIdx.x].add(shared[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) sums[blockIdx.y * measure_blocks + blockIdx.x] = shared[0];
}

}  // namespace shoal::sph
