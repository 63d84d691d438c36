// SPDX-License-Identifier: Apache-2.0
#include "sph/stepping/cuda/passes/levels.cuh"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sph/refinement/guard_item.hpp"
#include "sph/stepping/cuda/passes/free_places.cuh"
#include "sph/stepping/cuda/ranks/rank_kernels.cuh"

namespace shoal::sph {

namespace {

/// Lists the particles of the guard zone and the free places.
template <class Real, int dimensions>
__global__ void list_guard_particles(LevelArrays<Real, dimensions> level) {
  join_chain(false);
  const StepArrays<Real, dimensions>& particles = level.particles;
  if (!particles.clock->running) return;
  const std::int64_t index = thread_index();
  const bool exists = index < particles.n;
  const auto i = static_cast<std::int32_t>(exists ? index : 0);
  const bool inside = exists && i < particles.cell_start[level.parameters.cell_count];
  const PositionDensity<Real, dimensions> position = particles.base.position[i];
  const bool is_guard = inside && !is_wall(position) && level.zones.is_guard(position);
  const bool is_free = exists && !inside && particles.base_label[i] == gone_label;
  const std::int32_t guard = count_member(&level.counts->guard, is_guard);
  if (is_guard) level.guard(guard) = i;
  const std::int32_t free = count_member(&level.counts->free, is_free);
  if (is_free) level.free(free) = i;
}

/// Threads that share the sums at a place. They add up in an order that depends on nothing else.
struct Team {
  static constexpr int size = 8;
  int lane = static_cast<int>(threadIdx.x) % size;
  unsigned mask = ((1u << size) - 1) << (threadIdx.x % 32 / size * size);

  __device__ static std::int64_t number() { return thread_index() / size; }
  __device__ static std::int64_t count() { return std::int64_t{gridDim.x} * blockDim.x / size; }

