// SPDX-License-Identifier: Apache-2.0
#include "sph/stepping/cuda/passes/open_boundaries.cuh"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/cuda/warp.cuh"
#include "sph/open_boundaries/held_particle_item.hpp"
#include "sph/stepping/cuda/passes/fits/fluid_outside.cuh"
#include "sph/stepping/cuda/passes/fits/warp_fits.cuh"
#include "sph/stepping/cuda/passes/free_places.cuh"
#include "sph/stepping/cuda/ranks/rank_kernels.cuh"

namespace shoal::sph {

namespace {

/// Lists the particles in boxes and the free places.
/// @param cells  number of cells
template <class Real, int dimensions>
__global__ void list_held_particles(StepArrays<Real, dimensions> arrays, OpenArrays<Real, dimensions> open,
                                    std::uint32_t cells) {
  join_chain(false);
  if (!arrays.clock->running) return;
  const std::int64_t index = thread_index();
  const bool exists = index < arrays.n;
  const auto i = static_cast<std::int32_t>(arrays.first + (exists ? index : 0));
  if (index == 0) {
    open.counts->taken = 0;
    if (open.is_shared()) *open.change = 0;
  }
  const bool inside = exists && i < arrays.cell_start[cells];
  const PositionDensity<Real, dimensions> position = arrays.base.position[i];
  const bool is_held = inside && !is_wall(position) && open.view.box_of(position) != open.view.none;
  const bool is_free = exists && !inside && arrays.base_label[i] == gone_label;
  const std::int32_t held = count_member(&open.counts->held, is_held);
  if (is_held) open.held(held) = i;
  const std::int32_t free = count_member(&open.counts->free, is_free);
  if (is_free) open.free(free) = i;
}

constexpr int count_threads = 1024;

/// Counts the particles that enter in this step, and stops the run before it if there are too few free places. One block.
template <class Real, int dimensions>
__global__ void count_entering_particles(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                         OpenArrays<Real, dimensions> open) {
  join_chain(false);
  DeviceClock& clock = *arrays.clock;
  if (!clock.running) return;
  __shared__ unsigned long long total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  const double begin = clock.time, end = clock.end_of_this_step(parameters.control);
  std::int64_t count = 0;
  for (std::int64_t column = threadIdx.x; column < open.view.column_count; column += blockDim.x)
    count += open.view.entered(open.view.columns[column], end) - open.view.entered(open.view.columns[column], begin);
  if (count > 0) atomicAdd(&total, static_cast<unsigned long long>(count));
  __syncthreads();
  if (threadIdx.x != 0) return;
  OpenCounts& counts = *open.counts;
  const auto most = static_cast<unsigned long long>(counts.free);
  total += static_cast<unsigned long long>(open.view.return_columns());  // one of each may return
  if (total > most) {
    counts.needed = static_cast<int>(min(total - most, 0x7fffffffull));
    clock.running = 0;
  }
  counts.lost[(clock.step + 1) & 1] = 0;
}

/// Gives the particles in boxes the velocity and pressure of the step. Only fluid outside the boxes is read. A warp sums up
/// the fits of some particles one after the other; then a thread solves each.
template <class Cells, class Real, int dimensions>
__global__ void __launch_bounds__(fit_threads, fit_blocks)
    prescribe_held_particles(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                             OpenArrays<Real, dimensions> open) {
  join_chain(false);
  if (!arrays.clock->running) return;
  __shared__ WarpFits<dimensions> fits_of_block[fit_threads / 32];
  WarpFits<dimensions>& fits = fits_of_block[threadIdx.x / 32];
  const StateView<Real, dimensions>& base = arrays.base;
  const auto support = static_cast<float>(sqrt(parameters.support_units_squared));
  const auto make_fit = [&](int number, const BoxFit<Real, dimensions>& near, std::uint32_t cell,
                            const FluidOutside<Real, dimensions>& fluid) {
    fits.make(
        number,
        [&](const auto& visit) {
          const auto visit_candidate = [&](std::int32_t j, const auto& position, bool exists, bool is_last) {
            const bool is_near = exists && within_support<GeneralPhysics>(parameters, near.point, position);
            visit(j, is_near && fluid.holds(position), is_last);
          };
          for_each_chunk_within<Cells>(parameters, arrays.cell_start, base.position, near.point, cell, support,
                                       visit_candidate);
        },
        [&](std::int32_t j) { return near.terms_of(base, j); });
  };
  for_each_batch(open.counts->held, [&](std::int64_t first, int count) {
    const int lane = lane_of_warp();
    const std::int32_t i = open.held(first + min(lane, count - 1));
    const int box = open.view.box_of(base.position[i]);
    const PositionDensity<Real, dimensions> image = open.view.boundaries[box].mirrored(base.position[i]);
    const std::uint32_t cell = Cells::cell_of(parameters, image);
    const bool has_others = may_reach_others(parameters, open.view, box, image);
    for (int k = 0; k < count; ++k) {
      const int number = __shfl_sync(whole_warp, box, k);
      const OpenBoundaryParameters<Real, dimensions>& boundary = open.view.boundaries[number];
      if (!boundary.needs_fluid()) continue;
      make_fit(k, {parameters, open.view, boundary, position_of_lane(image, k)}, __shfl_sync(whole_warp, cell, k),
               {open.view, number, __shfl_sync(whole_warp, has_others, k) != 0});
    }
    __syncwarp();
    if (lane >= count) return;
    prescribe(parameters, open.view, open.view.boundaries[box], base, i, arrays.clock->time,
              [&](auto& near) { near.fit = fits.fit(lane); });
  });
}

/// Moves the particles in boxes through a stage, in place of what the stage wrote for them.
template <class Real, int dimensions>
__global__ void hold_particles(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                               OpenArrays<Real, dimensions> open, int stage, StateView<Real, dimensions> next) {
  join_chain(false);
  const DeviceClock& clock = *arrays.clock;
  if (!clock.running) return;
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t k = thread_index(); k < open.counts->held; k += threads) {
    const std::int32_t i = open.held(k);
    const int box = open.view.box_of(arrays.base.position[i]);
    hold(parameters, open.view, open.view.boundaries[box], stage, clock.time, clock.dt, arrays.base, next, i);
  }
}

/// Returns true for a place in the layers of this rank; of places outside the domain the nearest layer counts.
template <class Real, int dimensions>
__device__ bool is_own(const Parameters<Real, dimensions>& parameters,
                       const PositionDensity<Real, dimensions>& position) {
  if (!parameters.slab.is_part) return true;
  constexpr int axis = dimensions - 1;
  const std::int64_t lowest = cells_of_support(parameters, axis), highest = last_inside_ring(parameters, axis);
  const std::int64_t along = min(max(cell_along(parameters, position, axis), lowest), highest);
  const std::int64_t layer = local_layer(parameters, along);
  return layer > 0 && layer < parameters.slab.count - 1;
}

/// Lets particles enter after the last stage: a thread for each column.
template <class Real, int dimensions>
__global__ void enter_particles(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                OpenArrays<Real, dimensions> open) {
  join_chain(false);
  const DeviceClock& clock = *arrays.clock;
  const std::int64_t column = thread_index();
  if (!clock.running || column >= open.view.column_count) return;
  const double end = clock.end_of_this_step(parameters.control);
  const std::int64_t before = open.view.entered(open.view.columns[column], clock.time);
  const std::int64_t after = open.view.entered(open.view.columns[column], end);
  for (std::int64_t number = before + 1; number <= after; ++number) {
    const EnteringParticle<Real, dimensions> entering = open.view.entering(column, number, end);
    if (!is_own(parameters, entering.position)) continue;
    const std::int32_t i = open.take_place(arrays);
    enter(parameters, open.view, entering, end, arrays.state, i);
    arrays.label[i] =
        make_label(entering.id, static_cast<std::uint8_t>(open.view.boundaries[entering.boundary].material));
  }
}

/// Calls visit(i, box, returning, first) for the particles in boxes that have returned through outlets in this step, with the
/// particles that may enter behind them, and the word of the column in which these do.
template <class Real, int dimensions, class Visit>
__device__ void for_each_returning(const Parameters<Real, dimensions>& parameters,
                                   const StepArrays<Real, dimensions>& arrays, const OpenArrays<Real, dimensions>& open,
                                   const Visit& visit) {
  const std::int64_t threads = std::int64_t{gridDim.x} * blockDim.x;
  for (std::int64_t k = thread_index(); k < open.counts->held; k += threads) {
    const std::int32_t i = open.held(k);
    const OpenBoundaryParameters<Real, dimensions>& box =
        open.view.boundaries[open.view.box_of(arrays.base.position[i])];
    ReturningParticle<Real, dimensions> returning;
    if (find_returning(parameters, open.view, box, arrays.state, i, returning))
      visit(i, box, returning, open.first_parent[returning.column - open.view.column_count]);
  }
}

/// Word of a particle behind which another one may enter: that of the smallest id is the largest.
template <class Real, int dimensions>
__device__ unsigned long long parent_word(const StepArrays<Real, dimensions>& arrays, std::int32_t i) {
  return ~static_cast<unsigned long long>(id_of_label(arrays.base_label[i]));
}

/// Finds in each column the smallest of those behind which a particle enters.
template <class Real, int dimensions>
__global__ void find_first_parents(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                   OpenArrays<Real, dimensions> open) {
  join_chain(false);
  if (!arrays.clock->running) return;
  for_each_returning(parameters, arrays, open,
                     [&](std::int32_t i, const auto&, const auto&, unsigned long long& first) {
                       atomicMax(&first, parent_word(arrays, i));
                     });
}

/// Lets particles enter behind these.
template <class Real, int dimensions>
__global__ void add_returning_particles(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                        OpenArrays<Real, dimensions> open) {
  join_chain(false);
  const DeviceClock& clock = *arrays.clock;
  if (!clock.running) return;
  for_each_returning(
      parameters, arrays, open, [&](std::int32_t i, const auto& box, const auto& returning, unsigned long long& first) {
        if (first != parent_word(arrays, i)) return;
        const std::int32_t place = open.take_place(arrays);
        put(parameters, box, returning.position, returning.values, arrays.state, place);
        arrays.label[place] =
            make_label(open.view.id_of(returning.column, clock.step), static_cast<std::uint8_t>(box.material));
      });
}

/// Makes place i a free one: no sort takes it, and it is outside the domain.
template <class Real, int dimensions>
__device__ void clear_place(const StepArrays<Real, dimensions>& arrays, std::int64_t i) {
  arrays.state.position[i] = {};
  arrays.label[i] = gone_label;
  arrays.cell[i] = gone;
}

/// The same as renew_particles() on a rank of several, whose particles have those that entered behind them.
template <class Cells, class Real, int dimensions>
__device__ void renew_on_rank(const Parameters<Real, dimensions>& parameters,
                              const StepArrays<Real, dimensions>& arrays, const OpenArrays<Real, dimensions>& open,
                              std::int64_t k) {
  const std::int64_t i = arrays.first + k;
  if (k >= arrays.n + open.counts->taken) return clear_place(arrays, i);
  const PositionDensity<Real, dimensions> position = arrays.state.position[i];
  const bool has_entered = k >= arrays.n;
  const bool leaves = !has_entered && !is_wall(position) && open.view.is_behind_a_box(position);
  if (has_entered || leaves) atomicAdd(open.change, has_entered ? 1 : -1);
  if (leaves) return clear_place(arrays, i);
  count_in_cell<Cells>(parameters, arrays, i, position);
}

/// Makes particles behind boxes free places, and counts all in their cells. Those that have entered stay.
template <class Cells, class Real, int dimensions>
__global__ void renew_particles(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                OpenArrays<Real, dimensions> open) {
  join_chain(false);
  const DeviceClock& clock = *arrays.clock;
  if (!clock.running) return;
  const std::int64_t i = thread_index();
  if (i == 0) open.counts->held = open.counts->free = 0;
  if (i < open.view.return_columns()) open.first_parent[i] = 0;
  if (open.is_shared()) {
    if (i < arrays.n + open.places) renew_on_rank<Cells>(parameters, arrays, open, i);
    return;
  }
  const bool exists = i < arrays.n;
  PositionDensity<Real, dimensions> position{};
  if (exists) position = arrays.state.position[i];
  if (exists && !is_wall(position) && open.view.is_behind_a_box(position) && arrays.base_label[i] != gone_label) {
    position = {};
    arrays.state.position[i] = position;
    arrays.label[i] = gone_label;
  }
  if (counts_outside<Cells>(parameters, arrays, i, exists, position) && arrays.label[i] != gone_label)
    atomicAdd(&open.counts->lost[(clock.step + 1) & 1], 1);
}

}  // namespace

