// SPDX-License-Identifier: Apache-2.0
// Kernels of find(): packets of points collect candidates, then threads compute the exact distances of these. Crowded
// points, with more candidates than a list holds, get a warp each.
#pragma once
#include "wall_distance/bvh_cuda/query_batch.cuh"

namespace shoal::wall_distance {

/// Collects the candidates of each point.
static __global__ void __launch_bounds__(packet_threads, packet_blocks)
    search_candidates(QueryBatch batch, PointSelection selection, CandidateBuffer buffer) {
  __shared__ SearchSharedMemory memory;
  const std::int64_t count = selection.size(batch.count);
  if (static_cast<std::int64_t>(blockIdx.x) * packet_threads >= count) return;
  std::int64_t t = thread_index();
  if (is_sparse(count, batch.count)) return buffer.put_crowded(t < count ? selection(t, count) : -1);
  const auto number = [&] { return batch.point_number(selection(t, count)); };
  InitialCandidate initial = initial_candidate(batch, number());
  t += memory.regrouping.exchange(initial) - static_cast<std::int32_t>(threadIdx.x);
  CandidateList<packet_threads> list(memory.lists, batch.primitives, batch.queries, number(), initial.radius);
  const SearchRadius& far = batch.queries.far;
  if (!far.is_exact()) list.add(initial.primitive, initial.lower);  // the traversal may prune it
  NearestCandidates<packet_threads> candidates(list, far);
  PacketTraversal traversal(batch.bvh, memory.stacks.entries[threadIdx.x / 32], far.is_exact() ? 4096 : 1024);
  for_each_tree(batch, number(), traversal, [&](std::int32_t) { traversal.run(candidates); });
  const bool is_complete = candidates.finish();
  buffer.put(t < count ? selection(t, count) : -1, list, is_complete);
}

/// Nearest primitives of the points of a block so far.
struct BlockNearest {
  unsigned long long distance[packet_threads];  ///< bits of the distance
  std::int32_t primitive[packet_threads];
  std::int32_t point[packet_threads];
  std::int32_t first[packet_threads + 1];  ///< [points] prefix sum of the numbers of further candidates

  /// The point to which a further candidate of the block belongs.
  __device__ std::int32_t owner(std::int32_t candidate) const {
    std::int32_t low = 0, high = packet_threads - 1;  // the last point whose first candidate is not after this one
    while (low < high) {
      const std::int32_t half = (low + high + 1) / 2;
      if (first[half] <= candidate)
        low = half;
      else
        high = half - 1;
    }
    return low;
  }

  /// Replaces the counts in first[1 + thread] by their inclusive prefix sum.
  __device__ void sum_counts() {
    for (int step = 1; step < packet_threads; step *= 2) {
      const auto t = static_cast<int>(threadIdx.x);
      const std::int32_t sum = first[1 + t] + (t >= step ? first[1 + t - step] : 0);
      __syncthreads();
      first[1 + t] = sum;
      __syncthreads();
    }
  }

  /// Includes the result of each thread that has one. Returns true if it is the nearest of its point now.
  __device__ bool include(bool has_result, std::int32_t block_point, const NearestPrimitive& result) {
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(result.distance));
    const unsigned long long before = distance[threadIdx.x];
    __syncthreads();
    if (has_result) atomicMin(&distance[block_point], bits);
    __syncthreads();
    if (distance[threadIdx.x] != before) primitive[threadIdx.x] = no_primitive;
    __syncthreads();
    const auto number = static_cast<std::int32_t>(result.primitive);
    const bool is_near = has_result && bits == distance[block_point];
    if (is_near) atomicMin(&primitive[block_point], number);
    __syncthreads();
    return is_near && number == primitive[block_point];
  }

  static constexpr std::int32_t no_primitive = std::numeric_limits<std::int32_t>::max();
};

/// Computes the exact distances of candidates: the first candidate of each point by the point's thread, then all
/// further candidates of the block, evenly distributed over its threads.
static __global__ void __launch_bounds__(packet_threads)
    evaluate_candidates(QueryBatch batch, CandidateBuffer buffer, PointList crowded) {
  __shared__ BlockNearest best;
  const auto thread = static_cast<std::int32_t>(threadIdx.x);
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * packet_threads;
  if (buffer.used != nullptr && begin >= *buffer.used) return;
  const auto test = [&](std::int32_t block_point, std::int32_t primitive, NearestPrimitive& nearest) {
    const DoubleDoubleVector point = batch.queries.point(batch.point_number(best.point[block_point]));
    batch.primitives.test(batch.queries, point, primitive, nearest);
  };
  const auto write = [&](std::int32_t block_point, const NearestPrimitive& nearest) {
    const std::int64_t i = batch.point_number(best.point[block_point]);
    batch.primitives.write(batch.queries, i, batch.queries.point(i), nearest);
    const SearchRadius& far = batch.queries.far;
    if (!far.is_exact()) batch.queries.write_lower(i, far.radius(nearest.distance));
  };
  const std::int32_t point = buffer.point[begin + thread];
  std::int32_t count = 0;
  if (point >= 0) {
    const std::int64_t i = batch.point_number(point);
    if (buffer(0, begin + thread) == too_many)
      crowded.add(point);
    else if (batch.queries.accept(i, batch.queries.point(i)))
      while (count < BlockLists::most && buffer(count, begin + thread) >= 0) ++count;
  }
  best.point[thread] = point;
  best.first[1 + thread] = count > 1 ? count - 1 : 0;
  if (thread == 0) best.first[0] = 0;
  NearestPrimitive nearest;
  if (count > 0) {
    test(thread, buffer(0, begin + thread), nearest);
    write(thread, nearest);
  }
  best.distance[thread] = static_cast<unsigned long long>(__double_as_longlong(nearest.distance));
  best.primitive[thread] = static_cast<std::int32_t>(nearest.primitive);
  __syncthreads();
  best.sum_counts();
  for (std::int32_t first = 0; first < best.first[packet_threads]; first += packet_threads) {
    const std::int32_t candidate = first + thread;
    const bool has_any = candidate < best.first[packet_threads];
    const std::int32_t block_point = has_any ? best.owner(candidate) : 0;
    NearestPrimitive result;
    if (has_any) test(block_point, buffer(1 + candidate - best.first[block_point], begin + block_point), result);
    if (best.include(has_any, block_point, result)) write(block_point, result);
  }
}

/// Searches for each crowded point with a warp of its own.
static __global__ void __launch_bounds__(packet_threads) search_crowded(QueryBatch batch, PointList crowded) {
  __shared__ WarpStack stacks[packet_threads / 32];
  __shared__ std::int32_t pending[packet_threads / 32][ExactCandidates::capacity];
  const unsigned warp = threadIdx.x / 32;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * (packet_threads / 32);
  for (std::int64_t k = thread_index() / 32; k < *crowded.count; k += step) {
    const std::int64_t i = batch.point_number(crowded.points[k]);
    const DoubleDoubleVector point = batch.queries.point(i);
    ExactCandidates candidates(batch.queries, batch.primitives, point, initial_candidate(batch, i).radius,
                               pending[warp]);
    WarpTraversal traversal(batch.bvh, stacks[warp]);
    for_each_tree(batch, i, traversal, [&](std::int32_t) { traversal.run(candidates); });
    candidates.finish(i);
  }
}

}  // namespace shoal::wall_distance