  /// Value of the thread whose number differs in the bit `apart`.
  template <class T>
  __device__ T exchanged(const T& value, int apart) const {
    constexpr int words = sizeof(T) / sizeof(int);
    static_assert(words * sizeof(int) == sizeof(T));
    int word[words];
    memcpy(word, &value, sizeof(T));
#pragma unroll
    for (int k = 0; k < words; ++k) word[k] = __shfl_xor_sync(mask, word[k], apart);
    T result;
    memcpy(&result, word, sizeof(T));
    return result;
  }
  /// Calls add(sums of another thread) so that all threads have the sums of all.
  template <class T, class Add>
  __device__ void add_up(const T& sums, const Add& add) const {
    for (int apart = 1; apart < size; apart *= 2) add(exchanged(sums, apart));
  }
};

/// Calls visit(j) for the particles of a level in the cells around a place, by their places at the start of the step. The
/// threads of a team share them.
template <class Cells, class Real, int dimensions, class Visit>
__device__ void for_each_around(const LevelArrays<Real, dimensions>& level, const Team& team,
                                const PositionDensity<Real, dimensions>& position, const Visit& visit) {
  const Parameters<Real, dimensions>& parameters = level.parameters;
  const std::uint32_t cell = Cells::cell_of(parameters, position);
  if (cell == parameters.cell_count) return;
  for (int run = 0; run < Cells::template run_count<GeneralPhysics>(parameters); ++run) {
    const CellRun cells = Cells::template run_of<GeneralPhysics>(parameters, cell, run);
    const std::int32_t end = level.particles.cell_start[cells.end];
    for (std::int32_t j = level.particles.cell_start[cells.first] + team.lane; j < end; j += Team::size) visit(j);
  }
}

/// Values of the fluid of a level after its step, at a place; false where there is none.
/// @param takes  takes(position) is true for fluid that counts
template <class Cells, class Real, int dimensions, class Takes>
__device__ bool values_at(const LevelArrays<Real, dimensions>& level, const Team& team, const Place<dimensions>& place,
                          const Takes& takes, HeldValues<dimensions>& values) {
  FluidFit<dimensions> fit;
  const StateView<Real, dimensions>& state = level.particles.state;
  for_each_around<Cells>(level, team, position_of(level.zones, place), [&](std::int32_t j) {
    const PositionDensity<Real, dimensions> position = state.position[j];
    const WayBetween<dimensions> way(place, place_of(level.zones, position));
    if (way.squared < static_cast<double>(level.parameters.support_squared) && !is_wall(position) &&
        !is_outside(level.parameters, position) && takes(position))
      add_sample(level.parameters, sample_of(level.parameters, level.zones, state, j), way, fit);
  });
  team.add_up(fit, [&](const FluidFit<dimensions>& part) { fit.add(part); });
  if (!fit.has_fluid()) return false;
  values = values_of(fit);
  return true;
}

/// The same of fluid that does not follow the next level, for that level.
template <class Cells, class Real, int dimensions>
__device__ bool values_outside(const LevelArrays<Real, dimensions>& parent, const Team& team,
                               const Place<dimensions>& place, HeldValues<dimensions>& values) {
  return values_at<Cells>(
      parent, team, place, [&](const auto& position) { return !parent.zones.is_covered(position); }, values);
}

/// Way by which a particle of the guard zone gives way to others.
template <class Cells, class Real, int dimensions>
__device__ Place<dimensions> shift_at(const LevelArrays<Real, dimensions>& level, const Team& team,
                                      const PositionDensity<Real, dimensions>& position) {
  const Place<dimensions> place = place_of(level.zones, position);
  Arrangement<dimensions> arrangement;
  for_each_around<Cells>(level, team, position, [&](std::int32_t j) {
    arrangement.add(level.zones.spacing,
                    WayBetween<dimensions>(place_of(level.zones, level.particles.base.position[j]), place));
  });
  team.add_up(arrangement, [&](const Arrangement<dimensions>& part) { arrangement.add(part); });
  return shift_of(level.zones, place, arrangement);
}

/// Sets what the particles of the guard zone do in the step: they take the values of the parent, which is after it.
template <class Cells, class Real, int dimensions>
__global__ void prescribe_guard_particles(LevelArrays<Real, dimensions> level, LevelArrays<Real, dimensions> parent) {
  join_chain(false);
  const DeviceClock& clock = *level.particles.clock;
  if (!clock.running) return;
  const Team team;
  for (std::int64_t k = Team::number(); k < level.counts->guard; k += Team::count()) {
    const std::int32_t i = level.guard(k);
    const StateView<Real, dimensions>& base = level.particles.base;
    HeldValues<dimensions> values = values_of(level.parameters, base, i);
    const Place<dimensions> place = place_after(level.zones, base, i, clock.dt);
    if (!values_outside<Cells>(parent, team, place, values)) fall(level.parameters, clock.dt, values);
    const Place<dimensions> shift = shift_at<Cells>(level, team, base.position[i]);
    if (team.lane == 0) level.target[k] = {values, shift};
  }
}

/// Moves the particles of the guard zone through a stage.
template <class Real, int dimensions>
__global__ void hold_guard_particles(LevelArrays<Real, dimensions> level, int stage, StateView<Real, dimensions> next) {
  join_chain(false);
  const DeviceClock& clock = *level.particles.clock;
  if (!clock.running) return;
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t k = thread_index(); k < level.counts->guard; k += threads)
    follow(level.parameters, stage, clock.dt, level.target[k], level.particles.base, next, level.guard(k));
}

/// Lists the parts of the parent's particles that enter the level in the step, in any order.
template <class Real, int dimensions>
__global__ void find_entering_parts(LevelArrays<Real, dimensions> level, LevelArrays<Real, dimensions> parent) {
  join_chain(false);
  const std::int64_t i = thread_index();
  if (!level.particles.clock->running || i >= parent.particles.n) return;
  const PositionDensity<Real, dimensions> before = parent.particles.base.position[i];
  const PositionDensity<Real, dimensions> after = parent.particles.state.position[i];
  if (is_wall(after) || is_outside(parent.parameters, after)) return;
  for (int k = 0; k < 1 << dimensions; ++k) {
    if (!parent.zones.enters(before, after, k)) continue;
    const int number = atomicAdd(&level.counts->entering, 1);
    if (number < level.most_entering)
      level.entering[number] = {place_of(parent.zones, parent.zones.part(after, k)), (i << dimensions) + k,
                                Tag::material(tag_of_label(parent.particles.base_label[i]))};
  }
}

/// Finds the rank of a part among those that enter in the step. Returns true if it is too near neither to a particle of the
/// level nor to a part before it.
template <class Cells, class Real, int dimensions>
__device__ bool may_enter(const LevelArrays<Real, dimensions>& level, const Team& team,
                          const EnteringPart<dimensions>& part, int count, int& rank) {
  const PositionDensity<Real, dimensions> position = position_of(level.zones, part.place);
  bool is_free = !is_outside(level.parameters, position);
  for_each_around<Cells>(level, team, position, [&](std::int32_t j) {
    is_free &= !are_too_near(level.parameters, position, level.particles.state.position[j]);
  });
  rank = 0;
  for (int j = team.lane; j < count; j += Team::size) {
    const EnteringPart<dimensions>& previous = level.entering[j];
    if (previous.number >= part.number) continue;
    ++rank;
    is_free &= !are_too_near(level.parameters, position, position_of(level.zones, previous.place));
  }
  team.add_up(rank, [&](int others) { rank += others; });
  return __all_sync(team.mask, is_free);
}

/// Lets parts enter. More of them than there is room for are a fault: the parent's particles have moved too far.
template <class Cells, class Real, int dimensions>
__global__ void add_entering_parts(LevelArrays<Real, dimensions> level, LevelArrays<Real, dimensions> parent) {
  join_chain(false);
  DeviceClock& clock = *level.particles.clock;
  if (!clock.running) return;
  const int count = level.counts->entering;
  if (count > level.most_entering || count > level.counts->free) {
    if (thread_index() == 0) atomicMin(&clock.fault_word, static_cast<unsigned long long>(fault::word(0, false, 0)));
    return;
  }
  const Team team;
  for (std::int64_t k = Team::number(); k < count; k += Team::count()) {
    const EnteringPart<dimensions> part = level.entering[k];
    int rank = 0;
    if (!may_enter<Cells>(level, team, part, count, rank)) continue;
    HeldValues<dimensions> values{};
    values_outside<Cells>(parent, team, part.place, values);
    if (team.lane != 0) continue;
    const std::int32_t i = level.free(atomicAdd(&level.counts->taken, 1));
    put(level.parameters, LevelFluid{level.zones.mass[part.material], part.material},
        position_of(level.zones, part.place), values, level.particles.state, i);
    level.particles.label[i] = make_label(LevelIds::id_of(clock.step, rank), static_cast<std::uint8_t>(part.material));
  }
}

/// Gives covered fluid the pressure and velocity of the next level.
template <class Cells, class Real, int dimensions>
__global__ void take_values(LevelArrays<Real, dimensions> level, LevelArrays<Real, dimensions> finer) {
  join_chain(false);
  const std::int64_t i = Team::number();
  if (!level.particles.clock->running || i >= level.particles.n) return;
  const StateView<Real, dimensions>& state = level.particles.state;
  const PositionDensity<Real, dimensions> position = state.position[i];
  if (is_wall(position) || !level.zones.is_covered(position)) return;
  const Team team;
  HeldValues<dimensions> values;
  const bool has_values = values_at<Cells>(
      finer, team, place_of(level.zones, position), [&](const auto& place) { return finer.zones.box.holds(place); },
      values);
  if (has_values && team.lane == 0) store_values(level.parameters, state, i, values);
}

/// Makes particles outside the region free places, and counts all in their cells. Those that have entered stay.
template <class Cells, class Real, int dimensions>
__global__ void renew_level_particles(LevelArrays<Real, dimensions> level) {
  join_chain(false);
  const StepArrays<Real, dimensions>& particles = level.particles;
  const DeviceClock& clock = *particles.clock;
  if (!clock.running) return;
  const std::int64_t i = thread_index();
  const bool exists = i < particles.n;
  PositionDensity<Real, dimensions> position{};
  if (exists) position = particles.state.position[i];
  if (exists && !is_wall(position) && level.zones.has_left(position) && particles.base_label[i] != gone_label) {
    position = {};
    particles.state.position[i] = position;
    particles.label[i] = gone_label;
    atomicAdd(&level.counts->left, 1);
  }
  if (counts_outside<Cells>(level.parameters, particles, i, exists, position) && particles.label[i] != gone_label)
    atomicAdd(&level.counts->lost[(clock.step + 1) & 1], 1);
}

__global__ void join_clocks(LevelClocks levels) {
  join_chain(false);
  if (thread_index() > 0) return;
  const long long step = levels.clock[0]->step;
  const bool has_stepped = levels.counts[1]->step != step;
  double next_dt = levels.clock[0]->next_dt;
  bool stops = false;
  for (int k = 0; k < levels.count; ++k) {
    next_dt = min(next_dt, levels.clock[k]->next_dt);
    stops |= levels.clock[k]->fault_word != fault::none;
    LevelCounts* const counts = levels.counts[k];
    if (!has_stepped) continue;
    counts->needed = max(0, levels.most_entering[k] - (counts->free - counts->taken + counts->left));
    stops |= counts->needed > 0;
    counts->guard = counts->free = counts->entering = counts->taken = counts->left = 0;
    counts->lost[(step + 1) & 1] = 0;
    counts->step = step;
  }
  for (int k = 0; k < levels.count; ++k) {
    DeviceClock& clock = *levels.clock[k];
    clock.next_dt = next_dt;
    clock.dt = levels.by_cfl ? min(next_dt, clock.goal_time - clock.time) : next_dt;
    if (stops) clock.running = 0;
  }
}

/// Number of particles in a box that has a lattice of them.
template <class Real, int dimensions>
std::int64_t particles_in(const Zone<Real, dimensions>& zone, double units, std::int64_t wider) {
  std::int64_t count = 1;
  for (int axis = 0; axis < dimensions; ++axis)
    count *= std::llround(static_cast<double>(zone.to[axis] - zone.from[axis]) / units) + wider;
  return count;
}

}  // namespace

