// SPDX-License-Identifier: Apache-2.0
// Fits of the fluid around points by warps: each thread has one of the sums of a fit, and adds the particles in their order. The
// sums have the bits of those of one thread. Particles are tested, and their terms computed, 32 at a time.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cuda/std/limits>

#include "core/cuda/warp.cuh"
#include "sph/open_boundaries/fluid_fit_item.hpp"
#include "sph/physics/cells/runs_within_item.hpp"
#include "sph/stepping/cuda/step_arrays.cuh"

namespace shoal::sph {

constexpr int fit_threads = 128;
constexpr int fit_blocks = 5;  ///< Number of blocks that a multiprocessor should hold
constexpr int most_fits = 8;   ///< Number that a warp sums up before its threads solve them

/// Number of threads that make the fits of about so many particles: no more than the device runs side by side, as particles are
/// shared out evenly.
inline std::int64_t threads_for_fits(const Queue& queue, std::int64_t particles) {
  const std::int64_t resident = std::int64_t{multiprocessors(queue)} * fit_blocks * fit_threads;
  return std::min(32 * particles, resident);
}

/// Calls work(first, count) by all threads of the warps of a launch until each of `particles` was among the `count` from
/// `first` on: those whose fits a warp makes before its threads solve them.
template <class Work>
__device__ void for_each_batch(std::int64_t particles, const Work& work) {
  const std::int64_t warps = std::int64_t{gridDim.x} * (fit_threads / 32);
  const std::int64_t share = (particles + warps - 1) / warps, rounds = (share + most_fits - 1) / most_fits;
  const std::int64_t batch = rounds > 0 ? (share + rounds - 1) / rounds : 0;
  for (std::int64_t first = thread_index() / 32 * batch; first < particles; first += warps * batch) {
    work(first, static_cast<int>(min(particles - first, batch)));
    __syncwarp();
  }
}

/// Coordinates that thread `lane` of a warp has. All threads must call it.
template <class Real, int dimensions>
__device__ PositionDensity<Real, dimensions> position_of_lane(const PositionDensity<Real, dimensions>& position,
                                                              int lane) {
  PositionDensity<Real, dimensions> shared{};
  for (int axis = 0; axis < dimensions; ++axis) shared.x[axis] = __shfl_sync(whole_warp, position.x[axis], lane);
  return shared;
}

/// Number of the n-th set bit of a mask, counted from 0; any bit if the mask has fewer.
__device__ inline int nth_bit(unsigned mask, int n) {
  int bit = 0;
  for (int half = 16; half > 0; half /= 2) {
    const int below = __popc(mask >> bit & ((1u << half) - 1));
    if (n < below) continue;
    n -= below;
    bit += half;
  }
  return bit;
}

/// Runs of particles, one after the other, of which the threads of a warp take 32 at a time. All threads call all functions.
class RunsOfWarp {
 public:
  /// @param begin, end  a run of each thread; empty runs are left out
  __device__ RunsOfWarp(std::int32_t begin, std::int32_t end) {
    const int lane = lane_of_warp();
    const std::int32_t length = end - begin;
    const std::int32_t sum = warp_prefix_sum(length);
    count_ = __shfl_sync(whole_warp, sum, 31);
    const unsigned filled = __ballot_sync(whole_warp, length > 0);
    const int source = nth_bit(filled, lane);
    start_ = __shfl_sync(whole_warp, sum - length, source);
    shift_ = __shfl_sync(whole_warp, begin - (sum - length), source);
    if (lane >= __popc(filled)) start_ = count_;
  }

  __device__ std::int32_t count() const { return count_; }

