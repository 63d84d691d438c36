// SPDX-License-Identifier: Apache-2.0
#include "core/cuda/launch.cuh"
#include "neighbors/list/list_outputs.hpp"
#include "neighbors/search/same_cell_row.cuh"
#include "neighbors/tuning.hpp"

namespace shoal::neighbors {

namespace {

constexpr int sum_threads = 128;
constexpr int sums_per_thread = 2;  ///< Destinations of a thread, if enough threads remain.

/// Writes the optional arrays, one warp for each row.
template <class Real>
__global__ void write_each_entry(EntryOutputs<Real> outputs) {
  const std::int64_t i = thread_index() / 32;
  if (i >= outputs.rows || outputs.offsets[outputs.rows] > outputs.room) return;
  const Position<Real> position = outputs.destinations.position(i, outputs.dimensions);
  const std::int64_t end = outputs.offsets[i + 1];
  for (std::int64_t entry = outputs.offsets[i] + threadIdx.x % 32; entry < end; entry += 32)
    outputs.write(i, position, entry);
}

/// Writes the matrix, one warp for each row. Records rows that are too long.
__global__ void write_each_row(MatrixOutput output) {
  const std::int64_t row = thread_index() / 32;
  if (row >= output.rows || !output.fits()) return;
  const int lane = static_cast<int>(threadIdx.x % 32);
  if (output.length(row) > output.maximum) {
    if (lane != 0) return;
    record(output.status, row, 0);
    atomicMax(reinterpret_cast<unsigned long long*>(output.longest),
              static_cast<unsigned long long>(output.length(row)));
    return;
  }
  for (std::int64_t column = lane; column < output.maximum; column += 32) output.write(row, column);
}

__global__ void describe_longest(MatrixOutput output) {
  if (*output.longest > 0) output.status->value[0] = static_cast<double>(*output.longest);
}

template <class Real>
__global__ void __launch_bounds__(sum_threads) sum_each(NeighborSum<Real> sum) {
  const std::int64_t k = thread_index();
  if (k < sum.visitor.count()) sum.run(k);
}

/// Copies the sorted sources with the bits of their weights in place of their numbers, so that one load reads both.
template <class Real>
__global__ void pack_weights(SortedPoints<Real> sources, View<const Real> weights, PackedPoint<Real>* packed) {
  const std::int64_t k = thread_index();
  if (k >= sources.count) return;
  PackedPoint<Real> point = sources.point(k);
  const Real weight = weights.data[point.number * weights.stride];
  if constexpr (sizeof(Real) == 4)
    point.number = __float_as_int(weight);
  else
    point.number = __double_as_longlong(weight);
  packed[k] = point;
}

__device__ __forceinline__ float weight_of(const PackedPoint<float>& point) { return __int_as_float(point.number); }
__device__ __forceinline__ double weight_of(const PackedPoint<double>& point) {
  return __longlong_as_double(point.number);
}

/// Sums for the destinations with sorted indices k to k + count - 1, which lie in one row of cells of an open box. Each
/// source is read once; each destination adds in the visitor's order. If the pairs exclude a destination itself, its
/// sorted indices among destinations and sources are equal.
/// @param pairs  its sources come from pack_weights()
template <int count, class Real>
__device__ __forceinline__ void sum_together(const NeighborPairs<Real>& pairs, std::int64_t k, View<Real> out) {
  constexpr int step = 4;
  Position<Real> position[count];
  Real limit[count];
  Real total[count] = {};
#pragma unroll
  for (int d = 0; d < count; ++d) {
    position[d] = pairs.destinations.position(k + d);
    limit[d] = pairs.limit_of(k + d);
  }
  const auto sum_run = [&]<bool skips_self>(std::int32_t begin, std::int32_t end, std::int32_t self) {
    for (std::int32_t j = begin; j < end; j += step) {
#pragma unroll
      for (int s = 0; s < step; ++s) {
        const PackedPoint<Real> source = pairs.sources.point(j + s);
#pragma unroll
        for (int d = 0; d < count; ++d) {
          const Real squared =
              PairTest<Real>::squared(pairs.test.template displacement<false>(position[d], source.position));
          if (squared < limit[d] && j + s < end && (!skips_self || j + s != self + d)) total[d] += weight_of(source);
        }
      }
    }
  };
  for_each_run(*pairs.grid, position, limit, [&](std::int32_t first_cell, std::int32_t end_cell) {
    const auto begin = static_cast<std::int32_t>(pairs.sources.start(first_cell));
    const auto end = static_cast<std::int32_t>(pairs.sources.start(end_cell));
    const auto self = static_cast<std::int32_t>(k);
    if (pairs.rule.excludes_self() && self < end && self + count > begin)
      sum_run.template operator()<true>(begin, end, self);
    else
      sum_run.template operator()<false>(begin, end, self);
  });
#pragma unroll
  for (int d = 0; d < count; ++d) out.data[pairs.destinations.order[k + d] * out.stride] = total[d];
}

template <int count, class Real>
__global__ void __launch_bounds__(sum_threads, sizeof(Real) == 4 ? 6 : 4)
    sum_groups(NeighborPairs<Real> pairs, View<Real> out) {
  const std::int64_t k = count * thread_index();
  if (k + count <= pairs.destinations.count && in_same_cell_row<count>(pairs, k))
    return sum_together<count>(pairs, k, out);
#pragma unroll 1
  for (int d = 0; d < count; ++d) {
    if (k + d >= pairs.destinations.count) return;
    if (pairs.has_cell(pairs.destinations.position(k + d)))
      sum_together<1>(pairs, k + d, out);
    else
      out.data[pairs.destinations.order[k + d] * out.stride] = 0;
  }
}

/// Returns true if sum_together() handles these pairs and leaves enough threads.
template <class Real>
bool sums_in_groups(const NeighborPairs<Real>& pairs, bool is_general) {
  const bool same_index = !pairs.rule.excludes_self() || pairs.destinations.packed == pairs.sources.packed;
  return !is_general && same_index && pairs.destinations.count >= tuning::min_points_for_pairs;
}

template <class Real>
void write_entries(const Queue& queue, const EntryOutputs<Real>& outputs) {
  launch(queue, outputs.rows * 32, write_each_entry<Real>, outputs);
}

void write_matrix(const Queue& queue, const MatrixOutput& output) {
  fill_bytes(queue, output.longest, 0, sizeof(std::int64_t));
  launch(queue, output.rows * 32, write_each_row, output);
  launch<1>(queue, 1, describe_longest, output);
}

template <class Real>
void compute_sums(Scratch& scratch, const NeighborSum<Real>& sum, View<const Real> weights) {
  const Queue& queue = scratch.queue();
  NeighborPairs<Real> pairs = sum.pairs;
  const std::int64_t n = pairs.destinations.count;
  if (!sums_in_groups(pairs, sum.visitor.is_general()))
    return sum_in_sorted_order(scratch, sum, weights, [&](const NeighborSum<Real>& sorted) {
      launch<sum_threads>(queue, n, sum_each<Real>, sorted);
    });
  ScratchFrame frame(scratch);
  const View<PackedPoint<Real>> packed =
      frame.array<PackedPoint<Real>>(weights.count + SortedPoints<Real>::read_past_end);
  launch(queue, weights.count, pack_weights<Real>, pairs.sources, weights, packed.data);
  pairs.sources.packed = packed.data;
  launch<sum_threads>(queue, (n + sums_per_thread - 1) / sums_per_thread, sum_groups<sums_per_thread, Real>, pairs,
                      sum.out);
}

}  // namespace

template <class Real>
const ListBackend<Real> ListBackend<Real>::cuda = {.write_entries = neighbors::write_entries<Real>,
                                                   .write_matrix = neighbors::write_matrix,
                                                   .sum_neighbors = neighbors::compute_sums<Real>};
template const ListBackend<float> ListBackend<float>::cuda;
template const ListBackend<double> ListBackend<double>::cuda;

}  // namespace shoal::neighbors