template <class Cells, class Real, int dimensions>
CudaLevel<Cells, Real, dimensions>::CudaLevel(const Queue& queue, const Setup<Real, dimensions>& setup,
                                              std::int32_t room, std::int64_t lost)
    : queue_(queue),
      zones_(*setup.level),
      list_(queue, has_parent() ? room : 0),
      target_(queue, has_parent() ? room : 0),
      entering_(queue, most_entering(setup)),
      counts_(queue, 1) {
  LevelCounts counts{};
  counts.lost[setup.state.clock.step & 1] = static_cast<int>(lost);
  counts.step = setup.state.clock.step;
  copy_bytes(queue_, counts_.data(), queue_.device(), &counts, {}, sizeof counts);
  queue_.wait();
}

template <class Cells, class Real, int dimensions>
std::int64_t CudaLevel<Cells, Real, dimensions>::most_entering(const Setup<Real, dimensions>& setup) {
  const LevelZones<Real, dimensions>& zones = *setup.level;
  if (!zones.box.exists) return 0;
  constexpr int layers = 2;
  const double units = setup.spacing / zones.unit;
  return particles_in(zones.region, units, layers) - particles_in(zones.region, units, -layers);
}

template <class Cells, class Real, int dimensions>
LevelArrays<Real, dimensions> CudaLevel<Cells, Real, dimensions>::arrays(
    const Parameters<Real, dimensions>& parameters, const StepArrays<Real, dimensions>& particles) const {
  return {parameters,
          zones_,
          particles,
          list_.data(),
          target_.data(),
          entering_.data(),
          static_cast<std::int32_t>(list_.count()),
          static_cast<std::int32_t>(entering_.count()),
          counts_.data()};
}

