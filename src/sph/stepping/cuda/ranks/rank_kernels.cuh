// SPDX-License-Identifier: Apache-2.0
// The kernels of a run that several ranks share: particles that leave a slab or arrive in it, and the clock.
#pragma once
#include "core/cuda/warp.cuh"
#include "sph/physics/label_item.hpp"
#include "sph/physics/steps/step_plan_item.hpp"
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
  friction_rate,
  lost,           ///< particles that left the domain
  leavers,        ///< particles that go to one of the next ranks
  boundary,       ///< particles that stay in an outer layer
  inverted_room,  ///< room for more particles, inverted: its smallest value counts
  count
};
}  // namespace step_word

/// The largest values of all ranks, as the host reads them.
struct StepWords {
  const unsigned long long* word;

  std::int64_t lost() const { return count(step_word::lost); }
  std::int64_t leavers() const { return count(step_word::leavers); }
  std::int64_t boundary() const { return count(step_word::boundary); }
  std::int64_t room() const { return static_cast<std::int64_t>(~word[step_word::inverted_room]); }  ///< the smallest

 private:
  std::int64_t count(int number) const { return static_cast<std::int64_t>(word[number]); }
};

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
  std::int32_t change;     ///< particles that entered through open boundaries less that of those that left
  unsigned long long word[step_word::count];
  DeviceClock clock;

  std::int64_t leavers() const { return std::int64_t{sent[0].travelers} + sent[1].travelers + lost; }
  std::int64_t arrivals() const { return std::int64_t{received[0].travelers} + received[1].travelers; }
  StepWords words() const { return {word}; }
};

/// Places for particles that travel to the ranks below and above, or come from them: those of below first.
struct TravelPlaces {
  std::int32_t below;
  std::int32_t above;

  SHOAL_HD std::int64_t total() const { return std::int64_t{below} + above; }
};

/// A particle on its way to another rank.
template <class Real, int dimensions>
struct Traveler {
  Particle<Real, dimensions> particle;
  std::int64_t label;
  Real energy;
  Real viscosity;
  Properties<Real> properties;
  Previous<Real, dimensions> previous;
};

/// Number of a thread among those of its warp for which `is_member` holds, added to a counter. All threads of a warp must
/// call it.
__device__ inline std::int32_t count_member(std::int32_t* counter, bool is_member) {
  const unsigned members = __ballot_sync(whole_warp, is_member);
  if (members == 0) return 0;
  const int lane = static_cast<int>(threadIdx.x) % 32, first = __ffs(static_cast<int>(members)) - 1;
  std::int32_t before = 0;
  if (lane == first) before = atomicAdd(counter, __popc(members));
  return __shfl_sync(whole_warp, before, first) + __popc(members & ((1u << lane) - 1));
}

/// Adds the number of threads for which `is_member` holds to a counter. All threads of a block must call it.
__device__ inline void count_members(std::int32_t* counter, bool is_member) {
  const int members = __syncthreads_count(is_member);
  if (threadIdx.x == 0 && members > 0) atomicAdd(counter, members);
}

/// Threads of a block of list_leavers(): a layer has many particles, and each block adds to its counter once.
constexpr int leaver_threads = 1024;

/// Returns true if no particle of a block of list_leavers() was within three layers of a next rank, or left the domain, so
/// that none is listed or counted: a particle crosses at most one layer in a step.
/// @param layers  local layers; the first and the last one belong to other ranks
template <class Real, int dimensions>
__device__ bool is_far_inside(const StepArrays<Real, dimensions>& arrays, std::uint32_t cells,
                              std::uint32_t cells_of_layer, std::uint32_t layers) {
  constexpr std::uint32_t outer = 4;  // one ghost layer, three own ones
  if (layers <= 2 * outer || arrays.cell_count[cells] != 0) return false;
  const std::int64_t first = arrays.source_first + std::int64_t{blockIdx.x} * blockDim.x;
  return first >= arrays.cell_start[outer * cells_of_layer] &&
         first + blockDim.x <= arrays.cell_start[(layers - outer) * cells_of_layer];
}

