// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/warp.cuh"

namespace shoal {

/// Threads of a warp with the same key. All threads of the warp must construct it.
class WarpPeers {
 public:
  template <class Key>
  __device__ explicit WarpPeers(Key key) : peers_(__match_any_sync(whole_warp, key)), lane_(lane_of_warp()) {}

  __device__ int leader() const { return __ffs(static_cast<int>(peers_)) - 1; }
  __device__ bool leads() const { return lane_ == leader(); }
  __device__ int count() const { return __popc(peers_); }
  /// Number of peers in lower lanes.
  __device__ int rank() const { return __popc(peers_ & ((1u << lane_) - 1)); }
  /// Broadcasts the leader's value to its peers. All threads of the warp must call it.
  __device__ int from_leader(int value) const { return __shfl_sync(whole_warp, value, leader()); }

 private:
  unsigned peers_;
  int lane_;
};

}  // namespace shoal
