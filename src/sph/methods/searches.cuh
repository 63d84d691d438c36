// SPDX-License-Identifier: Apache-2.0
// How the CUDA methods know a particle's neighbors: as masks over rows of cells, as a list, or not at all.
#pragma once
#include "sph/methods/step_arrays.cuh"

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

__device__ __forceinline__ int lowest_bit(unsigned mask) { return __ffs(static_cast<int>(mask)) - 1; }
__device__ __forceinline__ int lowest_bit(unsigned long long mask) { return __ffsll(static_cast<long long>(mask)) - 1; }

/// A row of cells as particle i sees it: its range of particles, and which of them are neighbors.
template <int dimensions>
struct Row {
  std::int32_t begin;
  std::int32_t end;
  RowMask<dimensions> mask;
};

/// A bit for each neighbor of particle i among `count` candidates from `first` on, of which this thread looks at every
/// width-th. Testing and using what was found are loops of their own: in a warp somebody finds something in nearly
/// every candidate, and all others would wait.
template <class Physics, int width, class Mask, class Real, int dimensions>
__device__ __forceinline__ Mask find_hits(const Parameters<Real, dimensions>& parameters,
                                          const StepArrays<Real, dimensions>& arrays, std::int32_t i,
                                          const Place<Real, dimensions>& place, std::int32_t first,
                                          std::int32_t count) {
  const Place<Real, dimensions>* candidate = arrays.base.place + first;
  constexpr int group = 4;  // whose bits are put together before they are shifted
  Mask hits = 0;
  std::int32_t k = Team<width>::lane();
  for (; k + (group - 1) * width < count; k += group * width) {
    Mask bits = 0;
#pragma unroll
    for (int member = 0; member < group; ++member)
      if (maybe_within_support<Physics>(parameters, place, candidate[k + member * width]))
        bits |= Mask{1} << (member * width);
    hits |= bits << k;
  }
  for (; k < count; k += width)
    if (maybe_within_support<Physics>(parameters, place, candidate[k])) hits |= Mask{1} << k;
  const std::int32_t own = i - first;
  if (own >= 0 && own < count) hits &= ~(Mask{1} << own);
  if constexpr (sizeof(Coordinate<Real>) == 8)
    for (Mask left = hits; left; left &= left - 1)
      if (!within_support<Physics>(parameters, place, candidate[lowest_bit(left)])) hits ^= left & (0 - left);
  return hits;
}

/// Bit masks over the candidates of each run of cells.
struct MaskSearch {
  static constexpr int wall_width = 16;  ///< threads a wall particle
  static constexpr int few_width = 4;    ///< threads a particle where there are few
  static constexpr bool has_masks = true;
  static constexpr bool has_list = false;  ///< made by find_neighbors(), which needs fewer registers than a stage

  /// Tests the candidates of particle i against the positions at the start of the step and notes the hits. All threads
  /// of a warp come here; those without a particle pass present = false.
  template <class Physics, int width, class Real, int dimensions>
  __device__ static void find(const Parameters<Real, dimensions>& parameters,
                              const StepArrays<Real, dimensions>& arrays, std::int32_t i, bool present) {
    using Mask = RowMask<dimensions>;
    constexpr int bits = 8 * sizeof(Mask);
    const Place<Real, dimensions> place = arrays.base.place[i];
    const std::uint32_t cell = arrays.base_cell[i];
    for (int row = 0; row < run_count<Physics>(parameters); ++row) {
      Mask mask = 0;
      if (present) {
        const CellRun run = run_of<Physics>(parameters, cell, row);
        const std::int32_t begin = arrays.cell_start[run.first];
        const std::int32_t count = min(arrays.cell_start[run.end] - begin, bits);
        mask = find_hits<Physics, width, Mask>(parameters, arrays, i, place, begin, count);
      }
      mask = Team<width>::unite(mask);
      if (present && Team<width>::lane() == 0) arrays.mask[static_cast<std::int64_t>(row) * arrays.n + i] = mask;
    }
    __syncwarp();
  }

  /// Calls visit(j) for this thread's share of the neighbors of particle i.
  template <class Physics, int width, class Real, int dimensions, class Visit>
  __device__ static void for_each(const Parameters<Real, dimensions>& parameters,
                                  const StepArrays<Real, dimensions>& arrays, std::int32_t i, const Visit& visit) {
    using Mask = RowMask<dimensions>;
    constexpr int bits = 8 * sizeof(Mask);
    constexpr int batch = dimensions == 1 ? 1 : 3;  // rows that are loaded together: their latencies overlap
    const std::uint32_t cell = arrays.base_cell[i];
    for (int first_row = 0; first_row < run_count<Physics>(parameters); first_row += batch) {
      Row<dimensions> rows[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        const CellRun run = run_of<Physics>(parameters, cell, first_row + k);
        rows[k] = {
            arrays.cell_start[run.first], arrays.cell_start[run.end],
            arrays.mask[static_cast<std::int64_t>(first_row + k) * arrays.n + i] & Team<width>::template share<Mask>()};
      }
#pragma unroll
      for (int k = 0; k < batch; ++k) {
        for (Mask mask = rows[k].mask; mask; mask &= mask - 1) visit(rows[k].begin + lowest_bit(mask));
        for (std::int32_t j = rows[k].begin + bits + Team<width>::lane(); j < rows[k].end; j += width)
          if (j != i && within_support<Physics>(parameters, arrays.base.place[i], arrays.base.place[j])) visit(j);
      }
    }
  }
};

