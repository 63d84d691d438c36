// SPDX-License-Identifier: Apache-2.0
// Fits of the fluid around points by warps: each thread has one of the sums of a fit, and adds the particles in their order. The
// sums have the bits of those of one thread. Particles are tested, and their terms computed, 32 at a time.
#pragma once
#include <algorithm>
#include <cstdint>

#include "sph/open_boundaries/fluid_fit_item.hpp"
#include "sph/stepping/cuda/step_arrays.cuh"

namespace shoal::sph {

constexpr int fit_threads = 128;
constexpr int fit_blocks = 4;             ///< Number of blocks that a multiprocessor should hold
constexpr int most_fits = 8;              ///< Number that a warp sums up before its threads solve them
constexpr std::int64_t few_warps = 2048;  ///< Number that a device runs side by side; so few particles have a warp each

/// Number of threads that make the fits of about so many particles.
inline std::int64_t threads_for_fits(std::int64_t particles) {
  return 32 * std::max((particles + most_fits - 1) / most_fits, std::min(particles, few_warps));
}

__device__ inline int lane_of_warp() { return static_cast<int>(threadIdx.x) % 32; }

/// Calls work(first, count) by all threads of the warps of a launch until each of `particles` was among the `count` from
/// `first` on: those whose fits a warp makes before its threads solve them.
template <class Work>
__device__ void for_each_batch(std::int64_t particles, const Work& work) {
  const std::int64_t warps = std::int64_t{gridDim.x} * (fit_threads / 32);
  const std::int64_t batch = min(max((particles + warps - 1) / warps, std::int64_t{1}), std::int64_t{most_fits});
  for (std::int64_t first = thread_index() / 32 * batch; first < particles; first += warps * batch) {
    work(first, static_cast<int>(min(particles - first, batch)));
    __syncwarp();
  }
}

/// Calls visit(j, position, exists) by all threads of a warp for the particles in the cells around a place, 32 at a time in
/// their order. Their positions are loaded while the previous ones are visited.
/// @param cell_start  of the sort of the step
/// @param positions   in the order of that sort
template <class Cells, class Real, int dimensions, class Visit>
__device__ void for_each_chunk_around(const Parameters<Real, dimensions>& parameters, const std::int32_t* cell_start,
                                      const PositionDensity<Real, dimensions>* positions,
                                      const PositionDensity<Real, dimensions>& place, const Visit& visit) {
  const std::uint32_t cell = Cells::cell_of(parameters, place);
  if (cell == parameters.cell_count) return;
  const int lane = lane_of_warp();
  const int runs = Cells::template run_count<GeneralPhysics>(parameters);  // at most 32
  std::int32_t begin = 0, end = 0;                                         // of run `lane`
  if (lane < runs) {
    const CellRun cells = Cells::template run_of<GeneralPhysics>(parameters, cell, lane);
    begin = cell_start[cells.first];
    end = cell_start[cells.end];
  }
  int run = -1;
  std::int32_t first = 0, last = 0;
  PositionDensity<Real, dimensions> loaded{};
  const auto load_next = [&] {
    first += 32;
    while (first >= last) {
      if (++run == runs) return false;
      first = __shfl_sync(~0u, begin, run);
      last = __shfl_sync(~0u, end, run);
    }
    loaded = positions[min(first + lane, last - 1)];
    return true;
  };
  for (bool more = load_next(); more;) {
    const std::int32_t j = first + lane;
    const bool exists = j < last;
    const PositionDensity<Real, dimensions> position = loaded;
    more = load_next();
    visit(j, position, exists);
  }
}

/// Fits of a warp in shared memory.
template <int dimensions>
class WarpFits {
 public:
  using Fit = FluidFit<dimensions>;
  using Terms = typename Fit::Terms;