template <class Cells, class Real, int dimensions>
CudaOpenBoundaries<Cells, Real, dimensions>::CudaOpenBoundaries(const Queue& queue,
                                                                const OpenBoundaries<Real, dimensions>& boundaries,
                                                                Array<std::int32_t>& list, const Clock& clock,
                                                                std::int64_t lost)
    : queue_(queue),
      boundaries_(to_device(queue, boundaries.boundaries())),
      knots_(to_device(queue, boundaries.knots())),
      columns_(to_device(queue, boundaries.columns())),
      view_(boundaries.view()),
      expected_held_(0),
      largest_speed_(0),
      list_(list),
      counts_(queue, 1),
      first_parent_(queue, view_.return_columns()) {
  view_.boundaries = boundaries_.data();
  view_.knots = knots_.data();
  view_.columns = columns_.data();
  for (const OpenBoundaryParameters<Real, dimensions>& boundary : boundaries.boundaries()) {
    double volume = 1;
    for (int axis = 0; axis < dimensions; ++axis)
      volume *= static_cast<double>(boundary.to[axis] - boundary.from[axis]) * view_.unit / view_.spacing;
    expected_held_ += std::llround(volume) + 1;
  }
  for (const InflowKnot& knot : boundaries.knots()) largest_speed_ = std::max(largest_speed_, knot.speed);
  OpenCounts counts{};
  counts.lost[clock.step & 1] = static_cast<int>(lost);
  copy_bytes(queue_, counts_.data(), queue_.device(), &counts, {}, sizeof counts);
  fill_bytes(queue, first_parent_.data(), 0,
             static_cast<std::size_t>(first_parent_.count()) * sizeof(unsigned long long));
  queue_.wait();
}

