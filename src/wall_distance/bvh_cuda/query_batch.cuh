// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "wall_distance/bvh_cuda/warp_traversal.cuh"
#include "wall_distance/bvh_cuda/candidates.cuh"
#include "wall_distance/bvh_cuda/packet_traversal.cuh"
#include "wall_distance/bvh_cuda/point_order.cuh"

/// What the kernels of `bvh` share.
namespace shoal::packets {

constexpr int threads = 128;
constexpr int blocks = 5;                                    ///< of a search, of a multiprocessor
constexpr std::int64_t most_points = std::int64_t{1} << 21;  ///< at a time
constexpr std::int32_t too_many = -2;                        ///< candidates, instead of the first one

using Lists = ShortLists<threads>;
using Stacks = PacketStacks<threads>;

/// Points that wait for a kernel, by their numbers from `first` on.
struct Waiting {
  std::int32_t* points;
  unsigned* count;

  __device__ void add(std::int32_t point) const { points[atomicAdd(count, 1u)] = point; }
};

/// Points that a kernel is about.
struct Listed {
  const std::int32_t* points;  ///< null: all of a call
  const unsigned* count;

  Listed() : points(nullptr), count(nullptr) {}
  explicit Listed(const Waiting& waiting) : points(waiting.points), count(waiting.count) {}

  __device__ std::int64_t size(std::int32_t all) const { return points == nullptr ? all : *count; }
  /// Number t, or the last one.
  __device__ std::int32_t operator()(std::int64_t t, std::int64_t its_size) const {
    const auto k = static_cast<std::int32_t>(min(t, its_size - 1));
    return points == nullptr ? k : points[k];
  }
};

/// A few points among many are far from each other: a warp would go through the tree for 32 of them as if they were all
/// over the place. They are better off with a warp each.
__device__ inline bool are_few(std::int64_t few, std::int64_t many) {
  return few < min<std::int64_t>(4096 + many / 256, many / 8);
}

/// What the kernels of one call share.
struct Call {
  WallQueries queries;
  DevicePieces pieces;
  DeviceTrees trees;
  OrderedPoints points;
  std::int64_t first;  ///< the places first, ..., first + count - 1 of points
  std::int32_t count;

  __device__ std::int64_t point_number(std::int64_t i) const { return points(first + i); }
};

/// Point i, or another one if that is nowhere.
__device__ inline TwofoldVector point_or_none(const WallQueries& queries, std::int64_t i) {
  const TwofoldVector point = queries.point(i);
  return queries.accept(i, point) ? point : TwofoldVector{};
}

/// Goes to the trees that are asked about, one after the other, for point i of each thread.
template <class Visit>
__device__ void for_each_tree(const Call& call, std::int64_t i, TreeSight& search, Visit&& visit) {
  for (std::int32_t body = 0; body < call.trees.bodies; ++body) {
    if (call.queries.body >= 0 && call.queries.body != body) continue;
    search.enter(body, call.pieces.pose[body].to_body(point_or_none(call.queries, i)));
    visit(body);
  }
}

/// From the leaves that are nearest to the middle point of the warp.
__device__ inline Known first_known(const Call& call, std::int64_t i) {
  Known known{{no_distance<float>, 0, 0}, 0};
  TreeSight sight(call.trees);
  for_each_tree(call, i, sight, [&](std::int32_t body) { known.include(sight.known_piece(), body); });
  return known;
}

/// Points of a block with what is known of them, by their distance to the walls: those that are far look at more of the
/// tree than those that are near, so warps should not have both.
struct Grouping {
  std::uint32_t key[threads];
  Known of[threads];
  std::int32_t from[threads];

  /// Takes what every thread of a block knows and gives it what another one does, whose number it returns. Points that
  /// are as far, but for a factor of two, stay in order.
  __device__ std::int32_t exchange(Known& known) {
    const std::uint32_t mine = __float_as_uint(known.reach) >> 23 << 8 | threadIdx.x;
    key[threadIdx.x] = mine;
    __syncthreads();
    int place = 0;
    for (int k = 0; k < threads; ++k) place += key[k] < mine;
    of[place] = known;
    from[place] = static_cast<std::int32_t>(threadIdx.x);
    __syncthreads();
    known = of[threadIdx.x];
    const std::int32_t its = from[threadIdx.x];
    __syncthreads();
    return its;
  }
};

union SearchMemory {
  Grouping grouping;
  struct {
    Stacks stacks;
    Lists lists;
  };
};

/// Pieces that may be the nearest, of points in the order in which warps looked for them.
struct Candidates {
  std::int32_t* point;   ///< [places] the number of each point; −1: none
  std::int32_t* piece;   ///< [Lists::most][places] after the last one −1; or too_many
  std::int64_t places;   ///< a multiple of `threads`
  const unsigned* used;  ///< how many places are used, but for the rest of the last block; null: all

  __device__ std::int32_t& operator()(int k, std::int64_t place) const { return piece[k * places + place]; }

  /// Leaves a point to the kernel for crowded ones.
  __device__ void leave(std::int32_t its_point) const {
    point[thread_index()] = its_point;
    (*this)(0, thread_index()) = too_many;
  }

  /// What this thread found.
  __device__ void put(std::int32_t its_point, const ShortList<threads>& list, bool has_all) const {
    const std::int64_t place = thread_index();
    point[place] = its_point;
    const int found = has_all ? list.count() : 0;
    for (int k = 0; k < found; ++k) (*this)(k, place) = list.piece(k);
    if (found < Lists::most) (*this)(found, place) = has_all ? -1 : too_many;
  }
};

}  // namespace shoal::packets