/// Calls visit(first, hits, number) for up to 32 candidates after the other, as long as it returns true: which of them
/// from particle `first` on are neighbors of particle i, and how many candidates came before. Candidates count through
/// all runs; those before number `from` are left out. Each thread of a team takes every width-th.
template <class Physics, int width, class Real, int dimensions, class Visit>
__device__ void for_each_chunk(const Parameters<Real, dimensions>& parameters,
                               const StepArrays<Real, dimensions>& arrays, std::int32_t i, std::int32_t from,
                               const Visit& visit) {
  constexpr int most = 32;
  const Place<Real, dimensions> place = arrays.base.place[i];
  const std::uint32_t cell = arrays.base_cell[i];
  std::int32_t before = 0;
  for (int run = 0; run < run_count<Physics>(parameters); ++run) {
    const CellRun cells = run_of<Physics>(parameters, cell, run);
    const std::int32_t begin = arrays.cell_start[cells.first];
    const std::int32_t end = arrays.cell_start[cells.end];
    for (std::int32_t first = begin + max(from - before, 0); first < end; first += most) {
      const unsigned hits =
          find_hits<Physics, width, unsigned>(parameters, arrays, i, place, first, min(end - first, most));
      if (!visit(first, hits, before + first - begin)) return;
    }
    before += end - begin;
  }
}

/// Calls visit(j) for each neighbor j of particle i among the candidates from number `from` on.
template <class Physics, int width, class Real, int dimensions, class Visit>
__device__ void test_candidates(const Parameters<Real, dimensions>& parameters,
                                const StepArrays<Real, dimensions>& arrays, std::int32_t i, std::int32_t from,
                                const Visit& visit) {
  for_each_chunk<Physics, width>(parameters, arrays, i, from, [&](std::int32_t first, unsigned hits, std::int32_t) {
    for (; hits; hits &= hits - 1) visit(first + lowest_bit(hits));
    return true;
  });
}

/// Nothing is kept: every stage tests all candidates against the positions at the start of the step.
struct CellSearch {
  static constexpr int wall_width = 16;
  static constexpr int few_width = 4;
  static constexpr bool has_masks = false;
  static constexpr bool has_list = false;

  template <class Physics, int width, class Real, int dimensions>
  __device__ static void find(const Parameters<Real, dimensions>&, const StepArrays<Real, dimensions>&, std::int32_t,
                              bool) {}
  template <class Physics, int width, class Real, int dimensions, class Visit>
  __device__ static void for_each(const Parameters<Real, dimensions>& parameters,
                                  const StepArrays<Real, dimensions>& arrays, std::int32_t i, const Visit& visit) {
    test_candidates<Physics, width>(parameters, arrays, i, 0, visit);
  }
};

/// A list a step, one column of fours a particle; the candidates after those that fill a column are tested in every
/// stage. Fours, since neighboring threads are at different rows of their columns: what one writes is a transaction of
/// its own.
struct ListSearch {
  static constexpr int wall_width = 1;
  static constexpr int few_width = 1;
  static constexpr bool has_masks = false;
  static constexpr bool has_list = true;

  template <class Physics, class Real, int dimensions>
  __device__ static void find(const Parameters<Real, dimensions>& parameters,
                              const StepArrays<Real, dimensions>& arrays, std::int32_t i) {
    std::int32_t count = 0, rest = none;
    int4 four{};  // the latest, the last one in w
    int4* next = arrays.list + i;
    const auto append = [&](std::int32_t j) {
      four = {four.y, four.z, four.w, j};
      if (++count % 4 != 0) return;
      *next = four;
      next += arrays.n;
    };
    for_each_chunk<Physics, 1>(parameters, arrays, i, 0, [&](std::int32_t first, unsigned hits, std::int32_t number) {
      if (count + __popc(hits) > 4 * arrays.list_rows) {
        rest = number;
        return false;
      }
      for (; hits; hits &= hits - 1) append(first + lowest_bit(hits));
      return true;
    });
    arrays.list_count[i] = count;
    arrays.list_rest[i] = rest;
    while (count % 4 != 0) append(i);  // fills up the last four; nobody looks at these
  }

  template <class Physics, int width, class Real, int dimensions, class Visit>
  __device__ static void for_each(const Parameters<Real, dimensions>& parameters,
                                  const StepArrays<Real, dimensions>& arrays, std::int32_t i, const Visit& visit) {
    const std::int32_t count = arrays.list_count[i];
    int4 four{};
#pragma unroll 1
    for (std::int32_t k = 0; k < count; ++k) {
      if (k % 4 == 0) four = arrays.list[static_cast<std::int64_t>(k / 4) * arrays.n + i];
      visit(four.x);
      four = {four.y, four.z, four.w, 0};
    }
    const std::int32_t rest = arrays.list_rest[i];
    if (rest != none) test_candidates<Physics, width>(parameters, arrays, i, rest, visit);
  }

 private:
  static constexpr std::int32_t none = 0x7fffffff;
};

}  // namespace shoal::sph