template <class Cells, class Real, int dimensions>
OpenArrays<Real, dimensions> CudaOpenBoundaries<Cells, Real, dimensions>::arrays(const EntriesOfRank& entries) const {
  return {view_,          list_.data(),  static_cast<std::int32_t>(list_.count()), counts_.data(), first_parent_.data(),
          entries.places, entries.change};
}

template <class Cells, class Real, int dimensions>
void CudaOpenBoundaries<Cells, Real, dimensions>::enqueue_begin(const Lane& lane,
                                                                const Parameters<Real, dimensions>& parameters,
                                                                const StepArrays<Real, dimensions>& particles,
                                                                const EntriesOfRank& entries) const {
  const OpenArrays<Real, dimensions> open = arrays(entries);
  lane.run("list_held_particles", std::max(particles.n, 1), list_held_particles<Real, dimensions>, particles, open,
           parameters.cell_count);
  if (!entries.change)
    lane.run<count_threads>("count_entering_particles", 1, count_entering_particles<Real, dimensions>, parameters,
                            particles, open);
  lane.run<fit_threads>("prescribe_held_particles",
                        threads_for_fits(lane.queue, std::min<std::int64_t>(particles.n, expected_held_)),
                        prescribe_held_particles<Cells, Real, dimensions>, parameters, particles, open);
}

