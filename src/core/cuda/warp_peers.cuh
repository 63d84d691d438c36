// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace shoal {

inline constexpr unsigned whole_warp = 0xffffffffu;

/// How many threads of the warp before this one voted yes.
__device__ inline int votes_before(unsigned votes) { return __popc(votes & ((1u << threadIdx.x % 32) - 1)); }

/// The threads of a warp that hold the same key. All threads of the warp must make one.
class WarpPeers {
 public:
  template <class Key>
  __device__ explicit WarpPeers(Key key)
      : peers_(__match_any_sync(whole_warp, key)), lane_(static_cast<int>(threadIdx.x % warpSize)) {}

  __device__ int leader() const { return __ffs(static_cast<int>(peers_)) - 1; }
  __device__ bool leads() const { return lane_ == leader(); }
  __device__ int count() const { return __popc(peers_); }
  /// Number of peers in lower lanes.
  __device__ int rank() const { return __popc(peers_ & ((1u << lane_) - 1)); }
  /// What the leader passes in, for all its peers. All threads of the warp must call it.
  __device__ int from_leader(int value) const { return __shfl_sync(whole_warp, value, leader()); }

 private:
  unsigned peers_;
  int lane_;
};

}  // namespace shoal