  /// Particle of this thread among the 32 from number `first` on; the last one for threads beyond it. Calls are in order.
  __device__ std::int32_t particle(std::int32_t first) {
    const int lane = lane_of_warp();
    const auto start = static_cast<unsigned>(start_ - first);
    const unsigned starts = __reduce_or_sync(whole_warp, start < 32 && start_ < count_ ? 1u << start : 0);
    const int run = passed_ + __popc(starts & ((2u << lane) - 1)) - 1;
    passed_ += __popc(starts);
    return min(first + lane, count_ - 1) + __shfl_sync(whole_warp, shift_, run);
  }

 private:
  std::int32_t count_;  ///< number of particles of all runs
  std::int32_t start_;  ///< number of the first one of run `lane`
  std::int32_t shift_;  ///< difference between the particles of that run and their numbers
  int passed_ = 0;      ///< number of runs that have begun before the next particle
};

/// Calls visit(j, position, exists, is_last) by all threads of a warp for the particles in cells within a distance of a place, 32
/// at a time in their order. Their positions are loaded while the previous ones are visited.
/// @param cell_start  of the sort of the step
/// @param positions   in the order of that sort
/// @param cell        that of the place
/// @param distance    units of the lattice; particles that have moved since the sort need more by their way
template <class Cells, class Real, int dimensions, class Visit>
__device__ void for_each_chunk_within(const Parameters<Real, dimensions>& parameters, const std::int32_t* cell_start,
                                      const PositionDensity<Real, dimensions>* positions,
                                      const PositionDensity<Real, dimensions>& place, std::uint32_t cell,
                                      float distance, const Visit& visit) {
  if (cell == parameters.cell_count) return;
  const int lane = lane_of_warp();
  std::int32_t begin = 0, end = 0;
  if (lane < Cells::template run_count<GeneralPhysics>(parameters)) {  // at most 32
    const CellRun cells = run_within<GeneralPhysics>(Cells{}, parameters, place, cell, lane, distance);
    begin = cell_start[cells.first];
    end = cell_start[cells.end];
  }
  RunsOfWarp runs(begin, end);
  std::int32_t next = 0;
  PositionDensity<Real, dimensions> loaded{};
  const auto load = [&](std::int32_t first) {
    if (first >= runs.count()) return;
    next = runs.particle(first);
    loaded = positions[next];
  };
  load(0);
  for (std::int32_t first = 0; first < runs.count(); first += 32) {
    const std::int32_t j = next;
    const PositionDensity<Real, dimensions> position = loaded;
    load(first + 32);
    visit(j, position, first + lane < runs.count(), first + 32 >= runs.count());
  }
}

/// Fits of a warp in shared memory.
template <int dimensions>
class WarpFits {
 public:
  using Fit = FluidFit<dimensions>;
  using Terms = typename Fit::Terms;

  /// Makes fit `number` from the particles among the candidates. All threads of the warp must call it.
  /// @param for_each_chunk  for_each_chunk(visit) calls visit(j, counts, is_last) by all threads for up to 32 candidates: j is
  ///                        that of the thread, and counts is true if it is a particle of the fit
  /// @param terms_of        terms_of(j) returns the terms of a particle
  template <class ForEachChunk, class TermsOf>
  __device__ void make(int number, const ForEachChunk& for_each_chunk, const TermsOf& terms_of) {
    const int lane = lane_of_warp();
    Sums sums;
    int waiting = 0;
    for_each_chunk([&](std::int32_t j, bool counts, bool is_last) {
      const unsigned near = __ballot_sync(whole_warp, counts);
      int slot = waiting + __popc(near & ((1u << lane) - 1));
      if (counts && slot < warp) waiting_[slot] = j;
      waiting += __popc(near);
      while (waiting >= (is_last ? 1 : warp)) {
        __syncwarp();
        add(min(waiting, warp), terms_of, sums);
        waiting -= warp;
        slot -= warp;
        if (counts && slot >= 0) waiting_[slot] = j;
      }
    });
    store(number, sums);
  }