template <class Cells, class Real, int dimensions>
void CudaOpenBoundaries<Cells, Real, dimensions>::enqueue_hold(const Lane& lane,
                                                               const Parameters<Real, dimensions>& parameters,
                                                               const StepArrays<Real, dimensions>& particles, int stage,
                                                               const StateView<Real, dimensions>& next) const {
  lane.run("hold_particles", std::min<std::int64_t>(particles.n, expected_held_), hold_particles<Real, dimensions>,
           parameters, particles, arrays({}), stage, next);
}

template <class Cells, class Real, int dimensions>
void CudaOpenBoundaries<Cells, Real, dimensions>::enqueue_end(const Lane& lane,
                                                              const Parameters<Real, dimensions>& parameters,
                                                              const StepArrays<Real, dimensions>& particles,
                                                              const EntriesOfRank& entries) const {
  const OpenArrays<Real, dimensions> open = arrays(entries);
  if (view_.column_count > 0)
    lane.run("enter_particles", view_.column_count, enter_particles<Real, dimensions>, parameters, particles, open);
  const std::int64_t returns = view_.return_columns(), held = std::min<std::int64_t>(particles.n, expected_held_);
  if (returns > 0) {
    lane.run("find_first_parents", held, find_first_parents<Real, dimensions>, parameters, particles, open);
    if (entries.all_max) entries.all_max(first_parent_.data(), returns);
    lane.run("add_returning_particles", held, add_returning_particles<Real, dimensions>, parameters, particles, open);
  }
  lane.run("renew_particles", std::max(std::int64_t{particles.n} + entries.places, returns),
           renew_particles<Cells, Real, dimensions>, parameters, particles, open);
}

