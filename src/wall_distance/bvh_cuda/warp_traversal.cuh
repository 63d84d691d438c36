// SPDX-License-Identifier: Apache-2.0
// How a warp looks for the nearest piece of one point: its threads see boxes and pieces of several nodes at a time.
#pragma once
#include "wall_distance/bvh_cuda/bvh_query.cuh"

namespace shoal {

/// What is still to be looked at by a warp.
struct LoneStack {
  static constexpr int nodes_at_once = 32 / BoxNode::width, leaves_at_once = 32 / TreeLeaf::width;

  std::uint32_t nodes[32 * BodyTree::most_levels];  ///< the level above bit 28, and the number
  std::uint32_t leaves[32 + leaves_at_once];
};

/// Goes through one tree after the other for a point that all threads of a warp share.
class LoneSearch : public TreeSight {
 public:
  __device__ LoneSearch(const DeviceTrees& trees, LoneStack& stack) : TreeSight(trees), stack_(stack) {}

  /// Looks wherever pieces may be within reach.
  /// @param faces  what is done with pieces: reach() says within how much they are of interest, m;
  ///               offer(is_any, piece, distance) takes one of each thread that has any
  template <class Faces>
  __device__ void run(Faces& faces) {
    push_node(threadIdx.x % 32 == 0, tree_->levels, 0);
    while (nodes_ > 0 || leaves_ > 0)
      if (nodes_ == 0 || leaves_ >= LoneStack::leaves_at_once)
        look_at_leaves(faces);
      else
        look_at_nodes(faces);
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

  /// A box of the last nodes for each thread.
  template <class Faces>
  __device__ void look_at_nodes(const Faces& faces) {
    const int lane = static_cast<int>(threadIdx.x % 32), its_node = nodes_ - 1 - lane / BoxNode::width;
    const std::uint32_t entry = stack_.nodes[max(its_node, 0)];
    const int level = static_cast<int>(entry >> number_bits);
    const std::uint32_t j = entry & ((1u << number_bits) - 1), c = static_cast<std::uint32_t>(lane) % BoxNode::width;
    const std::uint32_t below = j * BoxNode::width + c;
    __syncwarp();
    nodes_ = max(nodes_ - LoneStack::nodes_at_once, 0);
    bool is_open = its_node >= 0 && static_cast<std::int32_t>(below) < tree_->count[level - 1];
    if (is_open) {
      const ViewedBox box(node(level, j), c, high_);
      is_open = !(box.squared > FlatDistance::limit(faces.reach(), box_error_));
      if (is_open && level == 1) {
        const FlatDistance disk = to_disk(box, below);
        is_open = !(disk.squared > FlatDistance::limit(faces.reach(), disk.error));
      }
    }
    push_node(is_open && level > 1, level - 1, below);
    push_leaf(is_open && level == 1, below);
  }

  /// A piece of the last leaves for each thread.
  template <class Faces>
  __device__ void look_at_leaves(Faces& faces) {
    const int lane = static_cast<int>(threadIdx.x % 32), its_leaf = leaves_ - 1 - lane / TreeLeaf::width;
    const std::uint32_t j = stack_.leaves[max(its_leaf, 0)];
    const std::int32_t i = lane % TreeLeaf::width, number = static_cast<std::int32_t>(j * TreeLeaf::width) + i;
    __syncwarp();
    leaves_ = max(leaves_ - LoneStack::leaves_at_once, 0);
    bool is_any = its_leaf >= 0 && number < tree_->pieces;
    FlatDistance found{};
    if (is_any) {
      const ViewedBox box(node(1, j / BoxNode::width), j % BoxNode::width, high_);
      found = to_piece(box, box.is_far(), j, i);
      is_any = !(found.squared > FlatDistance::limit(faces.reach(), found.error));
    }
    faces.offer(is_any, is_any ? trees_.order[tree_->first_piece + number] : 0, found);
  }

  LoneStack& stack_;
  int nodes_ = 0, leaves_ = 0;  ///< on the stack
};

}  // namespace shoal
