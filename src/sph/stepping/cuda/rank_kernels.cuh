// SPDX-License-Identifier: Apache-2.0
// The kernels of a run that several ranks share: particles that leave a slab or arrive in it, and the clock.
#pragma once
#include "sph/physics/step_plan_item.hpp"
#include "sph/ranks/slab_layers.hpp"
#include "sph/stepping/cuda/clock_kernels.cuh"

namespace shoal::sph {

/// Values of a step of which all ranks take the largest. Particles of equal ids do not exist, so that the largest of the
/// inverted fault words is the first fault.
namespace step_word {
enum {
  inverted_fault,
  displacement_squared,
  speed_squared,
  acceleration_squared,
  lost,           ///< particles that left the domain
  weight,         ///< weight of the own particles
  leavers,        ///< particles that go to one of the next ranks
  boundary,       ///< particles that stay in an outer layer
  inverted_room,  ///< room for more particles, inverted: its smallest value counts
  count
};
}  // namespace step_word

/// Groups of own particles after a step.
namespace leaver {
enum { below, above, lost, groups };
}  // namespace leaver

/// Particles that leave, by group.
struct LeaverLists {
  std::int32_t* group[leaver::groups];
};

/// Numbers that a rank tells the next one before particles travel.
struct Notice {
  std::int32_t travelers;  ///< particles that go to the next rank
  std::int32_t boundary;   ///< particles that stay in the layer beside it
};

/// Results of a step that the host reads.
struct RankReport {
  Notice sent[2];          ///< notices to the ranks below and above
  std::int32_t lost;       ///< particles that left the domain
  std::int32_t second[2];  ///< particles that stay in the second layers from the ranks below and above
  Notice received[2];      ///< notices from the ranks below and above
  std::int32_t walls;      ///< wall particles of the step
  unsigned long long word[step_word::count];
  DeviceClock clock;