template <class Cells, class Real, int dimensions>
std::int64_t CudaOpenBoundaries<Cells, Real, dimensions>::most_entering(double dt) const {
  const double most = std::floor(largest_speed_ * dt / view_.spacing) + 2;  // of a column, with roundings
  return static_cast<std::int64_t>(static_cast<double>(view_.column_count) * most) + view_.return_columns();
}

template <class Cells, class Real, int dimensions>
OpenCounts CudaOpenBoundaries<Cells, Real, dimensions>::read_counts() const {
  OpenCounts counts;
  copy_bytes(queue_, &counts, {}, counts_.data(), queue_.device(), sizeof counts);
  return counts;
}

template <class Cells, class Real, int dimensions>
void CudaOpenBoundaries<Cells, Real, dimensions>::renew_places() {
  fill_bytes(queue_, counts_.data(), 0, offsetof(OpenCounts, lost));
}

template class CudaOpenBoundaries<LinearCells, float, 1>;
template class CudaOpenBoundaries<LinearCells, float, 2>;
template class CudaOpenBoundaries<LinearCells, float, 3>;
template class CudaOpenBoundaries<LinearCells, double, 1>;
template class CudaOpenBoundaries<LinearCells, double, 2>;
template class CudaOpenBoundaries<LinearCells, double, 3>;
template class CudaOpenBoundaries<ZOrderCells, float, 1>;
template class CudaOpenBoundaries<ZOrderCells, float, 2>;
template class CudaOpenBoundaries<ZOrderCells, float, 3>;
template class CudaOpenBoundaries<ZOrderCells, double, 1>;
template class CudaOpenBoundaries<ZOrderCells, double, 2>;
template class CudaOpenBoundaries<ZOrderCells, double, 3>;

}  // namespace shoal::sph
