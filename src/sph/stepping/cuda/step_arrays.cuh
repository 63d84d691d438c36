// SPDX-License-Identifier: Apache-2.0
// The arrays of the CUDA methods, and the sort that begins a step.
#pragma once
#include "core/cuda/launch.cuh"
#include "sph/physics/cells/cell_order_item.hpp"
#include "sph/physics/particle_item.hpp"
#include "sph/stepping/cuda/cell_scan.cuh"
#include "sph/stepping/cuda/device_clock.cuh"
#include "sph/stepping/stepper.hpp"

namespace shoal::sph {

/// One bit for each of the first candidates of a row of cells; candidates beyond are tested again in every stage.
template <int dimensions>
using RowMask = std::conditional_t<dimensions == 3, unsigned long long, unsigned>;

/// Particles whose columns of the list stand side by side: those of a warp.
constexpr int list_width = 32;

/// Distance from int4 number k of a column of the list to the next one. Two of them are a sector of memory: the cache
/// joins what threads write into it at different times.
SHOAL_HD constexpr int list_stride(std::uint32_t k) { return k % 2 == 0 ? 1 : 2 * list_width - 1; }

/// All device arrays of a run. n particles, c cells and the bucket of particles outside after them. Where several ranks
/// share the domain, states hold [ghosts below | own particles | ghosts above], and indices count from the first ghost.
template <class Real, int dimensions>
struct StepArrays {
  std::int32_t first;         ///< first own particle in the order of the step, or first one of a launch; 0 on one rank
  std::int32_t n;             ///< number of own particles, or of those of a launch
  std::int32_t source_first;  ///< first own particle in state before the sort
  std::int32_t source_n;      ///< their number; those that have left this rank are among them
  std::int32_t mask_stride;   ///< distance of the masks of neighboring runs
  bool is_small;              ///< a team of threads shares each particle
  StateView<Real, dimensions> state;         ///< [n] between steps, and after stages 0 and 2
  StateView<Real, dimensions> base;          ///< [n] at the start of the step, sorted
  StateView<Real, dimensions> intermediate;  ///< [n] after stage 1
  std::int64_t* label;                       ///< [n] tag << 56 | id, of state
  std::int64_t* base_label;                  ///< [n] of base
  std::uint32_t* cell;                       ///< [n] of state
  std::uint32_t* base_cell;                  ///< [n] of base
  std::int32_t* slot;                        ///< [n] position in the bucket of its cell, in the order of arrival
  std::byte* bucket;              ///< [n] ids of particles by cell, in the order of arrival, as numbers of Id
  std::int32_t* cell_count;       ///< [c + 2] of state; with zeros up to the end of a tile of the scan
  std::int32_t* cell_start;       ///< [c + 2] the same
  unsigned long long* tile_word;  ///< [tiles] state of the scan
  RowMask<dimensions>* mask;  ///< [runs][mask_stride] neighbors among the first candidates of a run; null without masks
  std::int32_t list_rows;     ///< fours of neighbors that fit into a particle's column of the list, an even number
  int4* list;                 ///< [n / list_width][list_rows / 2][list_width][2]
  std::int32_t* list_count;   ///< [n] neighbors in the column
  std::int32_t* list_rest;    ///< [n] the first candidate after those in a full column
  std::byte* rates;           ///< [n] of RatesOf, where sums and update are kernels of their own
  std::int32_t* wall;         ///< [wall_room] where in base the walls are, in any order: two lists, from both ends
  std::int32_t wall_room;
  std::int32_t inner_first;  ///< particles from here to inner_end of base: their walls are listed from the front
  std::int32_t inner_end;
  bool takes_outer_walls;       ///< a launch for walls takes those listed from the back
  std::uint32_t* may_be_fluid;  ///< a bit for each of base: 0 for own walls; null unless walls sum over fluid
  std::int32_t may_be_fluid_words;
  DeviceClock* clock;

  /// The first four neighbors of particle i; list_stride() leads to the next ones.
  __device__ int4* list_column(std::int32_t i) const {
    return list + static_cast<std::int64_t>(i / list_width) * list_rows * list_width + 2 * (i % list_width);
  }