  /// Makes fit `number` from the particles among the candidates. All threads of the warp must call it.
  /// @param for_each_chunk  for_each_chunk(visit) calls visit(j, counts) by all threads for up to 32 candidates: j is that
  ///                        of the thread, and counts is true if it is a particle of the fit
  /// @param terms_of        terms_of(j) returns the terms of a particle
  template <class ForEachChunk, class TermsOf>
  __device__ void make(int number, const ForEachChunk& for_each_chunk, const TermsOf& terms_of) {
    const int lane = lane_of_warp();
    Sums sums{};
    int waiting = 0;
    for_each_chunk([&](std::int32_t j, bool counts) {
      const unsigned near = __ballot_sync(every_thread, counts);
      const int slot = waiting + __popc(near & ((1u << lane) - 1));
      if (counts && slot < warp) waiting_[slot] = j;
      waiting += __popc(near);
      if (waiting < warp) return;
      __syncwarp();
      add(warp, terms_of, sums);
      waiting -= warp;
      if (counts && slot >= warp) waiting_[slot - warp] = j;
    });
    __syncwarp();
    if (waiting > 0) add(waiting, terms_of, sums);
    store(number, sums);
  }

  /// Fit `number`; one without fluid if there is none.
  __device__ Fit fit(int number) const {
    const Stored& stored = stored_[number];
    return stored.has_fluid ? Fit(stored.sum, stored.lowest, stored.highest) : Fit();
  }

 private:
  using Values = typename Fit::Values;
  static constexpr int warp = 32;
  static constexpr unsigned every_thread = ~0u;
  static_assert(Fit::sums <= warp, "a thread has one sum");

  /// Part of a fit that a thread has.
  struct Sums {
    double sum;              ///< number `lane`
    Values lowest, highest;  ///< extremes of the particles whose terms this thread has computed
    bool has_fluid;

    /// Takes extremes of other particles.
    __device__ void widen(const double* low, const double* high) {
      for (int field = 0; field < Fit::fields; ++field) {
        lowest[field] = has_fluid ? min(lowest[field], low[field]) : low[field];
        highest[field] = has_fluid ? max(highest[field], high[field]) : high[field];
      }
      has_fluid = true;
    }
  };

  struct Stored {
    double sum[Fit::sums];
    Values lowest, highest;
    bool has_fluid;
  };

  /// Adds the first `count` particles that wait.
  template <class TermsOf>
  __device__ void add(int count, const TermsOf& terms_of, Sums& sums) {
    const int lane = lane_of_warp();
    if (lane < count) {
      const Terms terms = terms_of(waiting_[lane]);
      for (int k = 0; k < Terms::weights; ++k) weight_[lane][k] = terms.weight[k];
      for (int k = 0; k < Terms::factors; ++k) factor_[lane][k] = terms.factor[k];
      if (terms.counts()) sums.widen(terms.values(), terms.values());
    }
    __syncwarp();
    const int number = lane < Fit::sums ? lane : 0;
    const double* const weight = &weight_[0][number / Terms::factors];
    const double* const factor = &factor_[0][number % Terms::factors];
#pragma unroll 4
    for (int k = 0; k < count; ++k) sums.sum += weight[k * weight_stride] * factor[k * factor_stride];
    __syncwarp();
  }

  __device__ void store(int number, Sums& sums) {
    const int lane = lane_of_warp();
    for (int apart = warp / 2; apart > 0; apart /= 2) {
      Values low, high;
      for (int field = 0; field < Fit::fields; ++field) {
        low[field] = __shfl_xor_sync(every_thread, sums.lowest[field], apart);
        high[field] = __shfl_xor_sync(every_thread, sums.highest[field], apart);
      }
      if (__shfl_xor_sync(every_thread, sums.has_fluid, apart)) sums.widen(low.number, high.number);
    }
    Stored& stored = stored_[number];
    if (lane < Fit::sums) stored.sum[lane] = sums.sum;
    if (lane != 0) return;
    stored.lowest = sums.lowest;
    stored.highest = sums.highest;
    stored.has_fluid = sums.has_fluid;
  }

  // Odd strides: threads that write terms side by side use different banks.
  static constexpr int weight_stride = Terms::weights | 1, factor_stride = Terms::factors | 1;
  double weight_[warp][weight_stride];
  double factor_[warp][factor_stride];
  std::int32_t waiting_[warp];
  Stored stored_[most_fits];
};

}  // namespace shoal::sph
