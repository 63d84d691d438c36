// SPDX-License-Identifier: Apache-2.0
// Neighbors of a particle in the CUDA methods: masks over rows of cells, a list, or a search in every stage.
#pragma once
#include "sph/stepping/cuda/hit_queue.cuh"
#include "sph/stepping/cuda/step_arrays.cuh"

namespace shoal::sph {

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

/// A row of cells around particle i: its range of particles, and a bit for each of the first that is a neighbor.
template <int dimensions>
struct Row {
  std::int32_t begin;
  std::int32_t end;
  RowMask<dimensions> mask;
};

/// A bit for each of `count` candidates from `first` on that may be fluid.
/// @param count  1 to 32
__device__ __forceinline__ unsigned fluid_bits(const std::uint32_t* may_be_fluid, std::int32_t first,
                                               std::int32_t count) {
  const std::uint32_t* const word = may_be_fluid + first / 32;
  return __funnelshift_r(word[0], word[1], static_cast<unsigned>(first)) & (~0u >> (32 - count));
}

/// A bit for each neighbor of particle i among `count` candidates from `first` on, of which this thread tests every
/// width-th. Tests and sums are separate loops: nearly every candidate is a neighbor for some thread of a warp, and all
/// others would wait for its sum.
/// @param fluid_only  leaves out own particles of walls
/// @param count       up to 32; there are no bits for 0 and less
template <class Physics, int width, class Real, int dimensions>
__device__ __forceinline__ unsigned find_hits(const Parameters<Real, dimensions>& parameters,
                                              const StepArrays<Real, dimensions>& arrays, std::int32_t i,
                                              const PositionDensity<Real, dimensions>& position, bool fluid_only,
                                              std::int32_t first, std::int32_t count) {
  constexpr bool coarse = sizeof(Coordinate<Real>) == 8;
  if (count <= 0) return 0;
  const unsigned needed = fluid_only ? fluid_bits(arrays.may_be_fluid, first, count) : ~0u;
  if (!needed) return 0;
  float closest = parameters.coarse_support_squared;  // to the edge of the support
  unsigned hits = 0;                                  // the latest candidate in bit 0
  // The sign of a difference is the bit of a candidate: one shift instead of a comparison, a selection and a sum.
  // The argument is a copy, so that a candidate is one load of 16 bytes and not one for each coordinate.
  const auto test = [&](PositionDensity<Real, dimensions> candidate_position) {
    float excess;
    if constexpr (coarse) {
      const float coarse_difference = coarse_excess<Physics>(parameters, position, candidate_position);
      closest = fminf(closest, fabsf(coarse_difference));
      excess = coarse_difference - parameters.coarse_margin;
    } else {
      excess =
          squared_units_apart<Physics>(parameters, position, candidate_position) - parameters.support_units_squared;
    }
    hits = hits << width | __float_as_uint(excess) >> 31;
  };
  const PositionDensity<Real, dimensions>* candidate = arrays.base.position + first;
  constexpr int group = 4;  // whose loads are in flight together
  std::int32_t k = Team<width>::lane();
#pragma unroll 1
  for (; k + (group - 1) * width < count; k += group * width) {
#pragma unroll
    for (int member = 0; member < group; ++member) test(candidate[k + member * width]);
  }
#pragma unroll 1
  for (; k < count; k += width) test(candidate[k]);
  hits = __funnelshift_rc(__brev(hits), 0, static_cast<unsigned>(31 + width - k));  // candidate c in bit c
  const std::int32_t self = i - first;
  if (self >= 0 && self < count) hits &= ~(1u << self);
  if (coarse && closest < parameters.coarse_margin)
    for (unsigned left = hits; left; left &= left - 1) {
      const PositionDensity<Real, dimensions> candidate_position = candidate[lowest_bit(left)];
      if (!within_support<Physics>(parameters, position, candidate_position)) hits ^= left & (0 - left);
    }
  return hits & needed;
}

/// True if the neighbors in several rows are collected before their sums. In 2-D a thread of a team has too few.
template <int width, int dimensions>
constexpr bool is_queued = width == 1 || dimensions == 3;

/// Bit masks over the candidates of each run of cells.
struct MaskSearch {
  using Cells = LinearCells;
  static constexpr int few_width = 4;         ///< threads a particle where there are few
  static constexpr int few_walls_width = 16;  ///< threads a wall particle where there are few
  static constexpr int wall_width = 4;        ///< the same where there are many
  static constexpr bool has_masks = true;
  static constexpr bool has_list = false;  ///< made by find_neighbors(), which needs fewer registers than a stage

