// SPDX-License-Identifier: Apache-2.0
// Traversal by a warp for a single point: its threads test the boxes and primitives of several nodes at a time.
#pragma once
#include "core/cuda/warp.cuh"
#include "wall_distance/bvh_cuda/bvh_query.cuh"

namespace shoal::wall_distance {

/// Nodes and leaves that remain to be visited by a warp.
struct WarpStack {
  static constexpr int nodes_at_once = 32 / BvhNode::width, leaves_at_once = 32 / BvhLeaf::width;

  std::uint32_t nodes[32 * BodyBvh::most_levels];  ///< level from bit 28 on, and number on the level
  std::uint32_t leaves[32 + leaves_at_once];
};

/// Traversal of one tree after the other for the common point of all threads of a warp.
class WarpTraversal : public BvhQuery {
 public:
  __device__ WarpTraversal(const DeviceBvhSet& bvh, WarpStack& stack) : BvhQuery(bvh), stack_(stack) {}

  /// Traverses the tree.
  /// @param candidates  receives primitives: radius() is the search radius, m;
  ///                    offer(is_any, primitive, distance) takes one from each thread with is_any
  template <class Candidates>
  __device__ void run(Candidates& candidates) {
    push_node(threadIdx.x % 32 == 0, tree_->levels, 0);
    while (nodes_ > 0 || leaves_ > 0)
      if (nodes_ == 0 || leaves_ >= WarpStack::leaves_at_once)
        visit_leaves(candidates);
      else
        visit_nodes(candidates);
  }

 private:
  static constexpr int number_bits = 28;

  __device__ void push_node(bool has_any, int level, std::uint32_t j) {
    const unsigned votes = __ballot_sync(whole_warp, has_any);
    if (has_any) stack_.nodes[nodes_ + votes_before(votes)] = static_cast<std::uint32_t>(level) << number_bits | j;
    nodes_ += __popc(votes);
    __syncwarp();
  }
  __device__ void push_leaf(bool has_any, std::uint32_t j) {
    const unsigned votes = __ballot_sync(whole_warp, has_any);
    if (has_any) stack_.leaves[leaves_ + votes_before(votes)] = j;
    leaves_ += __popc(votes);
    __syncwarp();
  }

  /// Pops the last nodes and tests one of their boxes in each thread.
  template <class Candidates>
  __device__ void visit_nodes(const Candidates& candidates) {
    const int lane = static_cast<int>(threadIdx.x % 32), node_entry = nodes_ - 1 - lane / BvhNode::width;
    const std::uint32_t entry = stack_.nodes[max(node_entry, 0)];
    const int level = static_cast<int>(entry >> number_bits);
    const std::uint32_t j = entry & ((1u << number_bits) - 1), c = static_cast<std::uint32_t>(lane) % BvhNode::width;
    const std::uint32_t child = j * BvhNode::width + c;
    __syncwarp();
    nodes_ = max(nodes_ - WarpStack::nodes_at_once, 0);
    bool is_open = node_entry >= 0 && static_cast<std::int32_t>(child) < tree_->count[level - 1];
    if (is_open) {
      const BoxDistance box(node(level, j), c, high_);
      is_open = !(box.squared > FloatDistance::squared_limit(candidates.radius(), box_error_));
      if (is_open && level == 1) {
        const FloatDistance disk = to_disk(box, child);
        is_open = !(disk.squared > FloatDistance::squared_limit(candidates.radius(), disk.error));
      }
    }
    push_node(is_open && level > 1, level - 1, child);
    push_leaf(is_open && level == 1, child);
  }

  /// Pops the last leaves and tests one of their primitives in each thread.
  template <class Candidates>
  __device__ void visit_leaves(Candidates& candidates) {
    const int lane = static_cast<int>(threadIdx.x % 32), leaf_entry = leaves_ - 1 - lane / BvhLeaf::width;
    const std::uint32_t j = stack_.leaves[max(leaf_entry, 0)];
    const std::int32_t i = lane % BvhLeaf::width, number = static_cast<std::int32_t>(j * BvhLeaf::width) + i;
    __syncwarp();
    leaves_ = max(leaves_ - WarpStack::leaves_at_once, 0);
    bool is_any = leaf_entry >= 0 && number < tree_->primitives;
    FloatDistance distance{};
    if (is_any) {
      const BoxDistance box(node(1, j / BvhNode::width), j % BvhNode::width, high_);
      distance = to_primitive(box, box.is_far(), j, i);
      is_any = !(distance.squared > FloatDistance::squared_limit(candidates.radius(), distance.error));
    }
    candidates.offer(is_any, is_any ? bvh_.order[tree_->first_primitive + number] : 0, distance);
  }

  WarpStack& stack_;
  int nodes_ = 0, leaves_ = 0;  ///< numbers of nodes and leaves on the stack
};

}  // namespace shoal::wall_distance