  /// Lists wall particle i of base.
  __device__ void list_wall(std::int32_t i) const {
    if (i >= inner_first && i < inner_end)
      wall[atomicAdd(&clock->walls, 1)] = i;
    else
      wall[wall_room - 1 - atomicAdd(&clock->outer_walls, 1)] = i;
  }
  /// Number of listed walls of a launch.
  __device__ std::int32_t listed_walls() const { return takes_outer_walls ? clock->outer_walls : clock->walls; }
  /// Listed wall k of a launch.
  __device__ std::int32_t listed_wall(std::int64_t k) const { return wall[takes_outer_walls ? wall_room - 1 - k : k]; }
};

/// @name The sort: particles into the order (cell, id), with two passes over their positions. Slots are handed out by
/// atomics in any order; ranking the ids of a bucket makes the order canonical: it depends on the present cells alone.
/// Small runs wait for the memory more than for anything else, so that loads come before the tests of their results.
/// @tparam Id  type that has all ids of the run, of 32 or 64 bits
/// @{
template <class Cells, class Real, int dimensions>
__device__ void count_in_cell(const Parameters<Real, dimensions>& parameters,
                              const StepArrays<Real, dimensions>& arrays, std::int64_t i,
                              const PositionDensity<Real, dimensions>& position) {
  const std::uint32_t cell = Cells::cell_of(parameters, position);
  arrays.cell[i] = cell;
  arrays.slot[i] = atomicAdd(&arrays.cell_count[cell], 1);
}

/// Cell of a particle that has left this rank.
constexpr std::uint32_t gone = 0xffffffff;

/// Before the first step; then the last stage of a step counts for the next one.
template <class Cells, class Real, int dimensions>
__global__ void count_cells(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays) {
  const std::int64_t i = arrays.source_first + thread_index();
  if (thread_index() < arrays.source_n && arrays.cell[i] != gone)
    count_in_cell<Cells>(parameters, arrays, i, arrays.state.position[i]);
}

/// Also lets all particles be fluid until move_to_order() finds the walls.
template <class Id, class Real, int dimensions>
__global__ void fill_buckets(StepArrays<Real, dimensions> arrays) {
  join_chain(true);
  const std::int64_t k = thread_index();
  if (k < arrays.may_be_fluid_words) arrays.may_be_fluid[k] = ~0u;
  if (k >= arrays.source_n) return;
  const std::int64_t i = arrays.source_first + k;
  const bool running = arrays.clock->running;
  const std::uint32_t cell = arrays.cell[i];
  const std::int32_t slot = arrays.slot[i];
  const auto id = static_cast<Id>(id_of_label(arrays.label[i]));
  if (running && cell != gone) reinterpret_cast<Id*>(arrays.bucket)[arrays.cell_start[cell] + slot] = id;
}

/// Before the first step; then end_step() scans for the next one.
template <class Real, int dimensions>
__global__ void scan_cells(StepArrays<Real, dimensions> arrays) {
  scan_counts(arrays.cell_count, arrays.cell_start, arrays.tile_word);
}

/// Thread k moves own particle k to its position, and clears count k and the word of tile k for the next step.
template <class Id, class Real, int dimensions>
__global__ void move_to_order(StepArrays<Real, dimensions> arrays, std::int32_t cells, bool energy) {
  join_chain(arrays.is_small);
  const std::int64_t k = thread_index();
  const std::int64_t i = arrays.source_first + k;
  const bool running = arrays.clock->running;
  std::uint32_t key = gone;
  std::int64_t label = 0;
  Particle<Real, dimensions> particle{};
  if (k < arrays.source_n) {
    key = arrays.cell[i];
    label = arrays.label[i];
    particle = arrays.state.load(i);
  }
  if (!running) return;
  if (k < cells + 2) arrays.cell_count[k] = 0;
  if (k * scan_tile < cells + 2) arrays.tile_word[k] = 0;
  if (key == gone) return;
  const auto cell = static_cast<std::int32_t>(key);
  const std::int32_t begin = arrays.cell_start[cell];
  std::int32_t sorted = begin;
  if (cell == cells) {
    sorted += arrays.slot[i];  // the order outside the domain is unused
  } else {
    const std::int32_t end = arrays.cell_start[cell + 1];
    const auto* const bucket = reinterpret_cast<const Id*>(arrays.bucket);
    const auto id = static_cast<Id>(id_of_label(label));
    for (std::int32_t member = begin; member < end; ++member) sorted += bucket[member] < id;
  }
  arrays.base.store(sorted, particle);
  if (energy) arrays.base.energy[sorted] = arrays.state.energy[i];
  if (arrays.base.properties) arrays.base.properties[sorted] = arrays.state.properties[i];
  if (arrays.base.previous) arrays.base.previous[sorted] = arrays.state.previous[i];
  arrays.base_label[sorted] = label;
  arrays.base_cell[sorted] = static_cast<std::uint32_t>(cell);
  if (!is_wall(particle.position) || cell == cells) return;
  arrays.list_wall(sorted);
  if (arrays.may_be_fluid) atomicAnd(arrays.may_be_fluid + sorted / 32, ~(1u << sorted % 32));
}
/// @}

}  // namespace shoal::sph