  /// Tests the candidates of particle i against the positions at the start of the step and writes its masks. All threads
  /// of a warp must call it; those without a particle pass present = false.
  /// @param fluid_only  leaves out own particles of walls
  template <class Physics, int width, class Real, int dimensions>
  __device__ static void find(const Parameters<Real, dimensions>& parameters,
                              const StepArrays<Real, dimensions>& arrays, std::int32_t i, bool present,
                              bool fluid_only) {
    using Mask = RowMask<dimensions>;
    constexpr int bits = 8 * sizeof(Mask);
    const PositionDensity<Real, dimensions> position = arrays.base.position[i];
    const std::uint32_t cell = arrays.base_cell[i];
    for (int row = 0; row < run_count<Physics>(parameters); ++row) {
      Mask mask = 0;
      if (present) {
        const CellRun run = run_of<Physics>(parameters, cell, row);
        const std::int32_t begin = arrays.cell_start[run.first];
        const std::int32_t count = arrays.cell_start[run.end] - begin;
#pragma unroll
        for (int first = 0; first < bits; first += 32)
          mask |= Mask{find_hits<Physics, width>(parameters, arrays, i, position, fluid_only, begin + first,
                                                 ::min(count - first, 32))}
                  << first;
      }
      mask = Team<width>::unite(mask);
      if (present && Team<width>::lane() == 0)
        arrays.mask[static_cast<std::int64_t>(row) * arrays.mask_stride + i] = mask;
    }
    __syncwarp();
  }

  /// Calls visit(j) for this thread's share of the neighbors of particle i.
  template <class Physics, int width, class Real, int dimensions, class Visit>
  __device__ static void for_each(const Parameters<Real, dimensions>& parameters,
                                  const StepArrays<Real, dimensions>& arrays, std::int32_t i, const Visit& visit) {
    using Mask = RowMask<dimensions>;
    constexpr int words = sizeof(Mask) / sizeof(unsigned);
    constexpr int bits = 8 * sizeof(Mask);
    constexpr int batch = dimensions == 1 ? 1 : 3;  // rows that are loaded together: their latencies overlap
    const std::uint32_t cell = arrays.base_cell[i];
    HitQueue<neighbor_rows<dimensions> * words> queue;
    for (int first_row = 0; first_row < run_count<Physics>(parameters); first_row += batch) {
      Row<dimensions> rows[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        const CellRun run = run_of<Physics>(parameters, cell, first_row + k);
        rows[k] = {arrays.cell_start[run.first], arrays.cell_start[run.end],
                   arrays.mask[static_cast<std::int64_t>(first_row + k) * arrays.mask_stride + i] &
                       Team<width>::template share<Mask>()};
      }
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        const std::int32_t begin = rows[k].begin;
        if constexpr (is_queued<width, dimensions>)
          for (int word = 0; word < words; ++word)
            queue.push(begin + 32 * word, static_cast<unsigned>(rows[k].mask >> 32 * word));
        else
          for_each_hit(begin, rows[k].mask, visit);
        for (std::int32_t j = begin + bits + Team<width>::lane(); j < rows[k].end; j += width)
          if (j != i && within_support<Physics>(parameters, arrays.base.position[i], arrays.base.position[j])) visit(j);
      }
      if ((first_row + batch) % neighbor_rows<dimensions> == 0) queue.drain(visit);
    }
  }
};

/// Calls visit(first, hits, number) for chunks of up to 32 candidates, as long as it returns true. The bits of `hits` are
/// the neighbors of particle i among the candidates from particle `first` on; `number` is that of the chunk. The first chunks of all runs
/// come before the second ones. Those before number `from` are left out. Each thread of a team takes every width-th
/// candidate.
/// @param fluid_only  leaves out own particles of walls
template <class Cells, class Physics, int width, class Real, int dimensions, class Visit>
__device__ void for_each_chunk(const Parameters<Real, dimensions>& parameters,
                               const StepArrays<Real, dimensions>& arrays, std::int32_t i, bool fluid_only,
                               std::int32_t from, const Visit& visit) {
  constexpr int most = 32;
  const PositionDensity<Real, dimensions> position = arrays.base.position[i];
  const std::uint32_t cell = arrays.base_cell[i];
  const int runs = Cells::template run_count<Physics>(parameters);
  bool more = true;
#pragma unroll 1
  for (std::int32_t round = 0; more; ++round) {
    more = false;
#pragma unroll 1
    for (int run = 0; run < runs; ++run) {
      const std::int32_t number = round * runs + run;
      const CellRun cells = Cells::template run_of<Physics>(parameters, cell, run);
      const std::int32_t first = arrays.cell_start[cells.first] + round * most;
      const std::int32_t left = arrays.cell_start[cells.end] - first;
      more = more || left > most;
      if (number < from) continue;
      const unsigned hits =
          find_hits<Physics, width>(parameters, arrays, i, position, fluid_only, first, ::min(left, most));
      if (!visit(first, hits, number)) return;
    }
  }
}

