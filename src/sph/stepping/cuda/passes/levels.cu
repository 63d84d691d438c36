// SPDX-License-Identifier: Apache-2.0
#include "sph/stepping/cuda/passes/levels.cuh"

#include <algorithm>
#include <cmath>

#include "core/cuda/warp.cuh"
#include "sph/stepping/cuda/passes/fits/level_fits.cuh"
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

/// Sets what the particles of the guard zone do in the step: they take the values of the parent, which is after it.
template <class Cells, class Real, int dimensions>
__global__ void __launch_bounds__(fit_threads, fit_blocks)
    prescribe_guard_particles(LevelArrays<Real, dimensions> level, LevelArrays<Real, dimensions> parent) {
  join_chain(false);
  const DeviceClock& clock = *level.particles.clock;
  if (!clock.running) return;
  __shared__ WarpFits<dimensions> fits_of_block[fit_threads / 32];
  WarpFits<dimensions>& fits = fits_of_block[threadIdx.x / 32];
  const StateView<Real, dimensions>& base = level.particles.base;
  for_each_batch(level.counts->guard, [&](std::int64_t first, int count) {
    const int lane = lane_of_warp();
    const std::int64_t number = first + min(lane, count - 1);
    const std::int32_t i = level.guard(number);
    const SearchPlace<Cells, Real, dimensions> before(level, base.position[i]);
    const SearchPlace<Cells, Real, dimensions> after(parent, place_after(level.zones, base, i, clock.dt));
    Arrangement<dimensions> arrangement;
    for (int k = 0; k < count; ++k) {
      make_fit_outside<Cells>(fits, k, parent, after.of_lane(k));
      const Arrangement<dimensions> sums = arrangement_at<Cells>(level, before.of_lane(k));
      if (lane == k) arrangement = sums;
    }
    __syncwarp();
    if (lane >= count) return;
    HeldValues<dimensions> values = values_of(level.parameters, base, i);
    const FluidFit<dimensions> fit = fits.fit(lane);
    if (fit.has_fluid())
      values = values_of(fit);
    else
      fall(level.parameters, clock.dt, values);
    level.target[number] = {values, shift_of(level.zones, before.place, arrangement)};
  });
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

/// Lists the parts of the parent's particles that enter the level in the step, and its fluid that follows the level, in any order.
template <class Real, int dimensions>
__global__ void find_entering_parts(LevelArrays<Real, dimensions> level, LevelArrays<Real, dimensions> parent) {
  join_chain(false);
  if (!level.particles.clock->running) return;
  const std::int64_t index = thread_index();
  const bool exists = index < parent.particles.n;
  const auto i = static_cast<std::int32_t>(exists ? index : 0);
  const PositionDensity<Real, dimensions> before = parent.particles.base.position[i];
  const PositionDensity<Real, dimensions> after = parent.particles.state.position[i];
  const bool is_fluid = exists && !is_wall(after);
  const bool follows = is_fluid && parent.zones.is_covered(after);
  const std::int32_t covered = count_member(&parent.counts->covered, follows);
  if (follows) parent.covered[covered] = i;
  if (!is_fluid || is_outside(parent.parameters, after)) return;
  for (int k = 0; k < 1 << dimensions; ++k) {
    if (!parent.zones.enters(before, after, k)) continue;
    const int number = atomicAdd(&level.counts->entering, 1);
    if (number < level.most_entering)
      level.entering[number] = {place_of(parent.zones, parent.zones.part(after, k)),
                                (std::int64_t{i} << dimensions) + k,
                                Tag::material(tag_of_label(parent.particles.base_label[i]))};
  }
}

/// Finds the rank of a part among those that enter in the step. Returns true if it is too near neither to a particle of the
/// level nor to a part before it. All threads of the warp must call it.
template <class Cells, class Real, int dimensions>
__device__ bool may_enter(const LevelArrays<Real, dimensions>& level, const EnteringPart<dimensions>& part, int count,
                          int& rank) {
  const SearchPlace<Cells, Real, dimensions> place(level, part.place);
  const PositionDensity<Real, dimensions>& position = place.position;
  bool is_free = !is_outside(level.parameters, position);
  const float spacing = units_of(level, level.zones.spacing);  // far beyond what is too near
  for_each_chunk_within<Cells>(level.parameters, level.particles.cell_start, level.particles.state.position, position,
                               place.cell, spacing + way_since_sort(level),
                               [&](std::int32_t, const PositionDensity<Real, dimensions>& neighbor, bool exists, bool) {
                                 is_free &= !exists || !are_too_near(level.parameters, position, neighbor);
                               });
  int before = 0;
  for (int j = lane_of_warp(); j < count; j += 32) {
    const EnteringPart<dimensions>& previous = level.entering[j];
    if (previous.number >= part.number) continue;
    ++before;
    is_free &= !are_too_near(level.parameters, position, position_of(level.zones, previous.place));
  }
  rank = __reduce_add_sync(whole_warp, before);
  return __all_sync(whole_warp, is_free);
}

/// Lets parts enter. More of them than there is room for are a fault: the parent's particles have moved too far.
template <class Cells, class Real, int dimensions>
__global__ void __launch_bounds__(fit_threads, fit_blocks)
    add_entering_parts(LevelArrays<Real, dimensions> level, LevelArrays<Real, dimensions> parent) {
  join_chain(false);
  DeviceClock& clock = *level.particles.clock;
  if (!clock.running) return;
  const int entering = level.counts->entering;
  if (entering > level.most_entering || entering > level.counts->free) {
    if (thread_index() == 0) atomicMin(&clock.fault_word, static_cast<unsigned long long>(fault::word(0, false, 0)));
    return;
  }
  __shared__ WarpFits<dimensions> fits_of_block[fit_threads / 32];
  WarpFits<dimensions>& fits = fits_of_block[threadIdx.x / 32];
  for_each_batch(entering, [&](std::int64_t first, int count) {
    int rank_of_lane = -1;
    for (int k = 0; k < count; ++k) {
      int rank = 0;
      if (!may_enter<Cells>(level, level.entering[first + k], entering, rank)) continue;
      make_fit_outside<Cells>(fits, k, parent,
                              SearchPlace<Cells, Real, dimensions>(parent, level.entering[first + k].place));
      if (lane_of_warp() == k) rank_of_lane = rank;
    }
    __syncwarp();
    if (rank_of_lane < 0) return;
    const EnteringPart<dimensions> part = level.entering[first + lane_of_warp()];
    const FluidFit<dimensions> fit = fits.fit(lane_of_warp());
    HeldValues<dimensions> values{};
    if (fit.has_fluid()) values = values_of(fit);
    const std::int32_t i = level.free(atomicAdd(&level.counts->taken, 1));
    put(level.parameters, LevelFluid{level.zones.mass[part.material], part.material},
        position_of(level.zones, part.place), values, level.particles.state, i);
    level.particles.label[i] =
        make_label(LevelIds::id_of(clock.step, rank_of_lane), static_cast<std::uint8_t>(part.material));
  });
}

/// Gives covered fluid the pressure and velocity of the next level.
template <class Cells, class Real, int dimensions>
__global__ void __launch_bounds__(fit_threads, fit_blocks)
    take_values(LevelArrays<Real, dimensions> level, LevelArrays<Real, dimensions> finer) {
  join_chain(false);
  if (!level.particles.clock->running) return;
  __shared__ WarpFits<dimensions> fits_of_block[fit_threads / 32];
  WarpFits<dimensions>& fits = fits_of_block[threadIdx.x / 32];
  const StateView<Real, dimensions>& state = level.particles.state;
  for_each_batch(level.counts->covered, [&](std::int64_t first, int count) {
    const int lane = lane_of_warp();
    const std::int32_t i = level.covered[first + min(lane, count - 1)];
    const SearchPlace<Cells, Real, dimensions> place(finer, place_of(level.zones, state.position[i]));
    for (int k = 0; k < count; ++k)
      make_fit<Cells>(fits, k, finer, place.of_lane(k),
                      [&](const auto& position) { return finer.zones.box.holds(position); });
    __syncwarp();
    if (lane >= count) return;
    const FluidFit<dimensions> fit = fits.fit(lane);
    if (fit.has_fluid()) store_values(level.parameters, state, i, values_of(fit));
  });
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
    counts->guard = counts->free = counts->covered = counts->entering = counts->taken = counts->left = 0;
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
      covered_(queue, zones_.covered.exists ? room : 0),
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
          covered_.data(),
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
  lane.run<fit_threads>("prescribe_guard_particles", threads_for_fits(lane.queue, level.particles.n / 4 + 1),
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
  lane.run<fit_threads>("add_entering_parts", threads_for_fits(lane.queue, std::min(level.most_entering, 4096)),
                        add_entering_parts<Cells, Real, dimensions>, level, parent);
}

template <class Cells, class Real, int dimensions>
void CudaLevel<Cells, Real, dimensions>::enqueue_take_values(const Lane& lane, const Arrays& level,
                                                             const Arrays& finer) {
  lane.run<fit_threads>("take_values", threads_for_fits(lane.queue, level.particles.n / 4 + 1),
                        take_values<Cells, Real, dimensions>, level, finer);
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
  if (zones_.covered.exists) covered_.resize(room);
  LevelCounts counts = read_counts();
  counts.guard = counts.free = counts.covered = counts.entering = counts.taken = counts.left = counts.needed = 0;
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