  /// Fit `number`; one without fluid if there is none.
  __device__ Fit fit(int number) const {
    const Stored& stored = stored_[number];
    if (!stored.has_fluid) return Fit();
    Values lowest, highest;
    for (int field = 0; field < Fit::fields; ++field) {
      lowest[field] = stored.extreme[field];
      highest[field] = -stored.extreme[Fit::fields + field];
    }
    return Fit(stored.sum, lowest, highest);
  }

 private:
  using Values = typename Fit::Values;
  static constexpr int warp = 32;
  static constexpr int together = 8;  ///< particles that are added without a branch
  static constexpr int extremes =
      2 * Fit::fields;  ///< the lowest of each field, then the highest with their signs changed
  static_assert(Fit::sums <= warp, "a thread has one sum");

  /// Part of a fit that a thread has.
  struct Sums {
    double sum = 0;  ///< number `lane`
    double lowest =
        cuda::std::numeric_limits<double>::infinity();  ///< extreme number `lane` % `seekers` of some particles
    bool has_fluid = false;
  };

  struct Stored {
    double sum[Fit::sums];
    double extreme[extremes];
    bool has_fluid;
  };

  /// Number of threads side by side that each have an extreme; as many others have the same ones of other particles.
  static constexpr int seekers = 8, groups = warp / seekers;
  static_assert(extremes <= seekers);

  /// Adds the first `count` particles that wait, and zeros after them.
  template <class TermsOf>
  __device__ void add(int count, const TermsOf& terms_of, Sums& sums) {
    const int lane = lane_of_warp();
    Terms terms({}, 0, 0, {});
    if (lane < count) terms = terms_of(waiting_[lane]);
    for (int k = 0; k < Terms::weights; ++k) weight_[lane][k] = terms.weight[k];
    for (int k = 0; k < Terms::factors; ++k) factor_[lane][k] = terms.factor[k];
    const unsigned counting = __ballot_sync(whole_warp, terms.counts());
    __syncwarp();
    const int number = lane < Fit::sums ? lane : 0;
    const double* weight = &weight_[0][number / Terms::factors];
    const double* factor = &factor_[0][number % Terms::factors];
    for (int first = 0; first < count; first += together) {
#pragma unroll
      for (int k = 0; k < together; ++k) sums.sum += weight[k * weight_stride] * factor[k * factor_stride];
      weight += together * weight_stride;
      factor += together * factor_stride;
    }
    seek_extreme(counting, sums);
    __syncwarp();
  }

  /// Widens the extreme of this thread by those particles of its group whose bits are set.
  __device__ void seek_extreme(unsigned counting, Sums& sums) const {
    const int lane = lane_of_warp(), extreme = min(lane % seekers, extremes - 1), group = lane / seekers;
    const double sign = extreme < Fit::fields ? 1 : -1;
    const double* const value = &factor_[group][Fit::unknowns + extreme % Fit::fields];
#pragma unroll
    for (int k = 0; k < warp; k += groups) {
      if (!(counting >> (group + k) & 1)) continue;
      sums.lowest = min(sums.lowest, sign * value[k * factor_stride]);
    }
    sums.has_fluid |= counting != 0;
  }

  __device__ void store(int number, const Sums& sums) {
    const int lane = lane_of_warp();
    double lowest = sums.lowest;
    for (int apart = seekers; apart < warp; apart *= 2)
      lowest = min(lowest, __shfl_xor_sync(whole_warp, lowest, apart));
    Stored& stored = stored_[number];
    if (lane < Fit::sums) stored.sum[lane] = sums.sum;
    if (lane < extremes) stored.extreme[lane] = lowest;
    if (lane == 0) stored.has_fluid = sums.has_fluid;
  }

  // Odd strides: threads that write terms side by side use different banks.
  static constexpr int weight_stride = Terms::weights | 1, factor_stride = Terms::factors | 1;
  double weight_[warp][weight_stride];
  double factor_[warp][factor_stride];
  std::int32_t waiting_[warp];
  Stored stored_[most_fits];
};

}  // namespace shoal::sph
