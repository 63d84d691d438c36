// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/bvh_cuda/query_batch.cuh"

/// The kernels of find().
namespace shoal::packets {

/// Lists the candidates of each point.
static __global__ void __launch_bounds__(threads, blocks) search_near(Call call, Listed listed, Candidates candidates) {
  __shared__ SearchMemory memory;
  const std::int64_t count = listed.size(call.count);
  if (static_cast<std::int64_t>(blockIdx.x) * threads >= count) return;
  std::int64_t t = thread_index();
  if (are_few(count, call.count)) return candidates.leave(t < count ? listed(t, count) : -1);
  const auto number = [&] { return call.point_number(listed(t, count)); };
  Known known = first_known(call, number());
  t += memory.grouping.exchange(known) - static_cast<std::int32_t>(threadIdx.x);
  ShortList<threads> list(memory.lists, call.pieces, call.queries, number(), known.reach);
  const FarReach& far = call.queries.far;
  if (!far.is_exact()) list.add(known.piece, known.low);  // the search may leave it out
  NearFaces<threads> faces(list, far);
  PacketSearch search(call.trees, memory.stacks.entries[threadIdx.x / 32], far.is_exact() ? 4096 : 1024);
  for_each_tree(call, number(), search, [&](std::int32_t) { search.run(faces); });
  const bool has_all = faces.finish();
  candidates.put(t < count ? listed(t, count) : -1, list, has_all);
}

/// The answers of the points of a block so far.
struct BestOfBlock {
  unsigned long long distance[threads];  ///< its bits
  std::int32_t piece[threads];
  std::int32_t point[threads];
  std::int32_t first[threads + 1];  ///< number of the first candidate but one of a point among those of all points

  __device__ std::int32_t owner(std::int32_t candidate) const {
    std::int32_t low = 0, high = threads - 1;  // the last one whose first is not behind it
    while (low < high) {
      const std::int32_t half = (low + high + 1) / 2;
      if (first[half] <= candidate)
        low = half;
      else
        high = half - 1;
    }
    return low;
  }

  /// Makes sums of the counts of the threads before. Counts are in first[1 + thread].
  __device__ void sum_counts() {
    for (int step = 1; step < threads; step *= 2) {
      const auto t = static_cast<int>(threadIdx.x);
      const std::int32_t sum = first[1 + t] + (t >= step ? first[1 + t - step] : 0);
      __syncthreads();
      first[1 + t] = sum;
      __syncthreads();
    }
  }

  /// Takes what each thread found for a point, if it found any. Whether it is the best one now.
  __device__ bool take(bool has_found, std::int32_t its_point, const NearestFace& found) {
    const auto bits = static_cast<unsigned long long>(__double_as_longlong(found.distance));
    const unsigned long long before = distance[threadIdx.x];
    __syncthreads();
    if (has_found) atomicMin(&distance[its_point], bits);
    __syncthreads();
    if (distance[threadIdx.x] != before) piece[threadIdx.x] = no_piece;
    __syncthreads();
    const auto number = static_cast<std::int32_t>(found.piece);
    const bool is_near = has_found && bits == distance[its_point];
    if (is_near) atomicMin(&piece[its_point], number);
    __syncthreads();
    return is_near && number == piece[its_point];
  }

  static constexpr std::int32_t no_piece = std::numeric_limits<std::int32_t>::max();
};

/// Sees candidates exactly: the first one of each point by its own thread, then all others by any.
static __global__ void __launch_bounds__(threads) settle(Call call, Candidates candidates, Waiting crowded) {
  __shared__ BestOfBlock best;
  const auto mine = static_cast<std::int32_t>(threadIdx.x);
  const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * threads;
  if (candidates.used != nullptr && begin >= *candidates.used) return;
  const auto see = [&](std::int32_t its_point, std::int32_t piece, NearestFace& nearest) {
    const TwofoldVector point = call.queries.point(call.point_number(best.point[its_point]));
    call.pieces.see(call.queries, point, piece, nearest);
  };
  const auto write = [&](std::int32_t its_point, const NearestFace& nearest) {
    const std::int64_t i = call.point_number(best.point[its_point]);
    call.pieces.write(call.queries, i, call.queries.point(i), nearest);
    const FarReach& far = call.queries.far;
    if (!far.is_exact()) call.queries.write_lower(i, far.reach(nearest.distance));
  };
  const std::int32_t point = candidates.point[begin + mine];
  std::int32_t count = 0;
  if (point >= 0) {
    const std::int64_t i = call.point_number(point);
    if (candidates(0, begin + mine) == too_many)
      crowded.add(point);
    else if (call.queries.accept(i, call.queries.point(i)))
      while (count < Lists::most && candidates(count, begin + mine) >= 0) ++count;
  }
  best.point[mine] = point;
  best.first[1 + mine] = count > 1 ? count - 1 : 0;
  if (mine == 0) best.first[0] = 0;
  NearestFace nearest;
  if (count > 0) {
    see(mine, candidates(0, begin + mine), nearest);
    write(mine, nearest);
  }
  best.distance[mine] = static_cast<unsigned long long>(__double_as_longlong(nearest.distance));
  best.piece[mine] = static_cast<std::int32_t>(nearest.piece);
  __syncthreads();
  best.sum_counts();
  for (std::int32_t others = 0; others < best.first[threads]; others += threads) {
    const std::int32_t candidate = others + mine;
    const bool has_any = candidate < best.first[threads];
    const std::int32_t its_point = has_any ? best.owner(candidate) : 0;
    NearestFace found;
    if (has_any) see(its_point, candidates(1 + candidate - best.first[its_point], begin + its_point), found);
    if (best.take(has_any, its_point, found)) write(its_point, found);
  }
}

/// A warp for each point that has many pieces nearly as near as the nearest one.
static __global__ void __launch_bounds__(threads) search_crowded(Call call, Waiting crowded) {
  __shared__ LoneStack stacks[threads / 32];
  __shared__ std::int32_t waiting[threads / 32][ExactFaces::room];
  const unsigned warp = threadIdx.x / 32;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * (threads / 32);
  for (std::int64_t k = thread_index() / 32; k < *crowded.count; k += step) {
    const std::int64_t i = call.point_number(crowded.points[k]);
    const TwofoldVector point = call.queries.point(i);
    ExactFaces faces(call.queries, call.pieces, point, first_known(call, i).reach, waiting[warp]);
    LoneSearch search(call.trees, stacks[warp]);
    for_each_tree(call, i, search, [&](std::int32_t) { search.run(faces); });
    faces.finish(i);
  }
}

}  // namespace shoal::packets