template <class Cells, class Real, int dimensions>
void CudaLevel<Cells, Real, dimensions>::enqueue_list(const Lane& lane, const Arrays& level) {
  lane.run("list_guard_particles", level.particles.n, list_guard_particles<Real, dimensions>, level);
}

template <class Cells, class Real, int dimensions>
void CudaLevel<Cells, Real, dimensions>::enqueue_begin(const Lane& lane, const Arrays& level, const Arrays& parent) {
  lane.run("prescribe_guard_particles", (level.particles.n / 4 + 1) * Team::size,
           prescribe_guard_particles<Cells, Real, dimensions>, level, parent);
  lane.run("find_entering_parts", parent.particles.n, find_entering_parts<Real, dimensions>, level, parent);
}

template <class Cells, class Real, int dimensions>
void CudaLevel<Cells, Real, dimensions>::enqueue_hold(const Lane& lane, const Arrays& level, int stage,
                                                      const StateView<Real, dimensions>& next) {
  lane.run("hold_guard_particles", level.particles.n / 4 + 1, hold_guard_particles<Real, dimensions>, level, stage,
           next);
}

template <class Cells, class Real, int dimensions>
void CudaLevel<Cells, Real, dimensions>::enqueue_enter(const Lane& lane, const Arrays& level, const Arrays& parent) {
  lane.run("add_entering_parts", std::min(level.most_entering, 4096) * Team::size,
           add_entering_parts<Cells, Real, dimensions>, level, parent);
}

