// SPDX-License-Identifier: Apache-2.0
// Types that the kernels of `bvh` share.
#pragma once
#include "wall_distance/bvh_cuda/candidates.cuh"
#include "wall_distance/bvh_cuda/packet_traversal.cuh"
#include "wall_distance/bvh_cuda/point_order.cuh"
#include "wall_distance/bvh_cuda/warp_traversal.cuh"

namespace shoal::wall_distance {

constexpr int packet_threads = 128;                           ///< threads of a block
constexpr int packet_blocks = 5;                              ///< blocks of a search on a multiprocessor
constexpr std::int64_t batch_points = std::int64_t{1} << 21;  ///< largest number of points in a batch
constexpr std::int32_t too_many = -2;  ///< mark of an incomplete list, stored as its first candidate

using BlockLists = CandidateLists<packet_threads>;
using BlockStacks = PacketStacks<packet_threads>;

/// A list of points, by their numbers in the batch, to which kernels append.
struct PointList {
  std::int32_t* points;
  unsigned* count;

  __device__ void add(std::int32_t point) const { points[atomicAdd(count, 1u)] = point; }
};

/// The points of a kernel: a list, or all points of a batch.
struct PointSelection {
  const std::int32_t* points;  ///< null: all points of the batch
  const unsigned* count;

  PointSelection() : points(nullptr), count(nullptr) {}
  explicit PointSelection(const PointList& list) : points(list.points), count(list.count) {}

  __device__ std::int64_t size(std::int32_t batch_size) const { return points == nullptr ? batch_size : *count; }
  /// Point number t of the selection; the last one if t is beyond.
  __device__ std::int32_t operator()(std::int64_t t, std::int64_t selection_size) const {
    const auto k = static_cast<std::int32_t>(min(t, selection_size - 1));
    return points == nullptr ? k : points[k];
  }
};

/// Returns true for a small share of the points of a batch. They are far from each other, so a packet of them would
/// visit most of the tree; each gets a warp of its own instead.
__device__ inline bool is_sparse(std::int64_t selected, std::int64_t batch_size) {
  return selected < min<std::int64_t>(4096 + batch_size / 256, batch_size / 8);
}

/// Arguments of the kernels for one batch of points.
struct QueryBatch {
  WallQueries queries;
  DevicePrimitives primitives;
  DeviceBvhSet bvh;
  OrderedPoints points;
  std::int64_t first;  ///< first position of the batch in `points`
  std::int32_t count;  ///< number of points in the batch

  __device__ std::int64_t point_number(std::int64_t i) const { return points(first + i); }
};

/// Point i; the origin if it has a bad coordinate.
__device__ inline DoubleDoubleVector point_or_origin(const WallQueries& queries, std::int64_t i) {
  const DoubleDoubleVector point = queries.point(i);
  return queries.accept(i, point) ? point : DoubleDoubleVector{};
}

/// Enters the trees of the bodies to search, one after the other, with point i of each thread, and calls visit(body).
template <class Visit>
__device__ void for_each_tree(const QueryBatch& batch, std::int64_t i, BvhQuery& query, Visit&& visit) {
  for (std::int32_t body = 0; body < batch.bvh.bodies; ++body) {
    if (batch.queries.body >= 0 && batch.queries.body != body) continue;
    query.enter(body, batch.primitives.pose[body].to_body(point_or_origin(batch.queries, i)));
    visit(body);
  }
}

/// Initial bound of point i, from the leaves that are nearest to the middle point of the warp.
__device__ inline InitialCandidate initial_candidate(const QueryBatch& batch, std::int64_t i) {
  InitialCandidate candidate{{infinite_distance<float>, 0, 0}, 0};
  BvhQuery query(batch.bvh);
  for_each_tree(batch, i, query, [&](std::int32_t body) { candidate.include(query.initial_bound(), body); });
  return candidate;
}

/// Regroups the points of a block by their distance to the walls. Far points visit more of the tree than near ones, so
/// a warp should not have both.
struct BlockRegrouping {
  std::uint32_t key[packet_threads];
  InitialCandidate candidate[packet_threads];
  std::int32_t source[packet_threads];

  /// Replaces the candidate of each thread by that of another thread, whose number it returns. Points whose distances
  /// differ by less than a factor of two keep their order.
  __device__ std::int32_t exchange(InitialCandidate& thread_candidate) {
    const std::uint32_t thread_key = __float_as_uint(thread_candidate.radius) >> 23 << 8 | threadIdx.x;
    key[threadIdx.x] = thread_key;
    __syncthreads();
    int position = 0;
    for (int k = 0; k < packet_threads; ++k) position += key[k] < thread_key;
    candidate[position] = thread_candidate;
    source[position] = static_cast<std::int32_t>(threadIdx.x);
    __syncthreads();
    thread_candidate = candidate[threadIdx.x];
    const std::int32_t thread_source = source[threadIdx.x];
    __syncthreads();
    return thread_source;
  }
};

union SearchSharedMemory {
  BlockRegrouping regrouping;
  struct {
    BlockStacks stacks;
    BlockLists lists;
  };
};

/// Candidates of all points of a batch in global memory, in the order in which warps searched for them.
struct CandidateBuffer {
  std::int32_t* point;      ///< [slots] number of the point of each slot; −1: none
  std::int32_t* primitive;  ///< [BlockLists::most][slots] −1 after the last one; or too_many
  std::int64_t slots;       ///< a multiple of packet_threads
  const unsigned* used;     ///< number of slots in use, rounded up to whole blocks; null: all

  __device__ std::int32_t& operator()(int k, std::int64_t slot) const { return primitive[k * slots + slot]; }

  /// Leaves a point to the kernel for crowded points.
  __device__ void put_crowded(std::int32_t thread_point) const {
    point[thread_index()] = thread_point;
    (*this)(0, thread_index()) = too_many;
  }

  /// Stores the candidates of this thread.
  __device__ void put(std::int32_t thread_point, const CandidateList<packet_threads>& list, bool is_complete) const {
    const std::int64_t slot = thread_index();
    point[slot] = thread_point;
    const int count = is_complete ? list.count() : 0;
    for (int k = 0; k < count; ++k) (*this)(k, slot) = list.primitive(k);
    if (count < BlockLists::most) (*this)(count, slot) = is_complete ? -1 : too_many;
  }
};

}  // namespace shoal::wall_distance
