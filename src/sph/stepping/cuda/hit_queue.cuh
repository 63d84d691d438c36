// SPDX-License-Identifier: Apache-2.0
// Neighbors of a particle that wait for their sums, as bits of chunks of candidates.
#pragma once
#include <cstdint>

namespace shoal::sph {

__device__ __forceinline__ int lowest_bit(unsigned mask) { return __ffs(static_cast<int>(mask)) - 1; }
__device__ __forceinline__ int lowest_bit(unsigned long long mask) { return __ffsll(static_cast<long long>(mask)) - 1; }

/// Calls visit(j) for each neighbor among the candidates from `first` on, one bit each.
template <class Mask, class Visit>
__device__ __forceinline__ void for_each_hit(std::int32_t first, Mask hits, const Visit& visit) {
  for (; hits; hits &= hits - 1) visit(first + lowest_bit(hits));
}

/// Threads of a block that searches.
constexpr int search_threads = 128;

/// All threads of a warp wait for the one with most neighbors in a chunk. Over the chunks of all rows they have about as
/// many, so that chunks are collected and their neighbors summed in one loop.
/// @tparam room  chunks between two calls of drain()
template <int room>
class HitQueue {
 public:
  __device__ __forceinline__ HitQueue() {
    __shared__ uint2 chunks[room][search_threads];
    begin_ = end_ = &chunks[0][threadIdx.x];
  }

  /// Adds the neighbors among the 32 candidates from `first` on, one bit each.
  __device__ __forceinline__ void push(std::int32_t first, unsigned hits) {
    if (!hits) return;
    *end_ = {static_cast<unsigned>(first), hits};
    end_ += search_threads;
  }

  /// Calls visit(j) for each neighbor, in their order, and clears the queue.
  template <class Visit>
  __device__ __forceinline__ void drain(const Visit& visit) {
    const uint2* next = begin_;
    uint2 chunk{};
#pragma unroll 1
    while (chunk.y || next != end_) {
      if (!chunk.y) {
        chunk = *next;
        next += search_threads;
      }
      visit(static_cast<std::int32_t>(chunk.x) + lowest_bit(chunk.y));
      chunk.y &= chunk.y - 1;
    }
    end_ = begin_;
  }

 private:
  uint2* begin_;
  uint2* end_;
};

}  // namespace shoal::sph