  SHOAL_HD std::int32_t leavers(int group) const { return group == leaver::lost ? lost : sent[group].travelers; }
};

/// A particle on its way to another rank.
template <class Real, int dimensions>
struct Traveler {
  Particle<Real, dimensions> particle;
  std::int64_t label;
  Real energy;
  Properties<Real> properties;
  Previous<Real, dimensions> previous;
};

/// Number of a thread among those of its warp for which `is_member` holds, added to a counter. All threads of a warp must
/// call it.
__device__ inline std::int32_t count_member(std::int32_t* counter, bool is_member) {
  const unsigned members = __ballot_sync(~0u, is_member);
  if (members == 0) return 0;
  const int lane = static_cast<int>(threadIdx.x) % 32, first = __ffs(static_cast<int>(members)) - 1;
  std::int32_t before = 0;
  if (lane == first) before = atomicAdd(counter, __popc(members));
  return __shfl_sync(~0u, before, first) + __popc(members & ((1u << lane) - 1));
}

/// Adds the number of threads for which `is_member` holds to a counter. All threads of a block must call it.
__device__ inline void count_members(std::int32_t* counter, bool is_member) {
  const int members = __syncthreads_count(is_member);
  if (threadIdx.x == 0 && members > 0) atomicAdd(counter, members);
}

/// Threads of a block of list_leavers(): a layer has many particles, and each block adds to its counter once.
constexpr int leaver_threads = 1024;

/// Lists the particles of `source` that leave the slab, in any order: their new rank sorts them by id.
/// @param layers  local layers; the first and the last one belong to other ranks
template <class Real, int dimensions>
__global__ void list_leavers(StepArrays<Real, dimensions> arrays, std::uint32_t cells, std::uint32_t cells_of_layer,
                             std::uint32_t layers, LeaverLists lists, RankReport* report) {
  const std::int64_t k = thread_index();
  const std::int64_t i = arrays.source_first + k;
  const std::uint32_t cell = k < arrays.source_n ? arrays.cell[i] : gone;
  const std::uint32_t layer = cell / cells_of_layer;
  const bool is_here = cell != gone;
  const bool is_inside = is_here && cell != cells;
  const bool leaves[leaver::groups] = {is_inside && layer == 0, is_inside && layer == layers - 1,
                                       is_here && !is_inside};
  std::int32_t* const counter[leaver::groups] = {&report->sent[0].travelers, &report->sent[1].travelers, &report->lost};
  for (int group = 0; group < leaver::groups; ++group) {
    const std::int32_t number = count_member(counter[group], leaves[group]);
    if (leaves[group]) lists.group[group][number] = static_cast<std::int32_t>(i);
  }
  count_members(&report->sent[0].boundary, is_inside && layer == 1);
  count_members(&report->sent[1].boundary, is_inside && layer == layers - 2);
  count_members(&report->second[0], is_inside && layer == 2 && layer < layers - 1);
  count_members(&report->second[1], is_inside && layer == layers - 3 && layer > 0);
}

/// Adds the particles that stay in the outer layers of the next ranks to the counts of ghost cells, which have those that
/// travel there. Particles outside the domain do not count.
/// @param below  [cells of a layer] counts of the rank below; null where there is none
/// @param above  the same of the rank above
template <class Real, int dimensions>
__global__ void count_ghosts(Parameters<Real, dimensions> parameters, std::int32_t* cell_count, std::uint32_t cells,
                             const std::int32_t* below, const std::int32_t* above) {
  const std::int64_t k = thread_index();
  if (k == 0) cell_count[parameters.cell_count] = 0;
  if (k >= cells) return;
  if (below) cell_count[k] += below[k];
  if (above) cell_count[static_cast<std::int64_t>(parameters.slab.count - 1) * cells + k] += above[k];
}

/// Label of a particle that has left this rank.
constexpr std::int64_t gone_label = -1;

/// Copies listed particles and marks them: no sort takes them, and they are outside the domain for probes.
template <class Real, int dimensions>
__global__ void pack_leavers(StepArrays<Real, dimensions> arrays, const std::int32_t* list, std::int32_t count,
                             Traveler<Real, dimensions>* travelers) {
  const std::int64_t k = thread_index();
  if (k >= count) return;
  const std::int32_t i = list[k];
  const StateView<Real, dimensions>& state = arrays.state;
  Traveler<Real, dimensions> traveler{};
  traveler.particle = state.load(i);
  traveler.label = arrays.label[i];
  traveler.energy = state.energy_of(i);
  if (state.properties) traveler.properties = state.properties[i];
  if (state.previous) traveler.previous = state.previous[i];
  travelers[k] = traveler;
  arrays.label[i] = gone_label;
  arrays.cell[i] = gone;
  for (int axis = 0; axis < dimensions; ++axis) state.position[i].x[axis] = 0;
}

/// Puts arrived particles behind those of `source`.
template <class Cells, class Real, int dimensions>
__global__ void unpack_arrivals(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                std::int32_t count, const Traveler<Real, dimensions>* travelers) {
  const std::int64_t k = thread_index();
  if (k >= count) return;
  const std::int64_t i = arrays.source_first + arrays.source_n + k;
  const StateView<Real, dimensions>& state = arrays.state;
  const Traveler<Real, dimensions> traveler = travelers[k];
  state.store(i, traveler.particle);
  arrays.label[i] = traveler.label;
  if (state.energy) state.energy[i] = traveler.energy;
  if (state.properties) state.properties[i] = traveler.properties;
  if (state.previous) state.previous[i] = traveler.previous;
  count_in_cell<Cells>(parameters, arrays, i, traveler.particle.position);
}

/// Adds the weights of the particles of `source` to those of their layers. Threads of a warp whose particles are in one
/// layer add once.
/// @param weight  [local layers]
template <class Real, int dimensions>
__global__ void add_weights(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                            std::uint32_t cells_of_layer, unsigned long long* weight) {
  const std::int64_t k = thread_index();
  const std::int64_t i = arrays.source_first + k;
  const std::uint32_t cell = k < arrays.source_n ? arrays.cell[i] : gone;
  const bool is_inside = cell < parameters.cell_count;
  const std::uint32_t layer = is_inside ? cell / cells_of_layer : gone;
  const bool is_heavy = is_inside && slab_weight(parameters, arrays.state.position[i]) > 1;
  const unsigned same = __match_any_sync(~0u, layer), heavy = same & __ballot_sync(~0u, is_heavy);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (!is_inside || lane != __ffs(static_cast<int>(same)) - 1) return;
  atomicAdd(weight + layer,
            static_cast<unsigned long long>(inactive_walls_per_particle * __popc(heavy) + __popc(same & ~heavy)));
}

/// Collects this rank's values of a step.
/// @param weight         weight of its particles if all are active
/// @param less_per_wall  difference of the weight of a wall particle from that
/// @param room           number of particles for which there is more memory
inline __global__ void collect_words(const DeviceClock* clock, std::int64_t weight, std::int64_t less_per_wall,
                                     std::int32_t room, RankReport* report) {
  unsigned long long* const word = report->word;
  word[step_word::inverted_fault] = ~clock->fault_word;
  word[step_word::displacement_squared] = clock->displacement_squared;
  word[step_word::speed_squared] = clock->speed_squared;
  word[step_word::acceleration_squared] = clock->acceleration_squared;
  word[step_word::lost] = static_cast<unsigned long long>(report->lost);
  word[step_word::weight] = static_cast<unsigned long long>(weight - less_per_wall * clock->walls);
  word[step_word::leavers] = static_cast<unsigned long long>(max(report->sent[0].travelers, report->sent[1].travelers));
  word[step_word::boundary] = static_cast<unsigned long long>(max(report->sent[0].boundary, report->sent[1].boundary));
  word[step_word::inverted_room] = ~static_cast<unsigned long long>(room);
  report->walls = clock->walls;
}

/// Ends a step with the largest values of all ranks, so that their clocks stay equal.
template <class Real, int dimensions>
__global__ void end_step_of_ranks(Parameters<Real, dimensions> parameters, DeviceClock* clock, RankReport* report,
                                  StepPlan<dimensions>* plan) {
  const unsigned long long* const word = report->word;
  clock->fault_word = ~word[step_word::inverted_fault];
  clock->displacement_squared = word[step_word::displacement_squared];
  clock->speed_squared = word[step_word::speed_squared];
  clock->acceleration_squared = word[step_word::acceleration_squared];
  clock->end_step(parameters.control);
  plan_next(parameters, *clock, plan);
  report->clock = *clock;
}

}  // namespace shoal::sph
