// SPDX-License-Identifier: Apache-2.0
// Values of the 32 threads of a warp together. All threads of the warp must call these functions.
#pragma once
#include <cstdint>

namespace shoal {

inline constexpr unsigned whole_warp = 0xffffffffu;

__device__ inline int lane_of_warp() { return static_cast<int>(threadIdx.x) % 32; }

/// Number of lower lanes of the warp whose bit is set in `votes`.
__device__ inline int votes_before(unsigned votes) { return __popc(votes & ((1u << threadIdx.x % 32) - 1)); }

/// Combines the values of lanes that are 16 apart, then those 8 apart, and so on; all lanes get the result.
/// @param combine  combine(a, b), which must be commutative
template <class Value, class Combine>
__device__ __forceinline__ Value combine_warp(Value value, const Combine& combine) {
#pragma unroll
  for (int across = 16; across > 0; across /= 2) value = combine(value, __shfl_xor_sync(whole_warp, value, across));
  return value;
}

template <class Value>
__device__ __forceinline__ Value warp_sum(Value value) {
  return combine_warp(value, [](Value a, Value b) { return a + b; });
}
template <class Value>
__device__ __forceinline__ Value warp_least(Value value) {
  return combine_warp(value, [](Value a, Value b) { return ::min(a, b); });
}
template <class Value>
__device__ __forceinline__ Value warp_largest(Value value) {
  return combine_warp(value, [](Value a, Value b) { return ::max(a, b); });
}

/// Sum of the values of this lane and of all lower ones.
template <class Integer>
__device__ __forceinline__ Integer warp_prefix_sum(Integer value) {
#pragma unroll
  for (int apart = 1; apart < 32; apart *= 2) {
    const Integer lower = __shfl_up_sync(whole_warp, value, apart);
    if (lane_of_warp() >= apart) value += lower;
  }
  return value;
}

}  // namespace shoal
