// SPDX-License-Identifier: Apache-2.0
// Fits of the fluid around points by warps: each thread has one of the sums of a fit, and adds the particles in their order. The
// sums have the bits of those of one thread. Particles are tested, and their terms computed, 32 at a time.
#pragma once
#include <cstdint>

#include "sph/open_boundaries/fluid_fit_item.hpp"
#include "sph/stepping/cuda/step_arrays.cuh"

namespace shoal::sph {

/// Calls visit(j, position, exists) by all threads of a warp for the particles in the cells around a place, 32 at a time in
/// their order. Their positions are loaded while the previous ones are visited.
template <class Cells, class Real, int dimensions, class Visit>
__device__ void for_each_chunk_around(const Parameters<Real, dimensions>& parameters,
                                      const StepArrays<Real, dimensions>& arrays,
                                      const PositionDensity<Real, dimensions>& place, const Visit& visit) {
  const std::uint32_t cell = Cells::cell_of(parameters, place);
  if (cell == parameters.cell_count) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int runs = Cells::template run_count<GeneralPhysics>(parameters);  // at most 32
  std::int32_t begin = 0, end = 0;                                         // of run `lane`
  if (lane < runs) {
    const CellRun cells = Cells::template run_of<GeneralPhysics>(parameters, cell, lane);
    begin = arrays.cell_start[cells.first];
    end = arrays.cell_start[cells.end];
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
    loaded = arrays.base.position[min(first + lane, last - 1)];
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
/// @tparam room  number of fits, which threads then solve side by side
template <int dimensions, int room>
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
    const int lane = static_cast<int>(threadIdx.x) % warp;
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
  };

  struct Stored {
    double sum[Fit::sums];
    Values lowest, highest;
    bool has_fluid;
  };

  /// Adds the first `count` particles that wait.
  template <class TermsOf>
  __device__ void add(int count, const TermsOf& terms_of, Sums& sums) {
    const int lane = static_cast<int>(threadIdx.x) % warp;
    if (lane < count) {
      const Terms terms = terms_of(waiting_[lane]);
      for (int k = 0; k < Terms::weights; ++k) weight_[lane][k] = terms.weight[k];
      for (int k = 0; k < Terms::factors; ++k) factor_[lane][k] = terms.factor[k];
      for (int field = 0; field < Fit::fields; ++field) {
        const double value = terms.values()[field];
        sums.lowest[field] = sums.has_fluid ? min(sums.lowest[field], value) : value;
        sums.highest[field] = sums.has_fluid ? max(sums.highest[field], value) : value;
      }
      sums.has_fluid = true;
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
    const int lane = static_cast<int>(threadIdx.x) % warp;
    for (int apart = warp / 2; apart > 0; apart /= 2) {
      const bool has_fluid = __shfl_xor_sync(every_thread, sums.has_fluid, apart);
      for (int field = 0; field < Fit::fields; ++field) {
        const double lowest = __shfl_xor_sync(every_thread, sums.lowest[field], apart);
        const double highest = __shfl_xor_sync(every_thread, sums.highest[field], apart);
        if (!has_fluid) continue;
        sums.lowest[field] = sums.has_fluid ? min(sums.lowest[field], lowest) : lowest;
        sums.highest[field] = sums.has_fluid ? max(sums.highest[field], highest) : highest;
      }
      sums.has_fluid |= has_fluid;
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
  Stored stored_[room];
};

}  // namespace shoal::sph