template <class Cells, class Real, int dimensions>
void CudaLevel<Cells, Real, dimensions>::enqueue_take_values(const Lane& lane, const Arrays& level,
                                                             const Arrays& finer) {
  lane.run("take_values", std::int64_t{level.particles.n} * Team::size, take_values<Cells, Real, dimensions>, level,
           finer);
}

template <class Cells, class Real, int dimensions>
void CudaLevel<Cells, Real, dimensions>::enqueue_end(const Lane& lane, const Arrays& level) {
  lane.run("renew_level_particles", level.particles.n, renew_level_particles<Cells, Real, dimensions>, level);
}

template <class Cells, class Real, int dimensions>
LevelCounts CudaLevel<Cells, Real, dimensions>::read_counts() const {
  LevelCounts counts;
  copy_bytes(queue_, &counts, {}, counts_.data(), queue_.device(), sizeof counts);
  return counts;
}

template <class Cells, class Real, int dimensions>
void CudaLevel<Cells, Real, dimensions>::reserve(std::int32_t room) {
  list_.resize(room);
  target_.resize(room);
  LevelCounts counts = read_counts();
  counts.guard = counts.free = counts.entering = counts.taken = counts.left = counts.needed = 0;
  copy_bytes(queue_, counts_.data(), queue_.device(), &counts, {}, sizeof counts);
  queue_.wait();
}

void enqueue_join_clocks(const Lane& lane, const LevelClocks& clocks) {
  lane.run("join_clocks", 1, join_clocks, clocks);
}

template class CudaLevel<LinearCells, float, 1>;
template class CudaLevel<LinearCells, double, 1>;
template class CudaLevel<ZOrderCells, float, 1>;
template class CudaLevel<ZOrderCells, double, 1>;
template class CudaLevel<LinearCells, float, 2>;
template class CudaLevel<LinearCells, float, 3>;
template class CudaLevel<LinearCells, double, 2>;
template class CudaLevel<LinearCells, double, 3>;
template class CudaLevel<ZOrderCells, float, 2>;
template class CudaLevel<ZOrderCells, float, 3>;
template class CudaLevel<ZOrderCells, double, 2>;
template class CudaLevel<ZOrderCells, double, 3>;

}  // namespace shoal::sph