/// Lists the particles of `source` that leave the slab, in any order: their new rank sorts them by id.
/// @param layers       local layers; the first and the last one belong to other ranks
/// @param after_step   the particles have the places of the last sort, and crossed at most one layer since
template <class Real, int dimensions>
__global__ void list_leavers(StepArrays<Real, dimensions> arrays, std::uint32_t cells, std::uint32_t cells_of_layer,
                             std::uint32_t layers, bool after_step, LeaverLists lists, RankReport* report) {
  if (after_step && is_far_inside(arrays, cells, cells_of_layer, layers)) return;
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

/// Returns particle i of the state and marks it: no sort takes it, and it is outside the domain for probes.
template <class Real, int dimensions>
__device__ Traveler<Real, dimensions> take_out(const StepArrays<Real, dimensions>& arrays, std::int32_t i) {
  const StateView<Real, dimensions>& state = arrays.state;
  Traveler<Real, dimensions> traveler{};
  traveler.particle = state.load(i);
  traveler.label = arrays.label[i];
  traveler.energy = state.energy_of(i);
  if (state.viscosity) traveler.viscosity = state.viscosity[i];
  if (state.properties) traveler.properties = state.properties[i];
  if (state.previous) traveler.previous = state.previous[i];
  arrays.label[i] = gone_label;
  arrays.cell[i] = gone;
  for (int axis = 0; axis < dimensions; ++axis) state.position[i].x[axis] = 0;
  return traveler;
}

/// Takes out listed particles that left the domain.
template <class Real, int dimensions>
__global__ void pack_lost(StepArrays<Real, dimensions> arrays, const std::int32_t* list, std::int32_t count,
                          Traveler<Real, dimensions>* travelers) {
  const std::int64_t k = thread_index();
  if (k < count) travelers[k] = take_out(arrays, list[k]);
}

/// A place for a traveler: its side, 0 below and 1 above, and its number there.
struct TravelPlace {
  int side;
  std::int32_t number;

  __device__ TravelPlace(const TravelPlaces& places, std::int64_t k)
      : side(k < places.below ? 0 : 1), number(static_cast<std::int32_t>(side == 0 ? k : k - places.below)) {}
};

/// Returns true if the travelers of all ranks have places, or if the host knows their numbers.
__device__ inline bool all_have_places(const RankReport* report, const TravelPlaces& places, bool ahead) {
  return !ahead || report->word[step_word::leavers] <= static_cast<unsigned long long>(places.below);
}

/// Takes out listed particles that go to the next ranks.
/// @param ahead  the host does not know their numbers; both sides have as many places, on all ranks
template <class Real, int dimensions>
__global__ void pack_travelers(StepArrays<Real, dimensions> arrays, LeaverLists lists, const RankReport* report,
                               TravelPlaces places, bool ahead, Traveler<Real, dimensions>* travelers) {
  const std::int64_t k = thread_index();
  const TravelPlace place(places, k);
  if (k >= places.total() || place.number >= report->sent[place.side].travelers) return;
  if (all_have_places(report, places, ahead)) travelers[k] = take_out(arrays, lists.group[place.side][place.number]);
}

/// Puts arrived particles behind those of `source`: those from below first.
template <class Cells, class Real, int dimensions>
__global__ void unpack_travelers(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                 const RankReport* report, TravelPlaces places, bool ahead,
                                 const Traveler<Real, dimensions>* travelers) {
  const std::int64_t k = thread_index();
  const TravelPlace place(places, k);
  if (k >= places.total() || place.number >= report->received[place.side].travelers) return;
  if (!all_have_places(report, places, ahead)) return;
  const std::int64_t before = place.side == 0 ? 0 : report->received[0].travelers;
  const std::int64_t i = arrays.source_first + arrays.source_n + before + place.number;
  const StateView<Real, dimensions>& state = arrays.state;
  const Traveler<Real, dimensions> traveler = travelers[k];
  state.store(i, traveler.particle);
  arrays.label[i] = traveler.label;
  if (state.energy) state.energy[i] = traveler.energy;
  if (state.viscosity) state.viscosity[i] = traveler.viscosity;
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
  const unsigned same = __match_any_sync(whole_warp, layer), heavy = same & __ballot_sync(whole_warp, is_heavy);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  if (!is_inside || lane != __ffs(static_cast<int>(same)) - 1) return;
  atomicAdd(weight + layer,
            static_cast<unsigned long long>(inactive_walls_per_particle * __popc(heavy) + __popc(same & ~heavy)));
}

/// Collects this rank's values of a step.
/// @param room  number of particles for which there is more memory
inline __global__ void collect_words(const DeviceClock* clock, std::int32_t room, RankReport* report) {
  unsigned long long* const word = report->word;
  word[step_word::inverted_fault] = ~clock->fault_word;
  word[step_word::displacement_squared] = clock->displacement_squared;
  word[step_word::speed_squared] = clock->speed_squared;
  word[step_word::acceleration_squared] = clock->acceleration_squared;
  word[step_word::friction_rate] = clock->friction_rate;
  word[step_word::lost] = static_cast<unsigned long long>(report->lost);
  word[step_word::leavers] = static_cast<unsigned long long>(max(report->sent[0].travelers, report->sent[1].travelers));
  word[step_word::boundary] = static_cast<unsigned long long>(max(report->sent[0].boundary, report->sent[1].boundary));
  word[step_word::inverted_room] = ~static_cast<unsigned long long>(room);
  report->walls = clock->walls + clock->outer_walls;
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
  clock->friction_rate = word[step_word::friction_rate];
  clock->end_step(parameters.control);
  plan_next(parameters, *clock, plan);
  report->clock = *clock;
}

}  // namespace shoal::sph