/// No storage: every stage tests all candidates against the positions at the start of the step.
struct CellSearch {
  using Cells = LinearCells;
  static constexpr int few_width = 4;
  static constexpr int few_walls_width = 16;
  static constexpr int wall_width = 4;
  static constexpr bool has_masks = false;
  static constexpr bool has_list = false;

  template <class Physics, int width, class Real, int dimensions>
  __device__ static void find(const Parameters<Real, dimensions>&, const StepArrays<Real, dimensions>&, std::int32_t,
                              bool, bool) {}
  template <class Physics, int width, class Real, int dimensions, class Visit>
  __device__ static void for_each(const Parameters<Real, dimensions>& parameters,
                                  const StepArrays<Real, dimensions>& arrays, std::int32_t i, const Visit& visit) {
    constexpr int rows = neighbor_rows<dimensions>;
    HitQueue<rows> queue;
    for_each_chunk<Cells, Physics, width>(parameters, arrays, i, false, 0,
                                          [&](std::int32_t first, unsigned hits, std::int32_t number) {
                                            if constexpr (!is_queued<width, dimensions>) {
                                              for_each_hit(first, hits, visit);
                                              return true;
                                            }
                                            queue.push(first, hits);
                                            if (number % rows == rows - 1) queue.drain(visit);
                                            return true;
                                          });
  }
};

/// A list a step, one column of int4 a particle; candidates beyond a full column are tested in every stage. Neighboring
/// threads are at different rows of their columns, so that each write is a transaction of its own: hence four at a time.
template <class CellOrder>
struct ListSearch {
  using Cells = CellOrder;
  static constexpr int few_width = 1;
  static constexpr int few_walls_width = 1;
  static constexpr int wall_width = 1;
  static constexpr bool has_masks = false;
  static constexpr bool has_list = true;

  /// @param fluid_only  leaves out own particles of walls
  template <class Physics, class Real, int dimensions>
  __device__ static void find(const Parameters<Real, dimensions>& parameters,
                              const StepArrays<Real, dimensions>& arrays, std::int32_t i, bool fluid_only) {
    std::uint32_t count = 0;
    std::int32_t rest = none;
    int4 four{};  // the latest, the last one in w
    int4* next = arrays.list_column(i);
    int stride = list_stride(0);  // to the next int4; in turn those of even and odd numbers
    const auto append = [&](std::int32_t j) {
      four = {four.y, four.z, four.w, j};
      if (++count % 4 != 0) return;
      *next = four;
      next += stride;
      stride = list_stride(0) + list_stride(1) - stride;
    };
    constexpr int rows = neighbor_rows<dimensions>;
    HitQueue<rows> queue;
    std::int32_t listed = 0;
    for_each_chunk<Cells, Physics, 1>(parameters, arrays, i, fluid_only, 0,
                                      [&](std::int32_t first, unsigned hits, std::int32_t number) {
                                        listed += __popc(hits);
                                        if (listed <= 4 * arrays.list_rows)
                                          queue.push(first, hits);
                                        else
                                          rest = ::min(rest, number);
                                        if (number % rows != rows - 1) return true;
                                        queue.drain(append);
                                        return rest == none;
                                      });
    arrays.list_count[i] = static_cast<std::int32_t>(count);
    arrays.list_rest[i] = rest;
    while (count % 4 != 0) append(i);  // fills the last four: a particle adds nothing to itself
  }

  /// Calls visit(j) for each neighbor of particle i, and up to three times with i itself.
  template <class Physics, int width, class Real, int dimensions, class Visit>
  __device__ static void for_each(const Parameters<Real, dimensions>& parameters,
                                  const StepArrays<Real, dimensions>& arrays, std::int32_t i, const Visit& visit) {
    const auto fours = (static_cast<std::uint32_t>(arrays.list_count[i]) + 3) / 4;
    const int4* next = arrays.list_column(i);
    constexpr int unrolled = Physics::is_general ? 1 : 4;
#pragma unroll 1
    for (std::uint32_t k = 0; k < fours; ++k) {
      int4 four = *next;
      next += list_stride(k);
#pragma unroll unrolled
      for (int member = 0; member < 4; ++member) {
        visit(four.x);
        four = {four.y, four.z, four.w, 0};
      }
    }
    const std::int32_t rest = arrays.list_rest[i];
    if (rest == none) return;
    for_each_chunk<Cells, Physics, width>(parameters, arrays, i, false, rest,
                                          [&](std::int32_t first, unsigned hits, std::int32_t) {
                                            for_each_hit(first, hits, visit);
                                            return true;
                                          });
  }

 private:
  static constexpr std::int32_t none = 0x7fffffff;
};

}  // namespace shoal::sph
